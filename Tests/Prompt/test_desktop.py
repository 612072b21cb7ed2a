"""The desktop's wishes: dark or light, motion, contrast, text size, scale, and screens that are too small."""

import os
import subprocess
import time

import pytest

from promptkit import pictures
from promptkit.processes import poll_until
from test_accessible import find, named, read

PORTAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "promptkit", "portal.py")


class Portal:
    def __init__(self, desk, **values):
        self.program = subprocess.Popen(
            ["/usr/bin/python3", PORTAL, *self._words(values)], env=desk.env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )
        assert self.program.stdout.readline() == "ready\n"

    @staticmethod
    def _words(values):
        return [f"{key.replace('_', '-')}={number}" for key, number in values.items()]

    def set(self, **values):
        for word in self._words(values):
            self.program.stdin.write(word + "\n")
            self.program.stdin.flush()
            assert self.program.stdout.readline() == "told\n"

    def close(self):
        self.program.kill()
        self.program.wait()


@pytest.fixture
def portal():
    made = []

    def make(desk, **values):
        made.append(Portal(desk, **values))
        return made[-1]

    yield make
    for program in made:
        program.close()


def background(desk):
    """The brightness near the window's lower left corner, where nothing else is drawn: 0 to 255."""
    width, height, data = pictures.pixels(desk, desk.window("Enter Passcode"))
    at = ((height - 6) * width + 6) * 3
    return max(data[at : at + 3])


def becomes(condition, what, seconds=5):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def test_night_follows_the_desktop_live(desk, start, portal):
    """The portal comes, changes its mind twice, and the same prompt follows with what was typed."""
    prompt = start(desk).shown()
    desk.type("12")
    assert background(desk) > 240
    settings = portal(desk, color_scheme=1)
    becomes(lambda: background(desk) < 40, "dark, as the portal that came says")
    settings.set(color_scheme=2)
    becomes(lambda: background(desk) > 240, "light")
    settings.set(color_scheme=1)
    becomes(lambda: background(desk) < 40, "dark again")
    # The authenticator's own word counts for more.
    prompt.change(NightMode="off")
    becomes(lambda: background(desk) > 240, "light by NightMode")
    desk.type("34")
    assert prompt.entry()[1] == b"1234"


def row(desk):
    """The first and last column with the tint: the row's edges."""
    return pictures.tinted_columns(desk, desk.geometry(desk.window("Enter Passcode")))


