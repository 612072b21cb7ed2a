"""Requests: a path at once, an answer to the caller alone (section 1)."""

import pytest

from kit import names
from kit.acts import RIGHT, WRONG, turn_on
from kit.objects import Authenticator, Request, refused


@pytest.fixture
def locked(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.hold(ui="none")
    app.lock()
    if not app.showing:
        app.present("touchid", ui="none")
    return app


def request_root(client):
    return f"{names.ROOT}/request/{client.unique[1:].replace('.', '_')}"


def test_the_token_makes_the_path(locked, client):
    path = locked.authenticate("x", handle_token="mine_1")
    assert path == request_root(client) + "/mine_1"
    other = locked.authenticate("x")
    assert other.startswith(request_root(client) + "/") and other != path


@pytest.mark.parametrize("token", ["", "a b", "a/b", "a.b", "ä", "a-b", "x" * 256, "x" * 5000])
def test_tokens_that_are_no_path(locked, token):
    refused(names.INVALID_ARGS if len(token) < 4096 else "LimitsExceeded", locked.authenticate, "x", handle_token=token)


def test_the_path_comes_before_completed(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    # Authenticated already: known at once, and still the path comes first.
    start = client.mark()
    path = app.authenticate("x")
    request = Request(client, path)
    result, details = request.wait()
    assert result == "success" and details["method"] == "grace"
    kinds = [str(e) for e in client.events[start:]]
    assert kinds.index("reply Authenticate") < kinds.index("Completed success")


def test_completed_goes_to_the_caller_alone(desk, locked, client):
    caller, stranger = desk.client(), desk.client()
    path = Authenticator(caller, locked.path).authenticate("x", handle_token="t")
    assert locked.outcome(RIGHT) == "accepted"
    assert Request(caller, path).wait() == ("success", {"method": "passcode"})
    stranger.sync()
    client.sync()
    assert not stranger.signals("Completed") and not client.signals("Completed")
    refused(names.UNKNOWN_OBJECT, caller.call, path, names.REQUEST, "Cancel")


def test_only_the_caller_cancels(desk, locked, client):
    caller = desk.client()
    path = Authenticator(caller, locked.path).authenticate("x")
    for stranger in (client, desk.client()):
        with pytest.raises(Exception) as failure:
            Request(stranger, path).cancel()
        assert failure.value.name in (names.error("NotAuthorized"), names.UNKNOWN_OBJECT)
    assert Request(caller, path).completed() is None
    start = caller.mark()
    Request(caller, path).cancel()
    assert [str(e) for e in caller.events[start:]] == ["Completed AppCancel", "reply Cancel"]
    assert locked.showing is True
    refused(names.UNKNOWN_OBJECT, Request(caller, path).cancel)


def test_a_waiter_with_require_asks_although_authenticated(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    path = app.authenticate("pay", require="passcode", ui="none")
    assert app.showing is True
    assert app.outcome(WRONG) == "wrong"
    assert app.outcome(RIGHT) == "accepted"
    assert Request(client, path).wait() == ("success", {"method": "passcode"})
    refused(names.INVALID_ARGS, app.authenticate, "x", require="iris")


def test_require_on_the_open_session_may_be_cancelled(session, client):
    turn_on(session)
    path = session.authenticate("pay", require="passcode")
    assert session.view()["can_cancel"] is True
    session.cancel()
    assert Request(client, path).wait()[0] == "UserCancel"
    assert session.authenticated is True


def test_the_end_of_the_view_completes_its_waiters(locked, client):
    path = locked.authenticate("x")
    locked.cancel()
    result, details = Request(client, path).wait()
    assert result == "UserCancel" and details["message"]


def test_the_waiter_is_told_of_turning_off(locked, client):
    path = locked.authenticate("x")
    locked.clear_passcode(RIGHT)
    assert Request(client, path).wait()[0] == "success"


def test_a_lockout_standing_is_known_at_once_or_told(locked, client):
    for _ in range(5):
        locked.submit(WRONG)
    path = locked.authenticate("x")
    assert Request(client, path).completed() is None, "the view waits, and so does its waiter"
    assert locked.get("LockedOutUntil") > 0


def test_removal_completes_with_app_cancel(desk, client):
    app = desk.app("org.example.App", client)
    turn_on(app)
    path = app.authenticate("x", require="passcode", ui="none")
    app.cancel()
    assert Request(client, path).wait()[0] == "UserCancel"


def test_a_caller_that_leaves_has_cancelled(desk, locked, client):
    caller = desk.client()
    Authenticator(caller, locked.path).authenticate("x")
    caller.close()
    desk.clients.remove(caller)
    client.sync()
    assert locked.outcome(RIGHT) == "accepted"


def test_many_waiters_each_get_their_answer(desk, locked, client):
    paths = [locked.authenticate("x", handle_token=f"t{i}") for i in range(20)]
    assert len(set(paths)) == 20
    locked.submit(RIGHT)
    for path in paths:
        assert Request(client, path).wait() == ("success", {"method": "passcode"})


def test_a_token_in_use_is_refused(locked):
    locked.authenticate("x", handle_token="same")
    refused(names.INVALID_ARGS, locked.authenticate, "x", handle_token="same")


def test_bad_arguments_make_no_request(locked, client):
    for bad in ({"handle_token": 5}, {"ui": "hologram"}, {"require": True}):
        refused(names.INVALID_ARGS, locked.authenticate, "x", **bad)
    refused("LimitsExceeded", locked.authenticate, "x" * 5000)
