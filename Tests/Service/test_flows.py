"""The four flows: their steps, texts and the exact order of what a client sees (sections 2 and 1)."""

import pytest

from kit import names
from kit.acts import RIGHT, WRONG, lock_and_open, turn_off, turn_on, unchanged
from kit.objects import Request, refused


@pytest.fixture(params=["app", "session"])
def auth(request, desk, client):
    """Both kinds of authenticator; their flows are the same."""
    if request.param == "session":
        return desk.session(client)
    authenticator = desk.app("org.example.App", client)
    authenticator.hold(ui="none")
    return authenticator


def test_twice_turns_the_passcode_on(auth, client):
    start = client.mark()
    assert auth.present("twice", ui="none") is True
    assert auth.happened(start) == ["changed", "AuthViewPresented", "AuthViewShown app", "reply Present"]
    assert client.changes(auth.path, start) == {"IsShowingAuth": True}
    view = auth.view()
    assert view["security_type"] == "twice"
    assert view["title"] == "Set Passcode"
    assert view["description"] == "Enter 4 digit passcode"
    assert view["kind"] == "digits" and view["digits"] == 4
    assert view["step"] == 1 and view["filled"] == 0 and view["fail_count"] == 0
    assert view["can_cancel"] is True
    assert view["fingerprint"] in ("none", "off")

    start = client.mark()
    outcome, view = auth.submit(RIGHT)
    assert outcome == "next"
    assert view == auth.view()
    assert view["step"] == 2 and view["description"] == "Re-enter your 4 digit passcode"
    assert [e for e in auth.happened(start, views=True) if "GetView" not in e] == [
        "ViewChanged",
        "reply SubmitPasscode",
    ]

    start = client.mark()
    outcome, view = auth.submit(RIGHT)
    assert outcome == "accepted"
    assert auth.happened(start) == ["changed", "PasscodeTurnedOn", "AuthViewDismissed success", "reply SubmitPasscode"]
    changed = client.changes(auth.path, start)
    assert changed["HasPasscode"] is True and changed["StoreState"] == "ready" and changed["PasscodeKind"] == "digits"
    assert changed["IsAuthenticated"] is True and changed["IsShowingAuth"] is False
    assert changed["UnlockRoute"] == "passcode"
    assert "ShouldCover" not in changed
    assert auth.view() == {}


def test_twice_starts_over_when_the_entries_differ(auth, client):
    auth.present("twice", ui="none")
    auth.submit(RIGHT)
    start = client.mark()
    outcome, view = auth.submit(WRONG)
    assert outcome == "mismatch"
    assert view["step"] == 1 and view["description"] == "Passcodes do not match. Try again."
    assert view["fail_count"] == 0 and view["filled"] == 0
    assert auth.happened(start) == ["reply SubmitPasscode"]
    assert auth.get("FailCount") == 0 and auth.get("HasPasscode") is False
    assert auth.outcome(WRONG) == "next"
    assert auth.outcome(WRONG) == "accepted"
    assert auth.verify(WRONG) is True


def test_twice_over_a_passcode_is_refused(auth):
    turn_on(auth)
    unchanged(auth, "PasscodeAlreadySet", auth.present, "twice", ui="none")


def test_once_turns_it_off(desk, auth, client):
    turn_on(auth)
    start = client.mark()
    assert auth.present("once", ui="none") is True
    assert auth.happened(start) == ["changed", "AuthViewPresented", "AuthViewShown app", "reply Present"]
    changed = client.changes(auth.path, start)
    assert changed == {"IsShowingAuth": True, "IsAuthenticated": False}
    view = auth.view()
    assert view["title"] == "Turn off Passcode" and view["description"] == "Enter 4 digit passcode"

    start = client.mark()
    assert auth.outcome(RIGHT) == "accepted"
    assert auth.happened(start) == ["changed", "PasscodeTurnedOff", "AuthViewDismissed success", "reply SubmitPasscode"]
    changed = client.changes(auth.path, start)
    assert changed["HasPasscode"] is False and changed["StoreState"] == "unset" and changed["PasscodeKind"] == ""
    assert (
        changed["IsAuthenticated"] is True and changed["IsShowingAuth"] is False and changed["UnlockRoute"] == "login"
    )
    assert desk.keyring.items() == []


def test_once_counts_a_wrong_entry(auth, client):
    turn_on(auth)
    auth.present("once", ui="none")
    start = client.mark()
    outcome, view = auth.submit(WRONG)
    assert outcome == "wrong"
    if auth.path == names.SESSION:
        # A failure ends such a view on the session, and its own view stands there instead.
        return
    assert auth.happened(start) == ["changed", "AuthenticationFailed 1 passcode", "reply SubmitPasscode"]
    # What it remembered is gone: from here on it is locked.
    assert client.changes(auth.path, start) == {"FailCount": 1, "ShouldCover": True}
    assert view["description"].startswith("1 Failed Passcode Attempt") and view["description"].endswith("Try again.")
    assert view["fail_count"] == 1 and view["step"] == 1
    assert auth.outcome(RIGHT) == "accepted"
    assert auth.get("FailCount") == 0


