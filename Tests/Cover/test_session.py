"""The whole of a lock on X11: the real service, its prompt and its cover (sections 7 and 10)."""

import os
import stat

import pytest
from desk.screen import COVER, ROOT, settle
from desk.session import COVERS, PROMPT, Session
from desk.xlib import ALREADY_GRABBED
from kit.acts import RIGHT, WRONG
from kit.loop import wait_until


def hammer(me):
    """What a person does who wants to get past: keys, window managers' keys, clicks, a drag."""
    me.move(400, 300)
    for keys in (("a",), ("Return",), ("Alt_L", "Tab"), ("Alt_L", "F4"), ("Super_L",), ("Escape",)):
        me.key(*keys)
    for number in (1, 2, 3, 4):
        me.click(number)
    me.button(1, True)
    me.move(700, 500)
    me.button(1, False)


def test_nothing_of_the_desktop_is_seen_or_reached_while_locked(desk, session):
    assert session.gets_input(), "it would get what is typed, were it not locked"
    session.lock_it()
    desk.victim.clear()
    assert session.is_prompt_seen
    hammer(desk.me)
    settle(0.3)
    assert desk.victim.input() == []
    assert session.is_prompt_seen, "neither raised nor closed by a window manager's keys"
    assert desk.victim.program.running and session.lock.authenticated is False
    assert desk.me.grab_keyboard() == ALREADY_GRABBED and desk.me.grab_pointer() == ALREADY_GRABBED


def test_the_passcode_typed_at_the_keyboard_opens_and_the_application_is_back(desk, session):
    session.lock_it()
    desk.victim.clear()
    session.type(WRONG)
    wait_until(lambda: session.lock.get("FailCount") == 1, 5)
    settle(1.0)  # the shake takes no keys
    session.open_it()
    assert [event for event in desk.victim.input() if event[0] in ("key", "button")] == []
    assert session.gets_input()
    wait_until(lambda: not session.children(PROMPT) + session.children(COVERS), 5, "both to end")
    assert desk.me.focus == desk.victim.window


def test_xdotool_opens_it_as_a_person_does(desk, session):
    session.lock_it()
    settle(0.5)
    desk.tool("xdotool", "type", "--delay", "40", RIGHT)
    session.wait_open()
    assert session.gets_input()


def test_the_desktop_does_not_flash_when_it_opens(desk, session):
    """The prompt is gone before the cover is: no view of it is left over the desktop."""
    session.lock_it()
    session.type()
    seen = set()
    wait_until(lambda: seen.add(tuple(desk.me.pixels([(5, 5), (640, 20)]))) or not desk.me.sheets(), 10)
    session.wait_open()
    # Prompt, then cover, then desktop; prompt and desktop together are a flash. The points are read one after another.
    assert not {pair for pair in seen if ROOT in pair and not set(pair) <= {ROOT, COVER}}
    assert session.gets_input()


def test_a_second_monitor_is_covered_at_once(desk, session):
    session.lock_it()
    desk.tool("xrandr", "--setmonitor", "left", "640/160x800/200+0+0", "screen")
    desk.tool("xrandr", "--setmonitor", "right", "640/160x800/200+640+0", "none")
    assert "right" in desk.tool("xrandr", "--listmonitors")
    assert session.is_desktop_hidden
    desk.victim.clear()
    desk.me.move(1000, 700)
    desk.me.click()
    settle(0.1)
    assert desk.victim.input() == []
    session.open_it()


@pytest.fixture
def resizable(make_screen, scratch):
    """Xephyr's screen follows its window's size, as a laptop's does when monitors come and go."""
    outer = make_screen(size="1600x1000")
    os.environ["DISPLAY"] = outer.display
    try:
        inner = make_screen(server=("Xephyr", "-resizeable"), size="800x600")
    finally:
        del os.environ["DISPLAY"]
    [host] = outer.tool("xdotool", "search", "--name", "Xephyr").split()
    inner.resize = lambda width, height: outer.tool("xdotool", "windowsize", host, str(width), str(height))
    inner.paint_root()
    inner.manager = inner.start_manager()
    inner.victim = inner.start_victim()
    yield inner


def test_the_prompt_follows_the_monitors(resizable, scratch):
    """It is nobody's but ours: no window manager brings it back onto a monitor that is left."""
    session = Session(resizable, scratch).turn_on()
    try:
        session.lock_it()
        me = resizable.me
        for width, height in ((1400, 900), (640, 480), (1200, 700)):
            resizable.resize(width, height)
            wait_until(lambda: me.attributes(me.root).width == width, 5, "the screen to change")

            def fits():
                top = me.attributes(me.children()[-1])
                return top and (top.x, top.y, top.width, top.height) == (0, 0, width, height)

            wait_until(fits, 5, "the prompt to follow")
            wait_until(lambda: session.is_prompt_seen, 5)
        session.open_it()
        assert session.gets_input()
    finally:
        session.close()


def test_idle_is_over_with_a_key_under_the_cover_which_is_no_part_of_the_entry(desk, session):
    mark = session.client.mark()
    manager = session.world.manager(session.client)
    manager.call("ReportIdle", "b", True)
    session.wait_locked(mark)
    assert manager.get("SessionState") == "idle"
    settle(0.5)
    desk.me.key("7")
    manager.wait_for("SessionState", "active")
    session.open_it()
    assert session.lock.get("FailCount") == 0
    assert session.gets_input()


