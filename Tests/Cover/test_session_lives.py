"""Services, prompts and covers that are killed while the session is locked (section 10)."""

import os
import signal
import time

from desk.screen import settle
from desk.session import COVERS, PROMPT
from desk.xlib import ALREADY_GRABBED
from kit.loop import wait_until
from kit.world import program
from test_lives import Typist


def kill(pid, number=signal.SIGKILL):
    os.kill(pid, number)


def percentile(times):
    return sorted(times)[int(len(times) * 0.95) - 1]


def test_fifty_killed_prompts_give_the_application_nothing(desk, session):
    """The waits grow to seconds within one lock, so there are thirteen locks; each still opens afterwards."""
    killed = 0
    while killed < 50:
        session.lock_it()
        desk.victim.clear()
        typist = Typist(desk)
        typist.start()
        try:
            gone = []
            for _ in range(4):
                gone.append(session.wait_child(PROMPT, gone))
                settle(0.02)
                kill(gone[-1])
                killed += 1
            mark = session.client.mark()
            session.wait_shown(mark)
        finally:
            typist.stop()
        assert desk.victim.input() == [] and session.is_desktop_hidden
        assert session.lock.authenticated is False
        wait_until(lambda: session.lock.view()["filled"] == 0, 5)
        session.open_it()
    assert session.gets_input()


def open_for(desk, since):
    """Milliseconds from a kill to the last event that reached the application."""
    leaked = [when for _, when in desk.victim.input() if when >= since]
    return (max(leaked) - since) / 1e6 if leaked else 0.0


def test_killed_covers_are_replaced_and_the_prompt_is_fed_again(desk, session):
    session.lock_it()
    cover, prompt = session.children(COVERS)[0], session.children(PROMPT)
    desk.victim.clear()
    typist = Typist(desk)
    typist.start()
    times = []
    try:
        for _ in range(25):
            settle(0.1)
            desk.victim.clear()
            killed = time.monotonic_ns()
            kill(cover)
            cover = session.wait_child(COVERS, [cover])
            wait_until(lambda: desk.me.grab_keyboard() == ALREADY_GRABBED or desk.me.ungrab(), 5, "the next cover")
            settle(0.05)
            times.append(open_for(desk, killed))
            assert session.is_desktop_hidden
    finally:
        typist.stop()
    print(f"input reached the application for {max(times):.1f} ms at most, p95 {percentile(times):.1f} ms")
    assert percentile(times) < 100
    assert session.children(PROMPT) == prompt, "the same prompt all the time"
    wait_until(lambda: session.is_prompt_seen, 5)
    settle(1.2)
    session.open_it()
    assert session.gets_input()


def test_killed_services_leave_the_screen_covered_and_are_started_again(desk, session):
    session.lock_it()
    desk.victim.clear()
    times = []
    for _ in range(12):
        typist = Typist(desk)
        typist.start()
        try:
            pid = session.pid
            killed = time.monotonic_ns()
            kill(pid)
            session.wait_restarted(pid)
            settle(0.1)
        finally:
            typist.stop()
        times.append(open_for(desk, killed))
        assert session.is_desktop_hidden and session.lock.authenticated is False
    print(f"input reached the application for {max(times):.1f} ms at most, p95 {percentile(times):.1f} ms")
    assert percentile(times) < 100
    wait_until(lambda: len(desk.me.sheets()) == 1, 5, "one cover in the end")
    wait_until(lambda: session.is_prompt_seen, 10, "the prompt")
    settle(1.2)
    session.open_it()
    assert session.gets_input()
    wait_until(lambda: not ours(desk), 8, "every prompt and cover to leave")


