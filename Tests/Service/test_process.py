"""The process: its name, its end, the loss of the bus or of the name, activation, and its size."""

import os
import signal
import subprocess
import time

import dbus

from kit import names
from kit.acts import RIGHT, turn_on
from kit.client import Client
from kit.loop import settle, wait_until
from kit.world import REPOSITORY, program


def ended(service, seconds=5):
    wait_until(lambda: not service.running, seconds, "the service to end")
    return service.status


def test_sigterm_and_sigint_end_it_cleanly(world):
    world.surround()
    world.expect_exit = True
    for number in (signal.SIGTERM, signal.SIGINT):
        service = world.start_service()
        began = time.monotonic()
        service.signal(number)
        assert ended(service) == 0
        assert time.monotonic() - began < 2
        world.wait_gone()
    assert not world.logind.sleep_inhibitors


def test_sigterm_in_the_middle_of_a_try(desk, client):
    desk.expect_exit = True
    app = turn_on(desk.app("org.example.App", client))
    app.start("VerifyPasscode", "s", RIGHT)
    desk.service.signal(signal.SIGTERM)
    assert ended(desk.service) == 0


def test_the_bus_lost(desk, client):
    desk.expect_exit = True
    turn_on(desk.session(client))
    desk.bus.kill()
    status = ended(desk.service)
    assert status > 0, f"{status}: not zero, and no crash"


def test_the_bus_was_never_there(world):
    world.expect_exit = True
    world.start_bus()
    world.bus.kill()
    world.start_service(wait=False)
    assert ended(world.service) > 0
    assert world.log.strip(), "it says why"


def test_no_address_at_all(world):
    world.expect_exit = True
    world.extra_env["DBUS_SESSION_BUS_ADDRESS"] = "nonsense"
    world.start_service(wait=False)
    assert ended(world.service) > 0


def test_the_name_is_taken(world):
    world.surround()
    world.expect_exit = True
    owner = world.client(listen=False)
    assert owner.connection.request_name(names.BUS_NAME, 0) == 1
    world.start_service(wait=False)
    assert ended(world.service) > 0
    assert names.BUS_NAME in world.log
    assert world.observer.owner(names.BUS_NAME) == owner.unique


def test_a_second_one_leaves_the_first_alone(desk, client):
    first = desk.service
    second = desk.run([program("smileauthd")], "second", env=desk.clock.env)
    assert ended(second) > 0
    assert first.running
    assert desk.manager(client).get("Version")


def test_nobody_replaces_it(desk):
    thief = desk.client(listen=False)
    # Asking with replacement: it does not allow that.
    assert thief.driver("RequestName", "su", names.BUS_NAME, dbus.UInt32(2 | 4)) == 3
    assert desk.observer.owner(names.BUS_NAME) != thief.unique


def test_the_system_bus_lost_is_survived(desk, client):
    session = turn_on(desk.session(client))
    desk.logind.wait_inhibited()
    desk.system.kill()
    wait_until(lambda: "logind" not in desk.manager(client).get("SessionSources"), 5)
    session.lock()
    assert session.outcome(RIGHT) == "accepted"


def test_activated_by_its_name(world):
    """The shipped activation file, on a bus that starts it."""
    services = os.path.join(world.folder, "services")
    os.makedirs(services)
    with open(os.path.join(REPOSITORY, "dbus", "org.smileauth.Auth1.service.in")) as file:
        text = file.read()
    executable = os.path.abspath(program("smileauthd"))
    lines = [
        line
        for line in text.replace("@LIBEXECDIR@/smileauthd", executable).splitlines()
        if not line.startswith("SystemdService")
    ]
    with open(os.path.join(services, "org.smileauth.Auth1.service"), "w") as file:
        file.write("\n".join(lines) + "\n")
    world.bus = None
    world.start_bus(services)
    # What the bus starts gets the bus's environment, and the address of the bus itself.
    client = world.client()
    assert client.call(names.ROOT, names.PROPERTIES, "Get", "ss", names.MANAGER, "Version")
    pid = client.driver("GetConnectionUnixProcessID", "s", names.BUS_NAME)
    os.kill(pid, signal.SIGTERM)
    wait_until(lambda: not client.owner(names.BUS_NAME), 5)


def test_standard_error_is_quiet_in_ordinary_use(desk, client):
    turn_on(desk.session(client))
    desk.session(client).lock()
    desk.session(client).outcome(RIGHT)
    assert len(desk.log) < 4000, desk.log


def test_idle_and_small(desk, client):
    turn_on(desk.session(client))
    settle(1.0)

    def switches():
        total = 0
        for task in os.listdir(f"/proc/{desk.service.pid}/task"):
            with open(f"/proc/{desk.service.pid}/task/{task}/status") as file:
                total += sum(int(line.split()[1]) for line in file if "ctxt_switches" in line)
        return total

    before = switches()
    settle(3.0)
    assert switches() - before <= 1, "it wakes up with nothing to do"


def test_a_core_holds_no_memory_of_it(desk, client):
    """Where cores are written at all the service asks for none."""
    turn_on(desk.session(client))
    with open(f"/proc/{desk.service.pid}/limits") as file:
        limits = {line.split("  ")[0].strip(): line.split() for line in file}
    core = limits["Max core file size"]
    with open(f"/proc/{desk.service.pid}/status") as file:
        assert file.read()
    assert core[4] == "0", "RLIMIT_CORE"


def test_help_and_version_of_the_programs():
    for name in ("smileauthd", "smileauth"):
        run = subprocess.run([program(name), "--version"], capture_output=True, timeout=10)
        assert run.returncode == 0 and run.stdout.strip()


def test_wrong_arguments_are_refused(world):
    world.start_bus()
    run = subprocess.run([program("smileauthd"), "--nonsense"], capture_output=True, timeout=10, env=world.env)
    assert run.returncode != 0 and run.stderr


def test_the_driver_says_that_the_name_is_lost(desk, client):
    """Nothing can make the real driver take it away but the bus; a client's word is not the driver's."""
    other = Client(desk.bus.address, listen=False)
    other.emit(
        "/org/freedesktop/DBus",
        "org.freedesktop.DBus",
        "NameLost",
        "s",
        names.BUS_NAME,
        to=desk.observer.owner(names.BUS_NAME),
    )
    other.round_trip()
    client.sync()
    assert desk.service.running
    other.close()
