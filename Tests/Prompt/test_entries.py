"""What is typed and drawn reaches the channel, once, and what is not meant for the window does not."""

import time

import pytest

from promptkit import pictures
from promptkit.processes import poll_until

DOTS = {number: ((number - 1) % 3, (number - 1) // 3) for number in range(1, 10)}


def pad_points(prompt, dots):
    """Where these dots of the pad are on the screen."""
    window = prompt.desk.geometry(prompt.desk.window(prompt.state["title"][1]))
    x, _, width, _ = window
    top = pictures.pad_top(prompt.desk, window)
    cell = 284 / 3
    left = x + (width - 284) / 2
    return [(left + (DOTS[dot][0] + 0.5) * cell, top + (DOTS[dot][1] + 0.5) * cell) for dot in dots]


def test_digits_reach_the_channel_as_one_entry(desk, start):
    prompt = start(desk).shown()
    desk.type("1234")
    assert prompt.entry() == (1, b"1234")
    assert [int.from_bytes(data, "little") for data in prompt.said("N")] == [1, 2, 3, 4]
    prompt.read(0.5)
    assert len(prompt.said("E")) == 1


def test_the_keypad_types_digits(desk, start):
    prompt = start(desk).shown()
    desk.keys("KP_1", "KP_2", "3", "KP_4")
    assert prompt.entry()[1] == b"1234"


def test_letters_are_no_digits_and_backspace_takes_one_back(desk, start):
    prompt = start(desk).shown()
    desk.keys("1", "a", "2", "BackSpace", "minus", "3", "4", "5")
    assert prompt.entry()[1] == b"1345"


def test_a_wrong_entry_shakes_and_the_next_goes_through(desk, start):
    prompt = start(desk).shown()
    window = desk.geometry(desk.window("Enter Passcode"))
    desk.type("0000")
    token, _ = prompt.entry()
    prompt.outcome(token, "wrong")
    prompt.change(description="1 Failed Passcode Attempt(s). Try again.", fail_count=1)
    # While it shakes the row is not where it was, and takes no key.
    places = set()
    end = time.monotonic() + 0.6
    desk.keys("9")
    while time.monotonic() < end:
        places.add(tuple(pictures.tinted_columns(desk, window)[:1]))
    assert len(places) > 1, places
    time.sleep(0.7)
    desk.type("1234")
    assert prompt.entry(2) == (2, b"1234")
    assert prompt.said("N")[4] == bytes(4)


def test_the_next_step_takes_the_next_entry(desk, start):
    prompt = start(desk, security_type="twice", title="Set Passcode").shown()
    desk.type("1234")
    token, _ = prompt.entry()
    prompt.outcome(token, "next")
    prompt.change(step=2, description="Re-enter your 4 digit passcode")
    time.sleep(1.0)
    desk.type("1234")
    assert prompt.entry(2) == (2, b"1234")
    prompt.outcome(2, "accepted")
    prompt.dismiss()
    assert prompt.wait() == 0


def test_a_text_takes_letters_and_goes_by_enter(desk, start):
    prompt = start(desk, kind="text", digits=0).shown()
    desk.type("Correct Horse")
    desk.keys("BackSpace", "2", "Return")
    assert prompt.entry()[1] == b"Correct Hors2"
    assert prompt.said("N") == []


def test_a_text_takes_letters_with_accents(desk, start):
    prompt = start(desk, kind="text", digits=0).shown()
    desk.keys("udiaeresis", "eacute")
    desk.keys("Return")
    assert prompt.entry()[1].decode() == "üé"


def test_a_pattern_is_drawn_with_the_pointer(desk, start):
    prompt = start(desk, kind="pattern", digits=0, description="Draw your pattern").shown()
    desk.draw(pad_points(prompt, [1, 2, 5, 9]))
    assert prompt.entry()[1] == b"1259"


def test_a_pattern_takes_along_what_it_passes_over(desk, start):
    prompt = start(desk, kind="pattern", digits=0, description="Draw your pattern").shown()
    desk.draw(pad_points(prompt, [1, 9, 7]))
    assert prompt.entry()[1] == b"15987"


def test_a_pattern_is_drawn_with_the_keyboard(desk, start):
    prompt = start(desk, kind="pattern", digits=0, description="Draw your pattern").shown()
    desk.keys("Up", "space", "Left", "space", "Down", "space", "Down", "space", "9", "Return")
    # From 2 over 1, 4 and 7; to 9 it takes 8 along.
    assert prompt.entry()[1] == b"214789"
    prompt.outcome(1, "InvalidPasscode")
    time.sleep(1)
    desk.keys("1", "4", "7", "8", "Return")
    assert prompt.entry(2)[1] == b"1478"


def test_the_account_password_has_its_own_field(desk, start):
    prompt = start(desk, account_password=True, can_cancel=False).shown()
    # By the keyboard alone: Tab reaches the button, space presses it.
    desk.keys("Tab", "space")
    desk.window("Enter Account Password")
    desk.type("pa55 word")
    desk.keys("Return")
    assert prompt.entry(letter="A") == (1, b"pa55 word")
    assert prompt.said("E") == []


@pytest.mark.parametrize("field", ["text", "digits", "account"])
def test_nothing_is_pasted(desk, start, field):
    """The selection and the clipboard have an owner that hands them out; what is typed after is all that counts."""
    for selection in ("primary", "clipboard", "secondary"):
        desk.start("sh", "-c", f"printf 73915 | exec xclip -quiet -selection {selection}")
    for selection in ("primary", "clipboard"):
        poll_until(lambda: desk.run("xclip", "-o", "-selection", selection) == "73915", 5, "a selection", 0.05)
    prompt = start(
        desk, kind="digits" if field == "digits" else "text", digits=6 if field == "digits" else 0,
        account_password=field == "account",
    ).shown()
    letter = "E"
    if field == "account":
        letter = "A"
        desk.keys("Tab", "space")
        desk.window("Enter Account Password")
    x, y, width, height = desk.geometry(desk.window("Enter"))
    for keys in ("ctrl+v", "shift+Insert", "ctrl+Insert", "ctrl+shift+v", "ctrl+y", "XF86Paste", "Menu", "shift+F10"):
        desk.keys(keys)
    for part in (2, 3, 4, 5):
        # With the middle button on all of the window, by and by; the others would bring a menu up.
        for button in ("2", "3"):
            desk.run("xdotool", "mousemove", str(x + width // 2), str(y + height * part // 6), "click", button)
    # A press of the wheel, and a drop of nothing: no menu has come up that would take what is typed now.
    desk.type("246800" if field == "digits" else "typed")
    if field != "digits":
        desk.keys("Return")
    assert prompt.entry(letter=letter)[1] == (b"246800" if field == "digits" else b"typed")


def test_keys_count_once_the_focus_has_stood(desk, start):
    prompt = start(desk)
    prompt.expect("S")
    # Typed on without a pause: what comes in the first 0.3 s was meant for the window before.
    began = time.monotonic()
    while time.monotonic() - began < 0.2:
        desk.keys("1")
    early = prompt.said("N")
    assert early == [], early
    time.sleep(0.5)
    desk.keys("2", "3", "4", "5")
    assert prompt.entry()[1] == b"2345"


def test_where_keys_are_off_one_is_told(desk, start):
    prompt = start(desk, takes_keys=False).shown()
    desk.keys("7")
    prompt.expect("K")
    desk.click(512, 400)
    prompt.expect("K", 2)
    prompt.change(takes_keys=True)
    prompt.read(0.2)
    desk.type("1234")
    assert prompt.entry()[1] == b"1234"


def test_resizing_keeps_the_entry(desk, start):
    prompt = start(desk).shown()
    desk.type("12")
    prompt.expect("N", 2)
    window = desk.window("Enter Passcode")
    desk.run("xdotool", "windowsize", "--sync", window, "300", "500")
    desk.type("34")
    assert prompt.entry()[1] == b"1234"
