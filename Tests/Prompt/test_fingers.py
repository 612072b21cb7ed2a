"""Several fingers to pick from: their buttons, beside all the others that a view can have."""

import os
import subprocess
import time

import pytest

from promptkit.channel import ROOT
from test_accessible import find, named, read
from test_desktop import overlapping

FINGERS = [
    side + finger
    for finger in ("thumb", "index-finger", "middle-finger", "ring-finger", "little-finger")
    for side in ("left-", "right-")
]
#: Desk, the view's changes, and how wide the window then is: None for as GTK likes.
ROOMS = {
    "window": ({}, {}, 420),
    "whole screen": ({"manager": False}, {"is_session": True, "covers": True}, 1024),
    "360 wide": ({"manager": False, "size": (360, 640)}, {"is_session": True, "covers": True}, 360),
    "large text": ({"settings": {"gtk-font-name": "Sans 20"}}, {}, None),
    "large and narrow": (
        {"manager": False, "size": (360, 640), "settings": {"gtk-font-name": "Sans 20"}},
        {"is_session": True, "covers": True}, 360),
    "arabic": ({"env": {"LANGUAGE": "ar"}}, {}, None),
}


def buttons(desk, count):
    """Names and places of the buttons once there are `count` and nothing moves any more."""
    end = time.monotonic() + 10
    before = None
    while True:
        found = sorted(
            (item["name"], item["box"]) for item in read(desk)
            if item["role"] in ("push button", "toggle button") and "visible" in item["states"] and item["box"][2] > 1
        )
        if len(found) == count and found == before:
            return found
        assert time.monotonic() < end, f"{count} buttons are awaited, and there are {found}"
        before = found
        time.sleep(0.1)


#: What AT-SPI leaves out of a button's place at each side: at least so much padding across and down.
PADDING = (12, 5)


def whole(box):
    (x, y, width, height), (across, down) = box, PADDING
    return (x - across, y - down, width + 2 * across, height + 2 * down)


def assert_apart(found, width):
    found = [(name, whole(box)) for name, box in found]
    for index, (name, box) in enumerate(found):
        assert box[0] >= 0 and box[0] + box[2] <= width, (name, box, width)
        for other, place in found[index + 1 :]:
            assert not overlapping(box, place), f"{name} at {box} and {other} at {place}"


@pytest.mark.parametrize("room", ROOMS, ids=lambda name: name.replace(" ", "-"))
def test_no_button_lies_on_another(make_desk, start, tmp_path, room):
    """A finger's beside the account password's, the fallback's and the line's."""
    options, changes, wanted = ROOMS[room]
    if room == "arabic":
        folder = tmp_path / "ar" / "LC_MESSAGES"
        folder.mkdir(parents=True)
        subprocess.run(
            ["msgfmt", "-o", folder / "smileauth.mo", os.path.join(ROOT, "po", "ar.po")], check=True, timeout=30)
        options = {"env": {**options["env"], "SMILEAUTH_LOCALEDIR": str(tmp_path)}}
    desk = make_desk(accessible=True, **options)
    # Cancel, the finger's own, the fallback's, the account's; and for a pattern that which hides its line.
    prompt = start(
        desk, fingerprint="armed", demand="finger", digits=0, fingers=FINGERS[:2], finger="left-thumb",
        account_password=True, fallback_title="Type Instead", **changes,
    ).shown()
    _, _, width, _ = desk.geometry(desk.window("Enter Passcode"))
    assert wanted in (None, width)
    for kind, demand, others in (("digits", "finger", 4), ("pattern", "either", 5)):
        for count in (3, 4, 10):
            prompt.change(kind=kind, demand=demand, fingers=FINGERS[:count])
            found = buttons(desk, count + others)
            assert_apart(found, width)


def test_two_stand_beside_each_other_where_both_can_be_read(make_desk, start):
    desk = make_desk(accessible=True)
    start(
        desk, fingerprint="off", demand="finger", digits=0, fingers=["left-thumb", "right-thumb", "left-little-finger"]
    ).shown()
    left, right = find(desk, named("left thumb"), "button")["box"], find(desk, named("right thumb"), "button")["box"]
    last = find(desk, named("left little finger"), "button")["box"]
    # Within the padding and the line of a button: 15 pixels across, and 5 down.
    assert left[1] == right[1] and left[0] + left[2] + 2 * 15 + 8 == right[0]
    assert last[1] == left[1] + left[3] + 2 * 5 + 8 and left[0] < last[0] < right[0]


def test_what_cannot_be_read_is_not_to_be_picked(make_desk, start):
    desk = make_desk(accessible=True)
    view = {"demand": "finger", "digits": 0, "fingers": FINGERS[:2], "finger": "left-thumb"}
    prompt = start(desk, fingerprint="armed", **view).shown()
    assert "sensitive" in find(desk, named("right thumb"), "button")["states"]
    prompt.change(fingerprint="changed", description="The enrolled fingers have changed.")
    find(desk, named("Fingers have changed"), "button's words")
    for name in ("left thumb", "right thumb"):
        assert "sensitive" not in find(desk, named(name), "button")["states"]
    prompt.change(fingerprint="armed")
    find(desk, lambda item: item["name"] == "right thumb" and "sensitive" in item["states"], "live button")