def test_three_changes_it(auth, client):
    turn_on(auth)
    start = client.mark()
    assert auth.present("three", ui="none", digits=6) is True
    assert client.changes(auth.path, start) == {"IsShowingAuth": True, "IsAuthenticated": False}
    view = auth.view()
    assert view["title"] == "Change Passcode" and view["description"] == "Enter your old 4 digit passcode"
    assert view["digits"] == 4
    outcome, view = auth.submit(RIGHT)
    assert outcome == "next"
    assert view["description"] == "Enter your new 6 digit passcode" and view["digits"] == 6 and view["step"] == 2
    assert auth.outcome("111222") == "next"
    assert auth.view()["description"] == "Re-enter your 6 digit passcode"
    outcome, view = auth.submit("111223")
    assert outcome == "mismatch" and view["step"] == 2
    assert view["description"] == "Passcodes do not match. Try again."
    assert auth.outcome("111222") == "next"

    start = client.mark()
    assert auth.outcome("111222") == "accepted"
    assert auth.happened(start) == ["changed", "PasscodeChanged", "AuthViewDismissed success", "reply SubmitPasscode"]
    changed = client.changes(auth.path, start)
    assert changed["IsAuthenticated"] is True and changed["IsShowingAuth"] is False and changed["PasscodeDigit"] == 6
    assert auth.verify("111222") is True and auth.get("HasPasscode") is True


def test_touchid_unlocks(auth, client):
    turn_on(auth)
    start = client.mark()
    auth.lock()
    events = auth.happened(start)
    assert events[:2] == ["changed", "AuthViewPresented"] and events[-1] == "reply Lock"
    assert client.changes(auth.path, start) == {"IsAuthenticated": False, "IsShowingAuth": True, "ShouldCover": True}
    view = auth.view()
    assert view["security_type"] == "touchid" and view["title"] == "Enter Passcode"
    assert view["description"] == "Enter 4 digit passcode" and view["step"] == 1

    start = client.mark()
    assert auth.outcome(WRONG) == "wrong"
    assert auth.happened(start) == ["changed", "AuthenticationFailed 1 passcode", "reply SubmitPasscode"]

    start = client.mark()
    assert auth.outcome(RIGHT) == "accepted"
    assert auth.happened(start) == [
        "changed",
        "AuthenticationSucceeded passcode",
        "AuthViewDismissed success",
        "reply SubmitPasscode",
    ]
    assert client.changes(auth.path, start) == {
        "IsAuthenticated": True,
        "IsShowingAuth": False,
        "ShouldCover": False,
        "FailCount": 0,
    }


def test_a_view_changed_signal_carries_what_get_view_answers(auth, client):
    turn_on(auth)
    auth.lock()
    start = client.mark()
    outcome, view = auth.submit(WRONG)
    assert client.signals("ViewChanged", auth.path, start)[-1].arguments[0] == view == auth.view()


def test_without_a_passcode_there_is_nothing_to_unlock_or_change(auth):
    for kind in ("once", "three", "touchid"):
        unchanged(auth, "PasscodeNotSet", auth.present, kind, ui="none" if kind != "touchid" else "auto")
    unchanged(auth, "PasscodeNotSet", auth.authenticate, "please")


def test_an_empty_type_takes_the_property(auth):
    assert auth.get("SecurityType") == "twice"
    assert auth.present("", ui="none") is True
    assert auth.view()["security_type"] == "twice"
    auth.cancel()
    turn_on(auth)
    auth.set("SecurityType", "s", "once")
    auth.present("", ui="none")
    assert auth.view()["security_type"] == "once"
    assert auth.get("SecurityType") == "once"
    auth.cancel()
    auth.present("three", ui="none")
    assert auth.get("SecurityType") == "once"


def test_unknown_types_and_options(auth):
    for kind in ("four", "Twice", "policy", "touchid ", "x" * 200):
        unchanged(auth, names.INVALID_ARGS, auth.present, kind)
    for bad in (
        {"ui": "window"},
        {"kind": "letters"},
        {"digits": 3},
        {"digits": 65},
        {"ui": 5},
        {"digits": "4"},
        {"animated": "yes"},
        {"reason": True},
        {"parent_window": 1},
        {"parent_window": "window:1"},
        {"kind": ""},
    ):
        unchanged(auth, names.INVALID_ARGS, auth.present, "twice", **bad)
    assert auth.present("twice", ui="none", something_new="x", digits=8) is True
    assert auth.view()["digits"] == 8


