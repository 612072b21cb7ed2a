"""FactorMode `all` and `finger` with all their ways (section 6): both factors, one, and the account password."""

import pytest

from kit import names
from kit.account import ACCOUNT_PASSWORD, account_wrapper
from kit.acts import RIGHT, WRONG, turn_on
from kit.fingers import INDEX, LIMIT, THUMB, Sensing, armed, counts, finger, miss, wait_finger
from kit.loop import wait_until
from kit.objects import refused

NEW = "9753"


@pytest.fixture(params=["verifies", "fprintd"])
def sensing(request, world):
    """Where the account password is known."""
    world.surround()
    made = Sensing(world, request.param)
    world.start_service(wrapper=account_wrapper(world))
    return made


def app_with(sensing, mode):
    client = sensing.world.client()
    app = sensing.world.app("org.example.App", client)
    app.hold(ui="none")
    sensing.enroll(INDEX, client=client)
    if mode == "all":
        turn_on(app)
    app.set("FactorMode", "s", mode)
    return app


@pytest.fixture
def both(sensing):
    """An app that needs both; not locked."""
    return app_with(sensing, "all")


@pytest.fixture
def alone(sensing):
    """An app that a finger alone opens; not locked."""
    return app_with(sensing, "finger")


def account(app, password=ACCOUNT_PASSWORD):
    return app.submit_bytes(password.encode(), "SubmitAccountPasswordFd")


def touch(sensing, app, scans=INDEX):
    armed(app)
    sensing.sensor.scan(scans)


def succeeded(app):
    return [e.arguments[0] for e in app.client.signals("AuthenticationSucceeded", app.path)]


# Setting it


def test_what_each_mode_needs(sensing):
    client = sensing.world.client()
    app = sensing.world.app("org.example.App", client)
    for mode in ("all", "finger"):
        refused("BiometryNotEnrolled", app.set, "FactorMode", "s", mode)
    refused(names.INVALID_ARGS, app.set, "FactorMode", "s", "both")
    sensing.enroll(INDEX, client=client)
    refused("PasscodeNotSet", app.set, "FactorMode", "s", "all")
    turn_on(app)
    refused("PasscodeAlreadySet", app.set, "FactorMode", "s", "finger")
    stranger = sensing.world.app("org.example.App")
    refused("NotAuthorized", stranger.set, "FactorMode", "s", "all")
    app.set("FactorMode", "s", "all")
    assert app.get("UnlockRoute") == "fingerprint+passcode" and app.authenticated is True
    refused("NotAuthorized", app.set, "FingerprintEnabled", "b", False)


