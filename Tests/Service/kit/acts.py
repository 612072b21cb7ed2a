"""What tests do again and again."""

import time

from .objects import refused

RIGHT = "2468"
WRONG = "1357"
# For looking into what is written or shown: four digits also occur by chance, in a process id or an item's id.
CANARY = "73915573910246"


def turn_on(authenticator, passcode=RIGHT, **opts):
    """The flow `twice`, shown by the caller."""
    opts.setdefault("ui", "none")
    assert authenticator.present("twice", **opts) is True
    assert authenticator.outcome(passcode) == "next"
    assert authenticator.outcome(passcode) == "accepted"
    return authenticator


def turn_off(authenticator, passcode=RIGHT):
    assert authenticator.present("once", ui="none") is True
    assert authenticator.outcome(passcode) == "accepted"


def lock_and_open(authenticator, passcode=RIGHT):
    authenticator.lock()
    assert authenticator.outcome(passcode) == "accepted"


def fail(authenticator, times=1, wrong=WRONG):
    """Wrong entries into the view that stands."""
    for _ in range(times):
        assert authenticator.outcome(wrong) == "wrong"


def snapshot(authenticator):
    """All properties but the ones that tell time."""
    state = authenticator.all()
    state.pop("LockedOutUntil")
    state.pop("LockedOutUntilBoottime")
    return state


def unchanged(authenticator, short, call, *arguments, **keywords):
    """A call is refused and changes nothing that a client can read."""
    before = snapshot(authenticator)
    failure = refused(short, call, *arguments, **keywords)
    assert snapshot(authenticator) == before
    return failure


def suspend(desk, seconds=0.0):
    """PrepareForSleep(true), the clocks that a suspend moves, PrepareForSleep(false)."""
    desk.logind.prepare_for_sleep(True)
    desk.manager(desk.observer).wait_for("SessionState", "asleep")
    desk.clock.suspend(seconds)
    desk.logind.prepare_for_sleep(False)
    desk.manager(desk.observer).wait_for("SessionState", "active")
    for client in desk.clients:
        client.round_trip()


#: Every answer of a call that needs the store comes within this.
LIMIT = 6.0


def timed(call, *arguments, **keywords):
    began = time.monotonic()
    try:
        return call(*arguments, **keywords)
    finally:
        took = time.monotonic() - began
        assert took <= LIMIT, f"{took:.1f} s"
