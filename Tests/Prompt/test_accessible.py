"""What a screen reader is told: every state is in the AT-SPI tree."""

import json
import os
import signal
import subprocess
import time

import pytest

from promptkit.channel import Prompt, view

READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "promptkit", "reader.py")


def read(desk):
    """Role, name, description and states of everything in the window."""
    done = subprocess.run(
        ["/usr/bin/python3", READER], env=desk.env, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def find(desk, condition, what, seconds=8):
    deadline = time.monotonic() + seconds
    while True:
        tree = read(desk)
        for item in tree:
            if condition(item):
                return item
        assert time.monotonic() < deadline, f"no {what} in {tree}"
        time.sleep(0.1)


def named(name):
    return lambda item: item["name"] == name and "visible" in item["states"]


@pytest.fixture
def heard(make_desk):
    return make_desk(accessible=True)


def test_the_row_says_how_many_digits_are_entered(heard, start):
    prompt = start(heard, digits=6, description="Enter 6 digit passcode").shown()
    row = find(heard, named("0 of 6 digits entered"), "row")
    assert "focused" in row["states"] and "focusable" in row["states"]
    heard.type("123")
    prompt.expect("N", 3)
    assert find(heard, named("3 of 6 digits entered"), "row")["role"] == row["role"]
    assert find(heard, named("Enter 6 digit passcode"), "description")["role"] == "label"


def test_errors_are_alerts(heard, start):
    prompt = start(heard).shown()
    heard.type("0000")
    token, _ = prompt.entry()
    prompt.outcome(token, "wrong")
    prompt.change(description="1 Failed Passcode Attempt(s). Try again.", fail_count=1)
    alert = find(heard, named("1 Failed Passcode Attempt(s). Try again."), "alert")
    assert alert["role"] in ("alert", "notification")


def test_buttons_have_names(heard, start):
    start(
        heard, fingerprint="armed", fallback_title="Use Something Else", account_password=True, kind="pattern", digits=0
    ).shown()
    for name in ("Cancel", "Use Fingerprint", "Use Something Else", "Use Account Password", "Hide Line"):
        assert find(heard, named(name), name)["role"] == "push button"
    assert find(heard, named("0 dots connected"), "pad")
    assert "Touch the sensor" in find(heard, named("Use Fingerprint"), "finger")["description"]


def test_a_wait_is_said(heard, start):
    start(heard, locked_out_until=int((time.time() + 90) * 1e6), fail_count=5).shown()
    assert find(heard, lambda item: item["name"].startswith("Try again in \u20681:"), "wait")


def test_a_text_is_never_told(heard, start):
    prompt = start(heard, kind="text", digits=0).shown()
    heard.type("canary")
    find(heard, named("6 characters entered"), "field")
    assert "canary" not in json.dumps(read(heard))
    assert prompt.running


@pytest.mark.parametrize("who", ["launcher", "bus"])
def test_an_accessibility_bus_that_hangs_holds_no_window_up(heard, start, who):
    """GTK by itself waits 25 s for its address, and for ever for its greeting."""
    launcher = next(program for program in heard.programs if "at-spi" in program.log)
    children = subprocess.run(["pgrep", "-P", str(launcher.pid)], capture_output=True, text=True).stdout.split()
    stopped = [launcher.pid] if who == "launcher" else [int(child) for child in children]
    assert stopped
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        prompt = start(heard).shown()
        assert "the accessibility bus does not answer" in prompt.words()
        heard.type("1234")
        assert prompt.entry()[1] == b"1234"
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)


def test_the_focus_outlives_the_button_that_had_it(heard, start):
    prompt = start(heard, fallback_title="Type Instead").shown()
    heard.keys("Tab")
    find(heard, lambda item: item["name"] == "Type Instead" and "focused" in item["states"], "focus on the button")
    prompt.change(fallback_title="")
    find(heard, lambda item: item["name"] == "0 of 4 digits entered" and "focused" in item["states"], "focus on the row")


def test_it_is_said_whose_lock_it_is(heard, start):
    """Somebody else asks, or nobody: the reason alone could be anybody's."""
    prompt = start(heard, application="org.example.Notes", requester="smileauth").shown()
    owner = named("Lock of \u2068org.example.Notes\u2069")
    find(heard, owner, "owner")
    find(heard, named("Unverified: \u2068smileauth\u2069 asks"), "requester")
    prompt.change(requester="org.example.Notes", verified=True)
    find(heard, named("\u2068org.example.Notes\u2069 asks"), "requester")
    assert not [item for item in read(heard) if owner(item)]


@pytest.mark.parametrize("file", ["", "auth required pam_unix.so"], ids=["without", "with"])
def test_an_account_password_that_nobody_can_check_is_not_called_wrong(heard, file):
    """In a mount namespace of its own, whose PAM has a service of ours or none."""
    folder = os.path.join(heard.folder, "pam.d")
    os.mkdir(folder)
    if file:
        with open(os.path.join(folder, "smileauth"), "w") as service:
            service.write(file)
    script = f'mount --bind "{folder}" /etc/pam.d && exec "$0"'
    prompt = Prompt(
        heard, view(title="Enter Account Password", account_password=True, demand="account", digits=0),
        wrapper=["unshare", "--mount", "--propagation", "private", "sh", "-c", script])
    try:
        prompt.shown()
        heard.type("secret")
        heard.keys("Return")
        token, _ = prompt.entry(letter="A")
        prompt.outcome(token, "wrong")
        words = "Try again." if file else "or it cannot be checked: there is no PAM service smileauth."
        end = "." if file else ","
        find(heard, named(f"That is not your account password{end} {words}"), "the outcome")
    finally:
        prompt.kill()
