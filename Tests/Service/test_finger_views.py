"""Fingers in the views of an authenticator (sections 2, 4 and 6), through libfprint and through the real fprintd."""

import os

import pytest

from kit import names
from kit.acts import RIGHT, WRONG, turn_on
from kit.client import Failure
from kit.fingers import INDEX, LIMIT, MIDDLE, STRANGER, THUMB, armed, counts, finger, locked_app, miss, wait_finger
from kit.loop import settle, wait_until
from kit.objects import Fingerprint, Request, refused
from kit.sensor import CENTER_FINGER, ERROR_GENERAL, ERROR_PROTO, GENERAL, REMOVE_FINGER, TOO_SHORT

both = pytest.mark.parametrize("sensing", ["identifies", "fprintd"], indirect=True)
#: Those whose prints outlive the process that has the device open.
lasting = pytest.mark.parametrize("sensing", ["verifies", "fprintd"], indirect=True)
NEW = "9753"
TEXTS = {
    GENERAL: "That did not work. Touch the sensor again.",
    TOO_SHORT: "That was too short. Leave your finger on the sensor a little longer.",
    CENTER_FINGER: "Put the middle of your fingertip on the sensor.",
    REMOVE_FINGER: "Lift your finger, then touch the sensor again.",
}


@pytest.fixture
def app(sensing):
    """Shown by its application; a passcode and the right index finger open it."""
    return locked_app(sensing)


@pytest.fixture(params=["app", "session"])
def auth(request, sensing):
    """An application with a view of its own, and the session on a terminal: locked, and the sensor armed."""
    if request.param == "app":
        locked = locked_app(sensing)
        locked.lock()
    else:
        sensing.enroll(INDEX)
        locked = turn_on(sensing.world.session(sensing.world.client()))
        locked.lock()
        locked.present("touchid", ui="terminal")
    return armed(locked)


def opens(sensing, authenticator, scans=INDEX):
    """This finger, and within LIMIT it is open."""
    sensing.sensor.scan(scans)
    wait_until(lambda: authenticator.authenticated, LIMIT, "the lock to open")


# Opening


@both
def test_a_finger_opens(sensing, auth):
    assert auth.get("UnlockRoute") == "fingerprint-or-passcode"
    assert auth.call("CanAuthenticate") == (True, "")
    assert auth.view()["demand"] == "either"
    start = auth.client.mark()
    opens(sensing, auth)
    auth.client.sync()
    own = [e for e in auth.happened(start) if not e.startswith("reply")]
    assert own == ["changed", "AuthenticationSucceeded fingerprint", "AuthViewDismissed success"]
    changed = auth.client.changes(auth.path, start)
    assert changed["IsAuthenticated"] is True and changed["IsShowingAuth"] is False and changed["ShouldCover"] is False
    assert counts(auth) == (0, 0)
    sensing.wait_idle()


@both
def test_whoever_waits_for_it_is_told_that_it_was_the_finger(sensing, app):
    app.lock()
    request = Request(app.client, app.authenticate("Open the vault", ui="none"))
    armed(app)
    opens(sensing, app)
    assert request.wait(LIMIT) == ("success", {"method": "fingerprint"})


@both
def test_a_scan_to_be_made_once_more_counts_as_nothing(sensing, auth):
    for reason, text in TEXTS.items():
        for _ in range(2):
            sensing.sensor.retry(reason)
            wait_until(lambda: auth.view()["description"] == text, LIMIT, text)
            assert finger(auth) == "retry"
    assert counts(auth) == (0, 0) and not auth.client.signals("AuthenticationFailed")
    opens(sensing, auth)
    assert counts(auth) == (0, 0)


@both
def test_a_finger_that_is_not_recognised_counts_once(sensing, auth):
    start = auth.client.mark()
    for count in (1, 2):
        miss(sensing, auth)
        assert finger(auth) == "no-match"
        assert auth.view()["description"] == "The finger was not recognised. Try again."
        assert counts(auth) == (0, count)
    assert [e.arguments for e in auth.client.signals("AuthenticationFailed", auth.path, start)] == [
        (1, "fingerprint"),
        (2, "fingerprint"),
    ]
    assert auth.authenticated is False
    opens(sensing, auth)
    assert counts(auth) == (0, 0)


