"""The ladder of section 5: its waits hold over kills, reboots and clocks that are set, and counts are exact."""

import os

import pytest

from kit.acts import RIGHT, WRONG, fail, turn_on
from kit.loop import wait_until
from kit.objects import refused

MINUTE = 60
#: failures so far -> the wait that follows
LADDER = {
    1: 0,
    2: 0,
    3: 0,
    4: 0,
    5: 1 * MINUTE,
    6: 5 * MINUTE,
    7: 15 * MINUTE,
    8: 15 * MINUTE,
    9: 60 * MINUTE,
    10: 60 * MINUTE,
}


@pytest.fixture
def auth(desk, client):
    app = turn_on(desk.app("org.example.Ladder", client))
    return app


def remaining(desk, auth):
    """Seconds left as the property says on CLOCK_BOOTTIME, and on the wall clock; they must agree."""
    boot = (auth.get("LockedOutUntilBoottime") - desk.clock.boottime) / 1e6
    wall = (auth.get("LockedOutUntil") - desk.clock.realtime) / 1e6
    assert abs(boot - wall) < 2, f"{boot} s by BOOTTIME, {wall} s by the wall clock"
    return boot


def refused_at(desk, auth, seconds):
    """A try during the wait: LockedOut, neither compared nor counted, even for the right one."""
    count = auth.get("FailCount")
    failure = refused("LockedOut", auth.verify, RIGHT)
    assert failure.message
    assert auth.get("FailCount") == count
    assert abs(remaining(desk, auth) - seconds) < 3


def test_every_step_of_the_ladder(desk, auth):
    for failures, wait in LADDER.items():
        assert auth.verify(WRONG) is False
        assert auth.get("FailCount") == failures
        if not wait:
            assert auth.get("LockedOutUntil") == 0 and auth.get("LockedOutUntilBoottime") == 0
            continue
        refused_at(desk, auth, wait)
        desk.clock.pass_time(wait - 3)
        refused_at(desk, auth, 3)
        desk.clock.pass_time(4)
    assert auth.verify(RIGHT) is True
    assert auth.get("FailCount") == 0 and auth.get("LockedOutUntil") == 0
    assert auth.verify(WRONG) is False and auth.get("LockedOutUntil") == 0


def test_the_wait_ends_by_itself(desk, auth, client):
    for _ in range(5):
        auth.verify(WRONG)
    start = client.mark()
    desk.clock.pass_time(61)
    wait_until(lambda: auth.get("LockedOutUntil") == 0, 5)
    assert client.changes(auth.path, start)["LockedOutUntil"] == 0
    assert client.changes(auth.path, start)["LockedOutUntilBoottime"] == 0


def test_the_view_tells_of_the_wait(desk, auth, client):
    auth.lock()
    fail(auth, 4)
    start = client.mark()
    outcome, view = auth.submit(WRONG)
    assert outcome == "wrong" and view["fail_count"] == 5
    assert view["locked_out_until"] == auth.get("LockedOutUntil") > 0
    changed = client.changes(auth.path, start)
    assert changed["FailCount"] == 5 and changed["LockedOutUntil"] == view["locked_out_until"]
    refused("LockedOut", auth.submit, RIGHT)
    refused("LockedOut", auth.submit, "12")
    assert auth.view()["step"] == 1


@pytest.mark.parametrize("failures", range(1, 10))
def test_a_kill_after_each_failure_loses_nothing(world, failures):
    """One world for each: `failures` wrong ones with a kill -9 after each, waits crossed with the clock."""
    world.surround(logind=False)
    world.start_service()
    name = "org.example.Ladder"
    world.app(name).set_passcode("", RIGHT)
    for count in range(1, failures + 1):
        auth = world.app(name)
        assert auth.verify(WRONG) is False
        world.restart_service()
        auth = world.app(name)
        assert auth.get("FailCount") == count
        if LADDER[count]:
            refused_at(world, auth, LADDER[count])
            if count < failures:
                world.clock.pass_time(LADDER[count] + 1)
    if LADDER[failures]:
        world.clock.pass_time(LADDER[failures] + 1)
    assert auth.verify(RIGHT) is True
    assert auth.get("FailCount") == 0


def test_a_kill_before_the_reply_may_cost_a_count_and_never_saves_one(world):
    world.surround(logind=False)
    world.start_service()
    world.app("org.example.Ladder").set_passcode("", RIGHT)
    for round_ in range(4):
        auth = world.app("org.example.Ladder")
        before = auth.get("FailCount")
        auth.start("VerifyPasscode", "s", WRONG)
        # The count is durable before anything is compared: once it is announced the kill cannot undo it.
        wait_until(lambda: auth.client.changes(auth.path).get("FailCount", before) > before, 5)
        world.restart_service()
        assert world.app("org.example.Ladder").get("FailCount") == before + 1


def reboot(world, uptime):
    """Kill, another boot: runtime folder emptied, another boot id, clocks that start with the machine start anew."""
    world.kill_service()
    for name in os.listdir(world.runtime):
        path = os.path.join(world.runtime, name)
        if os.path.isfile(path):
            os.unlink(path)
        elif name != "keyring":
            import shutil

            shutil.rmtree(path)
    world.clock.reboot(uptime)
    boot_id = os.path.join(world.folder, "boot_id")
    with open(boot_id, "w") as file:
        file.write("11111111-2222-3333-4444-555555555555\n")
    world.start_service(
        wrapper=[
            "unshare",
            "-m",
            "sh",
            "-c",
            f'mount --bind {boot_id} /proc/sys/kernel/random/boot_id && exec "$0" "$@"',
        ]
    )


