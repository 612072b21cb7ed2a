"""VerifyPasscode, SetPasscode and ClearPasscode: the flows in one call, for scripts (section 2)."""

import pytest

from kit.acts import RIGHT, WRONG, turn_on, unchanged
from kit.objects import refused


@pytest.fixture
def auth(desk, client):
    return desk.app("org.example.Script", client)


def test_turning_on_changing_and_off_send_the_flows_signals(auth, client):
    start = client.mark()
    auth.set_passcode("", RIGHT)
    assert auth.happened(start) == ["changed", "PasscodeTurnedOn", "reply SetPasscode"]
    assert auth.get("HasPasscode") is True and auth.authenticated is True
    start = client.mark()
    auth.set_passcode(RIGHT, WRONG)
    assert [e for e in auth.happened(start) if e != "changed"] == ["PasscodeChanged", "reply SetPasscode"]
    start = client.mark()
    auth.clear_passcode(WRONG)
    assert auth.happened(start) == ["changed", "PasscodeTurnedOff", "reply ClearPasscode"]
    assert auth.get("HasPasscode") is False


def test_a_wrong_current_passcode(auth, client):
    auth.set_passcode("", RIGHT)
    start = client.mark()
    refused("AuthenticationFailed", auth.set_passcode, WRONG, "1111")
    assert auth.get("FailCount") == 1
    refused("AuthenticationFailed", auth.clear_passcode, WRONG)
    assert auth.get("FailCount") == 2
    assert not client.signals("PasscodeChanged", since=start)
    assert auth.verify(RIGHT) is True
    assert auth.get("FailCount") == 0


def test_an_empty_current_is_no_way_around(auth):
    auth.set_passcode("", RIGHT)
    refused("PasscodeAlreadySet", auth.set_passcode, "", "1111")
    refused("InvalidPasscode", auth.clear_passcode, "")
    assert auth.verify(RIGHT) is True
    auth.clear_passcode(RIGHT)
    refused("PasscodeNotSet", auth.set_passcode, RIGHT, "1111")


def test_nothing_to_clear(auth):
    unchanged(auth, "PasscodeNotSet", auth.clear_passcode, RIGHT)
    unchanged(auth, "PasscodeNotSet", auth.verify, RIGHT)


def test_verify_moves_counters_only(auth, client):
    turn_on(auth)
    auth.lock()
    auth.cancel()
    start = client.mark()
    assert auth.verify(WRONG) is False
    assert client.changes(auth.path, start) == {"FailCount": 1}
    start = client.mark()
    assert auth.verify(RIGHT) is True
    assert client.changes(auth.path, start) == {"FailCount": 0}
    assert auth.authenticated is False and auth.get("ShouldCover") is True
    assert not client.signals("AuthenticationSucceeded", since=start)


def test_verify_does_not_end_the_grace_nor_start_one(desk, auth):
    turn_on(auth)
    auth.set("TimeoutInterval", "d", 600.0)
    desk.clock.pass_time(1)
    assert auth.verify(RIGHT) is True
    auth.lock()
    assert auth.showing is True
    assert auth.outcome(RIGHT) == "accepted"
    assert auth.verify(WRONG) is False
    assert auth.authenticated is True


def test_scripts_end_a_standing_view(auth, client):
    auth.present("twice", ui="none")
    start = client.mark()
    auth.set_passcode("", RIGHT)
    assert auth.happened(start) == ["changed", "PasscodeTurnedOn", "AuthViewDismissed success", "reply SetPasscode"]
    auth.lock()
    start = client.mark()
    auth.clear_passcode(RIGHT)
    assert auth.happened(start) == ["changed", "PasscodeTurnedOff", "AuthViewDismissed success", "reply ClearPasscode"]
    assert auth.showing is False


def test_a_failure_by_script_ends_the_grace(desk, auth):
    turn_on(auth)
    auth.set("TimeoutInterval", "d", 600.0)
    auth.lock()
    assert auth.outcome(RIGHT) == "accepted"
    refused("AuthenticationFailed", auth.set_passcode, WRONG, "1111")
    desk.logind.wait_inhibited()
    desk.logind.prepare_for_sleep(True)
    auth.wait_for("IsAuthenticated", False)
    desk.logind.prepare_for_sleep(False)
    assert auth.present("touchid", ui="none") is True, "no grace is left"


def test_no_script_while_a_cause_stands(desk, auth):
    auth.set_passcode("", RIGHT)
    desk.manager(auth.client).report_idle(True)
    for call in ((auth.set_passcode, RIGHT, "1111"), (auth.clear_passcode, RIGHT)):
        refused("InvalidContext", *call)
    desk.manager(auth.client).report_idle(False)
    assert auth.verify(RIGHT) is True