def test_cancel_restores_and_never_grants(auth, client):
    # Nothing set: nothing to be authenticated for.
    auth.present("twice", ui="none")
    start = client.mark()
    auth.cancel()
    assert auth.happened(start) == ["changed", "AuthViewDismissed UserCancel", "reply Cancel"]
    assert client.changes(auth.path, start) == {"IsShowingAuth": False}
    assert auth.authenticated is False

    turn_on(auth)
    for kind in ("once", "three"):
        auth.present(kind, ui="none")
        assert auth.authenticated is False
        assert auth.get("ShouldCover") is False, "a view that remembers an authenticated state hides nothing"
        start = client.mark()
        auth.cancel()
        assert auth.happened(start) == ["changed", "AuthViewDismissed UserCancel", "reply Cancel"]
        assert client.changes(auth.path, start) == {"IsShowingAuth": False, "IsAuthenticated": True}
    start = client.mark()
    auth.cancel()
    assert auth.happened(start) == ["reply Cancel"]


def test_cancel_after_a_counted_failure_does_not_restore(app, client):
    turn_on(app)
    app.present("three", ui="none")
    assert app.outcome(WRONG) == "wrong"
    app.cancel()
    assert app.authenticated is False
    assert app.get("ShouldCover") is True


def test_cancel_of_a_locked_app_leaves_it_locked(app, client):
    turn_on(app)
    app.lock()
    start = client.mark()
    app.cancel()
    assert app.happened(start) == ["changed", "AuthViewDismissed UserCancel", "reply Cancel"]
    assert app.authenticated is False and app.get("ShouldCover") is True and app.showing is False


def test_the_session_lock_is_not_cancelled(session):
    turn_on(session)
    session.lock()
    unchanged(session, "NotAuthorized", session.cancel)
    unchanged(session, "NotAuthorized", session.present, "once", ui="none")
    unchanged(session, "NotAuthorized", session.present, "touchid", ui="none")
    assert session.outcome(RIGHT) == "accepted"


def test_a_failure_on_the_session_ends_the_change_and_locks(session, client):
    turn_on(session)
    session.present("three", ui="none")
    start = client.mark()
    assert session.outcome(WRONG) == "wrong"
    events = session.happened(start)
    assert "AuthenticationFailed 1 passcode" in events and "AuthViewDismissed SystemCancel" in events
    assert events.index("AuthenticationFailed 1 passcode") < events.index("AuthViewDismissed SystemCancel")
    assert session.authenticated is False and session.showing is True and session.get("ShouldCover") is True
    assert session.view()["security_type"] == "touchid"


def test_while_authenticated_touchid_presents_nothing(auth, client):
    turn_on(auth)
    start = client.mark()
    assert auth.present("touchid") is False
    assert auth.happened(start) == ["reply Present"]
    assert auth.authenticated is True


def test_twice_and_three_start_no_grace(app):
    turn_on(app)
    app.set("TimeoutInterval", "d", 3600.0)
    # Setting it and the passcode were no success of `touchid`: a lock asks.
    app.present("three", ui="none")
    for code in (RIGHT, WRONG, WRONG):
        app.submit(code)
    app.lock()
    assert app.showing is True and app.authenticated is False


def test_after_once_authenticated_until_the_next_background(desk, app):
    turn_on(app)
    turn_off(app)
    assert app.authenticated is True
    desk.logind.wait_inhibited()
    desk.logind.prepare_for_sleep(True)
    app.wait_for("IsAuthenticated", False)
    assert app.get("ShouldCover") is False and app.get("UnlockRoute") == "login"


def test_turn_off_keeps_the_length(auth):
    turn_on(auth, "123456", digits=6)
    assert auth.get("PasscodeDigit") == 6
    refused("PasscodeAlreadySet", auth.set, "PasscodeDigit", "u", 8)
    turn_off(auth, "123456")
    assert auth.get("PasscodeDigit") == 6
    auth.set("PasscodeDigit", "u", 0)
    assert auth.get("PasscodeDigit") == 4


def test_authenticate_answers_over_its_request(app, client):
    turn_on(app)
    app.lock()
    start = client.mark()
    path = app.authenticate("read the diary")
    request = Request(client, path)
    assert app.outcome(RIGHT) == "accepted"
    events = app.happened(start)
    assert events[-5:] == [
        "changed",
        "AuthenticationSucceeded passcode",
        "AuthViewDismissed success",
        "Completed success",
        "reply SubmitPasscode",
    ]
    assert request.completed() == ("success", {"method": "passcode"})


def test_the_last_entry_decides_between_locked_and_open(app):
    turn_on(app)
    lock_and_open(app)
    assert app.authenticated is True and app.get("ShouldCover") is False
