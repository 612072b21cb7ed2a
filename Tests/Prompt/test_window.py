"""The window's buttons, states and end; and what becomes of a prompt whose service is gone or talks nonsense."""

import json
import os
import signal
import time

import pytest

from promptkit.channel import Prompt, marshal, program, view
from promptkit.pictures import pixels
from promptkit.processes import poll_until

CANARY = "canary7391557"


@pytest.fixture
def make_prompt(desk):
    made = []

    def make(wrapper=(), env=None, **changes):
        made.append(Prompt(desk, view(**changes), wrapper=wrapper, env=env))
        return made[-1].shown()

    yield make
    for prompt in made:
        prompt.kill()


def test_cancel_by_escape_and_by_closing(desk, start):
    prompt = start(desk).shown()
    desk.keys("Escape")
    prompt.expect("C")
    desk.keys("alt+F4")
    prompt.expect("C", 2)
    assert prompt.running
    prompt.dismiss("UserCancel")
    assert prompt.wait() == 0


def test_what_cannot_be_cancelled_is_not(desk, start):
    prompt = start(desk, can_cancel=False).shown()
    desk.keys("Escape", "alt+F4")
    prompt.read(0.5)
    assert prompt.said("C") == [] and prompt.running


def test_the_fallback_button_by_the_keyboard(desk, start):
    prompt = start(desk, fallback_title="Use Something Else", can_cancel=False).shown()
    desk.keys("Tab", "Return")
    prompt.expect("B")
    assert prompt.said("E") == []


def test_what_has_the_focus_is_seen_until_the_pointer_is_used(make_desk, start):
    """Not for 3 s only, as GTK has it: one would not know what Enter does."""

    def tinted():
        _, _, data = pixels(desk, desk.window("Enter Passcode"))
        return sum(1 for at in range(0, len(data), 3) if data[at] > 200 and data[at + 1] < 100)

    desk = make_desk(manager=False)
    start(desk, fallback_title="Use Something Else").shown()
    before = tinted()
    desk.keys("Tab")
    poll_until(lambda: tinted() > before + 300, 5, "a ring", 0.05)
    time.sleep(3.5)
    assert tinted() > before + 300
    desk.run("xdotool", "mousemove", "20", "300", "click", "1")
    poll_until(lambda: tinted() < before + 100, 5, "no ring", 0.05)


def test_the_finger_button(desk, start):
    prompt = start(desk, fingerprint="off", can_cancel=False).shown()
    desk.keys("Tab", "space")
    assert prompt.expect("F") == b""


def test_a_finger_is_picked(desk, start):
    prompt = start(
        desk, demand="finger", fingerprint="off", digits=0, fingers=["left-thumb", "right-thumb"], can_cancel=False
    ).shown()
    desk.keys("Tab", "Tab", "space")
    assert prompt.expect("F") in (b"left-thumb", b"right-thumb")


def test_a_wait_takes_no_key_and_ends_by_itself(desk, start):
    prompt = start(desk, locked_out_until=int((time.time() + 2.5) * 1e6), fail_count=5).shown()
    desk.type("12")
    prompt.read(0.2)
    assert prompt.said("N") == []
    time.sleep(2.3)
    desk.type("1234")
    assert prompt.entry()[1] == b"1234"


def test_success_fills_the_dots_and_leaves(desk, start):
    prompt = start(desk).shown()
    began = time.monotonic()
    prompt.dismiss()
    assert prompt.wait() == 0
    assert 0.1 < time.monotonic() - began < 0.6


def test_it_answers_whether_it_is_alive(desk, start):
    prompt = start(desk).shown()
    prompt.send(b"P" + marshal("(u)", (7,)))
    assert prompt.expect("P") == (7).to_bytes(4, "little")


def test_it_greets_first_and_says_when_it_is_seen(desk, start):
    prompt = start(desk).shown()
    letters = [data[:1] for _, data in prompt.messages]
    assert letters[0] == b"H" and letters.count(b"S") == 1
    assert prompt.messages[0][1] == b"H\x01\x00\x00\x00"


def test_without_its_service_it_leaves(desk, start):
    prompt = start(desk).shown()
    prompt.channel.close()
    assert prompt.wait() == 0


@pytest.mark.parametrize("kind", ["once", "twice", "three", "policy", "touchid"])
def test_a_question_to_the_open_session_is_a_window_like_any_other(desk, start, kind):
    """Not the whole screen, with a frame; and without its service it leaves at once."""
    prompt = start(desk, is_session=True, security_type=kind).shown()
    window = desk.window("Enter Passcode")
    assert desk.geometry(window)[2:] == (420, 620)
    assert "_NET_WM_STATE_FULLSCREEN" not in desk.run("xprop", "-id", window, "_NET_WM_STATE")
    began = time.monotonic()
    prompt.channel.close()
    assert prompt.wait() == 0 and time.monotonic() - began < 1


def test_a_window_whose_session_is_locked_takes_the_screen(desk, start):
    """Where no cover and no compositor does it; and gives it back."""
    prompt = start(desk, is_session=True).shown()
    window = desk.window("Enter Passcode")
    prompt.change(covers=True, can_cancel=False)
    poll_until(lambda: desk.geometry(window) == (0, 0, 1024, 768), 5, "the whole screen", 0.02)
    desk.type("1234")
    assert prompt.entry()[1] == b"1234"
    prompt.change(covers=False)
    poll_until(lambda: desk.geometry(window)[2:] == (420, 620), 5, "its own size", 0.02)
    prompt.change(covers=True)
    prompt.channel.close()
    time.sleep(1)
    assert prompt.running


