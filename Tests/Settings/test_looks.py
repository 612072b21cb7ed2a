"""The page of the looks: what is written, and what the preview makes of it."""

import os

import pytest
from kit.loop import wait_until
from promptkit import pictures


REFUSED = "There is no usable picture or icon of this name."


def share(room, colour, near=40):
    """How much of the preview is near a colour."""
    width, height, data = pictures.pixels(room.screen, room.xid)
    # The preview stands at the right.
    left, right = width - 290, width - 30
    found = total = 0
    for row in range(0, height, 3):
        line = data[(row * width + left) * 3 : (row * width + right) * 3]
        for at in range(0, len(line) - 2, 9):
            total += 1
            found += all(abs(line[at + part] - colour[part]) < near for part in range(3))
    return found / total


def test_the_preview_follows_the_looks(room):
    room.open("looks")
    room.find("Tint #ff2d55", states=["sensitive"])
    wait_until(lambda: share(room, (255, 45, 85)) > 0.002, 5, "the usual tint in the preview")
    assert share(room, (0, 144, 58)) == 0
    # Whoever changes it: the window follows.
    room.session.set("TintColor", "s", "#00903a")
    room.find("Tint #00903a")
    wait_until(lambda: share(room, (0, 144, 58)) > 0.002, 5, "the new tint in the preview")
    assert share(room, (255, 45, 85)) == 0
    bright = share(room, (16, 16, 18), near=6)
    room.choose("alt+n", "Night", "Always night", keys=["Down"])
    room.wait_for("NightMode", "on")
    wait_until(lambda: share(room, (16, 16, 18), near=6) > bright + 0.3, 5, "the night in the preview")
    # Back to the usual by its button.
    room.focus("Reset the tint")
    room.screen.keys("space")
    room.wait_for("TintColor", "#ff2d55")
    room.find("Tint #ff2d55")


def test_a_picture_is_typed_refused_and_removed(room):
    path = pictures.photo(os.path.join(room.world.folder, "photo.png"))
    room.open("looks")
    room.find("Background", role="text", states=["sensitive"])
    white = share(room, (255, 255, 255), near=2)
    room.screen.keys("alt+b")
    room.screen.type("/nowhere/at/all.png")
    room.screen.keys("Return")
    room.find(REFUSED, role="alert|notification")
    assert room.session.get("BackgroundImage") == ""
    # It is not said any longer than it is so, whoever sets a picture.
    room.session.set("BackgroundImage", "s", path)
    room.gone(REFUSED)
    room.session.set("BackgroundImage", "s", "")
    room.find("Background", role="text", states=["focused"])
    room.screen.keys("ctrl+a")
    room.screen.type("/nowhere/at/all.png")
    room.screen.keys("Return")
    room.find(REFUSED, role="alert|notification")
    room.screen.keys("ctrl+a")
    room.screen.type(path)
    room.screen.keys("Return")
    room.wait_for("BackgroundImage", path)
    room.gone(REFUSED)
    wait_until(lambda: share(room, (255, 255, 255), near=2) < white - 0.3, 5, "the picture in the preview")
    room.focus("Remove: Background")
    room.screen.keys("space")
    room.wait_for("BackgroundImage", "")
    wait_until(lambda: share(room, (255, 255, 255), near=2) > white - 0.02, 5, "the preview without it")
    room.find("Choose: Background", states=["focused"])


@pytest.mark.parametrize(
    "button, title, name, value",
    [("Choose: Background", "Background", "BackgroundImage", ""), ("Tint #ff2d55", "Tint", "TintColor", "#ff2d55")])
def test_a_dialog_opens_by_the_keyboard_and_escape_changes_nothing(room, button, title, name, value):
    room.open("looks")
    room.find("Tint #ff2d55", states=["sensitive"])
    room.focus(button)
    room.screen.keys("space")
    room.screen.window(f"^{title}$")
    wait_until(lambda: room.screen.run("xdotool", "getactivewindow", "getwindowname").strip() == title, 10, "the dialog")
    room.screen.keys("Escape")
    wait_until(lambda: not room.screen.run("xdotool", "search", "--onlyvisible", "--name", f"^{title}$"), 10, "its end")
    room.find(button, states=["focused"])
    assert room.session.get(name) == value


def test_a_picture_is_chosen_after_a_wrong_path(room):
    path = pictures.photo(os.path.join(room.world.folder, "photo.png"))
    room.open("looks")
    room.find("Background", role="text", states=["sensitive"])
    room.screen.keys("alt+b")
    room.screen.type("/nowhere/at/all.png")
    room.screen.keys("Return")
    room.find(REFUSED, role="alert|notification")
    room.focus("Choose: Background")
    room.screen.keys("space")
    wait_until(
        lambda: room.screen.run("xdotool", "getactivewindow", "getwindowname").strip() == "Background", 10, "the dialog")
    # GTK's own: a line for the path opens with its first letter.
    room.screen.keys("ctrl+l")
    wait_until(lambda: (room.focused() or {}).get("role") == "text", 10, "the line for the path")
    room.screen.keys("ctrl+a")
    room.screen.type(path)
    room.screen.keys("Return")
    room.wait_for("BackgroundImage", path)
    room.gone(REFUSED)
    room.find("Remove: Background")


def test_a_colour_of_its_own_for_the_description(room):
    room.open("looks")
    room.find("Own colour for the description", states=["sensitive", "-checked"])
    room.screen.keys("alt+d")
    room.wait_for("DescriptionTextColor", "#111113")
    room.find("Colour of the description #111113")
    room.screen.keys("alt+d")
    room.wait_for("DescriptionTextColor", "")


def test_header_and_parallax(room):
    room.open("looks")
    room.find("Translucent header", states=["sensitive", "-checked"])
    room.screen.keys("alt+r")
    room.wait_for("NavibarTranslucent", True)
    room.screen.keys("alt+w")
    room.wait_for("ParallaxMode", False)
    room.find("Follow the pointer", states=["-checked"])