@pytest.mark.parametrize("uptime", [5, 3600, 10_000_000])
def test_a_reboot_restarts_the_wait(world, uptime):
    world.surround(logind=False)
    world.start_service()
    auth = world.app("org.example.Ladder")
    auth.set_passcode("", RIGHT)
    for count in range(1, 7):
        if count == 6:
            world.clock.pass_time(MINUTE + 1)
        auth.verify(WRONG)
    world.clock.pass_time(200)
    reboot(world, uptime)
    auth = world.app("org.example.Ladder")
    assert auth.get("FailCount") == 6
    refused_at(world, auth, 5 * MINUTE)
    world.clock.pass_time(5 * MINUTE + 1)
    assert auth.verify(RIGHT) is True


def test_the_wall_clock_opens_nothing_and_setting_it_back_restarts(world):
    world.surround(logind=False)
    world.start_service()
    auth = world.app("org.example.Ladder")
    auth.set_passcode("", RIGHT)
    for _ in range(5):
        auth.verify(WRONG)
    world.clock.set_wall_clock(+7200)
    refused("LockedOut", auth.verify, RIGHT)
    world.restart_service()
    auth = world.app("org.example.Ladder")
    refused("LockedOut", auth.verify, RIGHT)
    world.clock.set_wall_clock(-2 * 7200)
    world.restart_service()
    auth = world.app("org.example.Ladder")
    refused_at(world, auth, MINUTE)
    world.clock.pass_time(MINUTE + 1)
    assert auth.verify(RIGHT) is True


def test_time_asleep_counts_as_waiting(desk, auth):
    for _ in range(5):
        auth.verify(WRONG)
    desk.clock.suspend(61)
    assert auth.verify(RIGHT) is True


def records(world):
    """Files of the service's own that stand beside a stored passcode."""
    found = []
    for root, _, files in os.walk(world.home):
        if "keyrings" in root:
            continue
        found += [os.path.join(root, f) for f in files]
    return found


@pytest.mark.parametrize("damage", ["emptied", "cut", "garbage", "missing"])
def test_a_broken_record_is_the_longest_wait(world, damage):
    world.surround(logind=False)
    world.start_service()
    world.app("org.example.Ladder").set_passcode("", RIGHT)
    assert world.app("org.example.Ladder").verify(WRONG) is False
    world.kill_service()
    hit = [f for f in records(world) if "record" in f or "ladder" in f or "counters" in f or "attempts" in f]
    assert hit, f"no record among {records(world)}"
    for file in hit:
        size = os.path.getsize(file)
        if damage == "missing":
            os.unlink(file)
        else:
            with open(file, "r+b") as output:
                output.truncate(0 if damage == "emptied" else size // 2 if damage == "cut" else size)
                if damage == "garbage":
                    output.write(b"\xff" * size)
    world.start_service()
    auth = world.app("org.example.Ladder")
    refused_at(world, auth, 60 * MINUTE)
    world.clock.pass_time(60 * MINUTE + 1)
    assert auth.verify(RIGHT) is True


def test_a_record_that_cannot_be_written_stops_the_try(world):
    """A full disk: not compared, not counted, and the service goes on when there is room again."""
    world.surround(logind=False)
    world.start_service()
    auth = world.app("org.example.Ladder")
    auth.set_passcode("", RIGHT)
    world.kill_service()
    # A small file system of its own under the service's folders, filled to the last byte.
    filler = os.path.join(world.folder, "fill.sh")
    with open(filler, "w") as file:
        file.write(
            'set -e\nfor d in "$XDG_DATA_HOME" "$XDG_STATE_HOME"; do\n'
            'k="$d/../.kept.$$"; cp -a "$d" "$k"; mount -t tmpfs -o size=256k tmpfs "$d"\n'
            'for f in "$k"/*; do case $f in */keyrings|*/\\*) ;; *) cp -a "$f" "$d/";; esac; done\n'
            'dd if=/dev/zero of="$d/.filler" bs=1k count=512 2>/dev/null || true; done\n'
            'exec "$@"\n'
        )
    world.start_service(wrapper=["unshare", "-m", "sh", filler])
    auth = world.app("org.example.Ladder")
    refused("StoreUnavailable", auth.verify, WRONG)
    refused("StoreUnavailable", auth.verify, RIGHT)
    assert auth.get("FailCount") == 0
    root = f"/proc/{world.service.pid}/root"
    for folder in (world.data, world.env["XDG_STATE_HOME"]):
        os.unlink(f"{root}{folder}/.filler")
    assert auth.verify(WRONG) is False
    assert auth.verify(RIGHT) is True


def test_counts_of_authenticators_are_their_own(desk, client, session, auth):
    turn_on(session)
    for _ in range(5):
        auth.verify(WRONG)
    assert session.get("FailCount") == 0
    assert session.verify(RIGHT) is True
    refused("LockedOut", auth.verify, RIGHT)


def test_a_wrong_old_passcode_climbs_too(desk, auth):
    for count in range(1, 6):
        if count % 2:
            auth.verify(WRONG)
        else:
            refused("AuthenticationFailed", auth.set_passcode, WRONG, "1111")
    refused("LockedOut", auth.set_passcode, RIGHT, "1111")
    refused("LockedOut", auth.clear_passcode, RIGHT)
    auth.present("once", ui="none")
    refused("LockedOut", auth.submit, RIGHT)
