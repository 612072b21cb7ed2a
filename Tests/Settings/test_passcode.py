"""The page of the passcode, by keyboard alone: what is typed there goes to the service's own prompt."""

import pytest
from kit.acts import RIGHT, WRONG, turn_on

from settingskit.room import answer

SWITCH = "Use a passcode"
STATUS = "label|statusbar|panel|status bar"


def test_it_is_turned_on_and_off_by_the_keyboard(room):
    room.open()
    room.find(SWITCH, states=["sensitive", "-checked"])
    # What turning it on is to name: the fingers that open it as well.
    room.find("• No finger is enrolled: the passcode alone opens it.")
    room.screen.keys("alt+u")
    answer(room, "Set Passcode", RIGHT, RIGHT)
    room.wait_for("HasPasscode", True)
    # Said for a while, for who does not see the switch.
    room.find("The passcode is on.", role=STATUS)
    room.find(SWITCH, states=["checked"])
    room.find("On, with 4 digits.")
    room.gone("The passcode is on.", 15)
    room.screen.keys("alt+u")
    answer(room, "Turn off Passcode", RIGHT)
    room.wait_for("HasPasscode", False)
    room.find("The passcode is off.", role=STATUS)
    room.find(SWITCH, states=["-checked"])


def test_cancelled_it_stays_as_it_was(room):
    room.open()
    room.find(SWITCH, states=["sensitive", "-checked"])
    room.screen.keys("alt+u")
    room.screen.window("Set Passcode")
    room.find("Answer in the window that asks.")
    room.session.cancel()
    room.find("Cancelled. Nothing was changed.", role="alert|notification")
    room.find(SWITCH, states=["-checked", "sensitive"])
    assert room.session.get("HasPasscode") is False
    # What was refused is not said once it is otherwise, whoever did it.
    turn_on(room.session)
    room.gone("Cancelled. Nothing was changed.")


@pytest.mark.parametrize("keys, title", [("alt+u", "Turn off Passcode"), ("alt+c", "Change Passcode")])
def test_a_wrong_code_is_said_and_changes_nothing(room, keys, title):
    turn_on(room.session)
    room.open()
    room.find(SWITCH, states=["checked", "sensitive"])
    room.screen.keys(keys)
    answer(room, title, WRONG)
    room.find(
        "That was not the passcode. Nothing was changed, and the session was locked.", role="alert|notification")
    assert room.session.get("HasPasscode") is True and room.session.get("IsAuthenticated") is False
    answer(room, "Enter Passcode", RIGHT)
    room.wait_for("IsAuthenticated", True)


def test_it_becomes_a_pattern(room):
    turn_on(room.session)
    room.open()
    room.find(SWITCH, states=["checked"])
    room.choose("alt+d", "Kind", "A pattern", keys=["End"])
    room.find("A line over 4 to 9 of nine dots.")
    # A pattern has no length of its own.
    assert not [i for i in room.tree() if i["name"] == "Length" and i["role"] == "spin button" and i["shown"]]
    room.screen.keys("alt+c")
    answer(room, "Change Passcode", RIGHT, "12369\n", "12369\n")
    room.wait_for("PasscodeKind", "pattern")
    room.find("The passcode is another now.", role=STATUS)
    room.find("On, with a pattern.")


def test_the_length_of_the_next_one(room):
    room.open()
    room.find("Length", role="spin button", states=["sensitive"])
    room.screen.keys("alt+g")
    room.screen.keys("Up", "Up")
    room.screen.keys("alt+u")
    answer(room, "Set Passcode", "246813", "246813")
    room.wait_for("PasscodeDigit", 6)
    room.find("On, with 6 digits.")


def test_every_weaker_setting_is_named_before_it_is_turned_on(room):
    room.session.set("TimeoutInterval", "d", 300.0)
    room.session.set("LockOn", "as", ["idle", "screen-lock"])
    room.open()
    lines = room.find("After an unlock it opens without asking for 5 minutes.", containing=True)["name"].split("\n")
    assert lines == [
        "• After an unlock it opens without asking for 5 minutes.",
        "• It does not lock when the computer sleeps.",
        "• It does not lock when another user takes the seat.",
        "• No finger is enrolled: the passcode alone opens it.",
    ]