@both
def test_three_and_it_reads_no_more_until_the_button(sensing, auth):
    miss(sensing, auth, 3)
    view = auth.view()
    assert view["fingerprint"] == "off"
    assert view["description"] == "The finger was not recognised. Enter your passcode."
    sensing.wait_idle()
    settle(0.2)
    assert sensing.is_idle and counts(auth) == (0, 3)
    assert auth.call("CanAuthenticate") == (True, "")
    auth.call("UseFingerprint")
    armed(auth)
    opens(sensing, auth)
    assert counts(auth) == (0, 0)


@both
def test_five_lock_the_finger_out_until_the_passcode(sensing, auth):
    miss(sensing, auth, 3)
    auth.call("UseFingerprint")
    miss(sensing, auth, 2)
    assert counts(auth) == (0, 5)
    view = auth.view()
    assert view["fingerprint"] == "off" and view["biometry_locked_out"] is True and view["demand"] == "passcode"
    assert view["description"] == "Too many fingers were not recognised. Enter your passcode."
    refused("BiometryLockout", auth.call, "UseFingerprint")
    assert auth.call("CanAuthenticate") == (False, names.error("BiometryLockout"))
    sensing.wait_idle()
    assert auth.outcome(WRONG) == "wrong"
    refused("BiometryLockout", auth.call, "UseFingerprint")
    assert auth.outcome(RIGHT) == "accepted"
    assert counts(auth) == (0, 0)
    auth.lock()
    if not auth.get("ApplicationId"):
        auth.present("touchid", ui="terminal")
    armed(auth)
    opens(sensing, auth)


def wait_after_kill(sensing, app, word):
    """The service was killed.  The real fprintd (1.94.2) now and then ends with a client that was killed in a
    verification; a system's bus starts it again, here the test does."""

    def is_there():
        if sensing.is_fprintd and not sensing.fprintd.owner:
            sensing.fprintd.start()
        return finger(app) == word

    wait_until(is_there, 2 * LIMIT, f"{word} instead of {finger(app)!r}")


@lasting
def test_counts_and_lockout_outlive_kill_9(sensing, app):
    world = sensing.world
    app.lock()
    for count in range(1, 6):
        if count == 4:
            app.call("UseFingerprint")
        wait_after_kill(sensing, app, "armed")
        miss(sensing, app)
        world.restart_service()
        app = world.app("org.example.App")
        app.hold(ui="none")
        assert counts(app) == (0, count)
        app.lock()
        if count == 3:
            # A new view; what it takes is three again.
            wait_after_kill(sensing, app, "armed")
    wait_after_kill(sensing, app, "off")
    assert app.view()["biometry_locked_out"] is True
    assert app.call("CanAuthenticate") == (False, names.error("BiometryLockout"))
    refused("BiometryLockout", app.call, "UseFingerprint")
    assert app.outcome(RIGHT) == "accepted"
    record = os.path.join(world.data, "smileauth", "app", "org.example.App", "attempts")
    wait_until(lambda: "biometry-failures=0" in open(record).read().replace(" ", ""), LIMIT, "the cleared count")
    world.restart_service()
    app = world.app("org.example.App")
    assert counts(app) == (0, 0)


# Beside the passcode


@both
def test_a_passcode_never_waits_for_the_sensor(sensing, auth):
    """One that takes its time to stop, too."""
    quick = auth.start("SubmitPasscode", "s", WRONG)
    assert quick.wait()[0] == "wrong"
    armed(auth)
    sensing.sensor.sleep(1500)
    slow = auth.start("SubmitPasscode", "s", RIGHT)
    assert slow.wait()[0] == "accepted"
    assert slow.seconds < quick.seconds + 0.25
    assert auth.authenticated is True
    # The sensor is let go of once it obeys.
    sensing.wait_idle(4)


@both
def test_during_a_passcodes_wait_the_sensor_is_off(sensing, auth):
    for _ in range(5):
        assert auth.outcome(WRONG) == "wrong"
    assert finger(auth) == "off"
    sensing.wait_idle()
    refused("LockedOut", auth.call, "UseFingerprint")
    sensing.world.clock.pass_time(61)
    armed(auth)
    opens(sensing, auth)
    assert counts(auth) == (5, 0), "each factor clears its own"


@both
def test_without_anybody_to_see_what_for_nothing_is_read(sensing):
    sensing.enroll(INDEX)
    world = sensing.world
    session = turn_on(world.session(world.client()))
    session.lock()
    assert session.showing is True and finger(session) == "off"
    settle(0.2)
    assert sensing.is_idle
    terminal = world.client()
    world.session(terminal).present("touchid", ui="terminal")
    armed(session)
    assert not sensing.is_idle
    world.clients.remove(terminal)
    terminal.close()
    wait_finger(session, "off")
    sensing.wait_idle()
    assert session.authenticated is False


