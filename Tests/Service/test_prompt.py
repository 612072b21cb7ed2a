"""The service's own prompt, from the service's side: a process on a channel that is never waited for (section 10)."""

import os
import random
import signal
import struct
import time

import pytest

from kit.acts import CANARY, RIGHT, WRONG, turn_on
from kit.loop import wait_until
from kit.objects import refused
from kit.prompt import Desk


@pytest.fixture
def screen(world):
    """The usual surroundings, and a display with nobody at it."""
    world.surround()
    screen = Desk(world)
    world.start_service()
    yield screen
    screen.close()


@pytest.fixture
def session(world, screen):
    return turn_on(world.session(), ui="terminal")


def locked(session, screen):
    session.lock()
    return screen.next().hello()


def test_a_lock_is_shown_and_answered(session, screen):
    client = session.client
    start = client.mark()
    prompt = locked(session, screen)
    view = prompt.view(security_type="touchid", takes_keys=True, is_session=True, busy=False)
    assert view["digits"] == 4 and view["can_cancel"] is False and view["animated"] is False
    assert view["TintColor"] == "#ff2d55" and view["NightMode"] == "auto" and view["ParallaxMode"] is True
    assert not client.signals("AuthViewShown", session.path, start)
    prompt.shown()
    wait_until(lambda: client.signals("AuthViewShown", session.path, start), 3)
    assert prompt.entry(WRONG, 7) == "wrong"
    assert prompt.view(fail_count=1)["description"]
    assert prompt.entry("12", 8) == "InvalidPasscode"
    assert prompt.entry(RIGHT, 9) == "accepted"
    prompt.wait(lambda: prompt.dismissed, "the end")
    assert prompt.dismissed[0] == "success"
    assert session.authenticated is True
    prompt.ended(3)


def test_a_change_of_the_looks_is_told_at_once(session, screen):
    prompt = locked(session, screen)
    prompt.view(TintColor="#ff2d55")
    session.set("TintColor", "s", "#00aa00")
    prompt.view(TintColor="#00aa00")


def test_all_of_a_flow_in_the_prompt(session, screen):
    session.present("three")
    prompt = screen.next().hello().shown()
    prompt.view(security_type="three", animated=True, step=1)
    assert prompt.entry(RIGHT) == "next"
    prompt.view(step=2)
    prompt.send("N", struct.pack("<I", 2))
    wait_until(lambda: session.view()["filled"] == 2, 3)
    refused("Busy", session.submit, "8642")
    assert prompt.entry("8642", 2) == "next"
    assert prompt.entry("8643", 3) == "mismatch"
    assert prompt.entry("8642", 4) == "next"
    assert prompt.entry("8642", 5) == "accepted"
    assert session.authenticated is True
    assert session.call("VerifyPasscode", "s", "8642") == 1


def test_cancel_in_the_prompt(session, screen):
    session.present("once")
    prompt = screen.next().hello()
    prompt.view(can_cancel=True)
    prompt.send("C")
    prompt.wait(lambda: prompt.dismissed, "the end")
    assert prompt.dismissed[0] == "UserCancel"
    assert session.authenticated is True
    lock = locked(session, screen)
    lock.send("C")
    lock.view(security_type="touchid")
    assert session.showing is True and session.authenticated is False


def test_a_terminal_has_no_prompt_beside_it(session, screen):
    session.present("once", ui="terminal")
    assert screen.none(0.3)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_prompt_that_dies_is_replaced_and_grants_nothing(session, screen, number):
    prompt = locked(session, screen).shown()
    prompt.view(security_type="touchid")
    began = time.monotonic()
    prompt.kill(number)
    second = screen.next(2).hello()
    assert time.monotonic() - began < 0.5
    assert session.showing is True and session.authenticated is False
    second.view(security_type="touchid")
    assert second.entry(RIGHT) == "accepted"


def test_the_waits_between_deaths(session, screen):
    session.lock()
    gaps = []
    last = time.monotonic()
    for _ in range(6):
        prompt = screen.next(3)
        now = time.monotonic()
        gaps.append(now - last)
        prompt.kill()
        last = time.monotonic()
    # 0, 0, 100 ms, doubling; a start takes its own time.
    assert gaps[1] < 0.3 and gaps[2] < 0.3
    assert 0.1 <= gaps[3] < 0.5 and 0.2 <= gaps[4] < 0.6 and 0.4 <= gaps[5] < 0.8