def test_the_sessions_lock_stays_without_its_service(desk, start):
    prompt = start(desk, is_session=True, covers=True, can_cancel=False).shown()
    prompt.channel.close()
    time.sleep(1)
    assert prompt.running
    assert desk.window("Enter Passcode")


@pytest.mark.parametrize(
    "datagram",
    [b"X", b"V", b"V" + bytes(64), b"V" + marshal("(a{sv})", ({},)), b"D" + marshal("(s)", ("success",)),
     b"V" + os.urandom(5000)],
    ids=["letter", "empty", "zeros", "none", "short", "noise"],
)
def test_nonsense_ends_it_and_is_said(desk, start, datagram):
    prompt = start(desk).shown()
    prompt.send(datagram)
    assert prompt.wait() == 1
    assert "smileauth-prompt: the service sent" in prompt.words()


def test_nonsense_before_the_first_view_ends_it(desk, start):
    prompt = start(desk, first=None)
    prompt.outcome(1, "wrong")
    assert prompt.wait() == 1


def test_an_end_before_the_first_view_opens_nothing_where_nothing_is_locked(desk, start):
    prompt = start(desk, first=None)
    prompt.send(b"D" + marshal("(sb)", ("success", True)))
    assert prompt.wait() == 0


def test_without_a_channel_it_does_not_start(desk):
    done = desk.run("sh", "-c", f"'{program()}' 3>&-; echo status $?")
    assert "status 2" in done


def test_without_a_display_it_says_so(desk, start):
    env = dict(desk.env)
    del desk.env["DISPLAY"]
    try:
        prompt = start(desk)
        assert prompt.wait() == 1
        assert "no display" in prompt.words()
    finally:
        desk.env = env


def test_a_missing_and_a_broken_picture_fall_back_and_are_said(desk, start):
    broken = os.path.join(desk.folder, "broken.png")
    with open(broken, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + bytes(100))
    prompt = start(
        desk, BackgroundImage=broken, AppLogoName="/nowhere/logo.png", TouchIDIconName="no-such-icon", fingerprint="off"
    ).shown()
    desk.type("1234")
    assert prompt.entry()[1] == b"1234"
    words = prompt.words()
    assert "cannot use the background image" in words and "cannot use a picture" in words and "cannot find" in words


@pytest.mark.parametrize("size", [(9_000_000, 1), (8, 9_000_000), (60_000, 1)])
def test_a_picture_as_thin_as_a_hair_does_not_end_it(desk, start, size):
    """Scaled until it covers the window it would have more pixels than there are numbers, or bytes of memory."""
    hair = os.path.join(desk.folder, "hair.pbm")
    width, height = size
    with open(hair, "wb") as file:
        file.write(b"P4\n%d %d\n" % size + bytes((width + 7) // 8 * height))
    prompt = start(desk, BackgroundImage=hair, AppLogoName=hair, TouchIDIconName=hair, fingerprint="off").shown()
    desk.type("1234")
    assert prompt.entry()[1] == b"1234"
    assert "cannot use the background image" in prompt.words()


def test_looks_change_live(desk, start):
    prompt = start(desk).shown()
    before = _middle(desk)
    prompt.change(NightMode="on")
    end = time.monotonic() + 5
    while _middle(desk) == before and time.monotonic() < end:
        time.sleep(0.02)
    assert max(_middle(desk)) < 40 < min(before)


def _middle(desk):
    width, height, data = pixels(desk, desk.window("Enter Passcode"))
    at = ((height - 12) * width + width // 2) * 3
    return tuple(data[at : at + 3])


#: As nobody in particular: root's own user, but with none of its powers, so that it is a user like any other.
PLAIN = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"] if os.getuid() == 0 else []
LOOKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "promptkit", "looker.py")


def looks(desk, pid):
    """What a process of the same user sees of another: which ways are open to it."""
    return json.loads(desk.run(*PLAIN, "/usr/bin/python3", LOOKER, pid))


def test_nobody_looks_into_it(desk, make_prompt):
    """Neither by /proc nor by ptrace, by another process of the same user without privileges."""
    prompt = make_prompt(kind="text", digits=0, wrapper=PLAIN)
    desk.type(CANARY)
    # The same looker at a process that lets itself be looked at: it is able to.
    open_house = desk.start(
        *PLAIN, "/usr/bin/python3", "-c", "import ctypes, time; ctypes.CDLL(None).prctl(0x59616d61, -1); time.sleep(60)"
    )
    poll_until(lambda: looks(desk, open_house.pid) == ["environ", "maps", "mem", "ptrace"], 5, "the open house")
    assert looks(desk, prompt.pid) == []
    desk.keys("Return")
    assert prompt.entry()[1] == CANARY.encode()


def test_a_crash_leaves_nothing_behind(desk, make_prompt):
    """No core, and no report: not of a process that would have had both."""
    script = f"cd {desk.folder} && ulimit -c unlimited 2>/dev/null; unset SWIFT_BACKTRACE; exec \"$0\""
    prompt = make_prompt(kind="text", digits=0, wrapper=["sh", "-c", script])
    desk.type(CANARY)
    prompt.read(0.3)
    os.kill(prompt.pid, signal.SIGSEGV)
    assert prompt.wait() == -signal.SIGSEGV
    assert "Backtrac" not in prompt.words() and "crashed" not in prompt.words()
    left = [os.path.join(folder, name) for folder, _, names in os.walk(desk.folder) for name in names]
    assert [path for path in left if "core" in os.path.basename(path).split(".")[0]] == []
    for path in left:
        if os.path.isfile(path):
            with open(path, "rb") as file:
                assert CANARY.encode() not in file.read(), path
