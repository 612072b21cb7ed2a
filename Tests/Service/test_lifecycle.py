"""The session's lifecycle on a stand-in logind: causes, Background, Foreground, sleep (section 7)."""

import pytest

from kit.acts import RIGHT, WRONG, suspend, turn_on
from kit.logind import FakeLogind
from kit.loop import settle, wait_until
from kit.objects import Authenticator, refused


@pytest.fixture
def logind(desk):
    desk.logind.wait_inhibited()
    return desk.logind


def test_sleep_locks_and_resume_asks(desk, client, session, logind):
    turn_on(session)
    start = client.mark()
    logind.prepare_for_sleep(True)
    session.wait_for("IsShowingAuth", True)
    assert session.authenticated is False and session.get("ShouldCover") is True
    events = [str(e) for e in client.since(start, session.path) if e.kind in ("changed", "signal")]
    assert events[:2] == ["changed", "AuthViewPresented"]
    # Keys are off until somebody is there.
    refused("InvalidContext", session.submit, RIGHT)
    assert session.get("FailCount") == 0
    start = client.mark()
    logind.prepare_for_sleep(False)
    desk.manager(client).wait_for("SessionState", "active")
    assert session.showing is True and session.authenticated is False
    assert session.outcome(WRONG) == "wrong"
    assert session.outcome(RIGHT) == "accepted"
    assert session.authenticated is True


def test_the_inhibitor_is_released_after_the_lock_was_signalled_and_taken_again(desk, client, session, logind):
    """At the very moment of the release the service is frozen: whatever it had not sent by then never comes."""
    turn_on(session)
    for _ in range(10):
        inhibitor = logind.wait_inhibited()
        inhibitor.freeze = desk.service.pid
        start = client.mark()
        began = logind.prepare_for_sleep(True)
        wait_until(lambda: not inhibitor.held, 4)
        client.round_trip()
        changes = client.changes(session.path, start)
        assert changes["IsAuthenticated"] is False and changes["ShouldCover"] is True
        assert client.signals("AuthViewPresented", session.path, start)
        assert inhibitor.released - began < 1.0
        desk.service.go_on()
        assert not logind.sleep_inhibitors, "taken again before the resume"
        logind.prepare_for_sleep(False)
        logind.wait_inhibited()
        assert session.outcome(RIGHT) == "accepted"
    taken = [i for i in logind.inhibitors if "sleep" in i.what]
    assert len(taken) == 11 and all(i.mode == "delay" for i in taken)


def test_an_unlocked_session_without_a_lock_is_not_held_up(desk, client, session, logind):
    inhibitor = logind.sleep_inhibitors[0]
    began = logind.prepare_for_sleep(True)
    wait_until(lambda: not inhibitor.held, 3)
    assert inhibitor.released - began < 0.5
    assert session.showing is False and session.get("ShouldCover") is False
    logind.prepare_for_sleep(False)
    logind.wait_inhibited()


def test_a_refused_inhibitor_is_asked_for_again(desk, client, session, logind):
    turn_on(session)
    logind.inhibit_error = "org.freedesktop.login1.OperationInProgress"
    suspend(desk)
    settle(0.3)
    logind.inhibit_error = None
    logind.wait_inhibited(10)
    assert session.showing is True


def test_locked_hint_follows_the_lock(desk, client, session, logind):
    turn_on(session)
    session.lock()
    wait_until(lambda: logind.session["LockedHint"] is True, 3)
    client.sync()
    assert desk.manager(client).get("SessionState") == "active", "the hint that we set is no cause"
    assert session.outcome(RIGHT) == "accepted"
    wait_until(lambda: logind.session["LockedHint"] is False, 3)
    assert session.authenticated is True


def test_logind_lock_is_lock(desk, client, session, app, logind):
    turn_on(session)
    turn_on(app)
    session.set("TimeoutInterval", "d", 600.0)
    session.lock()
    session.outcome(RIGHT)
    start = client.mark()
    logind.lock()
    session.wait_for("IsShowingAuth", True)
    assert session.authenticated is False, "no grace"
    app.wait_for("IsAuthenticated", False)
    assert desk.manager(client).get("SessionState") == "active"
    before = client.mark()
    logind.lock()
    client.sync()
    settle(0.2)
    assert not [e for e in client.since(before, session.path) if e.kind != "reply"], "already locked: nothing"
    assert session.outcome(RIGHT) == "accepted"
    app.wait_for("IsShowingAuth", True)
    assert client.signals("AuthViewPresented", app.path, start)


def test_unlock_is_ignored(desk, client, session, logind):
    turn_on(session)
    session.lock()
    logind.unlock()
    logind.change(LockedHint=False)
    settle(0.2)
    assert session.showing is True and session.authenticated is False


def test_a_session_that_goes_away_locks(desk, client, session, logind):
    turn_on(session)
    logind.change(Active=False)
    desk.manager(client).wait_for("SessionState", "away")
    assert session.authenticated is False and session.showing is True
    refused("InvalidContext", session.submit, RIGHT)
    logind.change(Active=True)
    desk.manager(client).wait_for("SessionState", "active")
    assert session.outcome(RIGHT) == "accepted"


def test_idle_hint_alone_locks(desk, client, session, logind):
    turn_on(session)
    logind.change(IdleHint=True)
    desk.manager(client).wait_for("SessionState", "idle")
    assert session.authenticated is False and session.showing is True
    logind.change(IdleHint=False)
    desk.manager(client).wait_for("SessionState", "active")
    assert session.authenticated is False and session.showing is True
    assert session.outcome(RIGHT) == "accepted"


