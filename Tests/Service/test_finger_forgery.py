"""Fingers that are not there: signals that another client makes up, and prints of somebody else's."""

import os
import shutil
import socket

import pytest

from kit.acts import RIGHT, WRONG, turn_on
from kit.client import Client
from kit.fingers import INDEX, LIMIT, THUMB, armed, counts, finger, locked_app, wait_finger
from kit.fprintd import DEVICE
from kit.loop import settle, wait_until
from kit.objects import Fingerprint, Policy, Request, refused

on_fprintd = pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)
both = pytest.mark.parametrize("sensing", ["verifies", "fprintd"], indirect=True)


def our_names(world):
    """The service's unique names on the system bus: a unicast signal passes any match rule."""
    client = Client(world.system.address, listen=False)
    found = []
    for unique in client.driver("ListNames"):
        if unique.startswith(":"):
            try:
                if client.driver("GetConnectionUnixProcessID", "s", unique) == world.service.pid:
                    found.append(unique)
            except Exception:
                pass
    client.close()
    return found


def forge(sensing):
    """Every word of a match that there is, as a broadcast and to the service alone, with fprintd's path."""
    world = sensing.world
    targets = [None, *our_names(world)]
    assert len(targets) > 1
    for to in targets:
        for done in (True, False):
            sensing.fprintd.forge("verify-match", done, to=to)
        sensing.fprintd.claimant.emit(sensing.fprintd.device, DEVICE, "VerifyFingerSelected", "s", INDEX, to=to)
        sensing.fprintd.forge("verify-match", True, to=to)
    sensing.fprintd.claimant.round_trip()


@on_fprintd
@pytest.mark.parametrize("what", ["view", "evaluation", "once", "disarmed"])
def test_a_forged_match_grants_nothing(sensing, what):
    app = locked_app(sensing)
    request = None
    if what == "evaluation":
        request = Request(app.client, Policy(app.client, app.path).evaluate("biometrics", "", ui="none"))
    elif what == "once":
        app.present("once", ui="none")
        app.call("UseFingerprint")
    else:
        app.lock()
    armed(app)
    if what == "disarmed":
        for count in range(1, 4):
            sensing.sensor.scan("nobody")
            wait_until(lambda: counts(app) == (0, count), LIMIT)
    before = (app.authenticated, app.get("HasPasscode"), counts(app), app.view())
    start = app.client.mark()
    forge(sensing)
    settle(0.3)
    app.client.sync()
    assert (app.authenticated, app.get("HasPasscode"), counts(app), app.view()) == before
    assert not [e for e in app.client.events[start:] if e.kind in ("signal", "changed")]
    assert request is None or request.completed() is None
    # The real one counts as before.
    if what == "disarmed":
        app.call("UseFingerprint")
        armed(app)
    sensing.sensor.scan(INDEX)
    if request:
        assert request.wait(LIMIT)[0] == "success"
    else:
        wait_until(lambda: app.view() == {}, LIMIT)


@on_fprintd
def test_a_forged_enrolment_or_loss_changes_nothing(sensing):
    client = sensing.world.client()
    request = Request(client, Fingerprint(client).enroll(INDEX))
    sensing.stage(request, "mine")
    targets = [None, *our_names(sensing.world)]
    for to in targets:
        for word in ("enroll-completed", "enroll-stage-passed", "enroll-failed", "enroll-disconnected"):
            sensing.fprintd.claimant.emit(sensing.fprintd.device, DEVICE, "EnrollStatus", "sb", word, True, to=to)
    sensing.fprintd.claimant.round_trip()
    settle(0.2)
    assert request.completed() is None and len(client.signals("EnrollStatus")) == 1
    assert sensing.finish(request, "mine")[0] == "success"


