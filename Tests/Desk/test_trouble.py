"""Wrong codes, and prompts and services that die or hang while somebody is at them."""

import os
import re
import signal
import time

import pytest

from deskkit.flows import turn_on
from kit.processes import poll_until

RIGHT, WRONG = "2468", "1357"


def locked(person):
    turn_on(person, RIGHT)
    person.smileauth("lock")
    return person.prompt("Enter Passcode")


def test_wrong_codes_lead_to_a_wait_that_counts_down(person):
    locked(person)
    for count in range(1, 5):
        person.type(WRONG)
        person.ears.announced(f"{count} Failed Passcode Attempt(s). Try again.")
        person.ears.find("0 of 4 digits entered")
    person.type(WRONG)
    first = person.ears.find(lambda name: name.startswith("Try again in"), role="label")["name"]
    minutes, seconds = map(int, re.search(r"(\d+):(\d\d)", first).groups())
    assert minutes * 60 + seconds in range(45, 61)
    later = person.ears.find(lambda name: name.startswith("Try again in") and name != first, role="label")["name"]
    assert later < first
    # What has the focus tells it too, once: not every second anew.
    row = person.ears.find("0 of 4 digits entered")
    assert "Try again in \u20681:00\u2069" in row["description"]
    assert person.get("FailCount") == 5 and person.get("LockedOutUntil") > time.time() * 1e6
    # The right one is no better now.
    person.type(RIGHT)
    time.sleep(0.8)
    person.ears.find("0 of 4 digits entered")
    assert person.get("IsAuthenticated") is False and person.get("FailCount") == 5


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP])
def test_a_prompt_that_dies_or_hangs_half_way_is_replaced(person, number):
    first = locked(person)
    person.type("24")
    person.ears.find("2 of 4 digits entered")
    os.kill(first, number)
    if number == signal.SIGSTOP:
        # Nobody notices before it is asked something.
        person.set("TintColor", "s", "#00aa00")
    began = time.monotonic()
    second = person.prompt("Enter Passcode", after=first)
    assert time.monotonic() - began < (8 if number == signal.SIGSTOP else 4)
    person.ears.find("0 of 4 digits entered", focused=True)
    assert person.get("IsAuthenticated") is False
    assert not os.path.exists(f"/proc/{first}/exe")
    assert len(person.windows()) == 1
    # What was typed into the first is no part of it.
    person.type("68")
    person.ears.find("2 of 4 digits entered")
    person.keys("BackSpace", "BackSpace")
    person.type(RIGHT)
    person.wait_signal("AuthenticationSucceeded")
    person.gone()
    assert second != first and person.get("FailCount") == 0


def test_a_killed_service_leaves_the_session_covered_and_comes_back(make_person):
    """The prompt and the cover stay, have it started again, and the old prompt leaves once the new one is seen."""
    person = make_person().begin()
    person.make_activatable()
    person.run("xsetroot", "-solid", "#00ff00")
    first = locked(person)
    person.world.expect_exit = True
    person.world.service.kill()
    seen = [person.pixel(40, 700)]

    def come():
        seen.append(person.pixel(40, 700))
        pid = person.owner()
        return pid and pid != person.world.service.pid and pid

    second = poll_until(come, 10, "the service to be started again", 0.02)
    person.activated.append(second)
    deadline = time.monotonic() + 10
    while os.path.exists(f"/proc/{first}/exe") or len(person.windows()) != 1:
        seen.append(person.pixel(40, 700))
        assert time.monotonic() < deadline, seen
    # A prompt is white, a cover black; the desktop is never seen.
    assert set(seen) <= {(255, 255, 255), (0, 0, 0)}, seen
    person.prompt("Enter Passcode", after=first)
    person.listen()
    assert person.get("IsAuthenticated") is False and person.get("ShouldCover") is True
    person.type(RIGHT)
    person.wait_signal("AuthenticationSucceeded")
    person.gone()
    poll_until(lambda: not person.windows(), 5, "the window to go", 0.05)
