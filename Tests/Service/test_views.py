"""One view in front, the others in line; who may answer it, and what joins or displaces it (section 2)."""

import os

import pytest

from kit.acts import RIGHT, WRONG, turn_on, unchanged
from kit.loop import wait_until
from kit.objects import Authenticator, Request, refused


def other(authenticator, desk):
    """The same object seen by another connection."""
    return Authenticator(desk.client(), authenticator.path)


def apps(desk, client, count):
    return [desk.app(f"org.example.App{chr(65 + i)}", client) for i in range(count)]


def test_eight_wait_in_line(desk, client):
    queue = apps(desk, client, 10)
    for app in queue[:9]:
        assert app.present("twice") is True
    assert [a.showing for a in queue[:9]] == [True] + [False] * 8
    unchanged(queue[9], "Busy", queue[9].present, "twice")
    refused("InvalidContext", queue[1].submit, RIGHT)
    # A view that the app shows stands outside the line.
    assert queue[9].present("twice", ui="none") is True
    assert queue[9].showing is True
    start = client.mark()
    queue[0].cancel()
    client.sync()
    assert queue[1].showing is True and queue[2].showing is False
    assert client.changes(queue[1].path, start) == {"IsShowingAuth": True}
    assert client.signals("AuthViewPresented", queue[1].path, start)
    assert queue[1].outcome(RIGHT) == "next"


def test_a_view_in_line_is_cancelled_without_having_shown(desk, client):
    first, second = apps(desk, client, 2)
    first.present("twice")
    second.present("twice")
    start = client.mark()
    second.cancel()
    assert second.happened(start) == ["AuthViewDismissed UserCancel", "reply Cancel"]
    assert first.showing is True


def test_the_session_takes_the_front(desk, client, session):
    turn_on(session)
    (app,) = apps(desk, client, 1)
    app.present("twice")
    app.submit(RIGHT)
    start = client.mark()
    session.lock()
    assert session.showing is True and app.showing is False
    assert client.changes(app.path, start) == {"IsShowingAuth": False}
    refused("InvalidContext", app.submit, RIGHT)
    start = client.mark()
    assert session.outcome(RIGHT) == "accepted"
    wait_until(lambda: app.showing, 3)
    assert client.signals("AuthViewPresented", app.path, start)
    assert app.view()["filled"] == 0
    assert app.authenticated is False, "the session's success grants nothing to apps"
    # Its entry was wiped, its step stands or starts over; either way the right entries finish it.
    while app.outcome(RIGHT) == "next":
        pass
    assert app.get("HasPasscode") is True


