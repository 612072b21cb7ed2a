"""Signals that another client makes up, towards locking and towards unlocking, change nothing."""

import pytest

from kit import names
from kit.acts import RIGHT, snapshot, turn_on
from kit.client import Client
from kit.loop import settle, wait_until

LOGIN = "org.freedesktop.login1"
DRIVER = "org.freedesktop.DBus"
DRIVER_PATH = "/org/freedesktop/DBus"


@pytest.fixture
def scene(desk, client, session, app):
    """A session and an app with a passcode, logind, and both screen savers there."""
    from kit.screensaver import FakeScreenSaver

    savers = [
        FakeScreenSaver(desk.bus.address, "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
        FakeScreenSaver(desk.bus.address, "org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    ]
    turn_on(session)
    turn_on(app)
    wait_until(lambda: len(desk.manager(client).get("SessionSources")) >= 3, 5)
    desk.logind.wait_inhibited()
    yield desk
    for saver in savers:
        saver.end()


def service_names(desk):
    """The service's unique names on both buses: a unicast signal passes any match rule."""
    session_bus = desk.observer.owner(names.BUS_NAME)
    system = Client(desk.system.address, listen=False)
    found = []
    for unique in system.driver("ListNames"):
        if unique.startswith(":"):
            try:
                if system.driver("GetConnectionUnixProcessID", "s", unique) == desk.service.pid:
                    found.append(unique)
            except Exception:
                pass
    return session_bus, system, found


def forge(desk):
    """Everything at once, broadcast and unicast, on both buses."""
    session_name, system, system_names = service_names(desk)
    assert system_names, "the service is on the system bus"
    path = desk.logind.session_path
    locking = [
        (path, LOGIN + ".Session", "Lock", "", ()),
        ("/org/freedesktop/login1", LOGIN + ".Manager", "PrepareForSleep", "b", (True,)),
    ]
    unlocking = [
        (path, LOGIN + ".Session", "Unlock", "", ()),
        ("/org/freedesktop/login1", LOGIN + ".Manager", "PrepareForSleep", "b", (False,)),
    ]
    import dbus

    for values in (
        {"Active": False},
        {"IdleHint": True},
        {"LockedHint": True},
        {"Active": True},
        {"IdleHint": False},
        {"LockedHint": False},
    ):
        unlocking.append(
            (
                path,
                names.PROPERTIES,
                "PropertiesChanged",
                "sa{sv}as",
                (LOGIN + ".Session", dbus.Dictionary(values, signature="sv"), dbus.Array([], signature="s")),
            )
        )
    for unique in (None, *system_names):
        for at, interface, member, signature, arguments in locking + unlocking:
            system.emit(at, interface, member, signature, *arguments, to=unique)
        for name in (LOGIN,):
            system.emit(DRIVER_PATH, DRIVER, "NameOwnerChanged", "sss", name, ":1.0", "", to=unique)
            system.emit(DRIVER_PATH, DRIVER, "NameOwnerChanged", "sss", name, "", system.unique, to=unique)
            for at, interface, member, signature, arguments in locking + unlocking:
                system.emit(at, interface, member, signature, *arguments, to=unique)
    forger = desk.client(listen=False)
    owner = desk.observer.owner(names.BUS_NAME)
    for unique in (None, session_name):
        for name, at in (
            ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
            ("org.freedesktop.ScreenSaver", "/ScreenSaver"),
            ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
        ):
            for active in (True, False):
                forger.emit(at, name, "ActiveChanged", "b", active, to=unique)
        forger.emit(DRIVER_PATH, DRIVER, "NameLost", "s", names.BUS_NAME, to=unique)
        forger.emit(DRIVER_PATH, DRIVER, "NameOwnerChanged", "sss", names.BUS_NAME, owner, "", to=unique)
        forger.emit(DRIVER_PATH, DRIVER, "NameOwnerChanged", "sss", "org.freedesktop.secrets", ":1.9", "", to=unique)
        for client in desk.clients:
            forger.emit(DRIVER_PATH, DRIVER, "NameOwnerChanged", "sss", client.unique, client.unique, "", to=unique)
        for saver in ("org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"):
            forger.emit(DRIVER_PATH, DRIVER, "NameOwnerChanged", "sss", saver, ":1.1", "", to=unique)
            forger.emit(DRIVER_PATH, DRIVER, "NameOwnerChanged", "sss", saver, "", forger.unique, to=unique)
            forger.emit("/org/freedesktop/ScreenSaver", saver, "ActiveChanged", "b", True, to=unique)
        for signal, signature, arguments in (
            ("AuthenticationSucceeded", "s", ("passcode",)),
            ("PasscodeTurnedOff", "", ()),
        ):
            forger.emit(names.SESSION, names.AUTHENTICATOR, signal, signature, *arguments, to=unique)
    forger.round_trip()
    system.round_trip()
    return system


@pytest.mark.parametrize("locked", [False, True])
def test_forged_signals_change_nothing(scene, session, app, client, locked):
    if locked:
        session.lock()
        app.lock()
    before = [snapshot(session), snapshot(app), scene.manager(client).all()]
    start = client.mark()
    system = forge(scene)
    settle(0.3)
    client.sync()
    assert [snapshot(session), snapshot(app), scene.manager(client).all()] == before
    genuine = scene.observer.owner(names.BUS_NAME)
    ours = [e for e in client.events[start:] if e.kind in ("signal", "changed") and e.sender == genuine]
    assert ours == []
    system.close()
    # Everything works as before.
    scene.logind.lock() if not locked else None
    session.wait_for("IsShowingAuth", True)
    assert session.outcome(RIGHT) == "accepted"


def test_the_real_ones_still_count_afterwards(scene, session, client):
    forge(scene).close()
    scene.logind.prepare_for_sleep(True)
    session.wait_for("IsShowingAuth", True)
    scene.logind.prepare_for_sleep(False)
    scene.manager(client).wait_for("SessionState", "active")
    assert session.outcome(RIGHT) == "accepted"


def test_a_name_that_another_takes_over_is_believed_only_then(scene, session, client):
    """A caller that owns the screen saver's name is the screen saver: locking, never unlocking."""
    session.lock()
    forger = scene.client(listen=False)
    forger.emit("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "ActiveChanged", "b", False)
    forger.round_trip()
    client.sync()
    assert session.authenticated is False and session.showing is True
