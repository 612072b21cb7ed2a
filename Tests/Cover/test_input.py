"""Where keys and pointer go while the screen is covered: to the newest prompt, and to nobody else (section 10)."""

import os
import signal
import subprocess
import sys
import time

import pytest
from desk.cover import MAPPED
from desk.feed import BUTTON_PRESS, BUTTON_RELEASE, LEAVE, MOTION, PRESS, RELEASE, REPETITION, Key, Pointer
from desk.screen import settle
from desk.xlib import ALREADY_GRABBED, KEY_PRESS, KEYBOARD_ID, POINTER_ID, KeyEvent, SelectionClear
from kit.processes import poll_until

RETURN, ESCAPE, BACKSPACE, EACUTE = 0xFF0D, 0xFF1B, 0xFF08, 0xE9


@pytest.fixture
def covered(desk):
    desk.lock = desk.cover().expect(MAPPED)
    desk.victim.clear()
    return desk


@pytest.fixture
def prompt(covered):
    """A prompt's window at 300,200, 400×300 pixels, and its feed."""
    return covered.show_prompt(covered.lock)


def test_a_prompt_whose_number_comes_before_its_window_gets_the_pointer(covered):
    """Two connections, the service's and the X server's: nothing says which of them is read first."""
    feed, creator = covered.feed(), covered.client()
    creator.sync()
    window = covered.prompt_window(client=creator)  # Xlib keeps the request for now.
    covered.lock.prompt(window, feed)
    covered.lock.channel.send(b"?")
    covered.lock.expect(b"A")
    assert window not in covered.me.children()
    creator.map(window)

    def moves():
        covered.me.move(400, 300)
        covered.me.move(401, 301)
        return feed.next(0.05)

    poll_until(moves, 5, "the pointer at the prompt")


def harass(desk):
    """What a person might do to get at an application."""
    desk.tool("xdotool", "key", "--clearmodifiers", "a", "alt+Tab", "alt+F4", "super+d", "ctrl+alt+Delete", "Escape")
    desk.tool("xdotool", "type", "--delay", "1", "secret 123")
    for x, y in ((400, 300), (5, 5), (1270, 790)):
        desk.tool("xdotool", "mousemove", str(x), str(y), "click", "1", "click", "3", "click", "4")
    desk.tool("xdotool", "mousemove", "400", "300", "mousedown", "1", "mousemove", "450", "350", "mouseup", "1")
    desk.tool("xdotool", "keydown", "alt", "mousedown", "1", "mousemove", "600", "600", "mouseup", "1", "keyup", "alt")


def test_the_victim_gets_input_when_nothing_covers_it(desk):
    """Or the other tests would prove nothing."""
    desk.victim.clear()
    harass_once = desk.me
    harass_once.key("a")
    harass_once.move(400, 300)
    harass_once.click()
    poll_until(lambda: {"key", "button", "motion"} <= set(desk.victim.lines_of()), 5, "input for the victim")


def test_alt_f4_closes_the_victim_when_nothing_covers_it(desk):
    desk.me.key("Alt_L", "F4")
    poll_until(lambda: not desk.victim.program.running or "close" in desk.victim.lines_of(), 5, "the victim's end")


@pytest.mark.parametrize("device", [KEYBOARD_ID, POINTER_ID])
def test_another_clients_grab_fails(covered, device):
    other = covered.client()
    assert other.grab_device(device) == ALREADY_GRABBED
    assert other.grab_keyboard() == ALREADY_GRABBED
    assert other.grab_pointer() == ALREADY_GRABBED


def test_the_victim_gets_nothing(covered):
    harass(covered)
    settle(0.2)
    assert covered.victim.input() == []
    assert covered.victim.program.running, "Alt+F4 has no effect"
    assert covered.lock.status is None and covered.is_plain()


def test_nothing_either_while_fifty_prompts_die(covered):
    """Each shows its window above the cover, reads its feed, and is killed while keys come."""
    here = os.path.dirname(os.path.abspath(__file__))
    for number in range(50):
        feed = covered.feed()
        program = covered.run(
            [sys.executable, os.path.join(here, "desk", "fake_prompt.py"), covered.display], f"prompt{number}",
            stdout=subprocess.PIPE, stdin=feed.ours,
        )  # fmt: skip
        window = int(program.popen.stdout.readline())
        feed.ours.close()
        covered.lock.prompt(window, feed)
        covered.me.key("a")
        program.signal(signal.SIGKILL)
        covered.me.key("b")
        covered.me.move(400 + number, 300)
        covered.me.click()
        program.popen.wait()
        program.popen.stdout.close()
    harass(covered)
    settle(0.2)
    assert covered.victim.input() == []
    assert covered.lock.status is None
    poll_until(covered.is_plain, 1, "no prompt to be left")
    feed = covered.feed()
    window = covered.prompt_window()
    covered.lock.prompt(window, feed)
    covered.me.map(window)
    covered.me.key("x")
    assert feed.typed() == "x"


def test_keys_arrive_with_keysym_text_and_modifiers(covered, prompt):
    covered.me.key("a")
    assert prompt.all() == [Key(ord("a"), 0, PRESS, "a"), Key(ord("a"), 0, RELEASE, "")]
    covered.me.key("Shift_L", "b")
    keys = prompt.all()
    assert Key(ord("B"), 1, PRESS, "B") in keys
    covered.me.key("Control_L", "c")
    assert [k.text for k in prompt.all()] == ["", "", "", ""], "control characters are no text"
    for name, keysym in (("Return", RETURN), ("Escape", ESCAPE), ("BackSpace", BACKSPACE)):
        covered.me.key(name)
        assert prompt.all()[0] == Key(keysym, 0, PRESS, "")


