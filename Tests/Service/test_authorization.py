"""Who may weaken, change and remove what among host callers (section 9)."""

import pytest

from kit import names
from kit.acts import RIGHT, WRONG, turn_off, turn_on, unchanged
from kit.objects import Authenticator, Fingerprint, Policy, refused

#: property, signature, the strict value, the weak one
WEAKENING = [
    ("TimeoutInterval", "d", 10.0, 20.0),
    ("LockOn", "as", ["sleep", "idle"], ["sleep"]),
    ("FingerprintEnabled", "b", False, True),
    ("RequirePasscodeForChanges", "b", True, False),
]


@pytest.fixture(params=["session", "app"])
def auth(request, desk, client):
    return desk.session(client) if request.param == "session" else desk.app("org.example.App", client)


def stranger_of(desk, auth):
    return Authenticator(desk.client(), auth.path)


@pytest.mark.parametrize("name,signature,strict,weak", WEAKENING, ids=[row[0] for row in WEAKENING])
def test_weakening_needs_a_recent_passcode(desk, auth, name, signature, strict, weak):
    auth.set(name, signature, strict)
    auth.set(name, signature, weak)  # on route `login` all is free
    auth.set(name, signature, strict)
    turn_on(auth)
    stranger = stranger_of(desk, auth)
    refused("NotAuthorized", stranger.set, name, signature, weak)
    stranger.set(name, signature, strict)  # the same is always allowed
    # Who turned it on gave it.
    auth.set(name, signature, weak)
    stranger.set(name, signature, strict)  # stricter is, too
    # A right passcode from this very connection is one.
    assert stranger.verify(RIGHT) is True
    stranger.set(name, signature, weak)
    stranger.set(name, signature, strict)
    # Five minutes, not longer.
    desk.clock.pass_time(301)
    for each in (auth, stranger):
        refused("NotAuthorized", each.set, name, signature, weak)


def test_a_longer_reuse_of_the_sessions_finger_is_weakening(desk, auth):
    policy = Policy(auth.client, auth.path)
    policy.set("AllowableReuseDuration", "d", 10.0)
    turn_on(auth)
    stranger = Policy(desk.client(), auth.path)
    refused("NotAuthorized", stranger.set, "AllowableReuseDuration", "d", 300.0)
    stranger.set("AllowableReuseDuration", "d", 10.0)
    policy.set("AllowableReuseDuration", "d", 300.0)
    stranger.set("AllowableReuseDuration", "d", 0.0)
    auth.lock()
    refused("NotAuthorized", policy.set, "AllowableReuseDuration", "d", 1.0)
    # Titles are words, and weaken nothing.
    stranger.set("LocalizedFallbackTitle", "s", "")
    stranger.set("LocalizedCancelTitle", "s", "No")
    assert stranger.get("LocalizedFallbackTitle") == "" and stranger.get("LocalizedCancelTitle") == "No"


def test_policies_settings_have_their_ranges(auth):
    policy = Policy(auth.client, auth.path)
    assert policy.get("LocalizedFallbackTitle") == "Enter Passcode"
    assert policy.get("LocalizedCancelTitle") == "" and policy.get("AllowableReuseDuration") == 0.0
    for wrong in (-1.0, 300.5, float("inf"), float("nan")):
        refused(names.INVALID_ARGS, policy.set, "AllowableReuseDuration", "d", wrong)
    refused(names.INVALID_ARGS, policy.set, "AllowableReuseDuration", "u", 10)
    for name in ("BiometryType", "EvaluatedPolicyDomainState"):
        refused(names.READ_ONLY, policy.set, name, "s", "fingerprint")
    refused("LimitsExceeded", policy.set, "LocalizedFallbackTitle", "s", "x" * 4097)
    start = auth.client.mark()
    policy.set("AllowableReuseDuration", "d", 300.0)
    assert auth.client.changes(auth.path, start) == {"AllowableReuseDuration": 300.0}


def test_the_sensor_is_for_host_callers_and_says_that_there_is_none(desk, client):
    sensor = Fingerprint(client)
    assert sensor.get("Available") is False and sensor.get("Backend") == "none" and sensor.get("EnrollStages") == 0
    for call in (sensor.list, sensor.verify_test, sensor.delete_all):
        refused("BiometryNotAvailable", call)
    refused("BiometryNotAvailable", sensor.enroll, "left-thumb")
    refused("BiometryNotAvailable", sensor.delete, "left-thumb")
    # A lock of the session's comes before: who may not is not told what there is.
    turn_on(desk.session(desk.client()))
    for call in (sensor.delete_all, lambda: sensor.enroll("left-thumb"), lambda: sensor.delete("left-thumb")):
        refused("NotAuthorized", call)


@pytest.mark.parametrize("name,signature,strict,weak", WEAKENING, ids=[row[0] for row in WEAKENING])
def test_nothing_is_weakened_while_locked(desk, auth, name, signature, strict, weak):
    auth.set(name, signature, strict)
    turn_on(auth)
    auth.lock()
    unchanged(auth, "NotAuthorized", auth.set, name, signature, weak)
    auth.verify(RIGHT)
    unchanged(auth, "NotAuthorized", auth.set, name, signature, weak)
    auth.outcome(RIGHT)
    auth.set(name, signature, weak)


