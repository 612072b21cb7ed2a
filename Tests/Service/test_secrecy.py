"""A canary passcode shows up nowhere: no log, file, bus message, argument, environment or core (section 13 and 10)."""

import os
import signal
import subprocess

import pytest

from kit.acts import CANARY, turn_on
from kit.loop import settle, wait_until
from kit.objects import refused

TEXT_CANARY = "canary-Zq8 gently"
WRONG_CANARY = "73915573910247"


def forms(secret):
    """As it is, as UTF-16, and with gaps a string of wide characters would leave."""
    data = secret.encode()
    return [data, secret.encode("utf-16-le"), secret.encode("utf-32-le")]


def search(data, secrets, where):
    for secret in secrets:
        for form in forms(secret):
            assert form not in data, f"a passcode in {where}"


@pytest.fixture
def watched(world):
    world.surround()
    world.capture = os.path.join(world.folder, "capture.pcap")
    with open(world.capture, "wb") as output:
        world.monitor = world.run(["dbus-monitor", "--session", "--pcap"], "dbus-monitor", stdout=output)
    wait_until(lambda: os.path.getsize(world.capture) > 0, 5)
    world.start_service()
    return world


def use(world, secret, wrong, **kind):
    """Everything that takes a passcode and keeps it off the bus."""
    auth = world.app("org.example.Canary")
    client = auth.client
    auth.hold(ui="none")
    auth.present("twice", ui="none", **kind)
    for _ in range(2):
        auth.submit_bytes(secret.encode())
    auth.lock()
    assert auth.submit_bytes(wrong.encode())[0] == "wrong"
    assert auth.submit_bytes(secret.encode() + b"\n")[0] == "accepted"
    auth.present("three", ui="none")
    assert auth.submit_bytes(wrong.encode())[0] == "wrong"
    auth.submit_bytes(secret.encode())
    auth.submit_bytes(secret.encode())
    assert auth.submit_bytes(wrong.encode())[0] == "mismatch"
    auth.submit_bytes(secret.encode())
    assert auth.submit_bytes(secret.encode())[0] == "accepted"
    world.keyring.kill()
    auth.lock()
    refused("StoreUnavailable", auth.submit_bytes, secret.encode())
    world.keyring.start()

    def again():
        try:
            return auth.submit_bytes(secret.encode())[0] == "accepted"
        except Exception as failure:
            assert failure.short == "StoreUnavailable"

    wait_until(again, 8)
    client.sync()
    return auth


@pytest.mark.parametrize(
    "secret,wrong,kind",
    [(CANARY, WRONG_CANARY, {"digits": len(CANARY)}), (TEXT_CANARY, TEXT_CANARY + "!", {"kind": "text"})],
    ids=["digits", "text"],
)
def test_nowhere(watched, secret, wrong, kind):
    use(watched, secret, wrong, **kind)
    secrets = (secret, wrong)
    pid = watched.service.pid
    for name in ("cmdline", "environ"):
        with open(f"/proc/{pid}/{name}", "rb") as file:
            search(file.read(), secrets, name)
    settle(0.2)
    for root, _, files in os.walk(watched.folder):
        for name in files:
            path = os.path.join(root, name)
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    search(file.read(), secrets, path)
    with open(watched.capture, "rb") as file:
        assert b"AuthenticationFailed" in file.read(), "the capture saw the bus"


@pytest.mark.parametrize(
    "secret,wrong,kind",
    [(CANARY, WRONG_CANARY, {"digits": len(CANARY)}), (TEXT_CANARY, TEXT_CANARY + "!", {"kind": "text"})],
    ids=["digits", "text"],
)
def test_not_in_its_memory_afterwards(watched, secret, wrong, kind):
    """Every writable page of the living process, which is what a core would hold."""
    use(watched, secret, wrong, **kind)
    settle(0.1)
    search_memory(watched.service.pid, (secret, wrong))


def test_the_bus_methods_wipe_their_arguments_too(watched):
    auth = watched.app("org.example.Canary")
    auth.set_passcode("", CANARY, digits=len(CANARY))
    auth.verify(WRONG_CANARY)
    auth.verify(CANARY)
    auth.lock()
    auth.submit(WRONG_CANARY)
    auth.submit(CANARY)
    auth.set_passcode(CANARY, CANARY, digits=len(CANARY))
    refused("AuthenticationFailed", auth.clear_passcode, WRONG_CANARY)
    auth.clear_passcode(CANARY)
    auth.client.sync()
    search_memory(watched.service.pid, (CANARY, WRONG_CANARY))
    search(watched.service.output(), (CANARY, WRONG_CANARY), "standard error")


def search_memory(pid, secrets):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights = line.split()[:2]
            if "r" not in rights or "w" not in rights:
                continue
            first, last = (int(n, 16) for n in span.split("-"))
            try:
                memory.seek(first)
                data = memory.read(last - first)
            except OSError:
                continue
            search(data, secrets, f"memory {line.strip()}")


def test_a_crash_prints_none(watched):
    """Killed by SIGSEGV with an entry just given: what it prints is no memory."""
    watched.expect_exit = True
    auth = watched.app("org.example.Canary")
    auth.present("twice", ui="none", digits=len(CANARY))
    auth.submit_bytes(CANARY.encode())
    auth.start("SubmitPasscode", "s", CANARY)
    settle(0.02)
    watched.service.signal(signal.SIGSEGV)
    wait_until(lambda: not watched.service.running, 20)
    settle(0.3)
    search(watched.service.output(), (CANARY,), "crash output")


def test_the_command_line_takes_none_as_an_argument(watched):
    from kit.world import program

    turn_on(watched.session())
    run = subprocess.run(
        [program("smileauth"), "unlock", "--passcode", CANARY],
        env=watched.env,
        capture_output=True,
        timeout=10,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 2
    search(run.stdout + run.stderr, (CANARY,), "the usage message")


def test_the_session_key_of_the_store_is_encrypted(watched):
    """What goes to the Secret Service holds a verifier and no passcode, in no form that the bus shows."""
    auth = watched.app("org.example.Canary")
    auth.present("twice", ui="none", digits=len(CANARY))
    auth.submit_bytes(CANARY.encode())
    auth.submit_bytes(CANARY.encode())
    (item,) = watched.keyring.items()
    search(watched.keyring.secret(item), (CANARY,), "the item")
    with open(watched.capture, "rb") as file:
        search(file.read(), (CANARY,), "the capture")
