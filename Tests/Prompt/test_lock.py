"""The session's lock on Wayland: the real prompt as a client of a compositor that holds it to ext-session-lock-v1."""

import os
import time

import pytest
from promptkit.channel import Prompt, view
from promptkit.processes import poll_until
from promptkit.wayland import WaylandDesk, WestonDesk
from test_desktop import Portal

TINT = (255, 45, 85)


@pytest.fixture
def make_screen():
    made = []

    def make(**options):
        made.append(WaylandDesk(**options))
        return made[-1]

    yield make
    for desk in made:
        errors = desk.compositor.errors
        desk.close()
        assert errors == []


@pytest.fixture
def screen(make_screen):
    return make_screen()


@pytest.fixture
def lock(start):
    """Starts the session's prompt, and waits until it is to be seen and keys count."""

    def begin(screen, wait=True, **changes):
        prompt = start(screen, is_session=True, covers=True, can_cancel=changes.pop("can_cancel", False), **changes)
        if wait:
            ready(prompt)
        return prompt

    return begin


def ready(prompt):
    prompt.expect("S")
    time.sleep(0.4)
    return prompt


def near(pixel, colour, most=60):
    return all(abs(a - b) <= most for a, b in zip(pixel, colour))


def picture(screen, output="one"):
    return screen.compositor.dump(os.path.join(screen.folder, "shown.ppm"), output)


def tinted(shot, colour=TINT, box=None):
    """The smallest box (left, top, right, bottom) round all pixels near a colour; None without any."""
    width, height, data = shot
    left, top, right, bottom = box or (0, 0, width, height)
    found = None
    for y in range(top, bottom):
        for x in range(left, right):
            at = (y * width + x) * 3
            if near(data[at : at + 3], colour):
                a, b, c, d = found or (x, y, x, y)
                found = (min(a, x), b, max(c, x), max(d, y))
    return found


def width(screen):
    """Of what is tinted."""
    left, _, right, _ = tinted(picture(screen))
    return right - left


def open_by(prompt, code="1234", count=1):
    prompt.desk.compositor.type(code)
    token, entry = prompt.entry(count)
    prompt.outcome(token, "accepted")
    prompt.dismiss()
    return entry


# Locking and opening


def test_it_locks_before_it_says_shown_and_opens_after_the_right_passcode(screen, lock):
    prompt = lock(screen)
    compositor = screen.compositor
    assert compositor.said("locked") == ["locked"] and compositor.said("mapped") == ["mapped one 1024x768"]
    shown = next(when for when, data in prompt.messages if data == b"S")
    assert compositor.moment("locked") <= shown and compositor.moment("mapped") <= shown
    assert os.path.exists(screen.mark)
    compositor.type("1234")
    token, entry = prompt.entry()
    assert entry == b"1234"
    assert compositor.locked
    prompt.outcome(token, "accepted")
    prompt.dismiss()
    assert prompt.wait() == 0
    compositor.expect("unlocked")
    assert not compositor.locked and not os.path.exists(screen.mark)


def test_shown_waits_for_a_compositor_that_locks_late(screen, lock):
    screen.compositor.order("late 1")
    prompt = lock(screen)
    compositor = screen.compositor
    shown = next(when for when, data in prompt.messages if data == b"S")
    assert compositor.moment("mapped") < compositor.moment("locked") <= shown


def test_without_a_motion_it_opens_at_once(screen, lock):
    prompt = lock(screen)
    prompt.dismiss("success", animated=False)
    assert prompt.wait() == 0
    screen.compositor.expect("unlocked")


def test_a_view_that_is_no_lock_locks_nothing(screen, start):
    """There is no display but Wayland's, and no window can come up on this compositor."""
    prompt = start(screen, is_session=True, covers=False)
    assert prompt.wait() == 1 and "no display" in prompt.words()
    assert not screen.compositor.said("asked")


def test_without_the_protocol_it_asks_in_a_window_and_says_so(make_screen, lock):
    screen = make_screen(lock=False)
    prompt = lock(screen, wait=False)
    assert prompt.wait() == 1
    assert "the compositor offers no session lock" in prompt.words() and "no display" in prompt.words()


def test_on_a_real_compositor_without_it_there_is_a_window(lock):
    desk = WestonDesk()
    try:
        prompt = lock(desk, wait=False)
        prompt.expect("S", seconds=15)
        assert "the compositor offers no session lock; asking in a window" in prompt.words()
        prompt.dismiss()
        assert prompt.wait() == 0
    finally:
        desk.close()


