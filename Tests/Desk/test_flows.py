"""The four flows, typed and drawn by a person who sees nothing but the window."""

import time

import pytest

from deskkit.flows import turn_on

RIGHT = "246813"


def test_on_locked_unlocked_changed_and_off_with_digits(person):
    turn_on(person, RIGHT)
    assert person.get("HasPasscode") is True and person.get("PasscodeDigit") == 6

    person.smileauth("lock")
    person.prompt("Enter Passcode")
    person.ears.find("0 of 6 digits entered", focused=True)
    assert person.get("IsAuthenticated") is False
    person.type(RIGHT)
    assert person.wait_signal("AuthenticationSucceeded") == "'passcode',"
    person.gone()

    person.present("three", "digits", "u", 4, count=1)
    person.prompt("Change Passcode")
    person.ears.find("Enter your old 6 digit passcode")
    person.type(RIGHT)
    person.ears.find("Enter your new 4 digit passcode")
    person.ears.find("0 of 4 digits entered")
    person.type("1379")
    person.ears.find("Re-enter your 4 digit passcode")
    person.type("1378")
    person.ears.announced("Passcodes do not match. Try again.")
    person.type("1379")
    person.ears.find("Re-enter your 4 digit passcode")
    person.type("1379")
    person.wait_signal("PasscodeChanged")
    person.gone()

    person.present("once")
    person.prompt("Turn off Passcode")
    person.type("1379")
    person.wait_signal("PasscodeTurnedOff")
    person.gone()
    assert person.get("HasPasscode") is False
    assert person.signals("AuthViewDismissed") == ["'success',"] * 4


def test_with_motion_nothing_is_taken_twice_or_lost(make_person):
    """What is typed on after a full row is no part of the next step."""
    person = make_person(moving=True).begin()
    person.present("twice")
    person.prompt("Set Passcode")
    person.type("246813")
    person.ears.find("Re-enter your 4 digit passcode")
    # The row goes out and comes in; then it takes keys.
    time.sleep(0.9)
    person.ears.find("0 of 4 digits entered")
    person.type("2468")
    person.wait_signal("PasscodeTurnedOn")
    person.gone()
    person.smileauth("lock")
    person.prompt("Enter Passcode")
    person.type("1357")
    person.ears.announced("1 Failed Passcode Attempt(s). Try again.")
    time.sleep(0.9)
    person.type("2468")
    person.wait_signal("AuthenticationSucceeded")


@pytest.mark.parametrize("by", ["pointer", "keyboard"])
def test_a_pattern(person, by):
    def draw(*dots):
        if by == "pointer":
            person.draw(*dots)
        else:
            person.keys(*map(str, dots), "Return")

    person.present("twice", "kind", "s", "pattern", count=1)
    person.prompt("Set Passcode")
    person.ears.find(lambda name: name.startswith("Draw"), role="label")
    draw(1, 2, 5, 9)
    person.ears.find(lambda name: "again" in name, role="label")
    draw(1, 2, 5, 9)
    person.wait_signal("PasscodeTurnedOn")
    person.gone()
    assert person.get("PasscodeKind") == "pattern"
    person.smileauth("lock")
    person.prompt("Enter Passcode")
    draw(1, 2, 5, 8)
    person.ears.find(lambda name: name.startswith("1 Failed"))
    draw(1, 2, 3)
    person.ears.announced("Connect at least 4 dots.")
    draw(1, 2, 5, 9)
    person.wait_signal("AuthenticationSucceeded")
    assert person.get("FailCount") == 0


def test_a_text_with_a_dead_key(person):
    """On a German keyboard: é is the acute's key, then e; ß is a key of its own."""
    person.run("setxkbmap", "de")
    person.present("twice", "kind", "s", "text", count=1)
    person.prompt("Set Passcode")
    for count in range(2):
        person.keys("C", "a", "f", "dead_acute", "e", "space", "ssharp", "Return")
        if count == 0:
            person.ears.find(lambda name: name.startswith("Re-enter"))
    person.wait_signal("PasscodeTurnedOn")
    person.gone()
    person.smileauth("lock")
    person.prompt("Enter Passcode")
    person.keys("C", "a", "f", "e", "space", "ssharp")
    person.ears.find("6 characters entered")
    person.keys("Return")
    person.ears.find(lambda name: name.startswith("1 Failed"))
    person.keys("C", "a", "f", "dead_acute", "e", "space", "ssharp", "Return")
    person.wait_signal("AuthenticationSucceeded")
    # The same from a terminal: what was typed is what it says.
    person.smileauth("lock")
    person.run("sh", "-c", "printf 'Caf\\303\\251 \\303\\237\\n' | \"$0\" unlock --passcode-fd 0", person.program)


@pytest.mark.parametrize("by", ["button", "Escape"])
def test_cancel_is_a_persons_no(person, by):
    turn_on(person, "2468")
    asked = person.start(person.program, "authenticate", "--require-passcode", "--reason", "to see the vault")
    person.prompt("Enter Passcode")
    person.type("13")
    person.ears.find("2 of 4 digits entered")
    if by == "button":
        person.press("Cancel")
    else:
        person.keys("Escape")
    person.gone()
    assert asked.popen.wait(10) == 1
    assert "UserCancel" in asked.output().decode() or "cancel" in asked.output().decode().lower()
    person.wait_signal("AuthViewDismissed", 2)
    assert person.get("FailCount") == 0
