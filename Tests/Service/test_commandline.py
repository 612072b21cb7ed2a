"""`smileauth`: every verb, its exit status, and the passcode that is never echoed nor an argument (section 10)."""

import itertools
import json
import os
import subprocess

import pytest

from kit.acts import CANARY, RIGHT, WRONG, turn_on
from kit.loop import turn, wait_until
from kit.terminal import Terminal
from kit.world import program

DONE, REFUSED, USAGE, UNAVAILABLE = range(4)


class Result:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def run(world, *arguments, passcode=None, seconds=20, env=None):
    """Runs it without a terminal; `passcode` goes through a descriptor.  The test's own loop goes on turning."""
    fds, words = (), list(arguments)
    if passcode is not None:
        reader, writer = os.pipe()
        os.write(writer, passcode.encode())
        os.close(writer)
        fds = (reader,)
        words += ["--passcode-fd", str(reader)]
    started = subprocess.Popen(
        [program("smileauth"), *words],
        env={**world.env, **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=fds,
        start_new_session=True,
    )
    for fd in fds:
        os.close(fd)
    try:
        wait_until(lambda: turn() or started.poll() is not None, seconds, f"smileauth {' '.join(arguments)}")
    finally:
        started.kill()
    out, err = started.communicate()
    return Result(started.returncode, out.decode(), err.decode())


def expect(status, world, *arguments, **keywords):
    result = run(world, *arguments, **keywords)
    assert result.status == status, (arguments, result.status, result.out, result.err)
    return result


def status_of(world, *arguments):
    return json.loads(expect(DONE, world, "status", "--json", *arguments).out)["authenticator"]


def test_the_whole_life_of_a_passcode(desk):
    assert "no lock" in expect(DONE, desk, "status").out
    expect(DONE, desk, "set", passcode=RIGHT + "\n")
    assert status_of(desk)["HasPasscode"] is True
    assert "open" in expect(DONE, desk, "status").out
    expect(DONE, desk, "unlock", passcode=RIGHT)
    expect(DONE, desk, "lock")
    assert "locked" in expect(DONE, desk, "status").out
    expect(REFUSED, desk, "unlock", passcode=WRONG + "\n")
    assert status_of(desk)["FailCount"] == 1
    expect(DONE, desk, "unlock", passcode=RIGHT + "\n")
    expect(DONE, desk, "change", "--digits", "6", passcode=f"{RIGHT}\n112233\n")
    assert status_of(desk)["PasscodeDigit"] == 6
    expect(DONE, desk, "pattern", passcode="112233\n14789\n")
    assert status_of(desk)["PasscodeKind"] == "pattern"
    expect(REFUSED, desk, "set", passcode="5555\n")
    expect(DONE, desk, "off", passcode="14789\n")
    assert status_of(desk)["HasPasscode"] is False
    expect(REFUSED, desk, "lock")


@pytest.mark.parametrize("verb, lines", [("off", WRONG + "\n"), ("change", f"{WRONG}\n5678\n")])
def test_a_wrong_passcode_locks_the_session(desk, verb, lines):
    expect(DONE, desk, "set", passcode=RIGHT + "\n")
    result = expect(REFUSED, desk, verb, passcode=lines)
    assert result.err == "smileauth: that is not the passcode, and it is locked now: smileauth unlock\n"
    state = status_of(desk)
    assert state["FailCount"] == 1 and state["IsAuthenticated"] is False and state["IsShowingAuth"] is True
    assert "locks the session" in expect(DONE, desk, verb, "--help").out
    # An application's view goes on, and locks nothing.
    expect(DONE, desk, "unlock", passcode=RIGHT)
    expect(DONE, desk, "set", "--app", "org.example.App", passcode=RIGHT)
    assert "locked" not in expect(REFUSED, desk, verb, "--app", "org.example.App", passcode=lines).err


def test_applications(desk):
    expect(DONE, desk, "set", "--app", "org.example.App", "--kind", "text", passcode="correct horse\n")
    rows = [json.loads(line) for line in expect(DONE, desk, "apps", "--json").out.splitlines()]
    assert {row["application"] for row in rows} == {"", "org.example.App"}
    assert "org.example.App" in expect(DONE, desk, "apps").out
    assert status_of(desk)["HasPasscode"] is False
    assert status_of(desk, "--app", "org.example.App")["PasscodeKind"] == "text"
    expect(DONE, desk, "lock", "--app", "org.example.App")
    expect(DONE, desk, "unlock", "--app", "org.example.App", passcode="correct horse\n")
    expect(USAGE, desk, "status", "--app", "no dots")


def test_a_session_that_was_not_asked_is_not_called_locked(desk):
    expect(DONE, desk, "set", passcode=RIGHT)
    expect(DONE, desk, "set", "--app", "org.example.App", passcode=RIGHT)
    desk.restart_service()
    state = status_of(desk)
    assert state["IsAuthenticated"] is False and state["IsShowingAuth"] is False

    def row(application):
        lines = expect(DONE, desk, "apps").out.splitlines()
        return next(line for line in lines if line.startswith(application))

    assert "Lock        not asked yet\n" in expect(DONE, desk, "status").out
    assert row("(session)").endswith("not asked yet")
    assert row("org.example.App").endswith("locked")
    assert "Lock        locked\n" in expect(DONE, desk, "status", "--app", "org.example.App").out
    expect(DONE, desk, "lock")
    assert "Lock        locked, asking\n" in expect(DONE, desk, "status").out
    assert row("(session)").endswith("locked, asking")


def test_the_reason_comes_before_the_want_of_a_terminal(desk):
    """Without a terminal and without a descriptor: what the service would answer at once counts for more."""
    none = "smileauth: no passcode is set (smileauth set)\n"
    for words in (("off",), ("change",), ("unlock",), ("unlock", "--app", "org.example.App")):
        assert expect(REFUSED, desk, *words).err == none
    assert "no terminal" in expect(USAGE, desk, "set").err
    expect(DONE, desk, "set", passcode=RIGHT)
    assert expect(DONE, desk, "unlock").out == "Open already.\n"
    assert "set already" in expect(REFUSED, desk, "set").err
    assert "no terminal" in expect(USAGE, desk, "off").err
    expect(DONE, desk, "lock")
    assert "no terminal" in expect(USAGE, desk, "unlock").err
    desk.keyring.lock()
    wait_until(lambda: turn() or status_of(desk)["StoreState"] == "unavailable", 10, "the store to be away")
    assert "store of passcodes" in expect(UNAVAILABLE, desk, "off").err


def test_a_value_that_is_not_taken_is_told_by_its_setting(desk):
    for key, value, form in (
        ("tint-color", "red", "a colour as #rrggbb"),
        ("timeout-interval", "86401", "seconds, 0 to 86400; 0 always asks"),
        ("passcode-digit", "3", "a whole number from 4 to 64; 0 is 4"),
        ("allowable-reuse-duration", "301", "seconds, 0 to 300; 0 always asks"),
        ("app-logo-name", "/nowhere.png", "an icon's name or an absolute path; empty for none of your own"),
    ):
        assert expect(USAGE, desk, "config", key, value).err == f"smileauth: {key} takes {form}\n"


def test_a_new_passcode_has_the_length_of_the_last_one(desk):
    expect(DONE, desk, "set", "--digits", "6", passcode="112233")
    expect(DONE, desk, "off", passcode="112233")
    assert "as many as the" in expect(DONE, desk, "set", "--help").out
    assert expect(DONE, desk, "config", "passcode-digit").out == "6\n"
    expect(REFUSED, desk, "set", passcode="1122")
    expect(DONE, desk, "set", passcode="223344")


def test_doctor_and_a_logind_that_it_does_not_see(desk):
    desk.logind.wait_inhibited()
    lines = [line for line in expect_doctor(desk) if "  logind  " in line or "inhibitor" in line]
    # The stand-in here keeps no process numbers, so it is not the service's.
    assert [line[:6].strip() for line in lines] == ["ok", "fail"], lines
    # As beside a stand-in, on a system bus of its own.
    nowhere = {"DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={desk.folder}/nowhere"}
    lines = [line for line in expect_doctor(desk, env=nowhere) if "  logind  " in line or "inhibitor" in line]
    assert len(lines) == 1 and lines[0].startswith("warn  logind") and "not on this system bus" in lines[0], lines


def expect_doctor(desk, **keywords):
    return run(desk, "doctor", **keywords).out.splitlines()


def test_usage(desk):
    for words in (
        (),
        ("dance",),
        ("lock", "now"),
        ("status", "--loud"),
        ("set", "--digits", "3"),
        ("set", "--digits"),
        ("config", "colour"),
        ("unlock", RIGHT),
        ("off", "--passcode-fd", "seven"),
        ("set", "--kind", "runes"),
        ("status", "--app", ""),
    ):
        result = expect(USAGE, desk, *words)
        assert result.err and not result.out
        assert RIGHT not in result.err, "what may be a passcode is not repeated"
    assert "unlock" in expect(DONE, desk, "--help").out
    for verb in (
        "status",
        "lock",
        "unlock",
        "authenticate",
        "set",
        "change",
        "off",
        "pattern",
        "reset",
        "apps",
        "monitor",
        "config",
        "idle",
        "resume",
        "doctor",
    ):
        assert verb in expect(DONE, desk, verb, "--help").out


def test_without_a_service_or_a_store(world):
    world.start_bus()
    for verb in (("status",), ("lock",), ("apps",), ("config",), ("idle",)):
        assert expect(UNAVAILABLE, world, *verb).err
    world.start_service()
    assert expect(UNAVAILABLE, world, "set", passcode=RIGHT).err


def test_authenticate_for_scripts(desk, client, session):
    turn_on(session)
    assert expect(DONE, desk, "authenticate").out.strip() == "grace"
    session.lock()
    expect(REFUSED, desk, "authenticate", passcode=WRONG)
    assert expect(DONE, desk, "authenticate", "--reason", "to read the diary", passcode=RIGHT).out.strip() == "passcode"
    result = expect(DONE, desk, "authenticate", "--require-passcode", "--json", passcode=RIGHT)
    assert json.loads(result.out) == {"authenticated": True, "method": "passcode"}
    session.lock()
    expect(REFUSED, desk, "authenticate", "--timeout", "1")
    assert session.showing is True


def test_settings(desk, client, session):
    assert "tint-color" in expect(DONE, desk, "config").out
    expect(DONE, desk, "config", "tint-color", "#102030")
    assert expect(DONE, desk, "config", "tint-color").out.strip() == "#102030"
    assert session.get("TintColor") == "#102030"
    expect(DONE, desk, "config", "timeout-interval", "60")
    assert session.get("TimeoutInterval") == 60.0
    expect(USAGE, desk, "config", "night-mode", "perhaps")
    expect(DONE, desk, "config", "lock-on", "sleep,idle")
    assert sorted(session.get("LockOn")) == ["idle", "sleep"]
    turn_on(session)
    assert run(desk, "config", "timeout-interval", "120").status != DONE
    expect(DONE, desk, "config", "timeout-interval", "120", passcode=RIGHT + "\n")
    assert session.get("TimeoutInterval") == 120.0
    assert json.loads(expect(DONE, desk, "config", "--json").out)


def test_idle_and_resume(desk, client, session):
    turn_on(session)
    expect(DONE, desk, "idle")
    assert session.showing is True and desk.manager(client).get("SessionState") == "idle"
    expect(DONE, desk, "resume")
    assert desk.manager(client).get("SessionState") == "active" and session.authenticated is False


def test_resume_while_asleep_grants_nothing(desk, client, session):
    turn_on(session)
    desk.logind.wait_inhibited()
    desk.logind.prepare_for_sleep(True)
    session.wait_for("IsShowingAuth", True)
    expect(DONE, desk, "resume")
    assert session.authenticated is False and desk.manager(client).get("SessionState") == "asleep"


def test_monitor(desk, client, session):
    watch = desk.run([program("smileauth"), "monitor"], "monitor")
    lines = desk.run([program("smileauth"), "monitor", "--json"], "monitor-json")
    colors = itertools.count(1)
    # Both are there once they print what happens.
    wait_until(
        lambda: session.set("TintColor", "s", f"#{next(colors):06x}") is None
        and b"TintColor" in watch.output()
        and b"TintColor" in lines.output(),
        10,
    )
    turn_on(session)
    session.lock()
    session.outcome(WRONG)
    session.outcome(RIGHT)
    for word in (
        b"PasscodeTurnedOn",
        b"AuthViewPresented",
        b"AuthenticationFailed",
        b"AuthenticationSucceeded",
        b"AuthViewDismissed",
    ):
        wait_until(lambda: word in watch.output() and word in lines.output(), 5, word.decode())
    for line in lines.output().decode().splitlines():
        json.loads(line)
    watch.signal(2)
    wait_until(lambda: not watch.running, 5)


def test_doctor(desk, session):
    turn_on(session, CANARY, digits=len(CANARY), ui="auto")
    result = run(desk, "doctor")
    assert result.status in (DONE, REFUSED) and "Secret Service" in result.out
    assert not [line for line in result.out.splitlines() if CANARY in line]
    desk.keyring.kill()
    result = run(desk, "doctor")
    assert result.status != DONE or "absent" in result.out


# On a terminal


@pytest.fixture
def open_terminal(desk):
    opened = []

    def open_one(*arguments):
        opened.append(Terminal(desk, [program("smileauth"), *arguments], f"terminal{len(opened)}"))
        return opened[-1]

    return open_one


def test_setting_one_on_a_terminal(desk, open_terminal, session):
    screen = open_terminal("set")
    screen.wait_for("Enter 4 digit passcode")
    wait_until(lambda: not screen.echoes, 5)
    at = len(screen.text)
    screen.enter(RIGHT)
    at = screen.wait_for("Re-enter your 4 digit passcode", after=at)
    screen.enter(WRONG)
    at = screen.wait_for("Passcodes do not match", after=at)
    screen.enter(RIGHT)
    screen.wait_for("Re-enter", after=at)
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert RIGHT not in screen.text and WRONG not in screen.text
    assert screen.echoes
    assert session.get("HasPasscode") is True and session.verify(RIGHT) is True


def test_unlocking_on_a_terminal_with_a_lockout_counting_down(desk, open_terminal, session):
    turn_on(session)
    session.lock()
    screen = open_terminal("unlock")
    at = screen.wait_for("Enter 4 digit passcode")
    for count in range(1, 6):
        screen.enter(WRONG)
        if count < 5:
            at = screen.wait_for(f"{count} Failed Passcode Attempt", after=at)
    screen.wait_for("0:59", "00:59", "59 s", "1:00", "0:58", "58 s", seconds=5, after=at)
    first = screen.text
    wait_until(lambda: screen.text != first, 3, "the countdown to go on")
    screen.enter(RIGHT)
    session.client.sync()
    assert session.showing is True and session.get("FailCount") == 5, "a key during the wait is no try"
    screen.type("\x03")
    assert screen.end() == REFUSED
    assert session.showing is True and screen.echoes
    assert RIGHT not in screen.text


def test_the_right_one_on_a_terminal(desk, open_terminal, session):
    turn_on(session)
    session.lock()
    screen = open_terminal("unlock")
    screen.wait_for("Enter 4 digit passcode")
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert session.authenticated is True


def test_control_c_restores_and_cancels(desk, open_terminal, session):
    turn_on(session)
    screen = open_terminal("change")
    screen.wait_for("old")
    screen.type("\x03")
    assert screen.end() == REFUSED
    assert screen.echoes and session.authenticated is True and session.showing is False


def test_a_long_wait_for_a_person_is_no_timeout(desk, open_terminal, session):
    """The command line does not give up when a call takes as long as a person."""
    turn_on(session)
    session.lock()
    screen = open_terminal("authenticate")
    screen.wait_for("Enter 4 digit passcode")
    assert session.outcome(RIGHT) == "accepted"
    assert screen.end() == DONE
    assert "passcode" in screen.text


def test_reset_with_the_account_password(world):
    from kit.account import ACCOUNT_PASSWORD, account_wrapper

    world.surround()
    world.start_service(wrapper=account_wrapper(world))
    session = turn_on(world.session())
    session.lock()
    expect(REFUSED, world, "reset", passcode="not it\n")
    expect(DONE, world, "reset", passcode=ACCOUNT_PASSWORD + "\n")
    assert session.get("HasPasscode") is False and session.showing is False
