"""The real systemd-logind (Tests/Rigs/real-logind.sh): sessions, suspends and what it does at which moment."""

import os
import subprocess
import time

import dbus
import dbus.bus
import dbus.lowlevel

from .client import Client
from .clock import RIGS
from .logind import MANAGER, NAME, ROOT
from .loop import MAIN_LOOP, wait_until
from .processes import Program


class Monitor:
    """Sees the method calls of a bus (BecomeMonitor) and says nothing itself.

    No replies: one may carry an inhibitor's descriptor, and whoever has a copy of that holds up the sleep.
    """

    def __init__(self, address):
        self.calls = []  # (moment, member, first argument)
        self.connection = dbus.bus.BusConnection(address, mainloop=MAIN_LOOP)
        self.connection.add_message_filter(self._incoming)
        rules = dbus.Array(["type='method_call'"], signature="s")
        self.connection.call_blocking(
            "org.freedesktop.DBus",
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus.Monitoring",
            "BecomeMonitor",
            "asu",
            (rules, dbus.UInt32(0)),
        )

    def _incoming(self, connection, message):
        first = (message.get_args_list() or [None])[0]
        self.calls.append((time.monotonic(), str(message.get_member() or ""), first))
        return dbus.lowlevel.HANDLER_RESULT_HANDLED

    def moments(self, member, first=None):
        return [at for at, name, argument in self.calls if name == member and first in (None, argument)]

    def close(self):
        self.connection.close()


class RealLogind:
    def __init__(self, world, sleep_seconds=0.02, conf=""):
        self.world = world
        self.folder = os.path.join(world.folder, "logind")
        self.address = f"unix:path={self.folder}/bus"
        self.env = {**os.environ, "SLEEP_SECS": str(sleep_seconds), "LOGIND_CONF": conf}
        self._rig("start")
        self.monitor = Monitor(self.address)
        self.client = Client(self.address, listen=False)
        self.client.listen_to(f"type='signal',sender='{NAME}'")
        self.leader = Program(["sleep", "infinity"], self.env, os.path.join(self.folder, "leader.log"))
        self.keeper = Program(
            ["/usr/bin/python3", os.path.join(RIGS, "mksession.py"), self.leader.pid, "seat0", "1", "wayland", "user"],
            {**self.env, "DBUS_SYSTEM_BUS_ADDRESS": self.address},
            os.path.join(self.folder, "session.log"),
        )
        wait_until(lambda: b"/org/freedesktop/login1/session" in self.keeper.output(), 10, "the session")
        self.session_id, self.session_path = self.keeper.output().decode().split()[:2]

    def _rig(self, verb):
        subprocess.run(
            [os.path.join(RIGS, "real-logind.sh"), verb, self.folder],
            env=self.env,
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=60,
        )

    def call(self, member, signature="", *arguments):
        return self.client.call(ROOT, MANAGER, member, signature, *arguments, to=NAME)

    def get(self, name):
        return self.client.call(ROOT, "org.freedesktop.DBus.Properties", "Get", "ss", MANAGER, name, to=NAME)

    def session_get(self, name):
        return self.client.call(
            self.session_path, "org.freedesktop.DBus.Properties", "Get", "ss", NAME + ".Session", name, to=NAME
        )

    def prepared(self):
        """The PrepareForSleep signals so far: (moment, value)."""
        return [(e.at, e.arguments[0]) for e in self.client.others if e.name == "PrepareForSleep"]

    def inhibitors(self):
        return [row for row in self.call("ListInhibitors") if "sleep" in row[0] and row[3] == "delay"]

    def wait_inhibited(self, seconds=10):
        return wait_until(self.inhibitors, seconds, "a delay inhibitor")

    def suspend(self, wait=True):
        """Returns (PrepareForSleep(true), the moment of suspend.target's start) once the machine is awake again."""
        seen, started = len(self.prepared()), len(self.monitor.moments("StartUnit", "suspend.target"))
        self.call("Suspend", "b", False)
        if not wait:
            return None
        wait_until(lambda: len(self.prepared()) >= seen + 2, 15, "PrepareForSleep(false)")
        # The monitor is a connection of its own and may lag behind.
        starts = wait_until(
            lambda: self.monitor.moments("StartUnit", "suspend.target")[started:], 5, "the suspend's start"
        )
        return self.prepared()[seen][0], starts[0]

    def restart(self, kill=False):
        self._rig("kill-logind" if kill else "stop-logind")
        self._rig("start-logind")

    def end(self):
        self.monitor.close()
        self.client.close()
        self.keeper.end()
        self.leader.end()
        self._rig("stop")
