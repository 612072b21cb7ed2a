"""`smileauth` on a terminal, where it is awkward: signals, keys at the wrong time, waits, other people's text."""

import signal

import pytest

from kit.acts import RIGHT, WRONG, turn_on
from kit.terminal import Terminal
from kit.world import program

DONE, REFUSED, USAGE, UNAVAILABLE = range(4)
APPLICATION = "org.example.App"


@pytest.fixture
def open_terminal(desk):
    opened = []

    def open_one(*arguments, **env):
        opened.append(Terminal(desk, [program("smileauth"), *arguments], f"terminal{len(opened)}", env))
        return opened[-1]

    return open_one


@pytest.fixture
def locked(session):
    turn_on(session)
    session.lock()
    return session


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV])
def test_whatever_signal_ends_it_the_echo_is_back(open_terminal, locked, number):
    screen = open_terminal("unlock")
    screen.wait_for("Enter 4 digit passcode")
    assert not screen.echoes, "the prompt is not there before the echo is gone"
    screen.program.signal(number)
    assert screen.end() != DONE
    assert screen.echoes
    assert locked.showing is True and locked.get("FailCount") == 0


def test_keys_that_are_no_entry_are_no_try(open_terminal, locked):
    screen = open_terminal("unlock")
    at = screen.wait_for("Enter 4 digit passcode")
    screen.enter("")
    at = screen.wait_for("Enter 4 digit passcode", after=at)
    screen.enter("12")
    at = screen.wait_for("digit", after=at)
    screen.enter("7" * 5000)
    at = screen.wait_for("longer than 4096 bytes", after=at)
    assert locked.get("FailCount") == 0
    # Taken back with Control-U and the backspace key; an arrow key is no part of it.
    screen.enter("99\x15" + RIGHT[:2] + "7\x7f\x1b[A" + RIGHT[2:])
    assert screen.end() == DONE
    assert locked.authenticated is True


def test_lines_typed_ahead_are_the_next_steps(open_terminal, session):
    screen = open_terminal("set")
    screen.wait_for("Enter 4 digit passcode")
    screen.type(f"{RIGHT}\n{RIGHT}\n")
    assert screen.end() == DONE
    assert RIGHT not in screen.text and session.get("HasPasscode") is True


def test_after_a_wait_it_asks_again_by_itself(desk, open_terminal, locked):
    screen = open_terminal("unlock", **desk.clock.env)
    at = screen.wait_for("Enter 4 digit passcode")
    for count in range(1, 5):
        screen.enter(WRONG)
        at = screen.wait_for(f"{count} Failed Passcode Attempt", after=at)
    screen.enter(WRONG)
    at = screen.wait_for("Try again in", after=at)
    screen.enter(RIGHT)
    desk.clock.pass_time(61)
    screen.wait_for("Passcode:", after=at)
    assert locked.showing is True, "what was typed during the wait is no entry"
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert locked.authenticated is True


def test_a_view_that_others_open_ends_the_question(open_terminal, locked):
    screen = open_terminal("unlock")
    screen.wait_for("Enter 4 digit passcode")
    assert locked.outcome(RIGHT) == "accepted"
    assert screen.end() == DONE
    assert screen.echoes


def test_an_application_waits_behind_the_session(desk, open_terminal, locked):
    """The session's lock takes the front; the application's question waits and goes on after it."""
    application = turn_on(desk.app(APPLICATION))
    application.lock()
    screen = open_terminal("unlock", "--app", APPLICATION)
    at = screen.wait_for("in front")
    assert locked.outcome(RIGHT) == "accepted"
    screen.wait_for("Enter 4 digit passcode", after=at)
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert application.authenticated is True


def test_control_c_leaves_a_view_of_others_standing(desk, open_terminal):
    application = turn_on(desk.app(APPLICATION))
    application.lock()
    screen = open_terminal("unlock", "--app", APPLICATION)
    screen.wait_for("Enter 4 digit passcode")
    screen.type("\x03")
    assert screen.end() == REFUSED
    assert application.showing is True


