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
    """One running program.  Its output goes to `log`, a file that stays after it."""

    def __init__(self, arguments, env, log, stdin=None, stdout=None, pass_fds=(), cwd=None):
        self.arguments = [str(a) for a in arguments]
        self.log = log
        with open(log, "ab") as output:
            self.popen = subprocess.Popen(
                self.arguments,
                env=env,
                stdin=stdin or subprocess.DEVNULL,
                stdout=stdout or output,
                stderr=output,
                pass_fds=pass_fds,
                cwd=cwd,
                preexec_fn=_die_with_parent,
            )
        self.pid = self.popen.pid

    @property
    def running(self):
        return self.popen.poll() is None

    @property
    def status(self):
        """The exit status, negative for a signal, None while it runs."""
        return self.popen.poll()

    def signal(self, number):
        if self.running:
            os.kill(self.pid, number)

    def stop(self):
        """Freezes it, as a provider that hangs."""
        self.signal(signal.SIGSTOP)

    def go_on(self):
        self.signal(signal.SIGCONT)

    def kill(self):
        """kill -9, and its end waited for."""
        self.signal(signal.SIGKILL)
        self.popen.wait()

    def end(self, seconds=3.0):
        """A clean end: SIGTERM, then SIGKILL when it does not obey."""
        if self.running:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGTERM)
            try:
                self.popen.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.popen.returncode

    def output(self):
        with open(self.log, "rb") as log:
            return log.read()


def poll_until(condition, seconds=10.0, what="the condition", step=0.005):
    """Waits without a main loop.  For start-up only; tests use `loop.wait_until`."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(step)
