"""What is covered: every monitor, from the first moment to the last (sections 7 and 10)."""

import os
import signal
import time

import pytest
from desk.cover import MAPPED, NO_GRAB, program
from desk.screen import COVER, GREEN, settle
from desk.xlib import x11
from kit.processes import poll_until


def test_it_covers_the_screen_and_says_so(desk):
    assert GREEN in desk.me.pixels([(400, 300)]), "the victim is to be seen before"
    desk.cover().expect(MAPPED)
    assert desk.is_plain()
    [sheet] = desk.me.sheets()
    attributes = desk.me.attributes(sheet)
    assert (attributes.x, attributes.y, attributes.width, attributes.height) == (0, 0, 1280, 800)
    assert attributes.override_redirect


def test_leaving_uncovers_and_gives_the_focus_back(desk):
    cover = desk.cover().expect(MAPPED)
    cover.leave()
    assert cover.wait_exit() == 0
    assert not desk.me.sheets()
    poll_until(lambda: GREEN in desk.me.pixels([(400, 300)]), 5, "the victim to be painted")
    poll_until(lambda: desk.me.focus == desk.victim.window, 5, "the focus to be back")
    desk.victim.clear()
    desk.me.key("a")
    poll_until(lambda: "key" in desk.victim.lines_of(), 5, "a key for the victim")


def test_it_needs_a_channel_and_a_display(screen):
    assert screen.cover(env={"DISPLAY": ":9999"}).wait_exit() == 1
    cover = screen.cover(env={"DISPLAY": ""})
    assert cover.wait_exit() == 3
    for arguments in ([program(), "--nonsense"], ["/bin/sh", "-c", 'exec "$0" 3</dev/null', program()]):
        started = screen.run(arguments, "arguments")
        poll_until(lambda: started.status is not None, 5, "its end")
        assert started.status == 2
    assert not screen.me.sheets()


def test_a_second_monitor_is_covered_at_once(desk):
    desk.cover().expect(MAPPED)
    desk.tool("xrandr", "--setmonitor", "left", "640/160x800/200+0+0", "screen")
    desk.tool("xrandr", "--setmonitor", "right", "640/160x800/200+640+0", "none")
    assert "right" in desk.tool("xrandr", "--listmonitors")
    assert desk.is_plain()


def test_the_screen_grows_and_shrinks_while_covered(make_screen):
    """Xephyr's screen follows its window's size, as a laptop's does when monitors come and go."""
    outer = make_screen(size="1600x1000")
    os.environ["DISPLAY"] = outer.display
    try:
        inner = make_screen(server=("Xephyr", "-resizeable"), size="800x600")
    finally:
        del os.environ["DISPLAY"]
    inner.paint_root()
    inner.cover().expect(MAPPED)
    [host] = outer.tool("xdotool", "search", "--name", "Xephyr").split()
    for width, height in ((1400, 900), (640, 480), (1200, 700)):
        outer.tool("xdotool", "windowsize", host, str(width), str(height))
        poll_until(lambda: inner.me.attributes(inner.me.root).width == width, 5, "the screen to change")
        changed = time.monotonic()
        poll_until(inner.is_plain, 2, "the new parts to be covered", step=0.001)
        assert time.monotonic() - changed < 0.1
        [sheet] = inner.me.sheets()
        assert inner.me.attributes(sheet).width == width


def test_every_screen_of_the_server_is_covered(make_screen):
    screen = make_screen(screens=2)
    second = screen.client()
    root = x11.XRootWindow(second.raw, 1)
    screen.cover().expect(MAPPED)
    assert len(screen.me.sheets()) == 1
    assert len(second.sheets(root)) == 1


def test_a_window_mapped_later_does_not_stay_above(desk):
    desk.cover().expect(MAPPED)
    for override in (True, False):
        intruder = desk.client()
        window = intruder.create(0, 0, 300, 300, 0xFF0000, override)
        intruder.map(window)
        poll_until(desk.is_plain, 1, "the cover to be on top")
        intruder.raise_(window)
        poll_until(desk.is_plain, 1, "the cover to be on top again")


def test_one_that_raises_itself_for_ever_costs_little_and_wins_nothing_lasting(desk):
    cover = desk.cover().expect(MAPPED)
    intruder = desk.client()
    window = intruder.create(0, 0, 300, 300, 0xFF0000, True)
    intruder.map(window)
    before = cpu_seconds(cover.pid)
    until = time.monotonic() + 2
    while time.monotonic() < until:
        intruder.raise_(window)
    assert cpu_seconds(cover.pid) - before < 1.2
    poll_until(desk.is_plain, 1, "the cover to be on top")
    # It still hears the service.
    cover.leave()
    assert cover.wait_exit() == 0


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("harm", ["XUnmapWindow", "XLowerWindow", "XDestroyWindow"])
def test_another_client_cannot_take_the_cover_away(desk, harm):
    desk.cover().expect(MAPPED)
    [sheet] = desk.me.sheets()
    desk.client().call(harm, sheet)
    poll_until(lambda: desk.me.sheets() and desk.is_plain(), 1, "the cover to be back")
    assert desk.me.grab_keyboard() == 1
    assert desk.me.grab_pointer() == 1