@both
def test_the_view_in_front_has_the_sensor(sensing, app):
    world = sensing.world
    session = turn_on(world.session(app.client))
    app.lock()
    armed(app)
    session.lock()
    session.present("touchid", ui="terminal")
    armed(session)
    assert finger(app) == "off"
    opens(sensing, session)
    assert app.authenticated is False, "a session's success grants nothing to applications"
    armed(app)
    opens(sensing, app)


@both
def test_turned_off_it_reads_nothing(sensing, app):
    app.set("FingerprintEnabled", "b", False)
    assert app.get("UnlockRoute") == "passcode"
    assert app.call("CanAuthenticate") == (False, names.error("BiometryNotAvailable"))
    app.lock()
    assert finger(app) == "none"
    settle(0.2)
    assert sensing.is_idle
    refused("InvalidContext", app.call, "UseFingerprint")
    refused("NotAuthorized", app.set, "FingerprintEnabled", "b", True)
    assert app.outcome(RIGHT) == "accepted"
    app.set("FingerprintEnabled", "b", True)
    app.lock()
    armed(app)


# `once`, `three` and `twice`


@both
def test_turning_off_reads_a_finger_by_the_button_only(sensing, app):
    app.present("once", ui="none")
    assert finger(app) == "off"
    settle(0.2)
    assert sensing.is_idle, "a hand that rests on the sensor must not turn a lock off"
    app.call("UseFingerprint")
    armed(app)
    start = app.client.mark()
    sensing.sensor.scan(INDEX)
    app.client.wait_signal("AuthViewDismissed", app.path, start)
    events = [e for e in app.happened(start) if not e.startswith("reply")]
    assert events == ["changed", "PasscodeTurnedOff", "AuthViewDismissed success"]
    assert app.get("HasPasscode") is False and app.get("UnlockRoute") == "login"


@both
def test_a_finger_stands_for_the_old_passcode_in_three(sensing, app):
    app.present("three", ui="none")
    app.call("UseFingerprint")
    armed(app)
    sensing.sensor.scan(INDEX)
    wait_until(lambda: app.view()["step"] == 2, LIMIT)
    assert finger(app) == "none"
    refused("InvalidContext", app.call, "UseFingerprint")
    sensing.wait_idle()
    assert app.outcome(NEW) == "next"
    assert app.outcome(NEW) == "accepted"
    assert app.verify(NEW) is True and app.verify(RIGHT) is False


@both
@pytest.mark.parametrize("flow", ["once", "three"])
def test_a_wrong_finger_there_counts_and_a_cancel_restores_nothing(sensing, app, flow):
    app.present(flow, ui="none")
    app.call("UseFingerprint")
    miss(sensing, app)
    assert counts(app) == (0, 1)
    app.cancel()
    assert app.authenticated is False, "a counted failure makes what is restored unauthenticated"
    assert app.get("HasPasscode") is True
    sensing.wait_idle()


@both
def test_on_the_session_a_wrong_finger_ends_it_and_the_lock_takes_the_front(sensing):
    sensing.enroll(INDEX)
    session = turn_on(sensing.world.session(sensing.world.client()))
    session.present("once", ui="terminal")
    session.call("UseFingerprint")
    armed(session)
    start = session.client.mark()
    sensing.sensor.scan(STRANGER)
    assert session.client.wait_signal("AuthViewDismissed", session.path, start).arguments == ("SystemCancel",)
    assert session.view()["security_type"] == "touchid" and session.authenticated is False
    assert counts(session) == (0, 1)


@both
def test_the_passcode_may_be_required_for_changes(sensing, app):
    app.set("RequirePasscodeForChanges", "b", True)
    for flow in ("once", "three"):
        app.present(flow, ui="none")
        assert finger(app) == "none"
        refused("InvalidContext", app.call, "UseFingerprint")
        app.cancel()
    app.lock()
    armed(app)
    opens(sensing, app)
    # A finger is no recent passcode.
    other = sensing.world.app("org.example.App")
    refused("NotAuthorized", other.set, "RequirePasscodeForChanges", "b", False)


