"""Holds: an app ties its authenticator to its connection, keeps it covered, and shows its views itself (section 7)."""

import time

import pytest

from kit import names
from kit.acts import RIGHT, turn_on, unchanged
from kit.loop import settle, wait_until
from kit.objects import Authenticator, refused


@pytest.fixture
def logind(desk):
    desk.logind.wait_inhibited()
    return desk.logind


def test_the_first_hold_starts_unauthenticated(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    assert app.authenticated is True
    first = app.hold()
    assert app.authenticated is False
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    second = app.hold()
    assert app.authenticated is True, "only the first one"
    assert first != second


def test_the_last_hold_takes_the_authentication_with_it(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    cookies = [app.hold(ui="none"), app.hold(ui="none")]
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    app.release(cookies[0])
    assert app.authenticated is True
    app.present("three", ui="none")
    start = client.mark()
    app.release(cookies[1])
    assert app.authenticated is False and app.showing is False
    assert client.signals("AuthViewDismissed", app.path, start)[0].arguments == ("AppCancel",)


def test_leaving_releases(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    holder = desk.client()
    held = Authenticator(holder, app.path)
    held.hold(ui="none")
    held.present("touchid", ui="none")
    held.outcome(RIGHT)
    assert app.authenticated is True
    holder.close()
    desk.clients.remove(holder)
    app.wait_for("IsAuthenticated", False)


def test_cookies_are_the_connections_own(desk, client):
    app = desk.app("org.example.App", client)
    cookie = app.hold(confirm_cover=True)
    stranger = Authenticator(desk.client(), app.path)
    for call in (stranger.release, stranger.covered):
        refused(names.INVALID_ARGS, call, cookie)
    for call in (app.release, app.covered):
        refused(names.INVALID_ARGS, call, cookie + 1000)
    app.covered(cookie)
    app.release(cookie)
    refused(names.INVALID_ARGS, app.release, cookie)


def test_bad_options(desk, client, session):
    app = desk.app("org.example.App", client)
    for bad in ({"ui": "terminal"}, {"ui": 1}, {"confirm_cover": "yes"}, {"ui": "x"}):
        unchanged(app, names.INVALID_ARGS, app.hold, **bad)
    refused("NotAuthorized", session.hold, ui="none")


def test_a_hold_on_the_session_binds_nothing(desk, client, session):
    turn_on(session)
    cookie = session.hold()
    assert session.authenticated is True
    session.release(cookie)
    assert session.authenticated is True


def test_background_covers_a_held_app_and_foreground_asks(desk, client, app, logind):
    turn_on(app)
    start = client.mark()
    logind.prepare_for_sleep(True)
    app.wait_for("ShouldCover", True)
    assert app.authenticated is False and app.showing is False
    assert client.changes(app.path, start) == {"IsAuthenticated": False, "ShouldCover": True}
    start = client.mark()
    logind.prepare_for_sleep(False)
    app.wait_for("IsShowingAuth", True)
    assert [e.arguments for e in client.signals("AuthViewShown", app.path, start)] == [("app",)]
    assert app.outcome(RIGHT) == "accepted"


def test_without_a_hold_no_view_comes_up(desk, client, logind):
    app = turn_on(desk.app("org.example.App", client))
    logind.prepare_for_sleep(True)
    app.wait_for("IsAuthenticated", False)
    logind.prepare_for_sleep(False)
    desk.manager(client).wait_for("SessionState", "active")
    assert app.showing is False and app.get("ShouldCover") is True
    assert app.present("touchid", ui="none") is True


def test_an_app_that_was_not_open_is_left_alone(desk, client, app, logind):
    turn_on(app)
    app.lock()
    app.cancel()
    logind.prepare_for_sleep(True)
    logind.prepare_for_sleep(False)
    desk.manager(client).wait_for("SessionState", "active")
    client.sync()
    assert app.showing is False


def test_apps_come_after_the_session_and_one_at_a_time(desk, client, session, logind):
    turn_on(session)
    held = []
    for name in ("org.example.One", "org.example.Two"):
        app = turn_on(desk.app(name, client))
        app.hold()
        app.present("touchid")
        assert app.outcome(RIGHT) == "accepted"
        held.append(app)
    logind.prepare_for_sleep(True)
    session.wait_for("IsShowingAuth", True)
    logind.prepare_for_sleep(False)
    desk.manager(client).wait_for("SessionState", "active")
    assert [a.showing for a in held] == [False, False]
    assert session.outcome(RIGHT) == "accepted"
    wait_until(lambda: any(a.showing for a in held), 3)
    assert sorted(a.showing for a in held) == [False, True]
    first = next(a for a in held if a.showing)
    second = next(a for a in held if a is not first)
    assert first.outcome(RIGHT) == "accepted"
    second.wait_for("IsShowingAuth", True)
    assert second.outcome(RIGHT) == "accepted"


def test_sleep_waits_for_covered(desk, client, app, logind):
    turn_on(app)
    cookie = app.hold(confirm_cover=True)
    inhibitor = logind.sleep_inhibitors[0]
    logind.prepare_for_sleep(True)
    app.wait_for("ShouldCover", True)
    settle(0.5)
    assert inhibitor.held
    told = time.monotonic()
    app.covered(cookie)
    wait_until(lambda: not inhibitor.held, 2)
    assert inhibitor.released - told < 0.5
    logind.prepare_for_sleep(False)
    logind.wait_inhibited()


def test_covered_that_never_comes_holds_up_for_60_percent_only(world):
    world.surround(logind=False)
    world.start_logind(delay_usec=1_000_000)
    world.start_service()
    client = world.client()
    app = turn_on(world.app("org.example.App", client))
    app.hold(confirm_cover=True)
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    inhibitor = world.logind.wait_inhibited()
    began = world.logind.prepare_for_sleep(True)
    wait_until(lambda: not inhibitor.held, 3)
    assert 0.5 < inhibitor.released - began < 0.8


def test_covered_by_a_holder_that_leaves(desk, client, logind):
    app = turn_on(desk.app("org.example.App", client))
    holder = desk.client()
    held = Authenticator(holder, app.path)
    held.hold(confirm_cover=True)
    inhibitor = logind.sleep_inhibitors[0]
    logind.prepare_for_sleep(True)
    settle(0.3)
    assert inhibitor.held
    holder.close()
    desk.clients.remove(holder)
    wait_until(lambda: not inhibitor.held, 2)


def test_without_a_confirming_hold_sleep_is_not_held_up(desk, client, app, logind):
    turn_on(app)
    inhibitor = logind.sleep_inhibitors[0]
    began = logind.prepare_for_sleep(True)
    wait_until(lambda: not inhibitor.held, 2)
    assert inhibitor.released - began < 0.5


def test_a_try_under_way_at_background_is_void(desk, client, app, logind):
    turn_on(app)
    app.lock()
    pending = app.start("SubmitPasscode", "s", RIGHT)
    client.sync()  # it has arrived
    logind.prepare_for_sleep(True)
    refused("SystemCancel", pending.wait)
    app.wait_for("IsAuthenticated", False)
    desk.manager(client).wait_for("SessionState", "asleep")
    refused("InvalidContext", app.submit, RIGHT)
    logind.prepare_for_sleep(False)
    desk.manager(client).wait_for("SessionState", "active")
    if not app.showing:
        app.present("touchid", ui="none")
    assert app.outcome(RIGHT) == "accepted"
