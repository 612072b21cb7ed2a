"""A session's prompt above a cover: it takes what the cover hands on, on descriptor 4."""

import os
import signal
import socket
import struct
import time

import pytest

from promptkit.channel import Prompt, view
from test_entries import pad_points

KEYSYMS = {"Return": 0xFF0D, "BackSpace": 0xFF08, "Tab": 0xFF09, "Escape": 0xFF1B}


@pytest.fixture
def fed(desk):
    """Starts a prompt with a feed; both are ended in the end."""
    made = []

    def begin(**changes):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        prompt = Prompt(desk, view(is_session=True, covers=True, can_cancel=False, **changes), feed=theirs)
        theirs.close()
        prompt.feed = ours
        made.append(prompt)
        return prompt.shown()

    yield begin
    for prompt in made:
        prompt.kill()
        prompt.feed.close()


def press(prompt, name):
    code = KEYSYMS.get(name) or ord(name)
    text = b"" if name in KEYSYMS else name.encode()
    prompt.feed.send(b"k" + struct.pack("<IIB", code, 0, 1) + text)
    prompt.feed.send(b"k" + struct.pack("<IIB", code, 0, 0))


def point(prompt, kind, x, y, button=0):
    window = prompt.desk.geometry(prompt.desk.window(prompt.state["title"][1]))
    prompt.feed.send(b"p" + struct.pack("<iiBI", int(x - window[0]), int(y - window[1]), kind, button))


def test_it_is_no_window_managers_and_names_itself(desk, fed):
    prompt = fed()
    number = int.from_bytes(prompt.expect("W"), "little")
    said = desk.run("xwininfo", "-id", hex(number))
    assert "Override Redirect State: yes" in said and "Map State: IsViewable" in said
    assert "Width: 1024" in said and "Height: 768" in said


def test_keys_of_the_feed_are_an_entry(fed):
    prompt = fed()
    for name in ("1", "2", "x", "9", "BackSpace", "3", "4"):
        press(prompt, name)
    assert prompt.entry()[1] == b"1234"


def test_a_text_is_what_the_cover_composed(fed):
    prompt = fed(kind="text", digits=0)
    prompt.feed.send(b"k" + struct.pack("<IIB", 0x0FC, 0, 1) + "ü".encode())
    for name in ("a", "Return"):
        press(prompt, name)
    assert prompt.entry()[1].decode() == "üa"


def test_a_button_is_pressed_by_the_keyboard(fed):
    prompt = fed(fingerprint="off")
    press(prompt, "Tab")
    press(prompt, "Return")
    assert prompt.expect("F") == b""


def test_a_pattern_is_drawn(fed):
    prompt = fed(kind="pattern", digits=0, description="Draw your pattern")
    points = pad_points(prompt, [1, 2, 3, 6])
    point(prompt, 1, *points[0], 1)
    for place in points[1:]:
        point(prompt, 0, *place)
    point(prompt, 2, *points[-1], 1)
    assert prompt.entry()[1] == b"1236"


def test_a_touch_draws(fed):
    prompt = fed(kind="pattern", digits=0, description="Draw your pattern")
    window = prompt.desk.geometry(prompt.desk.window("Enter Passcode"))
    for kind, (x, y) in zip((1, 0, 0, 0, 2), pad_points(prompt, [7, 8, 9, 6, 6])):
        prompt.feed.send(b"t" + struct.pack("<iiBI", int(x - window[0]), int(y - window[1]), kind, 5))
    assert prompt.entry()[1] == b"7896"


def test_noise_on_the_feed_is_no_input(fed):
    prompt = fed()
    for _ in range(300):
        prompt.feed.send(os.urandom(1 + os.urandom(1)[0] % 100))
    prompt.read(0.3)
    assert prompt.running and prompt.said("E") == []


def test_keys_that_a_stopped_prompt_reads_late_are_no_entry(fed):
    """Whoever sees nothing come of them types anew: half of the old and half of the new would be a wrong one."""
    prompt = fed()
    for name in "12":
        press(prompt, name)
    prompt.expect("N", 2)
    os.kill(prompt.pid, signal.SIGSTOP)
    for name in "341234":
        press(prompt, name)
    time.sleep(2.2)
    os.kill(prompt.pid, signal.SIGCONT)
    assert prompt.expect("N", 3) == struct.pack("<I", 0)
    # When the person has seen it, it goes on as ever.
    time.sleep(0.4)
    assert prompt.said("E") == []
    for name in "5678":
        press(prompt, name)
    assert prompt.entry()[1] == b"5678"


def test_after_a_gap_an_entry_begins_anew_and_not_at_once(fed):
    prompt = fed()
    for name in "12":
        press(prompt, name)
    prompt.feed.send(b"g")
    for name in "34":
        press(prompt, name)
    assert prompt.expect("N", 3) == struct.pack("<I", 0)
    time.sleep(0.4)
    for name in "5678":
        press(prompt, name)
    assert prompt.entry()[1] == b"5678"


def test_a_gap_after_a_whole_entry_leaves_it(fed):
    prompt = fed()
    for name in "1234":
        press(prompt, name)
    prompt.feed.send(b"g")
    assert prompt.entry()[1] == b"1234"


def test_a_line_with_a_gap_is_no_pattern(fed):
    prompt = fed(kind="pattern", digits=0, description="Draw your pattern")
    points = pad_points(prompt, [1, 2, 3, 6])
    point(prompt, 1, *points[0], 1)
    point(prompt, 0, *points[1])
    prompt.feed.send(b"g")
    point(prompt, 0, *points[3])
    point(prompt, 2, *points[3], 1)
    prompt.read(0.3)
    assert prompt.said("E") == []
    for index, place in enumerate(points):
        point(prompt, 0 if index else 1, *place, 0 if index else 1)
    point(prompt, 2, *points[-1], 1)
    assert prompt.entry()[1] == b"1236"


def test_a_key_that_was_down_already_types_nothing_however_long_it_is_held(fed):
    """It was meant for what had the keys before; four of it would count as a wrong passcode."""
    prompt = fed()
    for _ in range(8):
        prompt.feed.send(b"k" + struct.pack("<IIB", ord("1"), 0, 2) + b"1")
    prompt.read(0.5)
    assert prompt.said("N") == [] and prompt.said("E") == []
    press(prompt, "2")
    assert prompt.expect("N") == struct.pack("<I", 1)