def test_a_layout_and_its_dead_keys_make_text(covered, prompt):
    covered.tool("setxkbmap", "-layout", "fr")
    covered.me.key("eacute")
    keys = prompt.all()
    assert keys[0] == Key(EACUTE, 0, PRESS, "é")
    covered.me.key("dead_circumflex")
    covered.me.key("o")
    assert "".join(k.text for k in prompt.all()) == "ô"


def test_compose_sequences_make_text(covered, prompt):
    covered.tool("setxkbmap", "-layout", "us", "-option", "compose:menu")
    for name in ("Multi_key", "apostrophe", "e"):
        covered.me.key(name)
    typed = [k for k in prompt.all() if isinstance(k, Key) and k.phase == PRESS]
    assert Key(EACUTE, 0, PRESS, "é") in typed
    assert "".join(k.text for k in typed) == "é"


def test_layouts_of_other_scripts_and_a_switch_between_them(covered, prompt):
    covered.tool("setxkbmap", "-layout", "us,ru", "-option", "grp:shifts_toggle")
    code = covered.me.keycode("f")
    covered.me.key_code(code)
    assert prompt.typed() == "f"
    covered.me.key("Shift_L", "Shift_R")
    prompt.all()
    covered.me.key_code(code)
    assert prompt.typed() == "а"


def test_text_comes_whatever_the_locale(desk):
    desk.lock = desk.cover(env={"LANG": "C", "LC_ALL": "C", "XMODIFIERS": "@im=nobody"}).expect(MAPPED)
    feed, window = desk.feed(), desk.prompt_window()
    desk.lock.prompt(window, feed)
    desk.tool("setxkbmap", "-layout", "ru")
    desk.me.key("Cyrillic_zhe")
    assert feed.typed() == "ж"


def test_a_key_that_is_held_repeats(covered, prompt):
    code = covered.me.keycode("a")
    covered.tool("xset", "r", "rate", "200", "50")
    covered.tool("xdotool", "keydown", str(code))
    settle(0.5)
    covered.tool("xdotool", "keyup", str(code))
    phases = [key.phase for key in prompt.all()]
    assert phases[0] == PRESS and phases[-1] == RELEASE and REPETITION in phases[1:-1]


def test_the_pointer_arrives_in_the_windows_coordinates(covered, prompt):
    covered.me.move(100, 100)
    prompt.all()
    covered.me.move(310, 220)
    covered.me.button(1, True)
    covered.me.move(320, 230)
    covered.me.button(1, False)
    assert prompt.all() == [
        Pointer(10, 20, MOTION, 0), Pointer(10, 20, BUTTON_PRESS, 1), Pointer(20, 30, MOTION, 0),
        Pointer(20, 30, BUTTON_RELEASE, 1),
    ]  # fmt: skip
    covered.me.move(299, 220)
    assert prompt.all() == [Pointer(-1, 20, LEAVE, 0)]
    covered.me.move(100, 100)
    covered.me.click()
    assert prompt.all() == [], "beside the window"


def test_a_line_that_leaves_the_window_is_followed(covered, prompt):
    covered.me.move(310, 220)
    covered.me.button(1, True)
    prompt.all()
    covered.me.move(200, 100)
    covered.me.button(1, False)
    assert prompt.all() == [
        Pointer(-100, -100, MOTION, 0), Pointer(-100, -100, BUTTON_RELEASE, 1), Pointer(-100, -100, LEAVE, 0),
    ]  # fmt: skip


def test_the_wheel_and_a_window_that_moved(covered, prompt):
    covered.me.call("XMoveResizeWindow", prompt.window, 600, 400, 200, 100)
    covered.me.move(610, 420)
    covered.me.click(4)
    messages = prompt.all()
    assert Pointer(10, 20, BUTTON_PRESS, 4) in messages and Pointer(10, 20, BUTTON_RELEASE, 4) in messages


def test_only_the_newest_prompt_gets_input(covered, prompt):
    newer = covered.feed()
    window = covered.prompt_window(x=0, y=0)
    covered.lock.prompt(window, newer)
    covered.me.map(window)
    covered.me.key("q")
    assert newer.typed() == "q"
    assert prompt.next(0.3) is None


def test_a_prompt_that_does_not_read_holds_nobody_up(covered, prompt):
    began = time.monotonic()
    for _ in range(1000):
        covered.me.key("a")
    covered.lock.leave()
    assert covered.lock.wait_exit(20) == 0
    assert time.monotonic() - began < 20


def test_a_pointer_that_never_rests_leaves_room_for_keys(covered, prompt):
    """While the prompt is busy with something else."""
    for number in range(2000):
        covered.me.move(400 + number % 100, 300)
    covered.me.key("a")
    messages = prompt.all()
    assert len(messages) < 500
    assert [message for message in messages if isinstance(message, Key)][0].text == "a"


def test_a_forged_event_does_nothing(covered, prompt):
    """XSendEvent to the cover's window: a key, the end of a compose sequence, and the loss of the selection."""
    [sheet] = covered.me.sheets()
    for code in (covered.me.keycode("a"), 0):
        event = KeyEvent(type=KEY_PRESS, window=sheet, root=covered.me.root, keycode=code, same_screen=1)
        covered.me.forge(sheet, event)
    selection = covered.me.atom("_SMILEAUTH_COVER")
    covered.me.forge(sheet, SelectionClear(type=29, window=sheet, selection=selection))
    assert prompt.all() == []
    assert covered.lock.status is None and covered.is_plain([(5, 5)])


def test_a_second_pair_of_masters_is_held_too(covered):
    ids = covered.client().add_masters("Second")
    assert len(ids) == 2
    other = covered.client()
    settle(0.2)
    assert [other.grab_device(number) for number in ids] == [ALREADY_GRABBED] * 2
