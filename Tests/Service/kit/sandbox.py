"""Callers in sandboxes: bubblewrap with the file that Flatpak puts into its root, and callers of unknown origin."""

import json
import os
import subprocess

from . import names
from .client import Failure
from .loop import turn, wait_until
from .processes import _die_with_parent

AGENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "agent.py")
FLATPAK_INFO = """[Application]
name={name}
runtime=runtime/org.example.Platform/x86_64/1

[Instance]
instance-id=1
flatpak-version=1.14
"""


class Agent:
    """A caller somewhere else.  `call` blocks like Client.call and raises Failure."""

    def __init__(self, arguments, env, log, pass_fds=()):
        with open(log, "ab") as errors:
            self.popen = subprocess.Popen(
                arguments,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                pass_fds=pass_fds,
                preexec_fn=_die_with_parent,
            )
        os.set_blocking(self.popen.stdout.fileno(), False)
        self._buffer = b""
        hello = self._line()
        self.unique, self.pid = hello["unique"], hello["pid"]

    def _line(self):
        def complete():
            turn()
            self.popen.poll()  # reaps the one that left its child behind
            try:
                self._buffer += os.read(self.popen.stdout.fileno(), 65536)
            except BlockingIOError:
                pass
            return b"\n" in self._buffer

        wait_until(complete, 40, "an agent's answer")
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def call(self, path, interface, member, signature="", *arguments, to=names.BUS_NAME):
        ask = {
            "to": to,
            "path": path,
            "interface": interface,
            "member": member,
            "signature": signature,
            "arguments": arguments,
        }
        self.popen.stdin.write(json.dumps(ask).encode() + b"\n")
        self.popen.stdin.flush()
        answer = self._line()
        if "error" in answer:
            raise Failure(answer["error"], answer["message"])
        result = answer["result"]
        return None if not result else result[0] if len(result) == 1 else tuple(result)

    # The few calls that suites make again and again

    def get(self, path, name, interface=names.AUTHENTICATOR):
        return self.call(path, names.PROPERTIES, "Get", "ss", interface, name)

    def set(self, path, name, signature, value):
        return self.call(path, names.PROPERTIES, "Set", "ssv", names.AUTHENTICATOR, name, {"v": [signature, value]})

    def authenticator(self, path, member, signature="", *arguments):
        return self.call(path, names.AUTHENTICATOR, member, signature, *arguments)

    def end(self):
        self.popen.stdin.close()
        self.popen.kill()
        self.popen.wait()


def flatpak(world, name, log="flatpak"):
    """A process whose root holds /.flatpak-info for this application, on the world's bus."""
    reader, writer = os.pipe()
    os.write(writer, FLATPAK_INFO.format(name=name).encode())
    os.close(writer)
    try:
        return Agent(
            [
                "bwrap",
                "--ro-bind",
                "/usr",
                "/usr",
                "--symlink",
                "usr/bin",
                "/bin",
                "--symlink",
                "usr/lib",
                "/lib",
                "--symlink",
                "usr/lib64",
                "/lib64",
                "--symlink",
                "usr/sbin",
                "/sbin",
                "--ro-bind",
                "/etc",
                "/etc",
                "--proc",
                "/proc",
                "--dev",
                "/dev",
                "--bind",
                world.bus.folder,
                world.bus.folder,
                "--ro-bind",
                os.path.dirname(AGENT),
                "/kit",
                "--file",
                str(reader),
                "/.flatpak-info",
                "/usr/bin/python3",
                "/kit/agent.py",
            ],
            world.env,
            os.path.join(world.folder, log + ".log"),
            pass_fds=(reader,),
        )
    finally:
        os.close(reader)


def host(world):
    """An ordinary process."""
    return Agent(["/usr/bin/python3", AGENT], world.env, os.path.join(world.folder, "host.log"))


def vanished(world):
    """A connection whose process, as the bus knows it, is gone: nobody can tell what it was."""
    return Agent(
        ["/usr/bin/python3", AGENT], {**world.env, "LEAVE_PROCESS": "1"}, os.path.join(world.folder, "vanished.log")
    )
