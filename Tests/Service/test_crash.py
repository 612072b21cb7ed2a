"""kill -9 at any moment of a change: afterwards the old state or the new one holds, never none, both or lost."""

import random
import time

import pytest

from kit.acts import RIGHT, turn_on
from kit.client import Failure, options
from kit.loop import CONTEXT, wait_until

OLD, NEW = "2468", "1357"
ROUNDS = 12


def matches(auth, passcode):
    """Whether it is this one; a wait that stands is crossed by the caller."""
    try:
        return auth.verify(passcode)
    except Failure as failure:
        assert failure.short == "PasscodeNotSet", failure
        return None


def state_after(world, name):
    """What holds after a restart: "off" or the one passcode that matches; anything else is a failure."""
    auth = world.app(name)
    wait_until(lambda: auth.get("StoreState") not in ("unavailable",), 8)
    store = auth.get("StoreState")
    assert store in ("ready", "unset"), f"the store says {store}"
    if store == "unset":
        assert auth.get("HasPasscode") is False and auth.get("UnlockRoute") == "login"
        assert matches(auth, OLD) is None and matches(auth, NEW) is None
        assert world.keyring.items() == [], "an item was left behind"
        return "off"
    old, new = matches(auth, OLD), matches(auth, NEW)
    assert [old, new].count(True) == 1, f"old matches: {old}, new matches: {new}"
    assert len(world.keyring.items()) == 1, "one was left behind"
    return OLD if old else NEW


def change_length(world, auth, act):
    """How long the change takes by itself, so that kills fall all over it."""
    began = time.monotonic()
    act(auth)
    return time.monotonic() - began


def hits(length, seed):
    """Moments all over the change, spread evenly and shaken; the last, None, is right after its reply."""
    shake = random.Random(seed)
    return [length * 1.2 * (i + shake.random()) / ROUNDS for i in range(ROUNDS)] + [None]


def spin(seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        CONTEXT.iteration(False)


def strike(world, pending, moment):
    """kill -9 at that moment, and a new start."""
    if moment is None:
        pending.wait()
    else:
        spin(moment)
    world.restart_service()


@pytest.fixture
def name(world):
    world.surround(logind=False)
    world.start_service()
    return "org.example.Crash"


def test_set_passcode_that_changes(world, name):
    auth = world.app(name)
    auth.set_passcode("", OLD)
    length = change_length(world, auth, lambda a: a.set_passcode(OLD, NEW))
    present, seen = NEW, set()
    for moment in hits(length, 1):
        other = OLD if present == NEW else NEW
        auth = world.app(name)
        strike(world, auth.start("SetPasscode", "ssa{sv}", present, other, options({})), moment)
        # The count of a try that was cut off may have been kept; it is never more than one.
        now = state_after(world, name)
        assert now in (present, other)
        seen.add(now == other)
        present = now
    assert seen == {True, False}, "the kills did not fall on both sides of the change"


def test_set_passcode_that_turns_on(world, name):
    auth = world.app(name)
    length = change_length(world, auth, lambda a: a.set_passcode("", OLD))
    auth.clear_passcode(OLD)
    seen = set()
    for moment in hits(length, 2):
        auth = world.app(name)
        strike(world, auth.start("SetPasscode", "ssa{sv}", "", OLD, options({})), moment)
        now = state_after(world, name)
        assert now in ("off", OLD)
        seen.add(now)
        if now == OLD:
            world.app(name).clear_passcode(OLD)
    assert seen == {"off", OLD}


def test_twice(world, name):
    auth = world.app(name)
    auth.present("twice", ui="none")
    auth.submit(OLD)
    length = change_length(world, auth, lambda a: a.submit(OLD))
    auth.clear_passcode(OLD)
    seen = set()
    for moment in hits(length, 3):
        auth = world.app(name)
        auth.present("twice", ui="none")
        auth.submit(OLD)
        strike(world, auth.start("SubmitPasscode", "s", OLD), moment)
        now = state_after(world, name)
        assert now in ("off", OLD)
        seen.add(now)
        if now == OLD:
            world.app(name).clear_passcode(OLD)
    assert seen == {"off", OLD}


def test_once(world, name):
    auth = world.app(name)
    auth.set_passcode("", OLD)
    auth.present("once", ui="none")
    length = change_length(world, auth, lambda a: a.submit(OLD))
    auth.set_passcode("", OLD)
    seen = set()
    for moment in hits(length, 4):
        auth = world.app(name)
        auth.present("once", ui="none")
        strike(world, auth.start("SubmitPasscode", "s", OLD), moment)
        now = state_after(world, name)
        assert now in ("off", OLD)
        seen.add(now)
        if now == "off":
            world.app(name).set_passcode("", OLD)
    assert seen == {"off", OLD}


def test_three(world, name):
    auth = world.app(name)
    auth.set_passcode("", OLD)
    present, other = OLD, NEW
    for moment in hits(0.25, 5)[::2]:
        auth = world.app(name)
        auth.present("three", ui="none")
        auth.submit(present)
        auth.submit(other)
        strike(world, auth.start("SubmitPasscode", "s", other), moment)
        now = state_after(world, name)
        assert now in (present, other)
        if now == other:
            present, other = other, present


def test_a_change_cut_off_by_the_keyring(world, name):
    """The provider dies in the middle: old or new, a named error, and everything works when it is back."""
    auth = world.app(name)
    auth.set_passcode("", OLD)
    length = change_length(world, auth, lambda a: a.set_passcode(OLD, NEW))
    present = NEW
    for moment in hits(length, 6)[:-1]:
        other = OLD if present == NEW else NEW
        pending = auth.start("SetPasscode", "ssa{sv}", present, other, options({}))
        spin(moment)
        world.keyring.kill()
        began = time.monotonic()
        try:
            pending.wait()
        except Failure as failure:
            assert failure.short == "StoreUnavailable", failure
        assert time.monotonic() - began < 6
        world.keyring.start()

        def which():
            try:
                return NEW if auth.verify(NEW) else OLD if auth.verify(OLD) else "neither"
            except Failure as failure:
                assert failure.short in ("StoreUnavailable", "Busy"), failure
                return None

        now = wait_until(which, 12)
        assert now in (present, other)
        present = now
        wait_until(lambda: len(world.keyring.items()) == 1, 6, "one item")


def test_a_kill_while_locked_locks_again(world, name):
    session = turn_on(world.session())
    session.lock()
    world.restart_service()
    again = world.session()
    # Before the name was there, the lock stood.
    assert again.showing is True and again.get("ShouldCover") is True and again.authenticated is False
    assert again.view()["security_type"] == "touchid"
    assert again.outcome(RIGHT) == "accepted"
