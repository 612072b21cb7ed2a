"""The kit itself against real parts: a suite is worth what its rigs are."""

import os
import subprocess
import time

import pytest
from kit import clock as clocks
from kit.client import Client, Failure
from kit.loop import wait_until
from kit.sensor import TOO_SHORT, VirtualSensor


def test_keyring_unlocks_locks_hangs_and_comes_back(world):
    world.start_bus()
    keyring = world.start_keyring()
    item = keyring.create_item({"xdg:schema": "org.example.Kit", "application": "x"}, b"abc")
    assert keyring.items() == [item]
    assert keyring.secret(item) == b"abc"
    keyring.set_secret(item, b"ab")
    assert keyring.secret(item) == b"ab"
    keyring.lock()
    keyring.unlock()
    keyring.restart(locked=True)
    assert len(keyring.items()) == 1
    keyring.unlock()
    keyring.delete_all()
    assert keyring.items() == []


def test_stand_in_logind_sees_an_inhibitor_go(world):
    logind = world.start_logind()
    client = Client(world.system.address, listen=False)
    pending = client.start(
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
        "Inhibit",
        "ssss",
        "sleep",
        "kit",
        "test",
        "delay",
        to="org.freedesktop.login1",
    )
    pending.wait()
    assert logind.sleep_inhibitors
    pending.reply.arguments = ()
    client.events.clear()
    del pending
    client.close()
    wait_until(lambda: not logind.sleep_inhibitors, 5)


def test_clocks_move_while_a_program_runs(world):
    world.start_bus()
    script = """
import sys, time
clocks = (time.CLOCK_BOOTTIME, time.CLOCK_MONOTONIC, time.CLOCK_REALTIME)
for line in sys.stdin:
    print(*(time.clock_gettime_ns(clock) for clock in clocks), flush=True)
"""

    reader = subprocess.Popen(
        ["/usr/bin/python3", "-c", script],
        env={**world.env, **world.clock.env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def ask():
        reader.stdin.write("\n")
        reader.stdin.flush()
        return [int(n) for n in reader.stdout.readline().split()]

    try:
        before = ask()
        world.clock.suspend(90)
        after = ask()
        assert 90 <= (after[0] - before[0]) / 1e9 < 91
        assert (after[1] - before[1]) / 1e9 < 1
        world.clock.reboot(30)
        assert abs(ask()[0] / 1e9 - 30) < 1
        assert abs(world.clock.now(clocks.BOOT) / 1e9 - 30) < 1
    finally:
        reader.kill()
        reader.wait()


def test_the_real_logind_suspends(world):
    world.start_bus()
    logind = world.start_real_logind()
    assert logind.session_get("Id") == logind.session_id
    prepared, started = logind.suspend()
    # Two connections hear of it: the order in which they do says nothing.
    assert -0.1 < started - prepared < 1
    logind.restart()
    logind.suspend()
    logind.restart(kill=True)
    assert logind.session_get("LockedHint") is False


def test_two_worlds_share_nothing(world, scratch, tmp_path):
    from kit.world import World

    other = World(tmp_path / "o", scratch)
    try:
        assert world.start_bus().address != other.start_bus().address
        assert not os.path.exists(os.path.join(world.folder, "system-bus"))
        assert world.client(listen=False).unique and other.client(listen=False).unique
    finally:
        other.close()
    assert time.monotonic() > 0


def test_callers_in_and_out_of_a_sandbox(world):
    from kit import sandbox

    world.start_bus()
    made = [sandbox.flatpak(world, "org.example.Mine"), sandbox.host(world), sandbox.vanished(world)]
    try:
        pids = []
        for agent in made:
            assert agent.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", to="org.freedesktop.DBus")
            pids.append(world.observer.driver("GetConnectionUnixProcessID", "s", agent.unique))
        with open(f"/proc/{pids[0]}/root/.flatpak-info") as file:
            assert "name=org.example.Mine" in file.read()
        assert not os.path.exists(f"/proc/{pids[1]}/root/.flatpak-info")
        assert not os.path.exists(f"/proc/{pids[2]}")
    finally:
        for agent in made:
            agent.end()


def test_the_real_fprintd_enrolls_verifies_dies_and_comes_back(world):
    world.start_logind()
    fprintd = world.start_fprintd()
    assert len(fprintd.devices) == 1
    fprintd.enroll("right-index-finger", scans="mine").enroll("left-thumb", scans="other")
    assert fprintd.enrolled == ["left-thumb", "right-index-finger"]
    fprintd.claim()
    fprintd.call("VerifyStart", "s", "right-index-finger")
    fprintd.sensor.scan("other")
    wait_until(lambda: fprintd.statuses() == ["verify-no-match"], 5)
    fprintd.call("VerifyStop")
    fprintd.call("VerifyStart", "s", "right-index-finger")
    fprintd.sensor.retry(TOO_SHORT)
    fprintd.sensor.scan("mine")
    wait_until(lambda: fprintd.statuses()[1:] == ["verify-swipe-too-short", "verify-match"], 5)
    fprintd.restart()
    fprintd.delete("left-thumb")
    assert fprintd.enrolled == ["right-index-finger"]
    fprintd.polkit.allow()
    with pytest.raises(Failure, match="PermissionDenied"):
        fprintd.claim()


def test_an_activatable_fprintd_is_started_by_a_call(world):
    fprintd = world.start_fprintd(activatable=True)
    assert fprintd.owner is None
    assert len(fprintd.devices) == 1
    first = fprintd.owner
    fprintd.kill()
    assert len(fprintd.devices) == 1
    assert fprintd.owner not in (None, first)


def test_a_sensor_with_storage_identifies(world):
    sensor = VirtualSensor(os.path.join(world.folder, "chip"), storage=True)
    fprintd = world.start_fprintd(sensor=sensor)
    fprintd.enroll("right-index-finger", scans="mine").enroll("left-thumb", scans="other")
    fprintd.claim()
    assert len(sensor.list()) == 2
    fprintd.call("VerifyStart", "s", "any")
    sensor.scan("other")
    wait_until(lambda: fprintd.statuses() == ["verify-match"], 5)
