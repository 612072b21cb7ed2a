"""Applications that ask: who asks and why is said, and what is theirs in the window is only what may be."""

import os

import pytest

from deskkit.flows import turn_on
from kit.account import ACCOUNT_PASSWORD, account_wrapper
from kit.client import options
from kit.objects import Authenticator, Manager, Policy, Request
from kit.sensor import VirtualSensor
from test_fingers import enroll

NAME = "org.example.Notes"


@pytest.fixture
def app(person, world):
    """An application with a passcode of its own, that a person turned on in the window."""
    client = world.client()
    made = Authenticator(client, Manager(client).get_authenticator(NAME))
    made.hold()
    turn_on(person, "1379", made.path)
    return made


def test_an_applications_view_says_who_asks_and_why(person, app):
    request = Request(app.client, app.authenticate("to open <b>your</b> \u202enotes\nnow", require="passcode"))
    person.prompt("Enter Passcode")
    # By its file's name, and not for itself: so it is said whose lock it is.
    program = os.path.basename(os.path.realpath("/proc/self/exe"))
    person.ears.find(f"Unverified: \u2068{program}\u2069 asks", role="label")
    person.ears.find(f"Lock of \u2068{NAME}\u2069", role="label")
    # No markup, no line of its own, nothing that turns the text round.
    person.ears.find("“\u2068to open <b>your</b> notesnow\u2069”", role="label")
    person.ears.find("Cancel", role="push button")
    person.type("1379")
    assert request.wait() == ("success", {"method": "passcode"})
    person.gone()


def test_it_is_cancelled_with_the_application(person, app, world):
    asked = Request(app.client, app.authenticate("to open your notes", require="passcode"))
    person.prompt("Enter Passcode")
    app.client.connection.close()
    world.clients.remove(app.client)
    person.gone()
    assert asked.completed() is None


def test_an_evaluation_has_the_callers_titles(make_person, world):
    sensor = VirtualSensor(f"{world.folder}/sensor")
    world.extra_env.update(sensor.env, SMILEAUTH_FINGERPRINT="libfprint")
    person = make_person().begin()
    enroll(person, sensor, "left-thumb")
    client = world.client()
    app = Authenticator(client, Manager(client).get_authenticator(NAME))
    app.hold()
    turn_on(person, "1379", app.path)
    policy = Policy(client, app.path)

    asked = {"fallback_title": "Type Instead", "cancel_title": "Not Now"}
    request = Request(client, policy.evaluate("biometrics", "to sign", **asked))
    person.prompt()
    person.ears.find("“\u2068to sign\u2069”", role="label")
    person.ears.none("Type Instead", 1)
    sensor.scan("somebody-elses")
    # The way round comes after the first failure.
    person.press("Type Instead")
    assert request.wait()[0] == "UserFallback"
    person.gone()

    request = Request(client, policy.evaluate("device-owner", "to sign", **asked))
    person.prompt()
    sensor.scan("somebody-elses")
    person.press("Type Instead")
    person.ears.find("0 of 4 digits entered", focused=True)
    person.type("1379")
    assert request.wait()[0] == "success"
    person.gone()

    request = Request(client, policy.evaluate("device-owner", "to sign", **asked))
    person.prompt()
    person.press("Not Now")
    assert request.wait()[0] == "UserCancel"
    person.gone()
    assert client.signals("AuthenticationSucceeded", app.path) == []


def test_the_account_password_is_the_way_out_of_a_lost_store(make_person, world):
    person = make_person().begin(wrapper=account_wrapper(world))
    turn_on(person, "2468")
    world.keyring.delete_all()
    person.smileauth("lock")
    person.prompt()
    person.type("2468")
    # It says why nothing opens, and what does.
    person.press("Use Account Password")
    person.ears.find("Enter Account Password", role="frame")
    person.ears.find("0 characters entered", focused=True)
    person.type("not-it")
    person.keys("Return")
    person.ears.announced("That is not your account password. Try again.", 15)
    person.type(ACCOUNT_PASSWORD)
    person.keys("Return")
    assert person.wait_signal("AuthenticationSucceeded", seconds=15) == "'account',"
    person.gone()
    assert person.get("HasPasscode") is False
    assert ACCOUNT_PASSWORD not in world.log + person.monitor.output().decode()
