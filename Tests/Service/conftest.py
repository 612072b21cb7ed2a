"""Fixtures of the black-box suites.  Every test has a world of its own, so tests run side by side."""

import os
import sys
import tempfile

import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit.world import World  # noqa: E402


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    """Shared by the workers of one run: compiled helpers."""
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent
    return str(folder)


@pytest.fixture
def world(scratch, request):
    """An empty world: nothing runs yet."""
    # Socket paths are short: 108 bytes is all that a Unix socket's may have.
    folder = tempfile.mkdtemp(prefix="sa-")
    made = World(folder, scratch)
    yield made
    report = getattr(request.node, "call_report", None)
    if report is not None and report.failed and made.service is not None:
        print("--- the service's own words ---\n" + made.log[-4000:])
    made.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if call.when == "call":
        item.call_report = outcome.get_result()


@pytest.fixture
def desk(world):
    """The usual surroundings: keyring open, a stand-in logind, the service running with clocks that can be moved."""
    world.surround()
    world.start_service()
    return world


@pytest.fixture
def client(desk):
    return desk.client()


@pytest.fixture
def session(desk, client):
    return desk.session(client)


@pytest.fixture
def app(desk, client):
    """An application's authenticator, held by `client`, which shows its views itself."""
    authenticator = desk.app("org.example.App", client)
    authenticator.hold(ui="none")
    return authenticator


@pytest.fixture
def sensing(world, request):
    """Surroundings with a sensor of the kind that the test is parametrised with, and the service on them."""
    from kit.fingers import Sensing

    world.surround()
    made = Sensing(world, request.param)
    world.start_service()
    return made
