"""The service's end of a prompt's channel, as the contract has it; and the prompt on the other end."""

import fcntl
import os
import select
import signal
import socket
import time

from gi.repository import Gio, GLib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

#: What GetView answers for an unlock with four digits, and the channel's own keys.
VIEW = {
    "security_type": ("s", "touchid"),
    "title": ("s", "Enter Passcode"),
    "description": ("s", "Enter 4 digit passcode"),
    "reason": ("s", "Are you the device owner?"),
    "kind": ("s", "digits"),
    "requester": ("s", ""),
    "fingerprint": ("s", "none"),
    "filled": ("u", 0),
    "digits": ("u", 4),
    "fail_count": ("u", 0),
    "step": ("u", 1),
    "can_cancel": ("b", True),
    "verified": ("b", False),
    "locked_out_until": ("t", 0),
    "account_password": ("b", False),
    "demand": ("s", "passcode"),
    "biometry_locked_out": ("b", False),
    "fingers": ("as", []),
    "finger": ("s", ""),
    "fallback_title": ("s", ""),
    "cancel_title": ("s", "Cancel"),
    "application": ("s", "org.example.App"),
    "is_session": ("b", False),
    "takes_keys": ("b", True),
    "animated": ("b", True),
    "parent_window": ("s", ""),
    "busy": ("b", False),
    "covers": ("b", False),
    "TintColor": ("s", "#ff2d55"),
    "DescriptionTextColor": ("s", ""),
    "TouchIDIconName": ("s", ""),
    "AppLogoName": ("s", ""),
    "BackgroundImage": ("s", ""),
    "NavibarTranslucent": ("b", False),
    "ParallaxMode": ("b", True),
    "NightMode": ("s", "auto"),
}


def program():
    """The prompt under test: SMILEAUTH_PROMPT, or the one that was built last."""
    given = os.environ.get("SMILEAUTH_PROMPT")
    if given:
        return given
    return os.path.join(ROOT, ".build", "debug", "smileauth-prompt")


def marshal(signature, values):
    message = Gio.DBusMessage.new_signal("/", "a.b", "C")
    message.set_body(GLib.Variant(signature, values))
    message.set_serial(1)
    return bytes(message.to_blob(Gio.DBusCapabilityFlags.NONE))


def view(**changes):
    """VIEW with other values."""
    made = dict(VIEW)
    for key, value in changes.items():
        made[key] = (VIEW[key][0], value)
    return made


class Prompt:
    """A running prompt.  `desk` is where it is seen."""

    def __init__(self, desk, first=None, env=None, feed=None, wrapper=()):
        self.desk = desk
        self.state = {}
        self.messages = []
        self.log = os.path.join(desk.folder, f"prompt-{time.monotonic_ns()}.log")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # Out of the way of 3 and 4: what is put there must not be one of them already.
        if feed:
            theirs, low = socket.socket(fileno=fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, 10)), theirs
            low.close()
        self.channel = ours
        # In line already when it starts, as the service has it.
        if first is not None:
            self.show(first)
        self.started = time.monotonic()
        arguments = [*wrapper, program()]
        self.pid = os.posix_spawnp(
            arguments[0], arguments, {**desk.env, **(env or {})},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                (os.POSIX_SPAWN_DUP2, theirs.fileno(), 3),
            ] + ([(os.POSIX_SPAWN_DUP2, feed.fileno(), 4)] if feed else []),
            setsigmask=[], setsigdef=[signal.SIGTERM, signal.SIGINT],
        )
        theirs.close()
        self.status = None

    # What the service says.

    def send(self, data):
        self.channel.send(data)

    def show(self, state):
        """Sends the view, whole."""
        self.state = state
        body = {key: GLib.Variant(kind, value) for key, (kind, value) in state.items()}
        self.send(b"V" + marshal("(a{sv})", (body,)))

    def change(self, **changes):
        """Sends the view again with other values."""
        state = dict(self.state)
        for key, value in changes.items():
            state[key] = (VIEW[key][0], value)
        self.show(state)

    def outcome(self, token, result, message="", until=0):
        self.send(b"O" + marshal("(usst)", (token, result, message, until)))

    def dismiss(self, result="success", animated=True):
        self.send(b"D" + marshal("(sb)", (result, animated)))

    # What the prompt says.

    def read(self, seconds=0.0):
        """Takes in what it has said; answers whether the channel is still open."""
        deadline = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.channel], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                return True
            data = self.channel.recv(1 << 16)
            if not data:
                return False
            self.messages.append((time.monotonic(), data))
            deadline = 0

    def said(self, letter):
        """All messages with this letter, without it."""
        self.read()
        return [data[1:] for _, data in self.messages if data[:1] == letter.encode()]

    def expect(self, letter, count=1, seconds=5.0):
        """The last of `count` messages with this letter, once they are there."""
        deadline = time.monotonic() + seconds
        while len(self.said(letter)) < count:
            assert time.monotonic() < deadline, f"no {count}. {letter}, but {self.messages}; {self.words()}"
            if not self.read(0.02):
                raise AssertionError(f"the prompt is gone: {self.words()}")
        return self.said(letter)[count - 1]

    def shown(self):
        """Waits for the first frame, and until keys count."""
        self.expect("S")
        self.desk.window(self.state["title"][1])
        time.sleep(0.45)
        return self

    def entry(self, count=1, letter="E"):
        """The token and the bytes of an entry."""
        data = self.expect(letter, count)
        return int.from_bytes(data[:4], "little"), data[4:]

    # The process.

    def words(self):
        with open(self.log, "rb") as log:
            return log.read().decode(errors="replace")

    def wait(self, seconds=5.0):
        """Its exit status (negative for a signal), once it has ended."""
        deadline = time.monotonic() + seconds
        while self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                break
            assert time.monotonic() < deadline, f"the prompt does not end: {self.words()}"
            time.sleep(0.005)
        return self.status

    @property
    def running(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is None

    def kill(self):
        if self.running:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
        self.channel.close()

    def rss(self, kind="VmRSS"):
        """Resident memory in KiB; of a process that forbids looking into it too."""
        with open(f"/proc/{self.pid}/status") as status:
            return int(next(line.split()[1] for line in status if line.startswith(kind)))
