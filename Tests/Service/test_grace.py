"""The grace over suspends, and suspends that nobody announced (sections 2 and 7)."""

import pytest

from kit.acts import RIGHT, WRONG, suspend, turn_on
from kit.loop import settle
from kit.objects import refused


@pytest.fixture
def logind(desk):
    desk.logind.wait_inhibited()
    return desk.logind


@pytest.mark.parametrize("asleep,asks", [(30, False), (90, True)])
def test_grace_over_a_suspend(desk, client, session, logind, asleep, asks):
    session.set("TimeoutInterval", "d", 60.0)
    turn_on(session)
    session.lock()
    assert session.outcome(RIGHT) == "accepted"
    start = client.mark()
    suspend(desk, asleep)
    if asks:
        assert session.showing is True and session.authenticated is False
        assert session.outcome(RIGHT) == "accepted"
    else:
        assert session.showing is False and session.authenticated is True
        assert client.signals("AuthViewDismissed", session.path, start)[-1].arguments == ("success",)
        assert not client.signals("AuthenticationSucceeded", session.path, start)
        # A grace entry does not renew itself.
        suspend(desk, 40)
        assert session.authenticated is False


def test_grace_is_strictly_less(desk, client, session, logind):
    session.set("TimeoutInterval", "d", 60.0)
    turn_on(session)
    session.lock()
    session.outcome(RIGHT)
    desk.clock.pass_time(60.5)
    assert session.present("touchid") is False, "still authenticated"
    suspend(desk)
    assert session.showing is True


def test_resuming_by_hand_while_asleep_grants_nothing(desk, client, session, logind):
    session.set("TimeoutInterval", "d", 3600.0)
    turn_on(session)
    session.lock()
    session.outcome(RIGHT)
    logind.prepare_for_sleep(True)
    desk.manager(client).wait_for("SessionState", "asleep")
    desk.manager(client).report_idle(False)
    assert desk.manager(client).get("SessionState") == "asleep"
    assert session.authenticated is False and session.showing is True
    refused("InvalidContext", session.submit, RIGHT)
    session.present("touchid")
    assert session.authenticated is False


def test_a_restart_and_a_counted_failure_end_the_grace(desk, client, session, app, logind):
    app.set("TimeoutInterval", "d", 600.0)
    turn_on(app)
    app.lock()
    assert app.outcome(RIGHT) == "accepted"
    app.present("three", ui="none")
    assert app.outcome(WRONG) == "wrong"
    app.cancel()
    assert app.present("touchid", ui="none") is True
    assert app.outcome(RIGHT) == "accepted"
    desk.restart_service()
    again = desk.app("org.example.App")
    assert again.present("touchid", ui="none") is True


def test_a_suspend_that_nobody_announced(desk, client, session, logind):
    turn_on(session)
    desk.clock.suspend(1.0)
    client.sync()
    assert session.authenticated is True, "under two seconds is no suspend"
    start = client.mark()
    desk.clock.suspend(30)
    # The very next message finds it locked already.
    assert session.authenticated is False
    assert session.showing is True and session.get("ShouldCover") is True
    assert client.signals("AuthViewPresented", session.path, start)
    assert desk.manager(client).get("SessionState") == "active"
    assert session.outcome(RIGHT) == "accepted"


def test_an_announced_suspend_is_not_counted_twice(desk, client, session, logind):
    turn_on(session)
    logind.prepare_for_sleep(True)
    desk.manager(client).wait_for("SessionState", "asleep")
    desk.clock.suspend(600)
    client.sync()
    logind.prepare_for_sleep(False)
    desk.manager(client).wait_for("SessionState", "active")
    assert session.outcome(RIGHT) == "accepted"
    client.sync()
    settle(0.2)
    assert session.authenticated is True


def test_a_missed_suspend_with_grace(desk, client, session, logind):
    session.set("TimeoutInterval", "d", 60.0)
    turn_on(session)
    session.lock()
    session.outcome(RIGHT)
    desk.clock.suspend(30)
    client.sync()
    assert session.authenticated is True
    desk.clock.suspend(40)
    assert session.authenticated is False