def test_a_wrong_passcode_is_none(desk, auth):
    turn_on(auth)
    stranger = stranger_of(desk, auth)
    assert stranger.verify(WRONG) is False
    refused("NotAuthorized", stranger.set, "TimeoutInterval", "d", 1.0)


def test_an_answered_request_credits_its_caller(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    asker = stranger_of(desk, app)
    answerer = stranger_of(desk, app)
    app.lock()
    app.cancel()
    asker.authenticate("please", ui="none")
    assert answerer.outcome(RIGHT) == "accepted"
    for each in (asker, answerer):
        each.set("TimeoutInterval", "d", app.get("TimeoutInterval") + 1.0)


def test_a_fall_in_between_takes_the_credit(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    stranger_of(desk, app).outcome(RIGHT)
    refused("NotAuthorized", app.set, "TimeoutInterval", "d", 5.0)


def test_credit_is_for_one_authenticator(desk, client, session):
    app = turn_on(desk.app("org.example.App", client))
    turn_on(session)
    stranger = desk.client()
    assert Authenticator(stranger, app.path).verify(RIGHT) is True
    refused("NotAuthorized", Authenticator(stranger, session.path).set, "TimeoutInterval", "d", 5.0)


def test_removing_needs_what_weakening_needs(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    stranger = desk.client()
    refused("NotAuthorized", desk.manager(stranger).remove, "org.example.App")
    assert app.get("HasPasscode") is True
    Authenticator(stranger, app.path).verify(RIGHT)
    desk.manager(stranger).remove("org.example.App")
    assert desk.keyring.items() == []


def test_turning_off_makes_all_free_again(desk, auth):
    auth.set("TimeoutInterval", "d", 1.0)
    turn_on(auth)
    turn_off(auth)
    stranger_of(desk, auth).set("TimeoutInterval", "d", 100.0)


def test_look_is_free(desk, auth):
    turn_on(auth)
    stranger = stranger_of(desk, auth)
    stranger.set("TintColor", "s", "#010203")
    stranger.set("LocalizedReason", "s", "because")
    stranger.set("NightMode", "s", "on")


# ChangeAuthentication


def test_never_true_on_the_session(session):
    unchanged(session, "NotAuthorized", session.change, True)
    turn_on(session)
    session.lock()
    unchanged(session, "NotAuthorized", session.change, True)


def test_false_on_the_session_is_lock(session, client):
    turn_on(session)
    start = client.mark()
    session.change(False)
    assert session.showing is True and session.authenticated is False
    assert client.signals("AuthViewPresented", session.path, start)


def test_a_holder_since_before_the_success_may(desk, client):
    app = desk.app("org.example.App", client)
    turn_on(app)
    app.hold(ui="none")
    unchanged(app, "NotAuthorized", app.change, True)
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    start = client.mark()
    app.change(False)
    assert app.authenticated is False and app.get("ShouldCover") is True and app.showing is False
    assert client.changes(app.path, start)["IsAuthenticated"] is False
    app.change(True)
    assert app.authenticated is True
    app.change(True)
    refused("NotAuthorized", stranger_of(desk, app).change, True)


def test_a_later_holder_may_not(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.hold(ui="none")
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    later = stranger_of(desk, app)
    later.hold()
    app.change(False)
    refused("NotAuthorized", later.change, True)


@pytest.mark.parametrize("fall", ["lock", "failure", "background", "stranger"])
def test_a_fall_or_a_failure_since_takes_it(desk, client, fall):
    app = turn_on(desk.app("org.example.App", client))
    app.hold(ui="none")
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    if fall == "lock":
        app.lock()
        app.cancel()
    elif fall == "failure":
        app.change(False)
        assert app.verify(WRONG) is False
    elif fall == "background":
        desk.manager(client).report_idle(True)
        desk.manager(client).report_idle(False)
        app.cancel()
    else:
        stranger_of(desk, app).change(False)
    refused("NotAuthorized", app.change, True)
    assert app.authenticated is False


def test_not_while_a_view_stands(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.hold(ui="none")
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    app.change(False)
    app.present("touchid", ui="none")
    with pytest.raises(Exception) as failure:
        app.change(True)
    assert failure.value.short in ("NotAuthorized", "InvalidContext")
    assert app.authenticated is False


def test_false_ends_the_grace(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.set("TimeoutInterval", "d", 600.0)
    app.lock()
    app.outcome(RIGHT)
    app.change(False)
    assert app.present("touchid", ui="none") is True


def test_without_a_lock(desk, client):
    app = desk.app("org.example.App", client)
    app.change(False)
    assert app.authenticated is False
    with pytest.raises(Exception):
        app.change(True)
    assert app.get("UnlockRoute") == "login"


def test_grace_credits_nobody(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.set("TimeoutInterval", "d", 600.0)
    app.lock()
    app.outcome(RIGHT)
    desk.manager(client).report_idle(True)
    desk.manager(client).report_idle(False)
    assert app.present("touchid") is False
    assert app.authenticated is True
    refused("NotAuthorized", app.set, "TimeoutInterval", "d", 700.0)
