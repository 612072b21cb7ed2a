"""The program under test, and the service's end of its channel."""

import os
import select
import socket
import struct
import subprocess
import time

from kit.processes import Program, _die_with_parent, poll_until

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
MAPPED, NO_GRAB = b"M", b"G"


def program():
    return os.environ.get("SMILEAUTH_COVER") or os.path.join(REPOSITORY, ".build", "debug", "smileauth-cover")


class Served(Program):
    """A program with a channel as its descriptor 3."""

    def __init__(self, arguments, env, log, channel):
        self.arguments, self.log = arguments, log

        def place():
            _die_with_parent()
            if channel == 3:
                os.set_inheritable(3, True)
            else:
                os.dup2(channel, 3)

        with open(log, "ab") as output:
            self.popen = subprocess.Popen(
                arguments, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output, pass_fds=[3],
                preexec_fn=place,
            )  # fmt: skip
        self.pid = self.popen.pid


class Cover:
    """A `smileauth-cover` that the test started as the service does."""

    def __init__(self, env, log, before=()):
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for datagram in before:
            self.channel.send(datagram)
        self.started = time.monotonic_ns()
        self.program = Served([program()], {**env, "SWIFT_BACKTRACE": "enable=no"}, log, theirs.fileno())
        theirs.close()

    @property
    def pid(self):
        return self.program.pid

    @property
    def status(self):
        return self.program.status

    def report(self, seconds=10.0):
        """The next thing it says: MAPPED, NO_GRAB, b"" for its end, None for nothing within the time."""
        if not select.select([self.channel], [], [], seconds)[0]:
            return None
        try:
            return self.channel.recv(64)
        except ConnectionResetError:
            return b""

    def expect(self, report, seconds=10.0):
        got = self.report(seconds)
        assert got == report, f"the cover said {got}, not {report}: {self.program.output().decode()}"
        return self

    def prompt(self, window, feed):
        """Names the session's prompt and hands over the writing end of its feed."""
        socket.send_fds(self.channel, [b"P" + struct.pack("<I", window)], [feed.covers.fileno()])
        feed.covers.close()

    def leave(self):
        self.channel.send(b"L")

    def wait_exit(self, seconds=5.0):
        poll_until(lambda: self.status is not None, seconds, "the cover's end")
        return self.status

    def kill(self):
        self.program.kill()

    def lose_service(self):
        """The service dies: its end of the channel is closed."""
        self.channel.close()

    def end(self):
        self.channel.close()
        if self.program.running:
            self.program.kill()

