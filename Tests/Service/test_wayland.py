"""The session's lock on Wayland, all of it: the service, its own prompt, and a compositor with ext-session-lock-v1."""

import os
import signal
import subprocess
import sys
import time

import pytest
from kit import names
from kit.acts import RIGHT, WRONG, turn_on
from kit.loop import settle, wait_until
from kit.world import program

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Rigs"))

from compositor import Compositor  # noqa: E402


class Screen:
    """A desk whose session can be locked, and the person at it."""

    def __init__(self, world):
        self.world = world
        self.compositor = Compositor(world.env)
        world.extra_env.update(WAYLAND_DISPLAY=self.compositor.name, SMILEAUTH_COVER="/nonexistent")

    def begin(self):
        self.world.start_service()
        self.client = self.world.client()
        self.session = turn_on(self.world.session(self.client), ui="terminal")
        return self

    @property
    def prompt(self):
        """The pid of who has locked; 0 for nobody."""
        return self.compositor.state["holder"]

    @property
    def locked(self):
        return self.compositor.locked

    @property
    def mark(self):
        return os.path.exists(os.path.join(self.world.runtime, "smileauth", "screen-locked"))

    def shown(self, mark):
        wait_until(lambda: self.client.signals("AuthViewShown", names.SESSION, mark), 5, "the prompt's first frame")

    def lock(self):
        mark = self.client.mark()
        self.session.lock()
        self.shown(mark)
        assert self.locked
        return self

    def type(self, passcode=RIGHT):
        settle(0.4)
        self.compositor.type(passcode)

    def open(self):
        self.type()
        self.session.wait_for("IsAuthenticated", True)
        self.wait_open()

    def wait_open(self):
        wait_until(lambda: not self.locked, 8, "the screen to open")
        wait_until(lambda: not self.mark, 3, "the mark to go")


@pytest.fixture
def screen(world):
    world.surround()
    made = Screen(world)
    yield made
    errors = made.compositor.errors
    made.compositor.close()
    assert errors == []


def test_a_lock_locks_the_session_and_the_passcode_opens_it(screen):
    screen.begin().lock()
    assert screen.compositor.said("mapped") == ["mapped one 1024x768"]
    screen.type(WRONG)
    screen.session.wait_for("FailCount", 1)
    assert screen.locked and not screen.session.authenticated
    # The row shakes.
    settle(1.0)
    screen.open()
    assert screen.compositor.said("unlocked") == ["unlocked"]
    # And once more: whatever the first prompt left does not hinder the second.
    screen.lock().open()


def test_a_prompt_that_is_killed_never_opens_the_screen(screen):
    screen.begin().lock()
    for _ in range(6):
        former = screen.prompt
        os.kill(former, signal.SIGKILL)
        wait_until(lambda: screen.prompt not in (0, former), 8, "the next prompt")
        assert screen.locked
    assert screen.compositor.said("unlocked") == []
    settle(0.2)
    screen.open()


def test_a_service_that_is_killed_leaves_the_screen_locked_and_the_next_one_opens_it(screen):
    screen.begin().lock()
    former = screen.prompt
    screen.world.kill_service()
    settle(0.3)
    assert screen.locked and screen.prompt == former
    screen.world.start_service()
    wait_until(lambda: screen.prompt not in (0, former), 8, "the next service's prompt")
    assert screen.locked and screen.compositor.said("unlocked") == []
    screen.session = screen.world.session(screen.client)
    screen.open()


def test_a_prompt_whose_service_dies_has_it_started_again(world):
    services = os.path.join(world.folder, "services")
    os.makedirs(services)
    with open(os.path.join(services, f"{names.BUS_NAME}.service"), "w") as file:
        file.write(f"[D-BUS Service]\nName={names.BUS_NAME}\nExec={program('smileauthd')}\n")
    world.start_logind()
    screen = Screen(world)
    world.start_bus(services)
    world.start_keyring()
    screen.begin().lock()
    former = screen.prompt
    try:
        world.expect_exit = True
        world.service.kill()
        wait_until(lambda: screen.prompt not in (0, former), 10, "the next service's prompt")
        assert screen.locked and screen.compositor.said("unlocked") == []
        screen.session = world.session(screen.client)
        screen.open()
    finally:
        pid = screen.client.call(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", names.BUS_NAME,
            to="org.freedesktop.DBus")
        os.kill(pid, signal.SIGTERM)
        screen.compositor.close()


def test_both_killed_the_next_service_locks_anew_and_opens(screen):
    screen.begin().lock()
    former = screen.prompt
    screen.world.kill_service()
    os.kill(former, signal.SIGKILL)
    screen.compositor.expect("abandoned locked=1")
    screen.world.start_service()
    wait_until(lambda: screen.prompt not in (0, former), 8, "the next service's prompt")
    assert screen.locked
    screen.session = screen.world.session(screen.client)
    settle(0.2)
    screen.open()


