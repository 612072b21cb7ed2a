"""Fingers on a touch screen and a keyboard that is no test extension's: a real Xorg with played devices."""

import pytest
from desk.cover import MAPPED, NO_GRAB
from desk.feed import PRESS, Key, Pointer, Touch
from desk.hardware import BEGIN, END, UPDATE, Hardware
from desk.screen import settle
from kit.processes import poll_until

# Of a feed's touches.
MOVED, DOWN, UP = range(3)


@pytest.fixture
def machine():
    made = Hardware()
    made.manager = made.start_manager()
    made.victim = made.start_victim()
    yield made
    made.close()


@pytest.fixture
def prompt(machine):
    machine.lock = machine.cover().expect(MAPPED)
    machine.victim.clear()
    return machine.show_prompt(machine.lock)


def test_the_victim_is_touched_when_nothing_covers_it(machine):
    machine.victim.clear()
    machine.touch(BEGIN, 400, 300)
    machine.touch(END, 400, 300)
    poll_until(lambda: "button" in machine.victim.lines_of(), 5, "a touch to reach the victim")


def test_fingers_arrive_in_the_windows_coordinates(machine, prompt):
    machine.touch(BEGIN, 310, 220, finger=0)
    machine.touch(BEGIN, 400, 300, finger=1)
    machine.touch(UPDATE, 320, 230, finger=0)
    machine.touch(END, 320, 230, finger=0)
    machine.touch(END, 400, 300, finger=1)
    messages = prompt.all()
    assert not [message for message in messages if isinstance(message, Pointer)], "a touch is told once"
    touches = [message for message in messages if isinstance(message, Touch)]
    first, second = touches[0].id, touches[1].id
    assert first != second
    assert touches[0] == Touch(10, 20, DOWN, first)
    assert touches[1] == Touch(100, 100, DOWN, second)
    assert Touch(20, 30, MOVED, first) in touches
    assert touches[-2] == Touch(20, 30, UP, first)
    assert touches[-1] == Touch(100, 100, UP, second)


def test_touches_beside_the_prompt_reach_nobody(machine, prompt):
    for x, y in ((150, 150), (20, 20), (700, 500)):
        machine.touch(BEGIN, x, y)
        machine.touch(UPDATE, x + 20, y)
        machine.touch(END, x + 20, y)
    machine.press("a")
    assert prompt.all()[:1] == [Key(ord("a"), 0, PRESS, "a")]
    settle(0.2)
    assert machine.victim.input() == []


def test_a_finger_that_stays_down_while_the_cover_comes_reaches_nobody_after(machine):
    machine.touch(BEGIN, 400, 300)
    poll_until(lambda: "button" in machine.victim.lines_of(), 5, "a touch to reach the victim")
    cover = machine.cover()
    cover.expect(NO_GRAB)
    assert machine.is_plain()
    machine.touch(END, 400, 300)
    cover.expect(MAPPED)
    machine.victim.clear()
    machine.touch(BEGIN, 400, 300)
    machine.touch(END, 400, 300)
    settle(0.2)
    assert machine.victim.input() == []
