"""A session's prompt above a cover: it takes what the cover hands on, on descriptor 4."""

import os
import socket
import struct

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
        prompt = Prompt(desk, view(is_session=True, can_cancel=False, **changes), feed=theirs)
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