def test_what_a_service_finds_locked_and_open_at_once_is_opened(screen):
    screen.begin().lock()
    former = screen.prompt
    screen.world.kill_service()
    os.kill(former, signal.SIGKILL)
    # As if it had died between the word "open" on the disk and the prompt's.
    record = os.path.join(screen.world.runtime, "smileauth", "lock-state")
    with open(record) as file:
        text = file.read()
    assert "locked" in text
    with open(record, "w") as file:
        file.write(text.replace("locked", "open"))
    assert screen.locked and screen.mark
    screen.world.start_service()
    screen.wait_open()


def test_opened_on_a_terminal_while_no_prompt_lives(screen):
    screen.begin().lock()
    # Each death makes the next wait longer: no prompt for a while.
    for _ in range(5):
        former = screen.prompt
        os.kill(former, signal.SIGKILL)
        screen.compositor.expect("abandoned", 1)
        wait_until(lambda: screen.prompt not in (0, former), 8, "the next prompt")
    former = screen.prompt
    os.kill(former, signal.SIGKILL)
    wait_until(lambda: screen.prompt == 0, 3, "its end")
    screen.session.present("touchid", ui="terminal")
    assert screen.session.outcome(RIGHT) == "accepted"
    assert screen.session.authenticated
    screen.wait_open()


def test_a_prompt_that_hangs_as_the_session_opens_leaves_it_open_all_the_same(screen):
    screen.begin().lock()
    hung = screen.prompt
    os.kill(hung, signal.SIGSTOP)
    screen.session.present("touchid", ui="terminal")
    assert screen.session.outcome(RIGHT) == "accepted"
    screen.wait_open()


def test_a_lock_that_comes_while_the_screen_is_being_opened_stays(screen):
    screen.begin()
    for _ in range(6):
        screen.lock()
        screen.type()
        screen.session.wait_for("IsAuthenticated", True)
        mark = screen.client.mark()
        screen.session.lock()
        screen.shown(mark)
        settle(0.3)
        assert screen.locked and not screen.session.authenticated
        screen.open()


def test_a_terminal_that_asks_to_unlock_after_a_restart_is_not_left_alone(screen):
    """To ask for the session's lock is to lock it: the screen then has a prompt, whoever else serves the view."""
    screen.begin()
    screen.world.restart_service()
    session = screen.world.session(screen.client)
    session.present("touchid", ui="terminal")
    wait_until(lambda: screen.locked, 5, "the lock")
    assert session.outcome(RIGHT) == "accepted"
    screen.wait_open()


def test_a_view_of_an_open_session_locks_nothing(screen):
    screen.begin()
    screen.session.present("once")
    settle(0.5)
    assert not screen.locked and screen.compositor.said("asked") == []
    screen.session.call("Cancel")


def test_the_machine_sleeps_only_once_every_monitor_shows_the_lock(screen):
    screen.compositor.order("late 1")
    screen.compositor.add("two", 640, 480)
    screen.begin()
    inhibitor = screen.world.logind.wait_inhibited()
    began = time.monotonic()
    screen.world.logind.prepare_for_sleep(True)
    wait_until(lambda: not inhibitor.held, 5, "the inhibitor to go")
    assert len(screen.compositor.said("mapped")) == 2 and screen.locked
    assert max(when for when, line in screen.compositor.events if line.startswith(("mapped", "locked"))) > began
    screen.world.logind.prepare_for_sleep(False)
    screen.open()


def test_doctor_says_that_the_compositor_locks(screen):
    screen.begin()
    told = screen.world.run([program("smileauth"), "doctor"], "doctor")
    told.popen.wait(30)
    assert "ok    Cover             Wayland: the compositor locks the session" in told.output().decode()


def test_doctor_does_not_wait_for_a_compositor_that_hangs(screen):
    screen.begin()
    os.kill(screen.compositor.process.pid, signal.SIGSTOP)
    began = time.monotonic()
    told = screen.world.run([program("smileauth"), "doctor"], "doctor")
    told.popen.wait(30)
    os.kill(screen.compositor.process.pid, signal.SIGCONT)
    assert "does not answer: what a lock covers is not known" in told.output().decode()
    assert time.monotonic() - began < 10


def test_the_service_links_neither_gtk_nor_wayland():
    linked = subprocess.run(["ldd", program("smileauthd")], capture_output=True, text=True, check=True).stdout
    assert "libdbus-1" in linked
    for library in ("wayland", "xkb", "gtk", "cairo", "libX"):
        assert library not in linked