def test_the_row_follows_the_pointer_by_15_pixels(make_desk, start):
    desk = make_desk(manager=False)
    prompt = start(desk).shown()
    x, y, width, height = desk.geometry(desk.window("Enter Passcode"))
    desk.move(x + width // 2, y + height // 2)
    becomes(lambda: sum(row(desk)) - (2 * x + width) in range(-3, 4), "in the middle")
    left, right = row(desk)
    desk.move(x + width - 1, y + height // 2)
    becomes(lambda: row(desk)[0] - left in (14, 15) and row(desk)[1] - right in (14, 15), f"to the right of {left}")
    desk.move(x, y + height // 2)
    becomes(lambda: row(desk)[0] - left in (-15, -14), f"to the left of {left}")
    prompt.change(ParallaxMode=False)
    becomes(lambda: row(desk) == (left, right), "at rest without the parallax")


@pytest.mark.parametrize("by", ["gtk", "portal"])
def test_reduced_motion_is_none_at_all(make_desk, start, portal, by):
    desk = make_desk(manager=False, settings={"gtk-enable-animations": 0} if by == "gtk" else None)
    if by == "portal":
        portal(desk, reduced_motion=1)
    prompt = start(desk).shown()
    x, y, width, height = desk.geometry(desk.window("Enter Passcode"))
    before = row(desk)
    desk.move(x + width - 1, y + height // 2)
    time.sleep(0.2)
    assert row(desk) == before
    desk.type("0000")
    token, _ = prompt.entry()
    prompt.outcome(token, "wrong")
    prompt.change(fail_count=1)
    end = time.monotonic() + 0.6
    while time.monotonic() < end:
        assert row(desk) == before, "no shake"
    # And it takes the next key at once.
    desk.type("1234")
    assert prompt.entry(2)[1] == b"1234"
    began = time.monotonic()
    prompt.dismiss()
    assert prompt.wait() == 0 and time.monotonic() - began < 0.14


# What is laid out, by a screen reader's eyes.

WORDS = ("label", "push button", "alert", "level bar")


def boxes(desk):
    """Role, name and place of everything with words that has a size."""
    found = [item for item in read(desk) if item["role"] in WORDS and "visible" in item["states"]]
    return [(item["role"], item["name"], item["box"]) for item in found if item["name"] and item["box"][2] > 1]


def overlapping(first, second):
    return all(first[at] < second[at] + second[at + 2] and second[at] < first[at] + first[at + 2] for at in (0, 1))


def assert_tidy(found, width, scrolled=False):
    """Everything is within the width, and no text lies on another; what is `scrolled` goes away below the header."""
    for role, name, (x, _, across, _) in found:
        assert x >= 0 and x + across <= width, (role, name, x, across, width)
    # A button's label is in the button.
    texts = [item for item in found if item[0] != "push button" and not (scrolled and item[1] == "Enter Passcode")]
    for index, (_, name, box) in enumerate(texts):
        for _, other, place in texts[index + 1 :]:
            assert not overlapping(box, place), (name, box, other, place)


def scale(desk, factor):
    """A desktop's settings daemon that makes text larger."""
    config = os.path.join(desk.folder, "xsettings.conf")
    with open(config, "w") as file:
        file.write(f"Xft/DPI {int(factor * 96 * 1024)}\n")
    desk.start("xsettingsd", "-c", config)
    poll_until(lambda: "window id" in desk.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK"), 5, "the desktop")
    time.sleep(0.3)


@pytest.mark.parametrize("by", ["font", "xsettings"])
def test_large_text_is_large_and_whole(make_desk, start, by):
    """As the font's size of GTK's own settings, and as the scaling that desktops hand on (Xft/DPI)."""
    view = {"account_password": True, "fingerprint": "armed", "requester": "Notes", "reason": "to open your notes"}
    sizes = []
    for is_large in (False, True):
        settings = {"gtk-font-name": "Sans 22"} if is_large and by == "font" else None
        desk = make_desk(accessible=True, settings=settings)
        if is_large and by == "xsettings":
            scale(desk, 2)
        start(desk, **view).shown()
        find(desk, named("Enter 4 digit passcode"), "description")
        found = boxes(desk)
        _, _, width, _ = desk.geometry(desk.window("Enter Passcode"))
        assert_tidy(found, width)
        sizes.append({name: box[3] for role, name, box in found if role == "label"})
    plain, large = sizes
    # The others have some room to spare when they are small.
    for name, share in (("Enter 4 digit passcode", 1.8), ("Touch the sensor", 1.8), ("Use Account Password", 1.3)):
        assert large[name] >= share * plain[name], (name, plain[name], large[name])


def test_twice_the_pixels_is_twice_the_size(make_desk, start):
    widths = []
    for scale in (1, 2):
        desk = make_desk(manager=False, size=(1400, 1500), env={"GDK_SCALE": str(scale)})
        start(desk, ParallaxMode=False).shown()
        _, _, width, height = desk.geometry(desk.window("Enter Passcode"))
        assert (width, height) == (420 * scale, 620 * scale)
        first, last = row(desk)
        widths.append(last - first)
    assert abs(widths[1] - 2 * widths[0]) <= 4, widths


SMALL = [(200, 150), (240, 320), (200, 640)]


@pytest.mark.parametrize("size", SMALL, ids=["200x150", "240x320", "200x640"])
@pytest.mark.parametrize("text", ["plain", "large"])
def test_a_small_screen_scrolls_and_hides_nothing(make_desk, start, size, text):
    settings = {"gtk-font-name": "Sans 20"} if text == "large" else None
    desk = make_desk(accessible=True, manager=False, size=size, settings=settings)
    prompt = start(
        desk, is_session=True, covers=True, can_cancel=False, account_password=True, fingerprint="armed", digits=10,
        description="Enter 10 digit passcode",
    ).shown()
    width, height = size
    assert desk.geometry(desk.window("Enter Passcode"))[2:] == size
    desk.type("123")
    find(desk, named("3 of 10 digits entered"), "row")
    assert_tidy(boxes(desk), width, scrolled=True)
    # What has the focus is on the screen, below the header, as far as it goes.
    _, y, _, down = find(desk, named("3 of 10 digits entered"), "row")["box"]
    middle = y + down / 2
    assert 48 < middle < height, (y, down)
    # So is a button that the keyboard has reached.
    for _ in range(2):
        desk.keys("Tab")
    button = find(desk, lambda item: item["name"] == "Use Account Password" and "focused" in item["states"], "focus")
    end = time.monotonic() + 5
    while not 48 < button["box"][1] + button["box"][3] / 2 < height:
        assert time.monotonic() < end, button
        button = find(desk, named("Use Account Password"), "button")
    desk.keys("Return")
    find(desk, named("0 characters entered"), "the password's field")
    desk.type("secret")
    desk.keys("Return")
    assert prompt.entry(letter="A")[1] == b"secret"


def test_a_callers_long_titles_stay_in_the_window(make_desk, start):
    desk = make_desk(accessible=True)
    long = "Not at the moment, thank you very much, perhaps another time when I am not so busy"
    start(desk, cancel_title=long, fallback_title=long, title="Enter the Passcode of this Application").shown()
    find(desk, named(long), "button")
    _, _, width, _ = desk.geometry(desk.window("Enter the Passcode"))
    assert width <= 430
    assert_tidy(boxes(desk), width)