def test_a_window_that_becomes_the_lock_goes_and_the_compositor_locks(make_screen, start):
    """The session locks while somebody is asked for the passcode of the open one."""
    screen = make_screen(size=(800, 600), env={"GDK_BACKEND": "x11"})
    prompt = start(screen, is_session=True, covers=False)
    prompt.expect("S")
    window = screen.window("Enter Passcode")
    assert screen.compositor.said("asked") == []
    prompt.change(covers=True, can_cancel=False)
    prompt.expect("S", 2)
    assert screen.compositor.locked
    poll_until(lambda: "IsViewable" not in screen.run("xwininfo", "-id", window), what="the window to go")
    time.sleep(0.4)
    assert open_by(prompt) == b"1234"
    assert prompt.wait() == 0 and not screen.compositor.locked


def test_a_compositor_that_does_not_answer_is_not_waited_for(screen, lock):
    os.kill(screen.compositor.process.pid, 19)
    prompt = lock(screen, wait=False)
    began = time.monotonic()
    assert prompt.wait(5) == 1
    assert time.monotonic() - began < 3
    assert "the compositor does not answer" in prompt.words()
    os.kill(screen.compositor.process.pid, 18)


# Whoever else locks


def test_one_that_is_refused_asks_again_until_it_may(screen, lock):
    screen.compositor.order("deny 4")
    prompt = lock(screen)
    assert len(screen.compositor.said("denied")) == 4
    assert prompt.words().count("another program has locked") == 1
    open_by(prompt)
    assert prompt.wait() == 0


def test_a_lock_of_somebody_elses_is_waited_for_without_a_word_of_being_shown(screen, lock):
    screen.compositor.order("held 1")
    prompt = lock(screen, wait=False)
    screen.compositor.expect("denied", 4)
    assert prompt.said("S") == [] and prompt.running
    screen.compositor.order("held 0")
    prompt.expect("S")
    assert screen.compositor.locked


def test_a_real_lock_program_is_waited_for(screen, lock):
    """swaylock, which is no part of this project, gets on with the compositor, too."""
    locker = screen.start("swaylock", "--color", "203040")
    screen.compositor.expect("mapped one 1024x768")
    prompt = lock(screen, wait=False)
    screen.compositor.expect("denied", 2)
    # Its own order to unlock.
    os.kill(locker.pid, 10)
    prompt.expect("S")
    assert screen.compositor.state["holder"] == prompt.pid
    time.sleep(0.4)
    assert open_by(prompt) == b"1234"


def test_a_lock_that_is_taken_away_is_asked_for_anew(screen, lock):
    prompt = lock(screen)
    mark = screen.compositor.mark
    screen.compositor.order("finish")
    screen.compositor.expect("locked", since=mark)
    time.sleep(0.35)
    assert open_by(prompt) == b"1234"
    assert prompt.wait() == 0 and not screen.compositor.locked


# Dying


def test_killed_twenty_times_the_screen_is_never_open(screen, lock):
    compositor = screen.compositor
    for number in range(20):
        prompt = lock(screen, wait=False)
        if number % 2:
            prompt.expect("S")
        else:
            compositor.expect("locked", number + 1)
        prompt.kill()
        assert compositor.locked, number
    assert compositor.said("unlocked") == []
    prompt = lock(screen)
    open_by(prompt)
    assert prompt.wait() == 0 and not compositor.locked


def test_an_end_without_a_view_opens_what_a_dead_prompt_left(screen, lock, start):
    lock(screen, wait=False).expect("S")
    prompt = lock(screen, wait=False)
    screen.compositor.expect("denied")
    for other in (prompt,):
        other.kill()
    assert os.path.exists(screen.mark)
    # The one that held the lock dies, too.
    os.kill(screen.compositor.state["holder"], 9)
    screen.compositor.expect("abandoned locked=1")
    opener = start(screen, first=None)
    opener.dismiss("success", animated=False)
    assert opener.wait() == 0
    assert not screen.compositor.locked and not os.path.exists(screen.mark)


def test_an_end_without_a_view_opens_nothing_of_somebody_elses(screen, start):
    screen.compositor.order("held 1")
    opener = start(screen, first=None)
    opener.dismiss("success", animated=False)
    assert opener.wait() == 0
    assert screen.compositor.said("asked") == [] and screen.compositor.said("denied") == []