def ours(desk):
    """Prompts and covers at this display, whoever started them."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/comm") as comm, open(f"/proc/{entry}/environ", "rb") as environ:
                mine = f"DISPLAY={desk.display}".encode() in environ.read().split(b"\0")
                if mine and comm.read().strip() in (PROMPT, COVERS):
                    found.append(int(entry))
        except OSError:
            continue
    return found


def test_a_service_that_is_told_to_end_while_locked_is_started_again(desk, session):
    """`systemctl --user stop` is no way past the lock."""
    session.lock_it()
    pid = session.pid
    kill(pid, signal.SIGTERM)
    session.wait_restarted(pid)
    assert session.is_desktop_hidden
    wait_until(lambda: session.is_prompt_seen, 10)
    session.open_it()
    assert session.gets_input()


def test_a_service_that_is_told_to_end_while_open_leaves_nothing(desk, session):
    session.lock_it().open_it()
    kill(session.pid, signal.SIGTERM)
    wait_until(lambda: not session.has_service, 10)
    wait_until(lambda: not ours(desk), 5)
    assert not desk.me.sheets()


def test_the_lock_opens_while_no_cover_lives(desk, session):
    """Its windows are over the screen when the passcode comes from a terminal: the next one removes them."""
    session.lock_it()
    kill(session.pid, signal.SIGSTOP)
    kill(session.children(COVERS)[0])
    kill(session.pid, signal.SIGCONT)
    assert session.lock.outcome("2468") == "accepted"
    session.wait_open()
    assert session.gets_input()


def test_a_cover_killed_while_it_leaves_leaves_nothing(desk, session):
    for wait in (0, 0.001, 0.003):
        session.lock_it()
        cover = session.children(COVERS)[0]
        kill(cover, signal.SIGSTOP)
        assert session.lock.outcome("2468") == "accepted"
        settle(wait)
        kill(cover)
        session.wait_open()
        assert session.gets_input()


def test_a_cover_that_hangs_when_it_is_to_leave_is_removed(desk, session):
    session.lock_it()
    kill(session.children(COVERS)[0], signal.SIGSTOP)
    assert session.lock.outcome("2468") == "accepted"
    session.wait_open()
    assert session.gets_input()


def test_a_service_that_starts_open_removes_what_was_left(desk, session):
    session.world.expect_exit = True
    kill(session.pid)
    wait_until(lambda: not session.has_service, 10)
    cover = desk.cover()
    cover.expect(b"M")
    cover.kill()
    assert desk.me.sheets()
    session.start()
    session.wait_uncovered()
    assert session.gets_input()


def test_locked_again_while_the_cover_leaves(desk, session):
    """One after the other: what the one that leaves takes down is never the next one's."""
    for _ in range(5):
        session.lock_it()
        assert session.lock.outcome("2468") == "accepted"
        mark = session.client.mark()
        session.lock.lock()
        session.wait_locked(mark)
        wait_until(lambda: session.is_prompt_seen, 5)
        assert desk.me.grab_keyboard() == ALREADY_GRABBED
        session.open_it()
    assert session.gets_input()


def test_a_cover_that_hangs_while_locked_is_replaced(desk, session):
    """It holds the devices for as long as it exists, and hands nothing on."""
    session.lock_it()
    first = session.children(COVERS)
    kill(first[0], signal.SIGSTOP)
    desk.victim.clear()
    # Asked every ten seconds, and given five.
    wait_until(lambda: session.children(COVERS) not in (first, []), 30, "the next cover")
    desk.me.key("a")
    wait_until(lambda: len(desk.me.sheets()) == 1 and session.is_prompt_seen, 5, "the prompt above it")
    assert desk.victim.input() == []
    session.open_it()
    assert session.gets_input()


def test_a_second_service_comes_and_goes_and_the_first_ones_cover_stays(desk, session):
    """It covers before it asks for the name, and ends because that is taken."""
    session.lock_it()
    desk.victim.clear()
    pid = session.pid
    second = session.world.run([program("smileauthd")], "second")
    wait_until(lambda: not second.running, 20, "the second to leave")
    assert second.status == 1 and session.pid == pid
    wait_until(lambda: len(ours(desk)) == 2 and len(session.children(COVERS)) == 1, 20, "only the first one's to stay")
    wait_until(lambda: session.is_prompt_seen, 5)
    desk.me.key("a")
    settle(0.2)
    assert desk.victim.input() == []
    session.open_it()
    assert session.gets_input()