def test_somebody_elses_locked_hint_is_a_screen_lock(desk, client, session, logind):
    turn_on(session)
    logind.change(LockedHint=True)
    desk.manager(client).wait_for("SessionState", "locked")
    assert session.authenticated is False
    logind.change(LockedHint=False)
    desk.manager(client).wait_for("SessionState", "active")
    assert session.authenticated is False, "it only clears"
    assert session.outcome(RIGHT) == "accepted"


def test_an_entry_from_a_terminal_clears_idle(desk, client, session, logind):
    turn_on(session)
    desk.manager(client).report_idle(True)
    assert session.showing is True
    refused("InvalidContext", session.submit, RIGHT)
    terminal = Authenticator(desk.client(), session.path)
    terminal.present("touchid", ui="terminal")
    assert terminal.submit_bytes(RIGHT.encode())[0] == "accepted"
    assert desk.manager(client).get("SessionState") == "active"


def test_lock_on_says_which_causes_lock(desk, client, session, logind):
    session.set("LockOn", "as", ["sleep"])
    turn_on(session)
    desk.manager(client).report_idle(True)
    logind.change(Active=False)
    logind.change(LockedHint=True)
    desk.manager(client).wait_for("SessionState", "away")
    assert session.authenticated is True and session.showing is False and session.get("ShouldCover") is False
    logind.prepare_for_sleep(True)
    session.wait_for("IsAuthenticated", False)


def test_a_second_cause_while_one_stands_locks_too(desk, client, session, logind):
    session.set("LockOn", "as", ["sleep"])
    turn_on(session)
    desk.manager(client).report_idle(True)
    assert session.authenticated is True
    logind.prepare_for_sleep(True)
    session.wait_for("IsShowingAuth", True)
    logind.prepare_for_sleep(False)
    desk.manager(client).wait_for("SessionState", "idle")
    refused("InvalidContext", session.submit, RIGHT)
    desk.manager(client).report_idle(False)
    assert session.outcome(RIGHT) == "accepted"


def test_an_open_change_at_suspend_then_cancel_is_locked(desk, client, session, app, logind):
    turn_on(session)
    turn_on(app)
    session.present("three", ui="none")
    session.submit(RIGHT)
    app.present("three", ui="none")
    start = client.mark()
    suspend(desk)
    assert client.signals("AuthViewDismissed", session.path, start)[0].arguments == ("SystemCancel",)
    assert client.signals("AuthViewDismissed", app.path, start)[0].arguments == ("SystemCancel",)
    refused("NotAuthorized", session.cancel)
    app.cancel()
    for authenticator in (session, app):
        assert authenticator.authenticated is False and authenticator.get("ShouldCover") is True
    assert session.view()["security_type"] == "touchid"
    assert session.outcome(RIGHT) == "accepted"
    # What the app's view remembered counts as its own: it was open, so it is asked for after the session.
    app.wait_for("IsShowingAuth", True)
    assert app.view()["security_type"] == "touchid"
    assert app.outcome(RIGHT) == "accepted"


def test_nothing_opens_while_a_cause_stands(desk, client, session, app, logind):
    turn_on(session)
    turn_on(app)
    logind.prepare_for_sleep(True)
    desk.manager(client).wait_for("SessionState", "asleep")
    for authenticator in (session, app):
        refused("InvalidContext", authenticator.set_passcode, RIGHT, "1111")
        refused("InvalidContext", authenticator.clear_passcode, RIGHT)
        refused("InvalidContext", authenticator.submit, RIGHT)
    with pytest.raises(Exception) as failure:
        app.change(True)
    assert failure.value.short in ("NotAuthorized", "InvalidContext")


def test_logind_restarted(desk, client, session, logind):
    turn_on(session)
    session.lock()
    wait_until(lambda: logind.session["LockedHint"], 3)
    desk.logind.restart()
    wait_until(lambda: logind.session["LockedHint"], 5, "LockedHint set again")
    logind.wait_inhibited()
    assert session.outcome(RIGHT) == "accepted"
    suspend(desk)
    assert session.showing is True


def test_logind_that_dies_asleep_clears_its_causes(desk, client, session, logind):
    turn_on(session)
    logind.prepare_for_sleep(True)
    desk.manager(client).wait_for("SessionState", "asleep")
    logind.crash()
    desk.manager(client).wait_for("SessionState", "active")
    assert "logind" not in desk.manager(client).get("SessionSources")
    assert session.showing is True and session.authenticated is False
    logind.manager["PreparingForSleep"] = False
    logind.start()
    wait_until(lambda: "logind" in desk.manager(client).get("SessionSources"), 5)
    logind.wait_inhibited()
    assert session.outcome(RIGHT) == "accepted"


def test_logind_that_comes_later(world):
    world.start_bus()
    world.start_keyring()
    world.start_system_bus()
    world.start_service()
    session = turn_on(world.session())
    world.logind = FakeLogind(world.system.address)
    world.logind.wait_inhibited()
    world.logind.prepare_for_sleep(True)
    session.wait_for("IsShowingAuth", True)


def test_how_fast_the_lock_is_signalled(desk, client, session, logind):
    """A loose bound; the numbers proper are the benchmark's."""
    turn_on(session)
    took = []
    for _ in range(10):
        start = client.mark()
        began = logind.prepare_for_sleep(True)
        wait_until(lambda: "IsAuthenticated" in client.changes(session.path, start), 3)
        at = next(e.at for e in client.events[start:] if e.kind == "changed" and e.path == session.path)
        took.append(at - began)
        logind.prepare_for_sleep(False)
        desk.manager(client).wait_for("SessionState", "active")
        session.outcome(RIGHT)
    assert sorted(took)[5] < 0.1, took