def test_the_view_of_an_open_session_has_no_cover_and_gets_one_with_the_lock(desk, session):
    """A lock that joins a standing view: its prompt was a window like any other, and is not beneath the cover."""
    from kit.objects import Manager

    token = session.lock.client
    mark = token.mark()
    session.lock.authenticate("Open the vault", require="passcode")
    session.wait_shown(mark)
    settle(0.2)
    assert not desk.me.sheets()
    [first] = session.children(PROMPT)
    mark = token.mark()
    Manager(session.client).call("ReportIdle", "b", True)
    Manager(session.client).call("ReportIdle", "b", False)
    wait_until(lambda: desk.me.sheets(), 5, "the cover")
    wait_until(lambda: session.children(PROMPT) and session.children(PROMPT) != [first], 5, "a prompt of the cover's")
    wait_until(lambda: session.is_prompt_seen, 5, "the prompt above the cover")
    session.open_it()
    assert session.gets_input()


def program(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, stat.S_IRWXU)
    return path


@pytest.mark.parametrize(
    "text",
    [
        None,
        "#!/bin/sh\nexit 3\n",
        "#!/bin/sh\nexec sleep 60\n",
        "#!/usr/bin/python3\nimport os, time\nos.write(3, b'nonsense')\ntime.sleep(60)\n",
    ],
    ids=["absent", "ends", "hangs", "nonsense"],
)
def test_a_cover_that_does_not_come_is_no_trap_and_holds_no_sleep_up(desk, make_session, text):
    """The prompt is a window like any other then, and takes keys; a sleep waits for what is left of logind's limit at
    most the first time, and not at all after."""
    path = program(desk.folder, "no-cover", text) if text else "/nonexistent"
    session = make_session(env={"SMILEAUTH_COVER": path}).turn_on()
    logind = session.world.logind
    hangs = text is not None and "sleep 60" in text and "python" not in text
    for count in range(2):
        mark = session.client.mark()
        wait_until(lambda: logind.sleep_inhibitors, 5)
        logind.prepare_for_sleep(True)
        # 60 % of five seconds; the second time only for the prompt.
        wait_until(lambda: not logind.sleep_inhibitors, 5 if hangs and count == 0 else 2.5, "the inhibitor to go")
        logind.prepare_for_sleep(False)
        session.wait_shown(mark)
        assert not desk.me.sheets()
        # The last of them may be about to be replaced by one that has the keyboard.
        settle(0.5)
        session.type()
        session.lock.wait_for("IsAuthenticated", True)
    assert session.has_service


def test_an_application_that_holds_the_keyboard_delays_no_lock_and_no_sleep(desk, session):
    """Every monitor is covered all the same, and what it holds is taken as soon as it lets go."""
    greedy = desk.client()
    assert greedy.grab_keyboard() == 0
    logind = session.world.logind
    wait_until(lambda: logind.sleep_inhibitors, 5)
    mark = session.client.mark()
    logind.prepare_for_sleep(True)
    wait_until(lambda: not logind.sleep_inhibitors, 2.5, "the inhibitor to go")
    logind.prepare_for_sleep(False)
    session.wait_locked(mark)
    assert session.is_prompt_seen
    greedy.ungrab()
    wait_until(lambda: desk.me.grab_keyboard() == ALREADY_GRABBED or desk.me.ungrab(), 5, "the keyboard to be held")
    session.open_it()
    assert session.gets_input()


def test_the_prompt_is_on_the_covers_display_whatever_else_there_is(desk, make_session):
    """GTK takes a Wayland compositor before an X server where it finds one."""
    session = make_session(env={"GDK_BACKEND": "wayland"}).turn_on()
    session.lock_it()
    assert session.is_prompt_seen
    session.open_it()


def test_a_cover_that_speaks_nonsense_later_is_replaced(desk, make_session):
    """It covers, then talks nonsense; what follows it is the real one."""
    from desk.cover import program as real

    once = os.path.join(desk.folder, "once")
    path = program(
        desk.folder,
        "turns-bad",
        f"#!/bin/sh\nif [ -e {once} ]; then exec {real()}; fi\ntouch {once}\n"
        "exec /usr/bin/python3 -c 'import os, time; os.write(3, b\"M\"); os.write(3, b\"Z\"); time.sleep(60)'\n",
    )
    # The one that cleans up at the start has used the script's first turn.
    session = make_session(env={"SMILEAUTH_COVER": path}).turn_on()
    wait_until(lambda: os.path.exists(once), 5)
    wait_until(lambda: not children_of(session), 5)
    os.unlink(once)
    mark = session.client.mark()
    session.lock.lock()
    session.wait_locked(mark)
    assert "cover: sent what is no report" in session.said
    wait_until(lambda: session.is_prompt_seen, 5)
    session.open_it()


def children_of(session):
    return [pid for name in (COVERS, "turns-bad", "python3", "sh") for pid in session.children(name)]


def test_children_print_no_memory_when_they_crash(session):
    """Swift's crash handler is off in both, whatever the service's own environment said."""
    session.lock_it()
    for name in (PROMPT, COVERS):
        with open(f"/proc/{session.children(name)[0]}/environ", "rb") as file:
            assert b"SWIFT_BACKTRACE=enable=no" in file.read().split(b"\0")
