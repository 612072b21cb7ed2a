"""The lifecycle on a real systemd-logind (section 7).  Needs root."""

import pytest

from kit.acts import RIGHT, WRONG, turn_on
from kit.loop import settle, wait_until
from kit.objects import refused


@pytest.fixture
def machine(world):
    world.start_bus()
    world.start_keyring()
    # Before logind's monitor: of what came together on both buses the loop then takes the session bus's first.
    world.first_client = world.client()
    world.start_real_logind()
    world.start_service()
    world.real.wait_inhibited()
    return world


def locked_at(client, path, since):
    return next(
        (
            e.at
            for e in client.events[since:]
            if e.kind == "changed" and e.path == path and e.arguments[1].get("IsAuthenticated") is False
        ),
        None,
    )


@pytest.mark.parametrize("part", range(2))
def test_a_hundred_suspends(machine, part):
    """Two runs of fifty: never a lock missed, never the inhibitor gone before the lock was signalled, never held up."""
    client = machine.first_client
    session = turn_on(machine.session(client))
    for _ in range(50):
        start = client.mark()
        prepared, started = machine.real.suspend()
        client.sync()
        locked = locked_at(client, session.path, start)
        assert locked is not None, "a lock was missed"
        # logind starts the suspend when the last delay inhibitor is gone.  What two buses deliver to one process is
        # in order to a millisecond or two; the exact order is the next test's.
        assert locked <= started + 0.002, f"signalled {locked - started:.4f} s after the release"
        assert started - prepared < 2.0
        assert session.showing is True and session.authenticated is False
        machine.manager(client).wait_for("SessionState", "active")
        machine.real.wait_inhibited()
        assert session.outcome(RIGHT) == "accepted"


def test_the_lock_is_written_out_before_the_inhibitor_is_closed(machine):
    """By the system calls themselves."""
    client = machine.client()
    session = turn_on(machine.session(client))
    trace = ["strace", "-f", "-yy", "-s", "400", "-e", "trace=sendmsg,close", "-p", str(machine.service.pid)]
    tracer = machine.run(trace, "strace")
    wait_until(lambda: b"attached" in tracer.output(), 10)
    for _ in range(10):
        before = len(tracer.output())
        machine.real.suspend()
        session.wait_for("IsShowingAuth", True)
        machine.manager(client).wait_for("SessionState", "active")
        machine.real.wait_inhibited()
        calls = tracer.output()[before:].decode(errors="replace").splitlines()
        closed = next(i for i, line in enumerate(calls) if "close(" in line and "/inhibit/" in line)
        sent = [i for i, line in enumerate(calls) if "sendmsg(" in line and "org/smileauth/Auth1/session" in line]
        assert len([i for i in sent if i < closed]) >= 2, "the change and AuthViewPresented"
        assert session.outcome(RIGHT) == "accepted"
    tracer.end()


def test_exactly_one_inhibitor(machine):
    session = turn_on(machine.session())
    for _ in range(3):
        assert len(machine.real.wait_inhibited()) == 1
        machine.real.suspend()
        machine.real.wait_inhibited()
        session.outcome(RIGHT)
    assert len(machine.real.inhibitors()) == 1


def test_lock_session_and_unlock_session(machine):
    client = machine.client()
    session = turn_on(machine.session(client))
    machine.real.call("LockSession", "s", machine.real.session_id)
    session.wait_for("IsShowingAuth", True)
    wait_until(lambda: machine.real.session_get("LockedHint") is True, 3)
    machine.real.call("UnlockSession", "s", machine.real.session_id)
    settle(0.3)
    assert session.showing is True and session.authenticated is False
    assert machine.manager(client).get("SessionState") == "active"
    assert session.outcome(RIGHT) == "accepted"
    wait_until(lambda: machine.real.session_get("LockedHint") is False, 3)
    assert not machine.real.monitor.moments("LockSession")[1:], "the service called LockSession"


