"""A finger on libfprint's virtual sensor, and what the window says of it."""

import os
import time

import pytest

from deskkit.flows import turn_on
from kit.sensor import TOO_SHORT, VirtualSensor

FINGER = "right-index-finger"


@pytest.fixture
def sensor(world):
    os.mkdir(f"{world.folder}/usb")
    made = VirtualSensor(f"{world.folder}/usb/sensor")
    world.extra_env.update(made.env, SMILEAUTH_FINGERPRINT="libfprint")
    return made


def enroll(person, sensor, finger, passcode=None):
    words = ["--passcode-fd", "0"] if passcode else []
    script = f'printf "{passcode}\\n" | "$0" "$@"' if passcode else 'exec "$0" "$@"'
    enrolling = person.start("sh", "-c", script, person.program, "fingers", "enroll", finger, *words, name="enroll")
    sensor.wait_open()
    sensor.enroll(finger)
    assert enrolling.popen.wait(10) == 0, enrolling.output()


def told(person, words):
    """Waits until the finger's button says this."""
    deadline = time.monotonic() + 10
    while (said := person.ears.find("Use Fingerprint", role="push button")["description"]) != words:
        assert time.monotonic() < deadline, said


@pytest.fixture
def locked(make_person, sensor):
    """A finger enrolled, a passcode on, the session locked, the sensor armed; with motion, as a success is one."""
    person = make_person(moving=True).begin()
    enroll(person, sensor, FINGER)
    person.present("twice")
    person.prompt("Set Passcode")
    person.type("2468")
    person.ears.find("Re-enter your 4 digit passcode")
    time.sleep(0.9)
    person.type("2468")
    person.wait_signal("PasscodeTurnedOn")
    person.gone()
    person.smileauth("lock")
    person.prompt("Enter Passcode")
    told(person, "Touch the sensor")
    return person


def test_a_finger_opens(locked, sensor):
    sensor.scan(FINGER)
    assert locked.wait_signal("AuthenticationSucceeded") == "'fingerprint',"
    locked.gone()
    assert locked.get("IsAuthenticated") is True


def test_a_finger_that_is_not_recognised_or_too_quick_is_told(locked, sensor):
    sensor.retry(TOO_SHORT)
    locked.ears.find(lambda name: "short" in name.lower(), role="alert")
    sensor.scan("somebody-elses")
    locked.wait_signal("AuthenticationFailed")
    locked.ears.find("The finger was not recognised. Try again.", role="alert")
    told(locked, "Not recognised")
    # The third turns the sensor off until the button.
    for count in (2, 3):
        sensor.scan("somebody-elses")
        locked.wait_signal("AuthenticationFailed", count)
    told(locked, "Use Fingerprint")
    locked.press("Use Fingerprint")
    told(locked, "Touch the sensor")
    sensor.scan(FINGER)
    locked.wait_signal("AuthenticationSucceeded")


def test_without_a_sensor_there_is_no_button_and_the_passcode_opens(locked, sensor):
    sensor.unplug()
    # A virtual one would be there again at once.
    os.rename(os.path.dirname(sensor.path), os.path.dirname(sensor.path) + "-unplugged")
    locked.ears.none("Use Fingerprint")
    locked.type("2468")
    assert locked.wait_signal("AuthenticationSucceeded") == "'passcode',"


def test_changed_fingers_are_told_and_open_nothing(locked, sensor):
    locked.type("2468")
    locked.wait_signal("AuthenticationSucceeded")
    locked.gone()
    enroll(locked, sensor, "left-thumb", "2468")
    locked.smileauth("lock")
    locked.prompt("Enter Passcode")
    locked.ears.find(lambda name: "changed" in name.lower() and "passcode" in name.lower(), role="label")
    locked.ears.find("Use Fingerprint", sensitive=False)
    locked.type("2468")
    locked.wait_signal("AuthenticationSucceeded", 2)
