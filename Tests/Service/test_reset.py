"""The account password, checked by a real PAM: the way back from a forgotten passcode and from `lost` (section 8)."""

import os

import pytest

from kit.account import ACCOUNT_PASSWORD, account_wrapper
from kit.acts import RIGHT, WRONG, turn_on
from kit.loop import wait_until
from kit.objects import Request, refused

PASSWORD = ACCOUNT_PASSWORD.encode()


@pytest.fixture
def place(world):
    world.surround()
    world.wrapper = account_wrapper(world)
    world.start_service(wrapper=world.wrapper)
    return world


@pytest.fixture(params=["session", "app"])
def auth(request, place):
    client = place.client()
    if request.param == "session":
        return turn_on(place.session(client))
    authenticator = place.app("org.example.App", client)
    authenticator.hold(ui="none")
    return turn_on(authenticator)


def reset(auth, password=PASSWORD):
    return auth.submit_bytes(password, "ResetFd")


def into_view(auth, password=PASSWORD):
    """(outcome, view)"""
    return auth.submit_bytes(password, "SubmitAccountPasswordFd")


def test_the_right_account_password_removes_everything(place, auth):
    auth.verify(WRONG)
    start = auth.client.mark()
    reset(auth, PASSWORD + b"\n")
    events = auth.happened(start)
    assert events == ["changed", "AuthenticationSucceeded account", "PasscodeTurnedOff", "reply ResetFd"]
    assert auth.get("HasPasscode") is False and auth.get("StoreState") == "unset" and auth.get("UnlockRoute") == "login"
    assert auth.get("FailCount") == 0 and auth.get("FactorMode") == "any"
    assert place.keyring.items() == []
    assert auth.authenticated is True, "until the next Background"
    place.manager(auth.client).report_idle(True)
    assert auth.authenticated is False
    place.manager(auth.client).report_idle(False)
    turn_on(auth, "9876")
    assert auth.verify("9876") is True


def test_a_standing_view_ends_with_success(place, auth):
    auth.lock()
    path = auth.authenticate("x", ui="none" if auth.get("ApplicationId") else "auto")
    start = auth.client.mark()
    reset(auth)
    events = auth.happened(start)
    assert events == [
        "changed",
        "AuthenticationSucceeded account",
        "PasscodeTurnedOff",
        "AuthViewDismissed success",
        "Completed success",
        "reply ResetFd",
    ]
    assert Request(auth.client, path).completed()[1]["method"] == "account"
    assert auth.showing is False and auth.get("ShouldCover") is False


def test_a_wrong_one_changes_nothing_and_has_its_own_ladder(place):
    client = place.client()
    auth = turn_on(place.session(client))
    auth.lock()
    refused("AuthenticationFailed", reset, auth, b"wrong")
    assert auth.get("FailCount") == 0, "the passcode's count is another"
    for _ in range(4):
        refused("AuthenticationFailed", reset, auth, b"wrong again")
    refused("LockedOut", reset, auth)
    place.restart_service(wrapper=place.wrapper)
    auth = place.session()
    refused("LockedOut", reset, auth)
    assert auth.outcome(RIGHT) == "accepted"
    place.clock.pass_time(61)
    reset(auth)
    assert auth.get("HasPasscode") is False


def test_out_of_a_lockout(place, auth):
    auth.lock()
    for _ in range(5):
        auth.submit(WRONG)
    refused("LockedOut", auth.submit, RIGHT)
    reset(auth)
    assert auth.get("LockedOutUntil") == 0 and auth.get("HasPasscode") is False


def test_the_way_back_from_lost(place, auth):
    place.keyring.delete_all()
    refused("StoreLost", auth.verify, RIGHT)
    auth.lock()
    assert auth.view()["account_password"] is True
    reset(auth)
    assert auth.get("StoreState") == "unset" and auth.showing is False
    turn_on(auth)


def test_into_the_view_of_a_lost_passcode_it_is_the_same_reset(place, auth):
    refused("InvalidContext", into_view, auth)
    place.keyring.delete_all()
    refused("StoreLost", auth.verify, RIGHT)
    auth.lock()
    start = auth.client.mark()
    assert into_view(auth)[0] == "accepted"
    events = auth.happened(start)
    assert events[:3] == ["changed", "AuthenticationSucceeded account", "PasscodeTurnedOff"]
    assert auth.get("StoreState") == "unset" and auth.showing is False


def test_where_a_passcode_can_be_given_the_view_takes_no_account_password(place, auth):
    auth.lock()
    assert auth.view()["account_password"] is False
    refused("InvalidContext", into_view, auth)
    assert auth.authenticated is False and auth.get("HasPasscode") is True


def test_without_the_store_the_view_opens_after_a_minute_and_nothing_is_removed(place, auth):
    auth.lock()
    place.keyring.kill()
    refused("StoreUnavailable", auth.submit, RIGHT)
    refused("StoreUnavailable", reset, auth)
    assert auth.view()["account_password"] is False
    refused("InvalidContext", into_view, auth)
    place.clock.pass_time(61)
    auth.client.sync()
    wait_until(lambda: auth.view()["account_password"], 5)
    refused("StoreUnavailable", reset, auth)
    assert into_view(auth, b"wrong")[0] == "wrong" and auth.get("FailCount") == 0
    start = auth.client.mark()
    assert into_view(auth)[0] == "accepted"
    assert auth.happened(start) == [
        "changed",
        "AuthenticationSucceeded account",
        "AuthViewDismissed success",
        "reply SubmitAccountPasswordFd",
    ]
    assert auth.authenticated is True and auth.get("HasPasscode") is True and auth.get("UnlockRoute") == "passcode"
    place.keyring.start()

    def again():
        try:
            return auth.verify(RIGHT)
        except Exception as failure:
            assert failure.short == "StoreUnavailable"

    wait_until(again, 8)


def test_nothing_to_reset_and_while_a_cause_stands(place):
    client = place.client()
    app = place.app("org.example.App", client)
    refused("PasscodeNotSet", reset, app)
    turn_on(app)
    place.manager(client).report_idle(True)
    refused("InvalidContext", reset, app)
    assert app.get("HasPasscode") is True


def test_the_password_is_in_no_file_or_log(place, auth):
    refused("AuthenticationFailed", reset, auth, b"a wrong canary 5533")
    reset(auth)
    for root, _, files in os.walk(place.folder):
        for name in files:
            path = os.path.join(root, name)
            if os.path.isfile(path) and "/account/" not in path:
                with open(path, "rb") as file:
                    data = file.read()
                assert b"canary 5533" not in data and PASSWORD not in data, path