def test_views_of_the_same_type_are_joined(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    start = client.mark()
    assert app.present("touchid") is True
    assert other(app, desk).present("touchid") is True
    client.sync()
    assert not client.signals("AuthViewPresented", app.path, start)
    assert not client.signals("AuthViewDismissed", app.path, start)


def test_another_type_ends_an_apps_view(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.present("three", ui="none")
    start = client.mark()
    assert app.present("once", ui="none") is True
    assert client.signals("AuthViewDismissed", app.path, start)[0].arguments == ("SystemCancel",)
    assert app.view()["security_type"] == "once"
    app.cancel()
    assert app.authenticated is True, "what the first view remembered was not lost"


def test_lock_ends_a_change(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.present("three", ui="none")
    start = client.mark()
    app.lock()
    assert client.signals("AuthViewDismissed", app.path, start)[0].arguments == ("SystemCancel",)
    assert app.view()["security_type"] == "touchid"
    assert app.authenticated is False
    app.cancel()
    assert app.authenticated is False


def test_changes_are_answered_by_who_presented_them(desk, client):
    for name in ("org.example.App",):
        app = desk.app(name, client)
        stranger = other(app, desk)
        app.present("twice", ui="none")
        refused("Busy", stranger.submit, RIGHT)
        assert app.outcome(RIGHT) == "next"
        refused("Busy", stranger.submit, RIGHT)
        assert app.outcome(RIGHT) == "accepted"
        for kind in ("once", "three"):
            app.present(kind, ui="none")
            refused("Busy", stranger.submit, RIGHT)
            refused("Busy", stranger.submit_bytes, RIGHT.encode())
            assert app.get("FailCount") == 0
            app.cancel()


def test_a_change_whose_answerer_leaves_is_given_up(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    leaver = desk.client()
    theirs = Authenticator(leaver, app.path)
    assert theirs.present("three", ui="none") is True
    assert theirs.outcome(RIGHT) == "next"
    seen = client.mark()
    leaver.close()
    assert client.wait_signal("AuthViewDismissed", app.path, seen).arguments == ("AppCancel",)
    assert app.view() == {} and app.authenticated is True, "what the view remembered, and no more"
    assert app.present("three", ui="none", digits=6) is True
    assert app.outcome(RIGHT) == "next" and app.view()["digits"] == 6


def test_an_unlock_view_takes_anybodys_entry(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    assert other(app, desk).outcome(RIGHT) == "accepted"


def test_a_terminal_serves_a_standing_view(desk, client, session):
    turn_on(session)
    session.lock()
    start = client.mark()
    terminal = other(session, desk)
    assert terminal.present("touchid", ui="terminal") is True
    client.sync()
    assert [e.arguments for e in client.signals("AuthViewShown", session.path, start)] == [("terminal",)]
    assert terminal.submit_bytes(RIGHT.encode())[0] == "accepted"


def test_terminal_view_by_its_present(desk, client):
    app = desk.app("org.example.App", client)
    start = client.mark()
    app.present("twice", ui="terminal")
    assert app.happened(start) == ["changed", "AuthViewPresented", "AuthViewShown terminal", "reply Present"]
    assert app.submit_bytes(RIGHT.encode())[0] == "next"
    assert app.submit_bytes(RIGHT.encode())[0] == "accepted"


def test_a_terminal_that_leaves_takes_its_waiters_only(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.hold()
    app.lock()
    terminal = desk.client()
    Authenticator(terminal, app.path).present("touchid", ui="terminal")
    terminal.close()
    desk.clients.remove(terminal)
    client.sync()
    assert app.get("IsShowingAuth") is True


def test_the_view_of_an_authenticate_ends_with_its_last_waiter(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.hold()
    app.lock()
    app.cancel()
    waiters = [desk.client(), desk.client()]
    for waiter in waiters:
        Authenticator(waiter, app.path).authenticate("x")
    assert app.showing is True
    start = client.mark()
    for waiter in waiters:
        assert app.showing is True
        waiter.close()
        desk.clients.remove(waiter)
        client.sync()
    wait_until(lambda: not app.showing, 3)
    assert client.signals("AuthViewDismissed", app.path, start)[0].arguments == ("AppCancel",)


def test_a_present_keeps_the_view_when_the_waiters_leave(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    waiter = desk.client()
    path = Authenticator(waiter, app.path).authenticate("x")
    Request(waiter, path).cancel()
    client.sync()
    assert app.showing is True


def test_an_idle_change_is_given_up_after_two_minutes(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.present("three", ui="none")
    start = client.mark()
    desk.clock.pass_time(119)
    client.sync()
    assert app.showing is True
    desk.clock.pass_time(2)
    client.sync()
    client.sync()
    assert client.wait_signal("AuthViewDismissed", app.path, start).arguments == ("SystemCancel",)
    assert app.authenticated is True, "an end by time restores"


def test_an_unlock_view_stands_for_ever(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    desk.clock.pass_time(4000)
    client.sync()
    client.sync()
    assert app.showing is True


def test_no_view_no_entry(session, app):
    for authenticator in (session, app):
        unchanged(authenticator, "InvalidContext", authenticator.submit, RIGHT)
        refused("InvalidContext", authenticator.submit_bytes, RIGHT.encode())
        assert authenticator.view() == {}


def test_a_view_says_who_asks_and_whether_that_is_verified(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    app.cancel()
    app.present("touchid", reason="read the diary")
    view = app.view()
    assert "read the diary" in view["reason"]
    assert view["requester"] == os.path.basename(os.path.realpath("/proc/self/exe")), "as its file is called"
    assert view["verified"] is False


def test_nobody_asks_at_the_sessions_lock(session):
    """It is for whoever comes back: who locked it is not who wants to know."""
    turn_on(session)
    session.lock()
    assert session.view()["security_type"] == "touchid" and session.view()["requester"] == ""


def test_the_session_success_does_not_open_an_app(desk, client, session, app):
    turn_on(session)
    turn_on(app)
    app.lock()
    session.lock()
    assert session.outcome(RIGHT) == "accepted"
    assert app.authenticated is False
    assert app.outcome(WRONG) == "wrong"
    assert app.outcome(RIGHT) == "accepted"


def test_two_entries_at_once_are_tried_one_after_the_other_or_refused(app):
    turn_on(app)
    app.lock()
    first = app.start("SubmitPasscode", "s", WRONG)
    second = app.start("SubmitPasscode", "s", WRONG)
    assert first.wait()[0] == "wrong"
    refused("Busy", second.wait)
    assert app.get("FailCount") == 1


def test_verifications_over_all_wait_in_a_line_of_eight(desk, client):
    queue = apps(desk, client, 10)
    for app in queue:
        app.set_passcode("", RIGHT)
    pendings = [app.start("VerifyPasscode", "s", RIGHT) for app in queue]
    answers = []
    for pending in pendings:
        try:
            answers.append(pending.wait())
        except Exception as failure:
            answers.append(failure.short)
    assert answers[:9] == [True] * 9
    assert answers[9] in (True, "Busy", "LimitsExceeded")


@pytest.mark.parametrize("how", ["Lock", "ChangeAuthentication"])
def test_a_try_overtaken_by_a_lock_is_void(app, how):
    turn_on(app)
    app.lock()
    pending = app.start("SubmitPasscode", "s", RIGHT)
    other_end = app.start("Lock") if how == "Lock" else app.start("ChangeAuthentication", "b", False)
    refused("SystemCancel", pending.wait)
    other_end.wait()
    assert app.authenticated is False


def test_joining_widens_and_never_narrows(desk, client):
    first, second = apps(desk, client, 2)
    turn_on(second)
    second.lock()
    second.cancel()
    first.present("twice")
    assert second.present("touchid", ui="none") is True
    assert second.showing is True, "it stands outside the line"
    second.present("touchid")
    assert second.showing is False, "widened, it waits behind the one in front"
    second.present("touchid", ui="none")
    assert second.showing is False
    first.cancel()
    second.wait_for("IsShowingAuth", True)
    assert second.outcome(RIGHT) == "accepted"
