"""Fixtures of the settings window's tests.  Every test has a room of its own, so tests run side by side."""

import os
import sys
import tempfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
# The kits of the service's and the prompt's suites, below the folder of our own.
sys.path[:0] = [HERE, os.path.join(TESTS, "Service"), os.path.join(TESTS, "Prompt")]

from settingskit.room import Room  # noqa: E402


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    """Shared by the workers of one run: what was measured of the machine."""
    folder = tmp_path_factory.getbasetemp()
    return str(folder.parent if os.environ.get("PYTEST_XDIST_WORKER") else folder)


@pytest.fixture
def make_room(scratch, request):
    """Makes rooms that are put away in the end."""
    made = []

    def make(**options):
        options.setdefault("accessible", True)
        made.append(Room(tempfile.mkdtemp(prefix="ss-"), scratch, **options))
        return made[-1]

    yield make
    report = getattr(request.node, "call_report", None)
    for room in made:
        if report is not None and report.failed and room.window:
            print("--- the window's own words ---\n" + room.words()[-2000:])
        room.close()


@pytest.fixture
def room(make_room):
    """No sensor, nothing set."""
    return make_room()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.when == "call":
        item.call_report = outcome.get_result()
