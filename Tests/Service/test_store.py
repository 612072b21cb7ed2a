"""Section 8's table: the Secret Service locked, absent, hanging, killed, deleted, spoilt, and back again."""

import time

import pytest

from kit.acts import LIMIT, RIGHT, WRONG, timed, turn_on
from kit.client import Failure
from kit.loop import settle, wait_until
from kit.objects import refused


def gone(desk, how):
    keyring = desk.keyring
    {"locked": keyring.lock, "killed": keyring.kill, "stopped": keyring.stop}[how]()


def back(desk, how):
    keyring = desk.keyring
    {"locked": keyring.unlock, "killed": keyring.start, "stopped": keyring.go_on}[how]()


WAYS = ["locked", "killed", "stopped"]


def available_again(call, *arguments):
    """The call that needs the store asks it anew; after a hang the provider may take a moment."""

    def attempt():
        try:
            return (call(*arguments),)
        except Failure as failure:
            assert failure.short == "StoreUnavailable", failure
            return None

    return wait_until(attempt, 12)[0]


@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_nothing_set_and_no_store_is_no_lock(world, how):
    world.surround()
    gone(world, how)
    world.start_service()
    client = world.client()
    for auth in (world.session(client), timed(world.app, "org.example.App", client)):
        assert auth.get("UnlockRoute") == "login" and auth.get("ShouldCover") is False
        timed(refused, "StoreUnavailable", auth.present, "twice", ui="none")
        timed(refused, "StoreUnavailable", auth.set_passcode, "", RIGHT)
        timed(auth.lock)
        assert auth.showing is False
    session = world.session(client)
    world.logind.wait_inhibited()
    world.logind.prepare_for_sleep(True)
    world.logind.prepare_for_sleep(False)
    client.sync()
    assert session.showing is False and session.get("ShouldCover") is False
    back(world, how)
    available_again(session.set_passcode, "", RIGHT)
    assert session.get("StoreState") == "ready"


def test_a_locked_store_that_has_nothing_is_unset(world):
    """Its answer is complete, locked or not: no lock, and what cannot be stored is refused in time."""
    world.surround()
    world.keyring.lock()
    world.start_service()
    session = world.session()
    session.wait_for("StoreState", "unset")
    assert session.get("HasPasscode") is False and session.get("UnlockRoute") == "login"
    timed(refused, "PasscodeNotSet", session.verify, RIGHT)
    timed(refused, "StoreUnavailable", session.set_passcode, "", RIGHT)
    assert session.get("HasPasscode") is False and session.authenticated is False
    world.keyring.unlock()
    available_again(session.set_passcode, "", RIGHT)
    assert session.get("StoreState") == "ready"


@pytest.mark.parametrize("how", WAYS)
def test_a_store_that_goes_under_a_lock(desk, client, how):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    gone(desk, how)
    outcome = timed(refused, "StoreUnavailable", app.submit, RIGHT)
    assert outcome.message
    timed(refused, "StoreUnavailable", app.submit, WRONG)
    assert app.get("FailCount") == 0, "uncounted"
    view = app.view()
    assert view["step"] == 1 and view["security_type"] == "touchid"
    assert app.showing is True and app.authenticated is False and app.get("HasPasscode") is True
    for call in ((app.verify, RIGHT), (app.set_passcode, RIGHT, "1111"), (app.clear_passcode, RIGHT)):
        timed(refused, "StoreUnavailable", *call)
    assert app.get("ShouldCover") is True
    back(desk, how)
    assert available_again(app.outcome, RIGHT) == "accepted"
    assert app.authenticated is True


@pytest.mark.parametrize("how", WAYS)
def test_a_store_that_goes_under_an_open_authenticator(desk, client, how):
    app = turn_on(desk.app("org.example.App", client))
    gone(desk, how)
    for kind in ("once", "three"):
        timed(refused, "StoreUnavailable", app.present, kind, ui="none")
    assert app.get("HasPasscode") is True and app.get("StoreState") == "unavailable"
    assert app.authenticated is True, "an error changes nothing"
    timed(app.lock)
    assert app.showing is True and app.get("ShouldCover") is True
    timed(refused, "StoreUnavailable", app.submit, RIGHT)
    back(desk, how)
    assert available_again(app.outcome, RIGHT) == "accepted"
    assert app.get("StoreState") == "ready"


@pytest.mark.parametrize("how", WAYS)
def test_started_without_its_store_a_lock_stays_a_lock(world, how):
    world.surround()
    world.start_service()
    turn_on(world.session())
    turn_on(world.app("org.example.App"))
    world.kill_service()
    gone(world, how)
    world.start_service()
    client = world.client()
    session, app = world.session(client), timed(world.app, "org.example.App", client)
    for auth in (session, app):
        wait_until(lambda: auth.get("StoreState") == "unavailable", LIMIT)
        assert auth.get("HasPasscode") is True and auth.get("UnlockRoute") == "passcode"
        assert auth.authenticated is False
        timed(refused, "StoreUnavailable", auth.set_passcode, "", "1111")
    timed(session.lock)
    assert session.showing is True and session.get("ShouldCover") is True
    timed(refused, "StoreUnavailable", session.submit, RIGHT)
    back(world, how)
    assert available_again(session.outcome, RIGHT) == "accepted"


def test_a_provider_that_was_killed_and_came_back_needs_no_call(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    for _ in range(3):
        desk.keyring.kill()
        desk.keyring.start()
        assert available_again(app.verify, RIGHT) is True
    assert app.get("FailCount") == 0


def test_a_fast_answer_while_another_hangs(desk, client):
    """Reading properties does not wait for the store."""
    app = turn_on(desk.app("org.example.App", client))
    desk.keyring.stop()
    pending = app.start("VerifyPasscode", "s", RIGHT)
    began = time.monotonic()
    for _ in range(50):
        app.get("HasPasscode")
    assert time.monotonic() - began < 1
    refused("StoreUnavailable", pending.wait)
    desk.keyring.go_on()
    assert available_again(app.verify, RIGHT) is True


def test_no_answer_grants_nothing_and_says_nothing_is_set(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    desk.keyring.stop()
    start = client.mark()
    pending = app.start("SubmitPasscode", "s", RIGHT)
    settle(1)
    assert not pending.done
    refused("StoreUnavailable", pending.wait)
    changes = client.changes(app.path, start)
    assert changes.get("HasPasscode") is not False and changes.get("IsAuthenticated") is not True
    desk.keyring.go_on()