def test_it_covers_on_when_its_service_dies(screen, lock):
    prompt = lock(screen)
    prompt.channel.close()
    time.sleep(0.5)
    assert prompt.running and screen.compositor.locked


# Outputs


def test_every_output_gets_a_surface_and_the_view_is_on_one(make_screen, lock):
    screen = make_screen(outputs=(("one", 800, 600, 1), ("two", 640, 480, 1)))
    prompt = lock(screen)
    assert sorted(screen.compositor.said("mapped")) == ["mapped one 800x600", "mapped two 640x480"]
    shown = next(when for when, data in prompt.messages if data == b"S")
    assert max(when for when, line in screen.compositor.events if line.startswith("mapped")) <= shown
    assert tinted(picture(screen, "one")) and not tinted(picture(screen, "two"))
    # The view goes to where the pointer is.
    screen.compositor.move(300, 200, "two")
    poll_until(lambda: tinted(picture(screen, "two")), what="the view on the other output")
    assert not tinted(picture(screen, "one"))


def test_outputs_come_and_go(screen, lock):
    compositor = screen.compositor
    prompt = lock(screen)
    compositor.add("two", 640, 480)
    compositor.expect("mapped two 640x480")
    compositor.order("output remove one")
    poll_until(lambda: tinted(picture(screen, "two")), what="the view on what is left")
    compositor.order("output remove two")
    assert compositor.locked and prompt.running
    compositor.add("three", 500, 700)
    compositor.expect("mapped three 500x700")
    poll_until(lambda: tinted(picture(screen, "three")), what="the view on what has come")
    compositor.expect("focus three")
    time.sleep(0.35)
    assert open_by(prompt) == b"1234"
    assert prompt.wait() == 0


def test_locked_without_any_output_it_is_shown_and_one_that_comes_has_the_view(make_screen, lock):
    screen = make_screen(outputs=())
    prompt = lock(screen)
    screen.compositor.add("one", 800, 600)
    screen.compositor.expect("mapped one 800x600")
    time.sleep(0.4)
    assert open_by(prompt) == b"1234"


def test_an_output_of_another_size(screen, lock):
    prompt = lock(screen)
    for width, height in ((640, 400), (1600, 900), (300, 200), (90, 70)):
        screen.compositor.order(f"output resize one {width} {height}")
        poll_until(lambda: picture(screen)[:2] == (width, height), what=f"{width}x{height}")
        assert tinted(picture(screen)), (width, height)
    assert open_by(prompt) == b"1234"


def test_scale_two_is_sharp_and_changes_while_it_stands(make_screen, lock):
    screen = make_screen(outputs=(("one", 800, 600, 2),))
    prompt = lock(screen)
    shot = picture(screen)
    assert shot[:2] == (1600, 1200)
    twice = tinted(shot)
    screen.compositor.order("output scale one 1")
    poll_until(lambda: picture(screen)[:2] == (800, 600), what="another scale")
    once = tinted(picture(screen))
    assert all(abs(a - 2 * b) <= 4 for a, b in zip(twice, once)), (twice, once)
    assert open_by(prompt) == b"1234"


# Keys


def test_keys_count_only_after_the_focus_has_been_there_for_a_while(screen, lock):
    # In the same breath as the focus.
    screen.compositor.order("on-focus 9")
    prompt = lock(screen)
    assert open_by(prompt) == b"1234"


def test_without_the_focus_nothing_is_typed(make_screen, lock):
    screen = make_screen(outputs=(("one", 800, 600, 1), ("two", 640, 480, 1)))
    prompt = lock(screen)
    screen.compositor.order("focus none")
    screen.compositor.type("12")
    assert prompt.said("N") == []
    screen.compositor.order("focus two")
    time.sleep(0.4)
    assert open_by(prompt) == b"1234"


def test_wrong_shakes_and_ends_where_it_was(screen, lock):
    prompt = lock(screen)
    before = tinted(picture(screen))
    screen.compositor.type("0000")
    prompt.entry()
    prompt.outcome(1, "wrong")
    prompt.change(description="1 Failed Passcode Attempt(s). Try again.", fail_count=1)
    # A line of pixels through the row's middle.
    middle = (before[1] + 20) * 1024 * 3
    lines = set()
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        lines.add(picture(screen)[2][middle : middle + 1024 * 3])
    assert len(lines) > 3
    screen.compositor.type("9")

    def is_still():
        commits = screen.compositor.state["commits"]
        time.sleep(0.2)
        return screen.compositor.state["commits"] == commits

    poll_until(is_still, what="the end of all motion")
    after = tinted(picture(screen), box=(0, before[1] - 2, 1024, before[3] + 3))
    assert after[0::2] == before[0::2]
    assert open_by(prompt, count=2) == b"1234"