def test_without_a_sensor_neither_can_be_set(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    for mode in ("all", "finger"):
        refused("BiometryNotAvailable", app.set, "FactorMode", "s", mode)


# Both


def test_the_finger_and_then_the_passcode(sensing, both):
    both.lock()
    armed(both)
    assert both.view()["demand"] == "finger"
    refused("InvalidContext", both.submit, RIGHT)
    assert counts(both) == (0, 0)
    sensing.sensor.scan(INDEX)
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    assert both.authenticated is False and finger(both) == "none"
    # A wrong one: the first step again, which is the finger's.
    assert both.outcome(WRONG) == "wrong"
    wait_until(lambda: both.view()["demand"] == "finger", LIMIT)
    refused("InvalidContext", both.submit, RIGHT)
    wait_until(lambda: sensing.sensor.is_open, LIMIT)
    wait_finger(both, "armed", "off", "none")
    sensing.sensor.scan(INDEX)
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    assert both.outcome(RIGHT) == "accepted"
    assert succeeded(both) == ["fingerprint+passcode"]
    assert both.authenticated is True and counts(both) == (0, 0)


def test_the_fingers_step_lapses(sensing, both):
    world = sensing.world
    both.lock()
    touch(sensing, both)
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    world.clock.pass_time(61)
    wait_until(lambda: both.view()["demand"] == "finger", LIMIT)
    refused("InvalidContext", both.submit, RIGHT)
    touch(sensing, both)
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    world.manager().report_idle(True)
    world.manager().report_idle(False)
    refused("InvalidContext", both.submit, RIGHT)
    assert both.authenticated is False


@pytest.mark.parametrize("flow", ["once", "three"])
def test_turning_off_and_changing_need_both(sensing, both, flow):
    both.present(flow, ui="none")
    refused("InvalidContext", both.submit, RIGHT)
    both.call("UseFingerprint")
    touch(sensing, both)
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    assert both.get("HasPasscode") is True and both.view()["step"] == 1
    assert both.outcome(RIGHT) == ("accepted" if flow == "once" else "next")
    if flow == "once":
        assert both.get("HasPasscode") is False and both.get("FactorMode") == "any"
    else:
        assert both.outcome(NEW) == "next" and both.outcome(NEW) == "accepted"
        assert both.get("UnlockRoute") == "fingerprint+passcode" and both.verify(NEW) is True


def test_one_factor_alone_opens_changes_and_weakens_nothing(sensing, both):
    """Who knows the passcode has no way without the finger, and the other way round."""
    for member, arguments in (("SetPasscode", (RIGHT, NEW)), ("ClearPasscode", (RIGHT,))):
        call = both.set_passcode if member == "SetPasscode" else both.clear_passcode
        refused("NotAuthorized", call, *arguments)
    both.lock()
    thief = sensing.world.app("org.example.App")
    assert thief.verify(RIGHT) is True
    refused("InvalidContext", thief.submit, RIGHT)
    for name, signature, value in (
        ("FactorMode", "s", "any"),
        ("TimeoutInterval", "d", 600.0),
        ("LockOn", "as", []),
    ):
        refused("NotAuthorized", thief.set, name, signature, value)
    refused("NotAuthorized", sensing.world.manager(thief.client).remove, "org.example.App")
    touch(sensing, both)
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    refused("InvalidContext", both.call, "UseFingerprint")
    assert both.authenticated is False and succeeded(both) == []
    assert both.outcome(RIGHT) == "accepted"
    # Open, and yet: the passcode alone from another connection weakens nothing.
    assert thief.verify(RIGHT) is True
    refused("NotAuthorized", thief.set, "FactorMode", "s", "any")
    assert both.get("FactorMode") == "all" and both.get("HasPasscode") is True


def test_locked_out_the_passcode_comes_first_and_the_finger_after(sensing, both):
    both.lock()
    armed(both)
    miss(sensing, both, 3)
    both.call("UseFingerprint")
    miss(sensing, both, 2)
    assert both.view()["demand"] == "passcode" and both.view()["biometry_locked_out"] is True
    assert both.outcome(RIGHT) == "next"
    assert both.authenticated is False and counts(both) == (0, 0)
    touch(sensing, both)
    wait_until(lambda: both.authenticated, LIMIT)
    assert succeeded(both) == ["fingerprint+passcode"]


def test_with_changed_fingers_the_passcode_comes_first_too(sensing, both):
    # Both factors on this connection, recently: it is what a new finger needs.
    both.lock()
    touch(sensing, both)
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    both.authenticate("", ui="none")
    assert both.outcome(RIGHT) == "accepted"
    sensing.enroll(THUMB, client=both.client)
    both.lock()
    assert finger(both) == "changed" and both.view()["demand"] == "passcode"
    assert both.outcome(RIGHT) == "next"
    touch(sensing, both)
    wait_until(lambda: both.authenticated, LIMIT)


def test_with_the_sensor_gone_the_account_password_stands_for_the_finger(sensing, both):
    both.lock()
    armed(both)
    sensing.lose()
    wait_until(lambda: both.view()["demand"] == "passcode", LIMIT)
    if sensing.is_fprintd:
        assert both.outcome(RIGHT) == "next"
        view = both.view()
        assert view["demand"] == "account" and view["account_password"] is True
        assert both.authenticated is False
        outcome, _ = account(both)
        assert outcome == "accepted"
    else:
        # A virtual sensor that was unplugged is there again at once: by the account password first.
        outcome, view = account(both)
        assert outcome == "next" and view["demand"] == "passcode"
        assert both.authenticated is False
        assert both.outcome(RIGHT) == "accepted"
    assert both.authenticated is True and both.get("FactorMode") == "all" and both.get("HasPasscode") is True


# A finger alone


def test_a_finger_alone(sensing, alone):
    assert alone.get("UnlockRoute") == "fingerprint" and alone.authenticated is True
    refused("NotAuthorized", alone.set, "FingerprintEnabled", "b", False)
    refused("NotAuthorized", alone.set_passcode, "", NEW)
    refused("NotAuthorized", alone.present, "twice", ui="none")
    alone.lock()
    armed(alone)
    view = alone.view()
    assert view["demand"] == "finger" and view["account_password"] is True
    refused("InvalidContext", alone.submit, RIGHT)
    miss(sensing, alone)
    sensing.sensor.scan(INDEX)
    wait_until(lambda: alone.authenticated, LIMIT)
    assert succeeded(alone) == ["fingerprint"] and counts(alone) == (0, 0)
    # Nobody else's to weaken.
    refused("NotAuthorized", sensing.world.app("org.example.App").set, "FactorMode", "s", "any")


def test_its_lockout_ends_by_time_as_the_passcodes_does(sensing, alone):
    world = sensing.world
    alone.lock()
    armed(alone)
    miss(sensing, alone, 3)
    alone.call("UseFingerprint")
    miss(sensing, alone, 2)
    assert abs(alone.get("LockedOutUntilBoottime") - world.clock.boottime - 60e6) < 3e6
    refused("BiometryLockout", alone.call, "UseFingerprint")
    assert alone.call("CanAuthenticate") == (False, names.error("BiometryLockout"))
    assert alone.view()["account_password"] is True
    world.clock.pass_time(57)
    assert finger(alone) == "off"
    world.clock.pass_time(4)
    wait_until(lambda: alone.get("LockedOutUntil") == 0, LIMIT)
    alone.call("UseFingerprint")
    armed(alone)
    miss(sensing, alone)
    # The sixth: 5 minutes.
    assert abs(alone.get("LockedOutUntilBoottime") - world.clock.boottime - 300e6) < 3e6
    world.restart_service(wrapper=("unshare", "-m"))
    app = world.app("org.example.App")
    assert counts(app) == (0, 6)
    assert abs(app.get("LockedOutUntilBoottime") - world.clock.boottime - 300e6) < 5e6


def test_the_account_password_opens_it_and_removes_nothing(sensing, alone):
    alone.lock()
    armed(alone)
    outcome, view = account(alone, "not it")
    assert outcome == "wrong" and alone.authenticated is False and counts(alone) == (0, 0)
    assert account(alone)[0] == "accepted"
    assert succeeded(alone) == ["account"]
    assert alone.authenticated is True and alone.get("UnlockRoute") == "fingerprint"


def test_without_its_sensor_the_view_stays_and_grants_nothing(sensing, alone):
    if not sensing.is_fprintd:
        sensing.world.restart_service(
            env={"SMILEAUTH_FINGERPRINT": "none"}, wrapper=["unshare", "-m", *account_wrapper_again(sensing)]
        )
        alone = sensing.world.app("org.example.App", sensing.world.client())
        alone.hold(ui="none")
    else:
        sensing.lose()
        wait_until(lambda: sensing.world.manager().get("BiometryType") == "none", LIMIT)
    assert alone.get("UnlockRoute") == "fingerprint"
    alone.lock()
    view = alone.view()
    assert view["demand"] == "account" and view["fingerprint"] == "gone"
    assert view["description"] == "The fingerprint sensor cannot be used. Use your account password."
    refused("InvalidContext", alone.submit, RIGHT)
    refused("BiometryNotAvailable", alone.call, "UseFingerprint")
    assert alone.authenticated is False
    assert account(alone)[0] == "accepted"


def account_wrapper_again(sensing):
    """The folders are there already."""
    folder = f"{sensing.world.folder}/account"
    mounts = f'mount --bind {folder}/pam.d /etc/pam.d && mount --bind {folder}/shadow /etc/shadow && exec "$0" "$@"'
    return ["sh", "-c", mounts]
