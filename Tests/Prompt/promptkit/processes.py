"""Programs that a test starts: each is ended by its own pid, and dies with the test run if that is killed."""

import ctypes
import os
import signal
import subprocess
import time

_libc = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1


def _die_with_parent():
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Program:
    """One running program.  What it says goes to `log`, a file that stays after it."""

    def __init__(self, arguments, env, log, pass_fds=(), stdout=None):
        with open(log, "ab") as output:
            self.popen = subprocess.Popen(
                [str(a) for a in arguments],
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=stdout or output,
                stderr=output,
                pass_fds=pass_fds,
                preexec_fn=_die_with_parent,
            )
        self.log = log
        self.pid = self.popen.pid

    @property
    def running(self):
        return self.popen.poll() is None

    def kill(self):
        if self.running:
            os.kill(self.pid, signal.SIGKILL)
        self.popen.wait()

    def end(self, seconds=3.0):
        """A clean end: SIGTERM, then SIGKILL when it does not obey."""
        if self.running:
            os.kill(self.pid, signal.SIGTERM)
            try:
                self.popen.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.popen.returncode


def poll_until(condition, seconds=10.0, what="the condition", step=0.005):
    """Waits until `condition()` is true, and returns what it is."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(step)