def test_a_held_key_repeats(screen, lock):
    prompt = lock(screen, kind="text", digits=0)
    screen.compositor.order("hold-key x")
    time.sleep(0.8)
    screen.compositor.key("a", "Return")
    text = prompt.entry()[1]
    assert len(text) > 4 and text.strip(b"x") == b"a"


def test_combinations_and_backspace(screen, lock):
    prompt = lock(screen)
    screen.compositor.order("combine Control 1")
    screen.compositor.order("combine Mod4 2")
    screen.compositor.key("7", "BackSpace", "F5", "Left", "KP_1", "2", "x", "3", "KP_4")
    assert prompt.entry()[1] == b"1234"


@pytest.mark.parametrize(
    "layout, keys, text",
    [
        ("us:intl", ("dead_acute", "e", "a", "dead_diaeresis", "u"), "éaü"),
        ("de", ("adiaeresis", "EuroSign", "dead_circumflex", "o", "ssharp"), "ä€ôß"),
        ("ru", ("Cyrillic_ya", "Cyrillic_zhe"), "яж"),
        ("ara", ("Arabic_sheen", "1"), "ش1"),
    ],
)
def test_a_text_in_other_letters(make_screen, lock, layout, keys, text):
    screen = make_screen(layout=layout)
    prompt = lock(screen, kind="text", digits=0)
    screen.compositor.key(*keys)
    screen.compositor.key("Return")
    assert prompt.entry()[1].decode() == text


def test_a_key_ends_a_background_and_is_no_entry(screen, lock):
    prompt = lock(screen, takes_keys=False)
    screen.compositor.type("1")
    prompt.expect("K")
    prompt.change(takes_keys=True)
    screen.compositor.move(10, 10)
    assert open_by(prompt) == b"1234"


def test_nothing_that_is_typed_is_in_the_log(screen, lock, start):
    """libwayland prints every event where it is asked to."""
    screen.env.update(WAYLAND_DEBUG="1")
    prompt = lock(screen, kind="text", digits=0)
    screen.compositor.type("secret")
    screen.compositor.key("Return")
    assert prompt.entry()[1] == b"secret"
    assert prompt.words() == ""


# Buttons


def test_tab_and_enter_reach_the_account_password(screen, lock):
    prompt = lock(screen, account_password=True)
    screen.compositor.key("Tab", "Return")
    screen.compositor.type("secret")
    screen.compositor.key("Return")
    assert prompt.entry(letter="A")[1] == b"secret"


def test_space_presses_the_finger_button(screen, lock):
    prompt = lock(screen, fingerprint="off")
    screen.compositor.key("Tab", "space")
    prompt.expect("F")


def test_a_click_on_the_finger_and_one_beside_it(screen, lock):
    prompt = lock(screen, fingerprint="armed")
    shot = picture(screen)
    glyph = tinted(shot, box=(400, 420, 624, 560))
    compositor = screen.compositor
    compositor.click(100, 700)
    compositor.move((glyph[0] + glyph[2]) / 2, (glyph[1] + glyph[3]) / 2)
    compositor.expect("cursor 2 2")
    assert prompt.said("F") == []
    compositor.press()
    compositor.move(5, 700)
    compositor.release()
    compositor.click((glyph[0] + glyph[2]) / 2, (glyph[1] + glyph[3]) / 2)
    assert prompt.expect("F") == b""
    time.sleep(0.1)
    assert len(prompt.said("F")) == 1


def test_the_cancel_button_and_escape(screen, lock):
    prompt = lock(screen, can_cancel=True)
    screen.compositor.key("Escape")
    prompt.expect("C", 1)
    screen.compositor.click(40, 24)
    prompt.expect("C", 2)


# Patterns


def pad(screen):
    """The middle of the pad's dots 1 and 9, by the tint of its rings."""
    left, top, right, _ = tinted(picture(screen), box=(300, 100, 724, 660))
    # What is below the pad is tinted, too; but it is a square.
    ring = (right - left) / (2 + 2 * 0.24) * 0.24
    return (left + ring, top + ring), (right - ring, top + right - left - ring)