def test_another_client_cannot_move_it(desk):
    desk.cover().expect(MAPPED)
    [sheet] = desk.me.sheets()
    desk.client().call("XMoveResizeWindow", sheet, 500, 500, 10, 10)
    poll_until(desk.is_plain, 1, "the cover to be back")


def test_a_window_manager_that_hangs_is_no_hindrance(desk):
    desk.manager.stop()
    cover = desk.cover().expect(MAPPED)
    assert desk.is_plain()
    assert desk.me.grab_keyboard() == 1
    desk.manager.go_on()
    settle(0.2)
    assert desk.is_plain()
    cover.leave()
    assert cover.wait_exit() == 0


def test_the_prompt_stays_above_the_cover_and_nothing_above_the_prompt(desk):
    cover = desk.cover().expect(MAPPED)
    window = desk.prompt_window()
    cover.prompt(window, desk.feed())
    desk.me.map(window)
    middle = (500, 350)
    poll_until(lambda: desk.me.pixels([middle]) == [0x0000FF], 2, "the prompt to be seen")
    intruder = desk.client()
    theirs = intruder.create(0, 0, 1280, 800, 0xFF0000, True)
    intruder.map(theirs)
    poll_until(lambda: desk.me.pixels([middle, (5, 5)]) == [0x0000FF, COVER], 1, "both to be on top")
    order = desk.me.children()
    assert order[-1] == window and order[-2] in desk.me.sheets()


def test_the_prompt_of_a_monitor_that_goes_comes_to_another(desk):
    cover = desk.cover().expect(MAPPED)
    for name, place, output in (("left", "640/160x800/200+0+0", "screen"), ("right", "640/160x800/200+640+0", "none")):
        desk.tool("xrandr", "--setmonitor", name, place, output)
    window, feed = desk.prompt_window(640, 0, 640, 800), desk.feed()
    cover.prompt(window, feed)
    desk.me.map(window)
    desk.me.move(700, 100)
    poll_until(lambda: desk.me.move(701, 100) or desk.me.move(700, 100) or feed.next(0.1), 10, "the prompt to be known")
    desk.me.move(100, 100)

    def place():
        at = desk.me.attributes(window)
        return at.x, at.y, at.width, at.height

    settle(0.1)
    assert place() == (640, 0, 640, 800), "it stays where it is while its monitor does"
    desk.tool("xrandr", "--delmonitor", "right")
    desk.tool("xrandr", "--setmonitor", "upper", "640/160x300/200+640+0", "none")
    poll_until(lambda: place() == (0, 0, 640, 800), 5, f"the monitor with the pointer, not {place()}")


def test_a_prompt_that_names_an_applications_window_does_not_show_it(desk):
    cover = desk.cover().expect(MAPPED)
    cover.prompt(desk.victim.window, desk.feed())
    settle(0.3)
    assert desk.is_plain()
    # The frame that the window manager put around it, which is the root's child.
    for frame in desk.me.children():
        if desk.victim.window in desk.me.children(frame):
            cover.prompt(frame, desk.feed())
    settle(0.3)
    assert GREEN not in desk.me.pixels(desk.grid + [(400, 300)])


def test_it_answers_whether_it_is_alive(desk):
    cover = desk.cover().expect(MAPPED)
    cover.channel.send(b"?")
    cover.expect(b"A")


def test_nonsense_from_the_service_leaves_the_cover_up(desk):
    cover = desk.cover().expect(MAPPED)
    cover.channel.send(b"L" * 7)
    settle(0.2)
    assert cover.status is None and desk.is_plain()
    assert desk.me.grab_keyboard() == 1


def test_a_grab_of_another_client_delays_only_the_grab(desk):
    other = desk.client()
    assert other.grab_keyboard() == 0
    cover = desk.cover()
    cover.expect(NO_GRAB)
    assert desk.is_plain(), "covered although the keyboard is another's"
    assert cover.report(0.5) is None, "said once"
    other.ungrab()
    began = time.monotonic()
    cover.expect(MAPPED)
    assert time.monotonic() - began < 0.1
    assert desk.me.grab_keyboard() == 1


@pytest.mark.parametrize("input_only", [False, True])
def test_an_open_menu_keeps_the_devices_for_a_moment_only(desk, input_only):
    """Qt's menus grab with their window; GTK's with an invisible one beside the screen."""
    app = desk.client()
    menu = app.create(200, 200, 150, 300, 0xFF0000, True, name="menu")
    app.map(menu)
    window = menu
    if input_only:
        window = app.create_input_only(-100, -100, 10, 10)
        app.map(window)
    assert app.grab_keyboard(window) == 0 and app.grab_pointer(window) == 0
    cover = desk.cover().expect(NO_GRAB)
    assert desk.is_plain()
    cover.expect(MAPPED, seconds=1)
    assert desk.is_plain()
    assert app.attributes(menu).map_state == 2, "it is there again, beneath"
    assert app.grab_keyboard(window) == 1 and app.grab_pointer(window) == 1


def test_it_leaves_no_core_and_lets_nobody_look(desk):
    cover = desk.cover().expect(MAPPED)
    with open(f"/proc/{cover.pid}/limits") as limits:
        [line] = [line for line in limits if line.startswith("Max core file size")]
    assert line.split()[4:6] == ["0", "0"]
    cover.program.signal(signal.SIGSEGV)
    assert cover.wait_exit() == -signal.SIGSEGV
    assert desk.is_plain(), "a crash uncovers nothing"
