"""Policies and domain states on real sensors (section 4): the port of LAContext."""

import pytest

from kit import names
from kit.acts import RIGHT, WRONG, fail, turn_on
from kit.fingers import INDEX, LIMIT, THUMB, armed, counts, finger, locked_app, miss
from kit.loop import wait_until
from kit.objects import Policy, Request, refused

on_libfprint = pytest.mark.parametrize("sensing", ["identifies"], indirect=True)
both = pytest.mark.parametrize("sensing", ["verifies", "fprintd"], indirect=True)
on_fprintd = pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)


@pytest.fixture
def app(sensing):
    return locked_app(sensing)


@pytest.fixture
def policy(app):
    return Policy(app.client, app.path)


def evaluate(policy, which="biometrics", **opts):
    opts.setdefault("ui", "none")
    return Request(policy.client, policy.evaluate(which, "Pay 3 coins", **opts))


def ended(request, result, method=None):
    got, details = request.wait(LIMIT)
    assert got == result, (got, details)
    if method:
        assert details == {"method": method}
    return details


def can(policy, which):
    able, error, biometry = policy.can_evaluate(which)
    assert able is (error == "") and biometry == policy.get("BiometryType")
    return error.removeprefix(names.ERROR)


# What can be evaluated


@both
def test_what_cannot_be_evaluated_is_said_by_its_error(sensing):
    world = sensing.world
    client = world.client()
    app = world.app("org.example.App", client)
    app.hold(ui="none")
    policy = Policy(client, app.path)
    assert (can(policy, "biometrics"), can(policy, "device-owner")) == ("BiometryNotEnrolled", "PasscodeNotSet")
    refused("BiometryNotEnrolled", evaluate, policy)
    refused("PasscodeNotSet", evaluate, policy, "device-owner")
    sensing.enroll(INDEX, client=client)
    assert (can(policy, "biometrics"), can(policy, "device-owner")) == ("", "PasscodeNotSet")
    turn_on(app)
    assert (can(policy, "biometrics"), can(policy, "device-owner")) == ("", "")
    app.set("FingerprintEnabled", "b", False)
    assert (can(policy, "biometrics"), can(policy, "device-owner")) == ("BiometryNotAvailable", "")
    app.set("FingerprintEnabled", "b", True)
    sensing.enroll(THUMB, client=client)
    assert (can(policy, "biometrics"), can(policy, "device-owner")) == ("BiometryNotAvailable", "")
    refused("BiometryNotAvailable", evaluate, policy)
    # A passcode that no view asked for has not been told that the fingers changed.
    assert app.verify(RIGHT) is True
    assert can(policy, "biometrics") == "BiometryNotAvailable"
    app.lock()
    assert app.outcome(RIGHT) == "accepted"
    assert can(policy, "biometrics") == ""
    for _ in range(5):
        app.verify(WRONG)
    assert (can(policy, "biometrics"), can(policy, "device-owner")) == ("LockedOut", "LockedOut")
    refused("LockedOut", evaluate, policy)
    world.clock.pass_time(61)
    assert app.verify(RIGHT) is True
    for bad in ("", "Biometrics", "all"):
        refused(names.INVALID_ARGS, policy.can_evaluate, bad)
        refused(names.INVALID_ARGS, policy.evaluate, bad)
    for key, value in (("interactive", "no"), ("reuse_duration", 301.0), ("reuse_duration", True), ("ui", "window")):
        refused(names.INVALID_ARGS, policy.evaluate, "biometrics", "", **{key: value})
    policy.evaluate("biometrics", "", ui="none", nobody_knows="this")