@pytest.mark.parametrize("kill", [False, True])
def test_logind_restarts(machine, kill):
    client = machine.client()
    session = turn_on(machine.session(client))
    session.lock()
    wait_until(lambda: machine.real.session_get("LockedHint") is True, 3)
    machine.real.restart(kill)
    wait_until(lambda: machine.real.session_get("LockedHint") is True, 10, "LockedHint set again")
    machine.real.wait_inhibited()
    assert session.outcome(RIGHT) == "accepted"
    start = client.mark()
    prepared, started = machine.real.suspend()
    assert locked_at(client, session.path, start) <= started + 0.002
    machine.manager(client).wait_for("SessionState", "active")
    assert session.outcome(RIGHT) == "accepted"


def test_logind_killed_asleep(world):
    """PrepareForSleep(false) never comes; the source's causes go with it, the lock stays."""
    world.start_bus()
    world.start_keyring()
    world.start_real_logind(sleep_seconds=30)
    world.start_service()
    world.real.wait_inhibited()
    client = world.client()
    session = turn_on(world.session(client))
    world.real.suspend(wait=False)
    world.manager(client).wait_for("SessionState", "asleep")
    refused("InvalidContext", session.submit, RIGHT)
    world.real.restart(kill=True)
    world.manager(client).wait_for("SessionState", "active")
    assert session.showing is True and session.authenticated is False
    assert session.outcome(RIGHT) == "accepted"


def test_idle_hint(machine):
    client = machine.client()
    session = turn_on(machine.session(client))
    call = machine.real.client.call
    name = "org.freedesktop.login1"
    call(machine.real.session_path, name + ".Session", "SetIdleHint", "b", True, to=name)
    session.wait_for("IsShowingAuth", True)
    assert machine.manager(client).get("SessionState") == "idle"
    call(machine.real.session_path, name + ".Session", "SetIdleHint", "b", False, to=name)
    machine.manager(client).wait_for("SessionState", "active")
    assert session.outcome(RIGHT) == "accepted"


def test_killed_while_asleep_locks_at_the_next_start(machine):
    client = machine.client()
    session = turn_on(machine.session(client))
    machine.real.suspend()
    session.wait_for("IsShowingAuth", True)
    machine.restart_service()
    session = machine.session()
    assert session.showing is True and session.get("ShouldCover") is True
    assert session.outcome(WRONG) == "wrong"
    assert session.outcome(RIGHT) == "accepted"


def test_suspend_right_after_the_start(world):
    world.start_bus()
    world.start_keyring()
    world.start_real_logind()
    world.start_service()
    turn_on(world.session())
    for _ in range(5):
        world.restart_service()
        world.real.wait_inhibited()
        world.real.suspend()
        session = world.session()
        session.wait_for("IsShowingAuth", True)
        world.manager().wait_for("SessionState", "active")
        assert session.outcome(RIGHT) == "accepted"


def test_covered_is_waited_for_by_a_real_logind(machine):
    client = machine.client()
    app = turn_on(machine.app("org.example.App", client))
    cookie = app.hold(confirm_cover=True)
    app.present("touchid", ui="none")
    app.outcome(RIGHT)
    machine.real.suspend(wait=False)
    app.wait_for("ShouldCover", True)
    settle(0.7)
    assert not machine.real.monitor.moments("StartUnit", "suspend.target")
    app.covered(cookie)
    wait_until(lambda: machine.real.monitor.moments("StartUnit", "suspend.target"), 1)


def test_the_session_is_found_by_auto(world):
    """Without XDG_SESSION_ID the service asks logind; here it is no member of a session, so the user's is taken."""
    world.start_bus()
    world.start_keyring()
    world.start_real_logind()
    world.extra_env["XDG_SESSION_ID"] = ""
    world.start_service()
    session = turn_on(world.session())
    world.real.wait_inhibited()
    world.real.call("LockSession", "s", world.real.session_id)
    session.wait_for("IsShowingAuth", True)