def test_a_stopped_prompt_is_replaced_and_holds_nothing_up(session, screen):
    prompt = locked(session, screen).shown()
    prompt.view(security_type="touchid")
    prompt.kill(signal.SIGSTOP)
    began = time.monotonic()
    session.set("TintColor", "s", "#00aa00")
    assert time.monotonic() - began < 0.5
    second = screen.next(6).hello()
    assert second.view(TintColor="#00aa00")
    assert second.entry(RIGHT) == "accepted"
    wait_until(lambda: not os.path.exists(f"/proc/{prompt.pid}"), 5)


def test_one_that_shows_nothing_is_replaced_and_the_next_gets_longer(session, screen, world):
    """It reads and answers, but no first frame comes: on a screen there is nothing."""
    prompt = locked(session, screen)
    began = time.monotonic()
    prompt.view(security_type="touchid")
    wait_until(lambda: prompt.take() or prompt.has_ended, 8, "the end of the one that shows nothing")
    assert 4.5 < time.monotonic() - began < 7
    second = screen.next(2).hello()
    assert "has shown nothing in 5 s" in world.log
    # A machine that is only slow is not kept from showing it for ever.
    assert screen.none(6)
    second.shown()
    assert second.entry(RIGHT) == "accepted"


@pytest.mark.parametrize(
    "datagram",
    [b"?", b"H" + b"\0" * 4, b"E\0", b"S" + b"x", b"F" + b"A" * 10, b"N\0\0", b"E" + b"\0" * 9000, b"H\1\0\0\0"],
    ids=["letter", "version", "short", "long", "name", "number", "huge", "twice"],
)
def test_nonsense_ends_a_prompt(session, screen, world, datagram):
    prompt = locked(session, screen)
    prompt.view(security_type="touchid")
    prompt.connection.send(datagram)
    second = screen.next(2).hello()
    assert session.authenticated is False
    assert second.entry(RIGHT) == "accepted"
    assert "prompt: sent" in world.log


def test_nothing_is_taken_before_the_greeting(session, screen):
    session.lock()
    prompt = screen.next()
    prompt.connection.send(b"E" + struct.pack("<I", 1) + RIGHT.encode())
    screen.next(2)
    assert session.authenticated is False


def memory(pid):
    """What is this process's own, in KiB."""
    with open(f"/proc/{pid}/smaps_rollup") as rollup:
        return sum(int(line.split()[1]) for line in rollup if line.startswith(("Private_Dirty", "Private_Clean")))


def test_ten_thousand_random_messages(session, screen, world):
    """Well-formed ones in any order: nothing is granted, nothing counted that is no entry, and the service lives.

    What it keeps of them is nothing: the last eight thousand take no memory.
    """
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    prompt = locked(session, screen)

    def number():
        return struct.pack("<I", chance.randrange(1 << 32))

    def garbage():
        # Never four digits: that would be a try like any other.
        return bytes(chance.choice(b"abcxyz\xff\x80") for _ in range(chance.choice([0, 1, 4, 64, 5000])))

    makers = {
        "E": lambda: number() + garbage(),
        "A": lambda: number() + garbage(),
        "N": number,
        "F": lambda: chance.choice([b"", b"right-thumb", b"nose", b"-"]),
        "P": number,
        **dict.fromkeys("SBCK", lambda: b""),
    }
    for count in range(10_000):
        letter = chance.choice(list(makers))
        prompt.send(letter, makers[letter]())
        if count % 20 == 0:
            # A prompt that does not read what it is told is replaced: it reads.
            assert prompt.entry("ab", 1_000_000 + count) == "InvalidPasscode"
            assert session.authenticated is False
            # The test's own record of what it is told would grow too.
            prompt.views, prompt.outcomes = prompt.views[-1:], []
        if count == 2_000:
            before = memory(world.service.pid)
    grown = memory(world.service.pid) - before
    print(f"{grown} KiB more than {before}")
    assert grown < 1024, f"{grown} KiB more than {before}"
    assert session.authenticated is False and session.showing is True
    assert session.get("FailCount") == 0
    assert not prompt.has_ended and world.service.running
    assert prompt.entry(RIGHT, 4242) == "accepted"