@both
def test_a_new_passcode_takes_no_finger(sensing):
    sensing.enroll(INDEX)
    app = sensing.world.app("org.example.App")
    app.present("twice", ui="none")
    assert finger(app) == "none"
    refused("InvalidContext", app.call, "UseFingerprint")
    refused("InvalidContext", app.call, "UseFinger", "s", INDEX)


# Which finger


@lasting
def test_where_the_sensor_cannot_tell_the_person_picks(sensing):
    app = locked_app(sensing, fingers=(INDEX, THUMB))
    app.lock()
    armed(app)
    view = app.view()
    assert view["fingers"] == [THUMB, INDEX] and view["finger"] == INDEX
    # One scan is at most one failure.
    sensing.sensor.scan(THUMB)
    wait_until(lambda: counts(app) == (0, 1), LIMIT)
    refused(names.INVALID_ARGS, app.call, "UseFinger", "s", "any")
    refused("BiometryNotEnrolled", app.call, "UseFinger", "s", MIDDLE)
    app.call("UseFinger", "s", THUMB)
    wait_until(lambda: app.view()["finger"] == THUMB, LIMIT)
    armed(app)
    opens(sensing, app, THUMB)
    assert counts(app) == (0, 0)
    # The one that matched last is the likely one.
    app.lock()
    armed(app)
    assert app.view()["finger"] == THUMB
    opens(sensing, app, THUMB)


@pytest.mark.parametrize("sensing", ["identifies", "chip"], indirect=True)
def test_where_it_can_any_of_them_opens(sensing):
    app = locked_app(sensing, fingers=(INDEX, THUMB, MIDDLE))
    for name in (THUMB, MIDDLE, INDEX):
        app.lock()
        armed(app)
        assert app.view()["fingers"] == [] or sensing.is_fprintd
        wait_until(lambda: app.view()["fingers"] == [], LIMIT)
        opens(sensing, app, name)
    assert counts(app) == (0, 0)


# It goes and comes back


@lasting
@pytest.mark.parametrize("times", [1, 2])
def test_a_lost_sensor_is_said_and_comes_back_by_itself(sensing, app, times):
    app.lock()
    for _ in range(times):
        armed(app)
        sensing.lose()
        wait_finger(app, "gone")
        assert app.view()["demand"] == "passcode"
        sensing.find()
        armed(app)
    assert counts(app) == (0, 0)
    opens(sensing, app)


@lasting
def test_with_the_sensor_lost_the_passcode_works(sensing, app):
    app.lock()
    armed(app)
    sensing.lose()
    assert app.outcome(WRONG) == "wrong"
    assert app.outcome(RIGHT) == "accepted"


@pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)
def test_a_claim_that_another_program_holds(sensing, app):
    sensing.fprintd.claim()
    app.lock()
    wait_finger(app, "gone")
    assert app.get("UnlockRoute") == "fingerprint-or-passcode"
    sensing.fprintd.release()
    armed(app)
    opens(sensing, app)
    sensing.wait_idle()
    sensing.fprintd.claim()
    app.lock()
    wait_finger(app, "gone")
    assert app.outcome(RIGHT) == "accepted"
    sensing.fprintd.release()


@pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)
def test_an_fprintd_that_hangs(sensing, app):
    sensing.fprintd.stop()
    app.lock()
    wait_finger(app, "gone", seconds=LIMIT + 0.3)
    assert app.outcome(WRONG) == "wrong"
    sensing.fprintd.go_on()
    armed(app, 4)
    opens(sensing, app)


@both
@pytest.mark.parametrize("code", [ERROR_GENERAL, ERROR_PROTO])
def test_an_error_of_the_sensors_is_no_failure(sensing, app, code):
    app.lock()
    armed(app)
    start = app.client.mark()
    sensing.sensor.error(code)
    wait_until(lambda: app.client.signals("ViewChanged", app.path, start), LIMIT)
    armed(app)
    assert counts(app) == (0, 0)
    opens(sensing, app)


@pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)
def test_at_most_five_claims_a_minute(sensing, app):
    """By itself, while another program has the sensor and lets go of it for a moment again and again."""
    from kit.reallogind import Monitor

    world = sensing.world
    monitor = Monitor(world.system.address)
    try:
        sensing.fprintd.claim()
        app.lock()
        wait_finger(app, "gone")
        # A minute, in steps: every wait of the service's passes with its clock.
        for _ in range(29):
            world.clock.pass_time(2)
            app.view()
        settle(0.3)
        ours = [at for at, member, first in monitor.calls if member == "Claim" and first == ""]
        assert 3 <= len(ours) - 1 <= 6, "the first one was told to, ours the other program's"
    finally:
        monitor.close()
    sensing.fprintd.release()
    world.clock.pass_time(61)
    armed(app)


