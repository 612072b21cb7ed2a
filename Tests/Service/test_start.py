"""What a start finds: the record of states, causes that stand, a suspend in between (section 7)."""

import os
import shutil

import pytest

from kit.acts import RIGHT, turn_on
from kit.loop import wait_until
from kit.objects import refused


def test_first_suspend_after_login(world):
    """Turned on in an earlier login; a new one starts unauthenticated and open, and its first resume asks."""
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    # A logout empties the runtime folder's record.
    for name in os.listdir(world.runtime):
        if name != "keyring":
            path = os.path.join(world.runtime, name)
            if os.path.isfile(path):
                os.unlink(path)
            else:
                shutil.rmtree(path)
    world.start_service()
    session = world.session()
    assert session.authenticated is False and session.showing is False
    world.logind.wait_inhibited()
    world.logind.prepare_for_sleep(True)
    session.wait_for("IsShowingAuth", True)
    world.logind.prepare_for_sleep(False)
    world.manager().wait_for("SessionState", "active")
    assert session.showing is True
    assert session.outcome(RIGHT) == "accepted"


def test_restart_while_open_is_not_locked(world):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.restart_service()
    session = world.session()
    assert session.authenticated is False and session.showing is False


@pytest.mark.parametrize("how", ["kill", "term"])
def test_restart_while_locked_is_locked(world, how):
    world.surround()
    world.start_service()
    session = turn_on(world.session())
    session.lock()
    if how == "kill":
        world.kill_service()
    else:
        assert world.end_service() == 0
        world.wait_gone()
        world.expect_exit = False
    world.start_service()
    session = world.session()
    assert session.showing is True and session.get("ShouldCover") is True
    assert session.outcome(RIGHT) == "accepted"


def test_restart_while_asleep_is_locked(world):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.logind.wait_inhibited()
    world.kill_service()
    world.logind.manager["PreparingForSleep"] = True
    world.start_service()
    session = world.session()
    assert world.manager().get("SessionState") == "asleep"
    assert session.showing is True and session.authenticated is False
    refused("InvalidContext", session.submit, RIGHT)
    world.logind.prepare_for_sleep(False)
    world.manager().wait_for("SessionState", "active")
    assert session.outcome(RIGHT) == "accepted"


@pytest.mark.parametrize(
    "standing,state", [({"Active": False}, "away"), ({"IdleHint": True}, "idle"), ({"LockedHint": True}, "locked")]
)
def test_causes_that_stand_at_start(world, standing, state):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    world.logind.session.update(standing)
    world.start_service()
    session = world.session()
    assert world.manager().get("SessionState") == state
    assert session.showing is True and session.get("ShouldCover") is True
    world.logind.change(**{key: not value for key, value in standing.items()})
    world.manager().wait_for("SessionState", "active")
    assert session.outcome(RIGHT) == "accepted"


def runtime_record(world):
    found = [
        os.path.join(r, f)
        for r, _, fs in os.walk(world.runtime)
        for f in fs
        if "keyring" not in r and os.path.isfile(os.path.join(r, f))
    ]
    assert len(found) == 1, f"one file of states, not {found}"
    return found[0]


@pytest.mark.parametrize("content", [b"", b"garbage\0\xff", b"{"])
def test_an_unreadable_record_is_locked(world, content):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    with open(runtime_record(world), "wb") as file:
        file.write(content)
    world.start_service()
    session = world.session()
    assert session.showing is True and session.get("ShouldCover") is True


def test_a_suspend_while_the_service_was_away(world):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    world.clock.suspend(30)
    world.start_service()
    session = world.session()
    assert session.showing is True, "the stored gap grew"
    assert session.outcome(RIGHT) == "accepted"


def test_the_record_is_there_before_the_signal(world):
    """Frozen the moment the lock is seen on the bus, then killed: still locked at the next start."""
    world.surround()
    world.start_service()
    for _ in range(5):
        client = world.client()
        session = world.session(client)
        if session.get("HasPasscode"):
            session.present("touchid")
            if session.showing:
                session.outcome(RIGHT)
        else:
            turn_on(session)
        start = client.mark()
        session.start("Lock")
        wait_until(lambda: "IsAuthenticated" in client.changes(session.path, start), 3)
        world.restart_service()
        assert world.session().showing is True