def points(screen, dots):
    first, last = pad(screen)
    step = ((last[0] - first[0]) / 2, (last[1] - first[1]) / 2)
    return [(first[0] + (dot - 1) % 3 * step[0], first[1] + (dot - 1) // 3 * step[1]) for dot in dots]


def test_a_pattern_by_the_pointer(screen, lock):
    prompt = lock(screen, kind="pattern", digits=0, description="Draw your pattern")
    places = points(screen, (1, 3, 9, 7))
    compositor = screen.compositor
    compositor.move(*places[0])
    compositor.press()
    for place in places[1:]:
        compositor.move(*place)
    compositor.release()
    # The dots between are taken along.
    assert prompt.entry()[1] == b"1236987"


def test_a_pattern_by_a_finger_with_another_finger_in_the_way(screen, lock):
    prompt = lock(screen, kind="pattern", digits=0, description="Draw your pattern")
    places = points(screen, (4, 5, 2, 3))
    compositor = screen.compositor
    compositor.touch("down", *places[0])
    compositor.touch("down", 5, 5, finger=2)
    compositor.touch("move", *places[1])
    compositor.touch("move", 500, 700, finger=2)
    compositor.touch("move", *places[2])
    compositor.touch("up", finger=2)
    compositor.touch("move", *places[3])
    compositor.touch("up")
    assert prompt.entry()[1] == b"4523"


def test_a_pattern_by_keys(screen, lock):
    prompt = lock(screen, kind="pattern", digits=0, description="Draw your pattern")
    before = picture(screen)[2]
    screen.compositor.key("Left")
    # Where the arrows are is seen.
    poll_until(lambda: picture(screen)[2] != before, what="the dot that the keyboard has reached")
    screen.compositor.key("Right", "1", "Left", "Down", "space", "5", "6", "Return")
    assert prompt.entry()[1] == b"1456"


# Looks


def test_the_night_and_a_tint(screen, lock):
    prompt = lock(screen, NightMode="on", TintColor="#34c759")
    width, _, data = picture(screen)
    assert near(data[(700 * width + 20) * 3 :][:3], (16, 16, 18), 8)
    assert tinted(picture(screen), (52, 199, 89), (300, 300, 724, 480))
    prompt.change(NightMode="off")
    poll_until(lambda: near(picture(screen)[2][-3:], (255, 255, 255), 2), what="the day")


def test_it_follows_the_desktop_live(screen, lock):
    """Night, the size of texts, and no motions, from the portal: there is no GTK to ask."""
    prompt = lock(screen)
    day = tinted(picture(screen))
    portal = Portal(screen, color_scheme=1)
    try:
        poll_until(lambda: near(picture(screen)[2][-3:], (16, 16, 18), 8), what="the night")
        portal.set(color_scheme=2)
        poll_until(lambda: near(picture(screen)[2][-3:], (255, 255, 255), 2), what="the day")
        portal.set(text_scaling_factor=2)
        poll_until(lambda: width(screen) > 1.3 * (day[2] - day[0]), what="larger texts")
        portal.set(text_scaling_factor=1, reduced_motion=1)
        poll_until(lambda: tinted(picture(screen)) == day, what="the usual size")
        screen.compositor.type("1234")
        prompt.entry()
        commits = screen.compositor.state["commits"]
        prompt.outcome(1, "wrong")
        prompt.change(fail_count=1)
        time.sleep(0.4)
        assert screen.compositor.state["commits"] - commits < 4
    finally:
        portal.close()


def test_a_picture_lies_behind_on_every_output(make_screen, lock):
    screen = make_screen(outputs=(("one", 800, 600, 1), ("two", 400, 300, 2)))
    path = os.path.join(screen.folder, "blue.png")
    screen.run("convert", "-size", "40x30", "xc:#2040c0", path)
    lock(screen, BackgroundImage=path, ParallaxMode=False)

    def is_blue(output):
        red, _, blue = picture(screen, output)[2][-3:]
        return blue > red + 8

    poll_until(lambda: is_blue("one") and is_blue("two"), what="the picture")


def test_a_missing_picture_is_said_and_no_harm(screen, lock):
    prompt = lock(screen, BackgroundImage="/nowhere.png", AppLogoName="/nothing.png", TouchIDIconName="no-such-icon")
    poll_until(lambda: prompt.words().count("cannot") == 3, what="three complaints")
    assert open_by(prompt) == b"1234"