def test_noise_costs_the_prompt_that_makes_it_and_nothing_else(session, screen, world):
    """Random bytes: a prompt that sends them is replaced, whatever they are; the view stays, and nothing is granted."""
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance = random.Random(seed)
    for _ in range(6):
        session.present("once")
        for _ in range(2):
            prompt = screen.next().hello()
            prompt.view(security_type="once")
            deadline = time.monotonic() + 5
            while not prompt.has_ended:
                # No digit in it: four of them would be a try.
                letter = chance.choice(b"EANFPSBKHVODxyz\0\xff")
                noise = bytes([letter]) + bytes(chance.randrange(58, 256) for _ in range(chance.choice([0, 1, 3, 4, 9, 300])))
                try:
                    prompt.connection.send(noise)
                except OSError:
                    break
                prompt.take(0.002)
                assert time.monotonic() < deadline
            prompt.ended()
        assert session.showing is True and session.authenticated is False and session.get("FailCount") == 0
        last = screen.next().hello()
        last.view(security_type="once")
        session.cancel()
        last.ended()
        assert session.authenticated is True
    assert world.service.running


def test_idle_is_cleared_by_a_key_and_the_key_is_no_entry(session, screen, world):
    manager = world.manager()
    manager.call("ReportIdle", "b", True)
    prompt = screen.next().hello().shown()
    prompt.view(takes_keys=False)
    assert prompt.entry(RIGHT) == "InvalidContext"
    prompt.send("K")
    prompt.view(takes_keys=True)
    assert manager.get("SessionState") == "active"
    assert prompt.entry(RIGHT, 2) == "accepted"


def test_the_inhibitor_waits_for_the_first_frame(session, screen, world):
    world.logind.prepare_for_sleep(True)
    prompt = screen.next().hello()
    prompt.view(takes_keys=False)
    assert len(world.logind.sleep_inhibitors) == 1
    prompt.shown()
    wait_until(lambda: not world.logind.sleep_inhibitors, 3)


def test_a_prompt_that_hangs_holds_no_sleep_up_for_long(session, screen, world):
    world.logind.prepare_for_sleep(True)
    screen.next().hello()
    began = time.monotonic()
    wait_until(lambda: not world.logind.sleep_inhibitors, 6)
    assert time.monotonic() - began < 4


def test_a_passcode_leaves_no_trace(world, screen):
    session = turn_on(world.session(), CANARY, ui="terminal", digits=len(CANARY))
    prompt = locked(session, screen)
    assert prompt.entry(CANARY) == "accepted"
    assert CANARY not in world.log
    with open(f"/proc/{world.service.pid}/maps") as maps:
        regions = [line.split() for line in maps if "rw" in line.split()[1]]
    with open(f"/proc/{world.service.pid}/mem", "rb") as memory:
        for region in regions:
            first, last = (int(end, 16) for end in region[0].split("-"))
            try:
                memory.seek(first)
                assert CANARY.encode() not in memory.read(last - first), region
            except (OSError, ValueError, OverflowError):
                continue


def test_without_a_display_there_is_none(world):
    world.surround()
    screen = Desk(world)
    del world.extra_env["DISPLAY"]
    world.start_service()
    session = turn_on(world.session(), ui="terminal")
    session.lock()
    assert screen.none(0.3)
    world.logind.prepare_for_sleep(True)
    wait_until(lambda: not world.logind.sleep_inhibitors, 2)
    screen.close()


def test_the_program_is_the_one_beside_the_service(world):
    """Without it the view waits for a terminal."""
    world.surround()
    world.extra_env.update(DISPLAY=":prompt", SMILEAUTH_PROMPT="/nonexistent")
    world.start_service()
    session = turn_on(world.session(), ui="terminal")
    session.lock()
    assert session.outcome(RIGHT) == "accepted"
