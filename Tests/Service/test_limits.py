"""The limits of section 11, and that what a connection held is freed when it leaves."""

import os
import time

import pytest

from kit import names
from kit.acts import RIGHT, turn_on
from kit.loop import wait_until
from kit.objects import Authenticator, refused


def test_sixteen_named_authenticators_a_connection(desk, client):
    manager = desk.manager(client)
    for index in range(16):
        manager.get_authenticator(f"org.example.N{index}")
    refused("LimitsExceeded", manager.get_authenticator, "org.example.More")
    # One that it named already costs nothing.
    manager.get_authenticator("org.example.N3")
    # Another connection has its own sixteen, and what one held is freed.
    other = desk.client()
    desk.manager(other).get_authenticator("org.example.More")
    client.close()
    desk.clients.remove(client)
    wait_until(lambda: len(desk.manager(other).list()) == 2, 5)


def test_sixteen_holds_a_connection(desk, client):
    app = desk.app("org.example.App", client)
    cookies = [app.hold() for _ in range(16)]
    assert len(set(cookies)) == 16
    refused("LimitsExceeded", app.hold)
    app.release(cookies[0])
    app.hold()
    refused("LimitsExceeded", app.hold)
    other = Authenticator(desk.client(), app.path)
    other.hold()


def test_holds_are_counted_over_all_authenticators_of_a_connection(desk, client):
    held = [desk.app(f"org.example.N{i}", client) for i in range(4)]
    for app in held:
        for _ in range(4):
            app.hold()
    refused("LimitsExceeded", held[0].hold)


@pytest.fixture
def crowd(desk):
    """1,024 objects, counting the session's, named by enough connections."""
    connections = []
    count = 1
    while count < 1024:
        one = desk.client(listen=False)
        connections.append(one)
        for _ in range(min(16, 1024 - count)):
            desk.manager(one).get_authenticator(f"org.example.N{count}")
            count += 1
    return connections


def test_a_thousand_objects_and_no_more(desk, crowd):
    last = desk.client()
    refused("LimitsExceeded", desk.manager(last).get_authenticator, "org.example.More")
    assert len(desk.manager(last).list()) == 1024
    # Reading is free of limits, and one is as quick to read as another.
    session = desk.session(last)
    for _ in range(1000):
        session.get("IsAuthenticated")
    # The fingerprint object is no authenticator.
    assert len(desk.manager(last).objects()) == 1025
    for one in crowd:
        one.close()
        desk.clients.remove(one)
    wait_until(lambda: len(desk.manager(last).list()) == 1, 10)
    desk.manager(last).get_authenticator("org.example.More")


def memory(desk):
    with open(f"/proc/{desk.service.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_connections_that_come_and_go_leave_nothing(desk):
    def visit():
        one = desk.client()
        app = desk.app("org.example.Visitor", one)
        app.hold(ui="none")
        app.present("twice", ui="none")
        app.set("PresentedContext", "s", "")
        one.close()
        desk.clients.remove(one)

    for _ in range(50):
        visit()
    desk.client().sync()
    before, descriptors = memory(desk), len(os.listdir(f"/proc/{desk.service.pid}/fd"))
    for _ in range(300):
        visit()
    desk.client().sync()
    assert memory(desk) - before < 2 * 1024 * 1024
    assert len(os.listdir(f"/proc/{desk.service.pid}/fd")) <= descriptors
    wait_until(lambda: len(desk.manager().list()) == 1, 5)


def test_requests_of_a_connection_are_freed(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.hold()
    app.lock()
    for _ in range(20):
        one = desk.client()
        mine = Authenticator(one, app.path)
        for _ in range(5):
            mine.authenticate("x")
        one.close()
        desk.clients.remove(one)
    client.sync()
    wait_until(lambda: 'name="request"' not in client.call(names.ROOT, names.INTROSPECTABLE, "Introspect"), 3)
    assert app.outcome(RIGHT) == "accepted"


def test_a_busy_verification_does_not_hold_up_the_bus(desk, client):
    """While Argon2id runs, others are answered at once."""
    app = turn_on(desk.app("org.example.App", client))
    other = desk.client()
    took = []
    for _ in range(5):
        pending = app.start("VerifyPasscode", "s", RIGHT)
        while not pending.done:
            began = time.monotonic()
            other.call(names.SESSION, names.PROPERTIES, "Get", "ss", names.AUTHENTICATOR, "IsAuthenticated")
            took.append(time.monotonic() - began)
        pending.wait()
    took.sort()
    assert len(took) > 50 and took[int(len(took) * 0.99)] < 0.05, took[-5:]