@on_fprintd
def test_a_match_that_comes_after_the_stop_grants_nothing(sensing):
    """fprintd's own: it hangs while the view ends, and has the match of a finger and our VerifyStop before it then."""
    app = locked_app(sensing)
    late = 0
    for _ in range(8):
        app.lock()
        armed(app)
        seen = len(sensing.fprintd.statuses())
        sensing.fprintd.stop()
        with socket.socket(socket.AF_UNIX) as finger_:
            finger_.connect(sensing.sensor.path)
            finger_.sendall(f"SCAN {INDEX}".encode())
            finger_.shutdown(socket.SHUT_WR)
            app.cancel()
            settle(0.05)
            sensing.fprintd.go_on()
            sensing.wait_idle(4)
        settle(0.05)
        late += "verify-match" in sensing.fprintd.statuses()[seen:]
        assert app.authenticated is False and app.view() == {}
        assert not app.client.signals("AuthenticationSucceeded")
    assert late > 0, "fprintd never signalled a match after the stop: nothing was tested"
    app.lock()
    armed(app)
    forge(sensing)
    assert app.authenticated is False
    sensing.sensor.scan(INDEX)
    wait_until(lambda: app.authenticated, LIMIT)


# Somebody else's finger


def refuses_both(sensing, app):
    """Neither the owner's finger nor the stranger's opens it, nor a wrong passcode."""
    app.lock()
    wait_finger(app, "changed")
    assert app.view()["description"] == "The enrolled fingers have changed. Enter your passcode."
    refused("BiometryNotAvailable", app.call, "UseFingerprint")
    refused("BiometryNotAvailable", app.call, "UseFinger", "s", THUMB)
    assert Policy(app.client, app.path).can_evaluate("biometrics")[1].endswith("BiometryNotAvailable")
    settle(0.2)
    assert sensing.is_idle, "nothing is read"
    assert app.outcome(WRONG) == "wrong"
    assert finger(app) == "changed" and app.authenticated is False


@both
def test_a_finger_of_somebody_elses_opens_no_app_before_its_passcode_was_given(sensing):
    """Whoever knows the session's passcode enrols a finger; the app has a passcode of its own."""
    world = sensing.world
    app = locked_app(sensing)
    intruder = world.client()
    turn_on(world.session(intruder), "1111")
    sensing.enroll(THUMB, "theirs", client=intruder)
    refuses_both(sensing, app)
    world.restart_service()
    app = world.app("org.example.App")
    app.hold(ui="none")
    refuses_both(sensing, app)
    # The session's passcode is not the app's.
    assert app.outcome("1111") == "wrong"
    assert app.outcome(RIGHT) == "accepted"
    app.lock()
    app.call("UseFinger", "s", THUMB)
    armed(app)
    sensing.sensor.scan("theirs")
    wait_until(lambda: app.authenticated, LIMIT)


@on_fprintd
def test_one_that_another_program_enrolled(sensing):
    app = locked_app(sensing)
    sensing.fprintd.enroll(THUMB, "theirs")
    refuses_both(sensing, app)
    assert app.outcome(RIGHT) == "accepted"
    # While a view waits for a finger, with fprintd killed in between.
    app.lock()
    armed(app)
    sensing.fprintd.kill()
    prints = [os.path.join(at, name) for at, _, found in os.walk(sensing.fprintd.state) for name in found]
    shutil.copy(prints[0], os.path.join(os.path.dirname(prints[0]), "1" if not prints[0].endswith("1") else "3"))
    sensing.fprintd.start()
    wait_finger(app, "changed")
    assert app.authenticated is False


@pytest.mark.parametrize("sensing", ["verifies"], indirect=True)
def test_a_print_that_was_put_in_place_of_another(sensing):
    """In the service's own folder, while it does not run: the same name, another finger."""
    world = sensing.world
    app = locked_app(sensing, fingers=(INDEX,))
    app.verify(RIGHT)
    sensing.enroll(THUMB, "theirs", client=app.client)
    theirs = os.path.join(sensing.prints, THUMB)
    mine = os.path.join(sensing.prints, INDEX)
    kept = open(theirs, "rb").read()
    Fingerprint(app.client).delete(THUMB)
    assert app.verify(RIGHT) is True
    world.kill_service()
    with open(mine, "wb") as file:
        file.write(kept)
    world.start_service()
    app = world.app("org.example.App")
    app.hold(ui="none")
    app.lock()
    assert finger(app) in ("changed", "off", "none"), "not armed for it"
    settle(0.2)
    assert sensing.is_idle
    assert app.outcome(RIGHT) == "accepted"
