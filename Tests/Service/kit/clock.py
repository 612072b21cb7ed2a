"""The clocks that the service sees (Tests/Rigs/clock_shim.c), moved by hand."""

import os
import struct
import subprocess
import time

from .loop import settle

RIGS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "Rigs")
BOOT, MONOTONIC, REAL = range(3)
SECOND = 1_000_000_000


def compile_shared_object(source, folder):
    """Compiles once a run: whoever comes first renames a finished file into place."""
    target = os.path.join(folder, os.path.basename(source).replace(".c", ".so"))
    if not os.path.exists(target):
        scratch = f"{target}.{os.getpid()}"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-o", scratch, source, "-ldl"], check=True)
        os.rename(scratch, target)
    return target


class Clock:
    def __init__(self, file, shim):
        self.file = file
        self.shim = shim
        self.offsets = [0, 0, 0]
        with open(file, "wb") as output:
            output.write(struct.pack("<qqq", 0, 0, 0))

    @property
    def env(self):
        return {"LD_PRELOAD": self.shim, "CLOCK_SHIM_FILE": self.file}

    def _write(self):
        # In place: the service has the file mapped.
        with open(self.file, "r+b") as output:
            output.write(struct.pack("<qqq", *self.offsets))

    def move(self, boot=0.0, monotonic=0.0, real=0.0):
        for index, seconds in ((BOOT, boot), (MONOTONIC, monotonic), (REAL, real)):
            self.offsets[index] += int(seconds * SECOND)
        self._write()

    def pass_time(self, seconds):
        """Time goes by with the machine awake.

        Every deadline that runs in the service passes with it, so what is under way is let finish first.
        """
        settle(0.1)
        self.move(seconds, seconds, seconds)

    def suspend(self, seconds):
        """The machine slept: BOOTTIME and the wall clock went on, MONOTONIC did not."""
        self.move(boot=seconds, real=seconds)

    def set_wall_clock(self, seconds):
        """Somebody set the clock, forwards or backwards."""
        self.move(real=seconds)

    def reboot(self, uptime=30.0):
        """Both clocks that start with the machine start anew; the wall clock went on."""
        self.offsets[BOOT] = int(uptime * SECOND) - time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        self.offsets[MONOTONIC] = int(uptime * SECOND) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)
        self._write()

    def now(self, which):
        clock = (time.CLOCK_BOOTTIME, time.CLOCK_MONOTONIC, time.CLOCK_REALTIME)[which]
        return time.clock_gettime_ns(clock) + self.offsets[which]

    @property
    def boottime(self):
        """Microseconds, as LockedOutUntilBoottime counts them."""
        return self.now(BOOT) // 1000

    @property
    def realtime(self):
        return self.now(REAL) // 1000
