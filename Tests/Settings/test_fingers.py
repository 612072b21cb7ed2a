"""The page of the fingers, with libfprint's virtual sensor below the real service."""

import pytest
from kit.acts import RIGHT, turn_on
from kit.fingers import INDEX, STRANGER, THUMB
from kit.loop import wait_until
from kit.sensor import TOO_SHORT

from settingskit.room import answer


@pytest.fixture
def room(make_room):
    return make_room(sensor="verifies")


def scan(room, finger):
    room.sensing.sensor.scan(finger)


def test_a_finger_is_enrolled_and_deleted(room):
    room.open("fingers")
    room.find("Virtual device for debugging")
    room.find("No finger is enrolled.")
    room.find("Finger Right index finger", states=["sensitive"])
    room.screen.keys("alt+e")
    # How far it is, and what to do, is in the tree.
    bar = room.find("0 of 5 scans", role="progress bar")
    assert bar["value"] == [0.0, 5.0] and bar["description"] == "Draw your right index finger across the sensor."
    scan(room, INDEX)
    assert room.find("1 of 5 scans", role="progress bar")["value"] == [1.0, 5.0]
    room.sensing.sensor.retry(TOO_SHORT)
    room.find("That was too short. Leave your finger on the sensor a little longer.", role="label|statusbar|panel|status bar")
    for stage in range(2, 5):
        scan(room, INDEX)
        room.find(f"{stage} of 5 scans", role="progress bar")
    scan(room, INDEX)
    room.find("Enrolled: right index finger. Locks ask for their passcode once before fingers count again.")
    room.find("Right index finger")
    # It cannot be enrolled twice.
    room.find("Finger Left thumb")
    assert room.sensing.enrolled == [INDEX]
    room.find("Delete: right index finger", states=["sensitive"])
    room.focus("Delete: right index finger")
    room.screen.keys("space")
    room.find("No finger is enrolled.")
    assert room.sensing.enrolled == []


def test_an_enrolment_is_proved_and_cancelled(room):
    turn_on(room.session)
    room.open("fingers")
    room.find("Finger Right index finger", states=["sensitive"])
    room.screen.keys("alt+e")
    wait_until(room.session.view, 5, "the view")
    assert "Enroll a finger" in room.session.view()["reason"]
    answer(room, "Enter Passcode", RIGHT)
    room.find("0 of 5 scans", role="progress bar")
    room.screen.keys("alt+c")
    room.find("Cancelled. Nothing was changed.", role="alert|notification")
    room.find("No finger is enrolled.")
    assert room.sensing.enrolled == []


def test_a_finger_is_tried(room):
    room.sensing.enroll(THUMB)
    room.open("fingers")
    room.find("Try a finger", role="push button", states=["sensitive"])
    room.screen.keys("alt+t")
    room.find("Draw a finger across the sensor.")
    scan(room, THUMB)
    room.find("The finger was recognised.")
    room.find("Try a finger", role="push button", states=["sensitive"])
    room.screen.keys("alt+t")
    room.find("Draw a finger across the sensor.")
    scan(room, STRANGER)
    room.find("The finger was not recognised. Try again.", role="alert|notification")


def test_both_factors_are_refused_then_allowed(room):
    room.sensing.enroll(INDEX)
    turn_on(room.session)
    room.open("fingers")
    room.find("Finger and passcode", role="radio button", states=["sensitive", "-checked"])
    # Why the third cannot be chosen.
    alone = room.find("Finger alone", role="radio button", states=["-sensitive"])
    assert alone["description"].endswith("Needs the passcode to be off.")
    room.screen.keys("alt+n")
    room.screen.window("Enter Passcode")
    room.find("This makes the lock weaker: give its passcode in the window that asks.")
    wait_until(lambda: room.session.view(), 5, "the view")
    assert "Change what opens the lock" in room.session.view()["reason"]
    room.session.cancel()
    room.find("Cancelled. Nothing was changed.", role="alert|notification")
    room.find("Finger or passcode", role="radio button", states=["checked"])
    assert room.session.get("FactorMode") == "any"
    room.screen.keys("alt+n")
    answer(room, "Enter Passcode", RIGHT)
    room.wait_for("FactorMode", "all")
    room.find("Finger and passcode", role="radio button", states=["checked"])
    switch = room.find("Fingers open it", states=["checked", "-sensitive"])
    assert switch["description"] == "Stays on while the lock needs a finger."


def test_where_a_finger_opened_it_the_passcode_is_asked_for_as_well(room):
    room.sensing.enroll(INDEX)
    turn_on(room.session)
    # Then it is not open, and the view that proves is the lock's own, which a finger opens, too.
    room.world.restart_service()
    room.open("locking")
    room.find("The computer sleeps", states=["checked", "sensitive"])
    room.screen.keys("alt+s")
    first = room.screen.window("Enter Passcode")
    wait_until(lambda: room.session.view().get("fingerprint") == "armed", 10, "the sensor to be armed")
    scan(room, INDEX)
    room.find("The lock is open. Give its passcode as well, in the window that asks.")
    wait_until(lambda: room.screen.window("Enter Passcode") != first, 10, "the second window")
    assert room.session.view()["fingerprint"] in ("none", "off")
    answer(room, "Enter Passcode", RIGHT)
    wait_until(lambda: set(room.session.get("LockOn")) == {"idle", "screen-lock", "switch"}, 10, "three causes")
    room.find("The computer sleeps", states=["-checked", "sensitive"])


def test_all_are_deleted_after_a_question(room):
    for finger in (THUMB, INDEX):
        room.sensing.enroll(finger)
    room.open("fingers")
    room.find("Delete: left thumb", states=["sensitive"])
    room.screen.keys("alt+d")
    room.find("Delete every enrolled finger?")
    room.screen.keys("alt+c")
    wait_until(lambda: not [i for i in room.tree() if i["name"] == "Delete every enrolled finger?"], 5, "the answer")
    assert room.sensing.enrolled == [THUMB, INDEX]
    room.screen.keys("alt+d")
    room.find("Delete every enrolled finger?")
    room.screen.keys("alt+d")
    room.find("No finger is enrolled.")
    assert room.sensing.enrolled == []


def test_without_a_sensor(make_room):
    room = make_room().open("fingers")
    room.find("No fingerprint sensor")
    room.find("Plug one in, or ask “smileauth doctor” in a terminal why it is not found.")
    room.find("Try a finger", role="push button", states=["-sensitive"])
    both = room.find("Finger and passcode", role="radio button", states=["-sensitive"])
    assert both["description"].endswith("Needs a fingerprint sensor.")