@pytest.mark.parametrize("verb", ["set", "change", "off"])
def test_a_terminal_that_is_gone_leaves_no_view_behind(open_terminal, session, verb):
    if verb != "set":
        turn_on(session)
    screen = open_terminal(verb, *(["--digits", "6"] if verb == "set" else []))
    screen.wait_for("digit passcode")
    assert session.showing is True
    start = session.client.mark()
    screen.program.kill()
    session.wait_for("IsShowingAuth", False)
    assert "AuthViewDismissed AppCancel" in session.happened(start)
    assert session.view() == {} and session.authenticated is (verb != "set")
    if verb == "set":
        # The next one is asked for nothing that the former wanted.
        screen = open_terminal("set", "--digits", "4")
        at = screen.wait_for("Enter 4 digit passcode")
        screen.enter(RIGHT)
        screen.wait_for("Re-enter", after=at)
        screen.enter(RIGHT)
        assert screen.end() == DONE
        assert session.get("PasscodeDigit") == 4


def test_a_view_that_others_asked_for_outlives_its_terminal(open_terminal, session):
    session.present("twice")
    screen = open_terminal("set")
    screen.wait_for("Enter 4 digit passcode")
    screen.program.kill()
    session.client.sync()
    assert session.view()["security_type"] == "twice" and session.showing is True


def test_a_pattern_on_its_pad(open_terminal, session):
    screen = open_terminal("pattern")
    at = screen.wait_for("Draw")
    assert "Enrolled fingers: 0" in screen.text and "7" in screen.text
    screen.enter("1478")
    screen.wait_for("again", "Draw", after=at)
    screen.enter("1478")
    assert screen.end() == DONE
    assert session.get("PasscodeKind") == "pattern"


def test_weak_settings_are_named_before_a_passcode_is_on(open_terminal, session):
    session.set("TimeoutInterval", "d", 60.0)
    session.set("LockOn", "as", ["sleep"])
    screen = open_terminal("set")
    screen.wait_for("Enter 4 digit passcode")
    assert "without asking for 1 min" in screen.text
    assert "does not lock on idle, screen-lock, switch" in screen.text
    screen.type("\x03")
    assert screen.end() == REFUSED
    assert session.get("HasPasscode") is False


def test_weakening_asks_for_the_passcode(open_terminal, session):
    turn_on(session)
    screen = open_terminal("config", "timeout-interval", "60")
    screen.wait_for("Enter 4 digit passcode")
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert session.get("TimeoutInterval") == 60.0 and session.authenticated is True


def test_other_peoples_text_does_nothing_to_the_terminal(open_terminal, locked):
    locked.set("LocalizedReason", "s", "a\u202eb\x1b[2Jc\rd")
    screen = open_terminal("authenticate", "--reason", "x\x1b]0;y\x07z")
    screen.wait_for("Enter 4 digit passcode")
    raw = screen.seen
    assert b"\x1b[2J" not in raw and b"\x1b]0" not in raw and "\u202e".encode() not in raw
    screen.enter(RIGHT)
    assert screen.end() == DONE


def test_colour_is_for_those_who_want_it(open_terminal):
    plain = open_terminal("status", NO_COLOR="1")
    assert plain.end() == DONE and b"\x1b[" not in plain.seen
    bright = open_terminal("status", NO_COLOR="")
    assert bright.end() == DONE and b"\x1b[" in bright.seen


def test_the_service_goes_while_it_asks(desk, open_terminal, locked):
    screen = open_terminal("unlock")
    screen.wait_for("Enter 4 digit passcode")
    desk.expect_exit = True
    desk.kill_service()
    assert screen.end() == UNAVAILABLE
    assert screen.echoes


@pytest.mark.parametrize("verb", ["off", "change"])
def test_a_wrong_passcode_locks_and_it_is_said(open_terminal, session, verb):
    turn_on(session)
    screen = open_terminal(verb)
    screen.wait_for("digit passcode")
    screen.enter(WRONG)
    assert screen.end() == REFUSED
    said = screen.program.output().decode()
    assert said == "smileauth: that is not the passcode, and it is locked now: smileauth unlock\n"
    assert session.authenticated is False and session.get("FailCount") == 1
    assert session.view()["description"] == "1 Failed Passcode Attempt(s). Try again."
    # The lock's own view, on the terminal, too.
    screen = open_terminal("unlock")
    screen.wait_for("1 Failed Passcode Attempt(s). Try again.")
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert session.authenticated is True
