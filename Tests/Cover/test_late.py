"""What comes late: keys that a stopped cover or a full feed held back, and covers that come up when all is over."""

import os
import signal

import pytest
from desk.cover import MAPPED
from desk.feed import PRESS, Gap, Key
from desk.screen import settle
from desk.session import COVERS
from kit.loop import wait_until
from kit.world import program


@pytest.fixture
def covered(desk):
    desk.lock = desk.cover().expect(MAPPED)
    return desk


def typed(messages):
    """Characters and gaps, in order."""
    return [m.text if isinstance(m, Key) else "gap" for m in messages if m is Gap or getattr(m, "phase", None) == PRESS]


def test_keys_that_a_stopped_cover_finds_late_are_no_input(covered):
    feed = covered.show_prompt(covered.lock)
    covered.me.key("1")
    assert typed(feed.all()) == ["1"]
    os.kill(covered.lock.pid, signal.SIGSTOP)
    covered.me.key("2", "3")
    settle(2.3)
    os.kill(covered.lock.pid, signal.SIGCONT)
    assert set(typed(feed.all())) == {"gap"}
    covered.me.key("4")
    assert typed(feed.all()) == ["4"]


def test_a_prompt_that_has_not_read_for_long_is_told_of_what_it_missed(covered):
    feed = covered.show_prompt(covered.lock)
    for _ in range(40):
        covered.me.key(*"1234567890")
    settle(0.5)
    held = typed(feed.all())
    assert len(held) < 400 and "gap" not in held
    covered.me.key("x", "y")
    assert typed(feed.all()) == ["gap", "x", "y"]


@pytest.mark.parametrize("is_next", [False, True])
def test_a_cover_that_comes_up_after_its_service_died_leaves_an_open_session(desk, session, is_next):
    """It was started, stopped before it had done anything, and goes on when the next service has looked already."""
    session.lock_it().open_it()
    if is_next:
        former = session.pid
        os.kill(former, signal.SIGKILL)
        wait_until(lambda: session.pid != former, 10, "its name to go")
        session.start()
        # It looks for what was left when it has its name.
        settle(1)
    late = desk.cover(env=session.world.env)
    late.lose_service()
    assert late.wait_exit(15) == 0
    session.wait_uncovered()
    assert session.gets_input()


def test_a_cover_that_lost_its_service_stays_over_a_locked_session(desk, session):
    session.lock_it()
    late = desk.cover(env=session.world.env)
    late.lose_service()
    wait_until(lambda: late.status is not None, 15, "the service's own cover to take over")
    assert session.is_desktop_hidden and len(desk.me.sheets()) >= 1
    wait_until(lambda: session.is_prompt_seen, 5, "the prompt")
    session.open_it()
    assert session.gets_input()


def test_a_cover_that_cannot_be_removed_at_first_is_removed_later(desk, make_session, tmp_path):
    """The lock opens while no cover lives, and the program is not there: an update replaces it."""
    link = str(tmp_path / "smileauth-cover")
    os.symlink(program("smileauth-cover"), link)
    session = make_session(env={"SMILEAUTH_COVER": link}).turn_on().lock_it()
    os.kill(session.pid, signal.SIGSTOP)
    os.kill(session.children(COVERS)[0], signal.SIGKILL)
    os.unlink(link)
    os.kill(session.pid, signal.SIGCONT)
    assert session.lock.outcome("2468") == "accepted"
    session.lock.wait_for("IsAuthenticated", True)
    settle(0.5)
    assert desk.me.sheets(), "or this proves nothing"
    os.symlink(program("smileauth-cover"), link)
    session.wait_uncovered()
    assert session.gets_input()