# Sleep


def slept_free(sensing, session):
    """Asleep, the service frozen at the very moment at which it let the machine sleep: does the sensor read?"""
    world = sensing.world
    ours = next(i for i in wait_until(lambda: world.logind.sleep_inhibitors, 5) if i.who != "net.reactivated.Fprint")
    ours.freeze = world.service.pid
    world.logind.prepare_for_sleep(True)
    wait_until(lambda: ours.released, 3, "the inhibitor to be released")
    if sensing.is_fprintd:
        # The claim stays: fprintd has suspended the device itself by now, and what is released then is lost to it.
        free = not sensing.fprintd.read("finger-needed")
    else:
        free = sensing.is_idle
    world.service.go_on()
    assert free, "the machine slept while a finger was read"


@both
def test_the_sensor_is_let_go_before_the_machine_sleeps_and_claimed_anew_after(sensing, auth):
    world = sensing.world
    for _ in range(2):
        armed(auth)
        slept_free(sensing, auth)
        assert finger(auth) == "off"
        world.clock.suspend(600)
        world.logind.prepare_for_sleep(False)
        world.manager(auth.client).wait_for("SessionState", "active")
        armed(auth)
    opens(sensing, auth)
    assert counts(auth) == (0, 0)


@pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)
def test_a_resume_right_after_finds_the_sensor_again(sensing, auth):
    """elogind says true and false 2 ms apart.  fprintd can lose its device at that, which the view says then."""
    world = sensing.world
    world.logind.wait_inhibited()
    world.logind.prepare_for_sleep(True)
    world.logind.prepare_for_sleep(False)
    settle(0.05)
    world.manager(auth.client).wait_for("SessionState", "active")
    wait_finger(auth, "armed", "gone")
    if finger(auth) == "armed":
        opens(sensing, auth)
    else:
        assert auth.outcome(RIGHT) == "accepted"


def test_on_the_real_logind_it_is_stopped_before_the_suspend(world):
    """By the order of the calls on the system bus: VerifyStop before suspend.target; a claim anew after it."""
    from kit.fprintd import Fprintd

    world.start_bus()
    world.start_keyring()
    client = world.client()
    real = world.start_real_logind()
    fprintd = world.fprintd = Fprintd(real.address, world.folder)
    world.extra_env["SMILEAUTH_FINGERPRINT"] = "fprintd"
    fprintd.enroll(INDEX, INDEX)
    world.start_service()
    session = turn_on(world.session(client))
    session.lock()
    session.present("touchid", ui="terminal")
    for _ in range(5):
        armed(session)
        real.wait_inhibited()
        seen = len(real.monitor.calls)
        real.suspend()
        wait_until(lambda: session.view()["fingerprint"] == "armed", 3)
        settle(0.05)
        order = [
            member
            for _, member, _ in real.monitor.calls[seen:]
            if member in ("VerifyStop", "Release", "StartUnit", "Claim", "VerifyStart")
        ]
        # Given back after the sleep: fprintd hears of it as we do, and what is released from then on is lost to it.
        assert order == ["VerifyStop", "StartUnit", "Release", "Claim", "VerifyStart"]
    fprintd.sensor.scan(INDEX)
    wait_until(lambda: session.authenticated, LIMIT)


# Fingers that are enrolled meanwhile


@both
def test_enrolled_by_the_object_itself_counts_after_the_passcode(sensing, app):
    """The person's own second finger: the view says that the fingers changed, and the passcode makes it count."""
    client = app.client
    app.verify(RIGHT)
    request = Request(client, Fingerprint(client).enroll(THUMB))
    assert sensing.finish(request, THUMB)[0] == "success"
    app.lock()
    assert finger(app) == "changed"
    assert app.view()["description"] == "The enrolled fingers have changed. Enter your passcode."
    try:
        app.call("UseFingerprint")
        raise AssertionError("armed for a changed set")
    except Failure as failure:
        assert failure.short == "BiometryNotAvailable"
    assert app.outcome(RIGHT) == "accepted"
    app.lock()
    armed(app)
    if not sensing.identifies:
        app.call("UseFinger", "s", THUMB)
        armed(app)
    opens(sensing, app, THUMB)
