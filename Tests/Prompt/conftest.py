"""Fixtures of the window's tests.  Every test has a display, a bus and a home of its own, so tests run side by side."""

import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from promptkit.channel import Prompt, view  # noqa: E402
from promptkit.desk import Desk  # noqa: E402


@pytest.fixture
def make_desk():
    """Makes desks that are put away in the end."""
    made = []

    def make(**options):
        made.append(Desk(**options))
        return made[-1]

    yield make
    for desk in made:
        desk.close()


@pytest.fixture
def desk(make_desk):
    return make_desk()


@pytest.fixture
def start(request):
    """Starts prompts that are ended in the end; the view's changes are keywords."""
    made = []

    def begin(desk, first="", **changes):
        prompt = Prompt(desk, view(**changes) if first == "" else first)
        made.append(prompt)
        return prompt

    yield begin
    report = getattr(request.node, "call_report", None)
    for prompt in made:
        if report is not None and report.failed:
            print("--- the prompt's own words ---\n" + prompt.words()[-2000:])
            print("--- what it sent ---\n", prompt.messages)
        prompt.kill()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.when == "call":
        item.call_report = outcome.get_result()