def test_without_a_sensor(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    policy = Policy(client, app.path)
    assert policy.can_evaluate("biometrics") == (False, names.error("BiometryNotAvailable"), "none")
    assert policy.can_evaluate("device-owner") == (True, "", "none")
    assert policy.get("EvaluatedPolicyDomainState") == []
    app.change(False)
    request = evaluate(policy, "device-owner")
    assert app.view()["demand"] == "passcode"
    assert app.outcome(RIGHT) == "accepted"
    ended(request, "success", "passcode")


@on_libfprint
def test_with_the_store_away(sensing, app, policy):
    sensing.world.keyring.lock()
    refused("StoreUnavailable", app.verify, RIGHT)
    assert (can(policy, "biometrics"), can(policy, "device-owner")) == ("StoreUnavailable", "StoreUnavailable")
    refused("StoreUnavailable", evaluate, policy, "device-owner")
    refused("StoreUnavailable", policy.remember, "me")
    refused("StoreUnavailable", policy.changed, "me")


# An evaluation


@both
def test_a_finger_answers_and_nothing_else_changes(sensing, app, policy):
    app.change(False)
    start = app.client.mark()
    request = evaluate(policy, cancel_title="Never mind")
    armed(app)
    view = app.view()
    assert (view["security_type"], view["demand"], view["reason"]) == ("policy", "finger", "Pay 3 coins")
    assert view["can_cancel"] is True and view["cancel_title"] == "Never mind" and view["fallback_title"] == ""
    assert app.showing is True and app.authenticated is False
    refused("InvalidContext", app.submit, RIGHT)
    assert counts(app) == (0, 0)
    sensing.sensor.scan(INDEX)
    ended(request, "success", "fingerprint")
    app.client.sync()
    mine = [e for e in app.client.events[start:] if e.kind != "reply" and e.path in (app.path, request.path)]
    told = [str(e) for e in mine if e.name not in ("ViewChanged",) and e.kind == "signal"]
    assert told == ["AuthViewPresented", "AuthViewShown app", "AuthViewDismissed success", "Completed success"]
    # The whole new state comes before the end's signals.
    last = max(i for i, e in enumerate(mine) if e.kind == "changed" and "IsShowingAuth" in e.arguments[1])
    assert mine[last].arguments[1]["IsShowingAuth"] is False
    after = [str(e) for e in mine[last + 1 :] if e.kind == "signal"]
    assert after == ["AuthViewDismissed success", "Completed success"]
    assert app.authenticated is False, "an evaluation authenticates nobody"


@both
def test_device_owner_takes_either(sensing, app, policy):
    start = app.client.mark()
    for give, method in ((lambda: sensing.sensor.scan(INDEX), "fingerprint"), (lambda: app.outcome(RIGHT), "passcode")):
        request = evaluate(policy, "device-owner")
        armed(app)
        assert app.view()["demand"] == "either"
        give()
        ended(request, "success", method)
    assert not app.client.signals("AuthenticationSucceeded", since=start)
    request = evaluate(policy, "device-owner")
    fail(app, 4)
    assert counts(app) == (4, 0)
    assert app.outcome(WRONG) == "wrong"
    assert ended(request, "LockedOut")["locked_out_until"] == app.get("LockedOutUntil") > 0


@both
def test_three_end_it_and_five_lock_the_finger_out(sensing, app, policy):
    start = app.client.mark()
    request = evaluate(policy)
    miss(sensing, app, 3)
    assert ended(request, "AuthenticationFailed") == {"message": "Three fingers were not recognised"}
    app.client.sync()
    assert [e.arguments for e in app.client.signals("AuthViewDismissed", app.path, start)] == [
        ("AuthenticationFailed",)
    ]
    request = evaluate(policy)
    miss(sensing, app, 2)
    assert ended(request, "BiometryLockout") == {"message": "Too many fingers were not recognised"}
    assert counts(app) == (0, 5)
    assert [e.arguments for e in app.client.signals("AuthenticationFailed", app.path, start)] == [
        (n, "fingerprint") for n in range(1, 6)
    ]
    assert can(policy, "biometrics") == "BiometryLockout" and can(policy, "device-owner") == ""
    refused("BiometryLockout", evaluate, policy)
    assert policy.get("EvaluatedPolicyDomainState") == []
    # For this authenticator alone, and durable.
    other = sensing.world.app("org.example.Other", app.client)
    other.hold(ui="none")
    turn_on(other)
    assert can(Policy(app.client, other.path), "biometrics") == ""
    sensing.world.restart_service()
    app = sensing.world.app("org.example.App")
    app.hold(ui="none")
    policy = Policy(app.client, app.path)
    assert can(policy, "biometrics") == "BiometryLockout"
    request = evaluate(policy, "device-owner")
    assert app.view()["demand"] == "passcode"
    assert app.outcome(RIGHT) == "accepted"
    ended(request, "success", "passcode")
    assert can(policy, "biometrics") == "" and counts(app) == (0, 0)


@on_libfprint
def test_then_passcode_goes_on_in_the_same_request(sensing, app, policy):
    request = evaluate(policy)
    miss(sensing, app, 3)
    ended(request, "AuthenticationFailed")
    request = evaluate(policy, then_passcode=True)
    miss(sensing, app)
    refused("InvalidContext", app.submit, RIGHT)
    assert app.view()["fallback_title"] == "Enter Passcode"
    miss(sensing, app)
    assert request.completed() is None
    view = app.view()
    assert view["demand"] == "passcode" and view["fallback_title"] == "" and finger(app) == "none"
    refused("InvalidContext", policy.fallback)
    assert app.outcome(WRONG) == "wrong"
    # At once, where the lockout stands; a second evaluation of the same caller ends the first.
    again = evaluate(policy, then_passcode=True)
    ended(request, "SystemCancel")
    assert app.view()["demand"] == "passcode"
    assert app.outcome(RIGHT) == "accepted"
    ended(again, "success", "passcode")
    assert counts(app) == (0, 0)


@on_libfprint
def test_buttons_and_their_titles(sensing, app, policy):
    assert policy.get("LocalizedFallbackTitle") == "Enter Passcode" and policy.get("LocalizedCancelTitle") == ""
    for title, shown in ((None, "Enter Passcode"), ("Other way", "Other way"), ("", "")):
        request = evaluate(policy, **({} if title is None else {"fallback_title": title}))
        armed(app)
        assert app.view()["fallback_title"] == ""
        refused("InvalidContext", policy.fallback)
        miss(sensing, app)
        assert app.view()["fallback_title"] == shown
        if shown:
            policy.fallback()
            assert ended(request, "UserFallback") == {"message": "The fallback was chosen"}
        else:
            refused("InvalidContext", policy.fallback)
            sensing.sensor.scan(INDEX)
            ended(request, "success", "fingerprint")
        app.verify(RIGHT)
    policy.set("LocalizedFallbackTitle", "s", "By hand")
    policy.set("LocalizedCancelTitle", "s", "Leave")
    request = evaluate(policy, "device-owner")
    armed(app)
    assert app.view()["cancel_title"] == "Leave"
    miss(sensing, app)
    assert app.view()["fallback_title"] == "By hand"
    policy.fallback()
    assert request.completed() is None and app.view()["demand"] == "passcode" and finger(app) == "none"
    sensing.wait_idle()
    app.cancel()
    ended(request, "UserCancel")


@both
def test_without_a_person_and_with_a_recent_unlock(sensing):
    world = sensing.world
    client = world.client()
    sensing.enroll(INDEX, client=client)
    session = turn_on(world.session(client))
    app = turn_on(world.app("org.example.App", client))
    policy = Policy(client, app.path)
    refused("NotInteractive", evaluate, policy, interactive=False)
    session.lock()
    session.present("touchid", ui="terminal")
    armed(session)
    sensing.sensor.scan(INDEX)
    wait_until(lambda: session.authenticated, LIMIT)
    refused("NotInteractive", evaluate, policy, interactive=False)
    ended(evaluate(policy, interactive=False, reuse_duration=20.0), "success", "fingerprint")
    assert app.showing is False
    world.clock.pass_time(21)
    refused("NotInteractive", evaluate, policy, interactive=False, reuse_duration=20.0)
    refused("NotAuthorized", Policy(world.client(), app.path).set, "AllowableReuseDuration", "d", 60.0)
    policy.set("AllowableReuseDuration", "d", 60.0)
    ended(evaluate(policy, interactive=False), "success", "fingerprint")
    refused(names.INVALID_ARGS, policy.set, "AllowableReuseDuration", "d", 300.5)
    # A passcode is no finger.
    session.lock()
    assert session.outcome(RIGHT) == "accepted"
    refused("NotInteractive", evaluate, policy, interactive=False, reuse_duration=300.0)


@on_libfprint
def test_the_ways_it_ends_without_an_answer(sensing, app, policy):
    world = sensing.world
    other = world.client()
    request = evaluate(policy)
    refused("Busy", evaluate, Policy(other, app.path))
    Policy(other, app.path).invalidate()
    assert request.completed() is None, "only the caller's own"
    start = app.client.mark()
    policy.invalidate()
    assert [str(e) for e in app.client.events[start:] if e.name in ("Completed", "Invalidate")] == [
        "Completed AppCancel",
        "reply Invalidate",
    ]
    policy.invalidate()
    request = evaluate(policy)
    request.cancel()
    ended(request, "AppCancel")
    request = evaluate(policy)
    app.cancel()
    ended(request, "UserCancel")
    first = evaluate(policy)
    second = evaluate(policy, "device-owner")
    ended(first, "SystemCancel")
    world.manager().report_idle(True)
    ended(second, "SystemCancel")
    refused("SystemCancel", evaluate, policy)
    world.manager().report_idle(False)
    app.cancel()
    Policy(other, app.path).evaluate("biometrics", "", ui="none")
    armed(app)
    world.clients.remove(other)
    other.close()
    wait_until(lambda: app.view() == {}, LIMIT)
    sensing.wait_idle()


@on_libfprint
def test_views_stand_in_line(sensing, app, policy):
    session = turn_on(sensing.world.session(app.client))
    request = evaluate(policy, ui="terminal")
    armed(app)
    session.lock()
    assert app.showing is False
    ended(request, "SystemCancel") if request.completed() else None
    refused("NotAuthorized", evaluate, Policy(app.client, session.path), ui="auto")
    session.present("touchid", ui="terminal")
    armed(session)
    sensing.sensor.scan(INDEX)
    wait_until(lambda: session.authenticated, LIMIT)
    if request.completed() is None:
        armed(app)
        sensing.sensor.scan(INDEX)
        ended(request, "success", "fingerprint")


# Domain states


def state(app):
    return bytes(Policy(app.client, app.path).get("EvaluatedPolicyDomainState"))


@both
def test_the_same_set_has_the_same_state_whatever_made_it(sensing):
    from kit.objects import Fingerprint

    world = sensing.world
    client = world.client()
    fingerprint = Fingerprint(client)
    one, two = (world.app(f"org.example.{name}", client) for name in ("One", "Two"))
    assert state(one) == b""
    sensing.enroll(INDEX, client=client)
    first = state(one)
    assert len(first) >= 16 and state(two) not in (b"", first), "another application sees other bytes"
    assert state(world.session(client)) not in (first, state(two))
    sensing.enroll(THUMB, client=client)
    both_there = state(one)
    assert both_there != first
    fingerprint.delete(THUMB)
    assert state(one) == first, "added and taken away again"
    world.restart_service()
    client = world.client()
    one = world.app("org.example.One", client)
    assert state(one) == first
    if sensing.is_fprintd:
        # The other order of the same names.
        Fingerprint(client).delete_all()
        assert state(one) == b""
        sensing.enroll(THUMB, client=client)
        sensing.enroll(INDEX, client=client)
        assert state(one) == both_there


@both
def test_another_finger_under_the_same_name(sensing):
    """Seen where the prints are; said in DomainStateBasis where only names are."""
    from kit.objects import Fingerprint

    client = sensing.world.client()
    app = sensing.world.app("org.example.App", client)
    sensing.enroll(INDEX, "mine", client)
    before = state(app)
    Fingerprint(client).delete(INDEX)
    sensing.enroll(INDEX, "other", client)
    assert (state(app) == before) is (Fingerprint(client).get("DomainStateBasis") == "names")


@both
def test_remembered_and_changed(sensing):
    from kit.objects import Fingerprint

    world = sensing.world
    client = world.client()
    fingerprint = Fingerprint(client)
    app = world.app("org.example.App", client)
    policy = Policy(client, app.path)
    other = Policy(client, world.app("org.example.Other", client).path)
    assert policy.remember("me") is False, "there is nothing yet"
    sensing.enroll(INDEX, client=client)
    assert policy.changed("me") == (False, "")
    assert policy.remember("") is False
    assert policy.remember("me") is True
    assert policy.changed("me") == (False, "") and policy.changed("you") == (False, "")
    sensing.enroll(THUMB, client=client)
    assert policy.changed("me") == (True, "") and policy.changed("you") == (False, "")
    assert other.changed("me") == (False, ""), "another application remembers nothing"
    world.restart_service()
    client = world.client()
    fingerprint = Fingerprint(client)
    app = world.app("org.example.App", client)
    policy = Policy(client, app.path)
    assert policy.changed("me") == (True, "")
    fingerprint.delete(THUMB)
    assert policy.changed("me") == (False, "")
    fingerprint.delete_all()
    assert policy.changed("me") == (True, ""), "all fingers are deleted"
    # A store that does not answer is never taken for one that remembers nothing.
    world.keyring.lock()
    refused("StoreUnavailable", policy.changed, "me")
    refused("StoreUnavailable", policy.changed, "you")
    world.keyring.unlock()
    assert policy.changed("me") == (True, "")
    world.manager(client).remove("org.example.App")
    app = world.app("org.example.App", client)
    assert Policy(client, app.path).changed("me") == (False, "")


@on_fprintd
def test_a_sensor_that_another_program_has_or_that_is_gone(sensing):
    world = sensing.world
    client = world.client()
    app = world.app("org.example.App", client)
    policy = Policy(client, app.path)
    sensing.enroll(INDEX, client=client)
    assert policy.remember("me") is True
    sensing.lose()
    wait_until(lambda: policy.get("BiometryType") == "none", LIMIT)
    assert state(app) == b""
    assert policy.changed("me") == (False, names.error("BiometryNotAvailable"))
    assert policy.changed("you") == (False, ""), "never remembered"
    sensing.find()
    wait_until(lambda: policy.get("BiometryType") == "fingerprint", LIMIT)
    assert policy.changed("me") == (False, "")


@on_libfprint
def test_sixty_four_are_remembered_and_no_more(sensing):
    client = sensing.world.client()
    app = sensing.world.app("org.example.App", client)
    policy = Policy(client, app.path)
    sensing.enroll(INDEX, client=client)
    for number in range(64):
        assert policy.remember(f"user {number}") is True
    refused("LimitsExceeded", policy.remember, "one more")
    assert policy.remember("user 3") is True, "in place of what was remembered"
    refused("LimitsExceeded", policy.remember, "x" * 5000)
    sensing.enroll(THUMB, client=client)
    assert policy.changed("user 63") == (True, "") and policy.changed("one more") == (False, "")


@both
def test_in_lockout_it_is_empty_and_nothing_has_changed(sensing, app, policy):
    assert policy.remember("me") is True
    app.change(False)
    request = evaluate(policy)
    miss(sensing, app, 3)
    ended(request, "AuthenticationFailed")
    request = evaluate(policy)
    miss(sensing, app, 2)
    ended(request, "BiometryLockout")
    assert state(app) == b"" and policy.changed("me") == (False, "")
    assert policy.remember("me") is False
