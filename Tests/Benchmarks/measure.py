"""Numbers of the contract's section 12 that need no sensor and no window; a part that is not measured says so."""

import glob
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Service"))
from kit import names  # noqa: E402
from kit.acts import RIGHT, turn_on  # noqa: E402
from kit.loop import wait_until  # noqa: E402
from kit.world import World  # noqa: E402

SCRATCH = sys.argv[1]
IDLE_SECONDS = int(os.environ.get("BENCH_IDLE_SECONDS", "60"))
ROUNDS, READS = 15, 1000
rows = []


def row(what, value, low, high, unit=""):
    rows.append(low <= value <= high)
    target = f"{low}-{high}" if low else f"<= {high}"
    print(f"{what:<52} {value:>9.3f} {unit:<4} {target:<10} {'ok' if rows[-1] else 'over'}", flush=True)


def pin(pid):
    for task in os.listdir(f"/proc/{pid}/task"):
        os.sched_setaffinity(int(task), {0})


def unpin(pid):
    for task in os.listdir(f"/proc/{pid}/task"):
        os.sched_setaffinity(int(task), range(os.cpu_count()))


def reads(world):
    """Interleaved rounds; the A/A pair is the C service against a second process of the same."""
    services = {"A": "libdbus", "B": "libdbus", "G": "gdbus"}
    targets = {"S": names.BUS_NAME}
    pids = [world.bus.daemon.pid, world.service.pid]
    for key, kind in services.items():
        targets[key] = f"org.smileauth.Bench.{key}"
        pids.append(world.run([f"{SCRATCH}/baseline_{kind}", targets[key]], key).pid)
        wait_until(lambda: world.observer.owner(targets[key]), 10, targets[key])
    for pid in pids:
        pin(pid)
    took = {key: [] for key in targets}
    for turn in range(ROUNDS):
        for key in sorted(targets, reverse=turn % 2 == 1):
            probe = ["taskset", "-c", "0", f"{SCRATCH}/probe", targets[key], str(READS)]
            took[key].append(int(subprocess.check_output(probe, env=world.env)))
    for pid in pids:
        unpin(pid)
    median = {key: statistics.median(values) for key, values in took.items()}
    row("A/A pair of the C libdbus service", median["A"] / median["B"], 0.97, 1.03)
    row("read of IsAuthenticated / C libdbus", median["S"] / median["A"], 0, 1.15)
    row("read of IsAuthenticated / GDBus", median["S"] / median["G"], 0, 0.70)


def sleeps(world, session, busy, times):
    """PrepareForSleep(true) to IsAuthenticated = false as a client sees it, its own and the bus's time included."""
    took = []
    for _ in range(times):
        world.logind.wait_inhibited()
        mark = session.client.mark()
        pending = None
        if busy:
            pending = session.start("VerifyPasscode", "s", RIGHT)
            time.sleep(0.02)  # Argon2id takes 80 ms and more: it is at work now
        sent = world.logind.prepare_for_sleep(True)

        def locked():
            return [e for e in session.client.events[mark:]
                    if e.kind == "changed" and e.path == names.SESSION and e.arguments[1].get("IsAuthenticated") is False]

        took.append(wait_until(locked, 10, "the lock")[0].at - sent)
        if pending:
            assert not pending.done or pending.reply.at >= sent, "Argon2id had ended before the sleep"
            wait_until(lambda: pending.done, 10, "the verification")
        world.logind.prepare_for_sleep(False)
        world.manager(world.observer).wait_for("SessionState", "active")
        if not session.showing:
            session.present("once", ui="none")
        wait_until(lambda: session.outcome(RIGHT) == "accepted", 10, "the unlock")
    return statistics.median(took) * 1000


def instructions(world):
    """User-space instructions of the service per read, by perf; None where perf cannot count them."""
    counted = {}
    for key, target, program in (
        ("S", names.BUS_NAME, world.service),
        ("A", "org.smileauth.Bench.A", world.programs[1]),
    ):
        try:
            perf = subprocess.Popen(
                ["perf", "stat", "-x,", "-e", "instructions:u", "-p", str(program.pid)],
                stderr=subprocess.PIPE,
                text=True,
            )
        except FileNotFoundError:
            return None
        time.sleep(0.5)
        subprocess.check_output([f"{SCRATCH}/probe", target, "5000"], env=world.env)
        perf.send_signal(2)
        fields = perf.communicate()[1].strip().splitlines()[-1].split(",")
        if not fields[0].isdigit():
            return None
        counted[key] = int(fields[0])
    return counted["S"] / counted["A"]


def latency(world, session):
    """The bus's 99th percentile of reads by a second client while Argon2id runs, ms; all reads are inside one run."""
    client, took = world.client(listen=False), []
    for _ in range(5):
        pending = session.start("VerifyPasscode", "s", RIGHT)
        while not pending.done:
            began = time.monotonic()
            client.call(names.SESSION, names.PROPERTIES, "Get", "ss", names.AUTHENTICATOR, "IsAuthenticated")
            took.append(time.monotonic() - began)
    assert len(took) >= 100, len(took)
    return sorted(took)[len(took) * 99 // 100] * 1000


def many(world):
    """A read with 1,024 authenticators over one with few: 64 connections name 16 each."""
    def median():
        probe = [f"{SCRATCH}/probe", names.BUS_NAME, "3000"]
        return statistics.median(int(subprocess.check_output(probe, env=world.env)) for _ in range(7))

    before = median()
    for number in range(64):
        manager = world.manager(world.client(listen=False))
        for item in range(15 if number == 63 else 16):  # the session is the 1,024th
            manager.get_authenticator(f"org.bench.N{number}.I{item}")
    row("read with 1,024 authenticators / with one", median() / before, 0, 1.1)


def switches(pid):
    total = 0
    for status in glob.glob(f"/proc/{pid}/task/*/status"):
        with open(status) as file:
            total += sum(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt"))
    return total


def idle(world):
    time.sleep(2)
    before = switches(world.service.pid)
    time.sleep(IDLE_SECONDS)
    row(f"wake-ups in {IDLE_SECONDS} s idle", switches(world.service.pid) - before, 0, 0)


def resident(world):
    with open(f"/proc/{world.service.pid}/status") as file:
        rss = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
    row("RSS idle", rss / 1024, 0, 20, "MB")


def main():
    world = World(os.path.join(SCRATCH, "world")).surround()
    try:
        world.start_service()
        reads(world)
        resident(world)
        idle(world)
        session = turn_on(world.session())
        row("PrepareForSleep(true) to the lock's signal", sleeps(world, session, False, 21), 0, 1.5, "ms")
        row("the same while Argon2id runs", sleeps(world, session, True, 11), 0, 8, "ms")
        row("bus p99 while Argon2id runs", latency(world, session), 0, 20, "ms")
        ratio = instructions(world)
        if ratio is None:
            print("instructions per read: not measured, perf cannot count them here")
        else:
            row("instructions per read / C libdbus", ratio, 0, 1.25)
        many(world)
    finally:
        world.close()
    print("Not measured yet: activation, Private_Dirty, the right passcode less crypto_pwhash.")
    sys.exit(0 if all(rows) else 1)


main()
