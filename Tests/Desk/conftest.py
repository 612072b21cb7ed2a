"""Fixtures of the suite that drives the whole product from outside.  Every test has a desk of its own."""

import os
import sys
import tempfile

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "Service"), os.path.join(os.path.dirname(HERE), "Prompt")]

from deskkit.person import Person  # noqa: E402
from kit.world import World  # noqa: E402


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    """Shared by the workers of one run: what was measured of the machine."""
    folder = tmp_path_factory.getbasetemp()
    return str(folder.parent if os.environ.get("PYTEST_XDIST_WORKER") else folder)


@pytest.fixture
def world(scratch, request):
    """A bus and an open keyring: nothing of the product runs yet."""
    made = World(tempfile.mkdtemp(prefix="sd-"), scratch)
    made.clock = None
    services = os.path.join(made.folder, "services")
    os.mkdir(services)
    made.start_bus(services)
    made.start_keyring()
    yield made
    report = getattr(request.node, "call_report", None)
    if report is not None and report.failed and made.service is not None:
        print("--- the words of the service and its prompts ---\n" + made.log[-4000:])
    made.close()


@pytest.fixture
def make_person(world, request):
    made = []

    def make(**options):
        made.append(Person(world, **options))
        return made[-1]

    yield make
    report = getattr(request.node, "call_report", None)
    for person in made:
        if report is not None and report.failed and person.monitor:
            print("--- what the bus saw ---\n" + person.monitor.output().decode()[-3000:])
        person.close()


@pytest.fixture
def person(make_person):
    """At a desk where the service runs."""
    return make_person().begin()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.when == "call":
        item.call_report = outcome.get_result()
