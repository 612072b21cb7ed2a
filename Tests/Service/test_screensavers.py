"""Screen savers: they lock, and what they clear opens nothing (section 7)."""

import pytest

from kit.acts import RIGHT, turn_on
from kit.loop import wait_until
from kit.objects import refused
from kit.screensaver import FakeScreenSaver


@pytest.fixture(
    params=[
        ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
        ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    ],
    ids=["freedesktop", "gnome"],
)
def saver(request, desk):
    made = FakeScreenSaver(desk.bus.address, *request.param)
    yield made
    made.end()


def test_a_screen_saver_locks_and_only_clears(desk, client, session, saver):
    turn_on(session)
    wait_until(lambda: saver.name in desk.manager(client).get("SessionSources"), 5)
    saver.activate(True)
    desk.manager(client).wait_for("SessionState", "locked")
    assert session.authenticated is False and session.showing is True
    refused("InvalidContext", session.submit, RIGHT)
    saver.activate(False)
    desk.manager(client).wait_for("SessionState", "active")
    assert session.authenticated is False and session.showing is True
    assert session.outcome(RIGHT) == "accepted"


def test_a_screen_saver_that_leaves_clears_its_own(desk, client, session, saver):
    turn_on(session)
    wait_until(lambda: saver.name in desk.manager(client).get("SessionSources"), 5)
    desk.manager(client).report_idle(True)
    saver.activate(True)
    desk.manager(client).wait_for("SessionState", "locked")
    saver.end()
    desk.manager(client).wait_for("SessionState", "idle")
    assert saver.name not in desk.manager(client).get("SessionSources")
    assert session.showing is True
    desk.manager(client).report_idle(False)
    assert session.outcome(RIGHT) == "accepted"


def test_a_screen_saver_that_is_active_at_start(world):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    saver = FakeScreenSaver(world.bus.address, "org.gnome.ScreenSaver", "/org/gnome/ScreenSaver")
    try:
        saver.active = True
        world.start_service()
        assert world.manager().get("SessionState") == "locked"
        session = world.session()
        assert session.showing is True and session.get("ShouldCover") is True
    finally:
        saver.end()
