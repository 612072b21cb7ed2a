"""Fixtures of the cover's suite.  Every test has an X server of its own, so tests run side by side."""

import os
import sys
import tempfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
# The process and bus helpers of the service's suite.
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Service"))

from desk.screen import Screen  # noqa: E402
from desk.session import Session  # noqa: E402


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    """Shared by the workers of one run: compiled helpers, and what the first service measured."""
    folder = tmp_path_factory.getbasetemp()
    return str(folder.parent if os.environ.get("PYTEST_XDIST_WORKER") else folder)


@pytest.fixture
def make_session(desk, scratch, request):
    """The real service at the desk."""
    made = []

    def make(**keywords):
        made.append(Session(desk, scratch, **keywords))
        return made[-1]

    yield make
    report = getattr(request.node, "call_report", None)
    for session in made:
        if report is not None and report.failed:
            print("--- what the programs said ---\n" + session.said[-4000:])
        session.close()


@pytest.fixture
def session(make_session):
    """With a passcode, started by the bus whenever somebody asks for it."""
    return make_session().turn_on()


@pytest.fixture
def make_screen(request):
    made = []

    def make(**keywords):
        screen = Screen(tempfile.mkdtemp(prefix="sc-"), **keywords)
        made.append(screen)
        return screen

    yield make
    report = getattr(request.node, "call_report", None)
    # The last one first: a server may be shown inside another.
    for screen in reversed(made):
        if report is not None and report.failed:
            for cover in screen.covers:
                print("--- a cover's own words ---\n" + cover.program.output().decode(errors="replace")[-2000:])
        screen.close()


@pytest.fixture
def screen(make_screen):
    """A bare X server."""
    made = make_screen()
    made.paint_root()
    return made


@pytest.fixture
def desk(screen):
    """A window manager and an application that has the focus."""
    screen.manager = screen.start_manager()
    screen.victim = screen.start_victim()
    return screen


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.when == "call":
        item.call_report = outcome.get_result()
