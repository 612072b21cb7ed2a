"""One test's world: buses, folders, keyring, logind, clocks and the service, all its own."""

import os
import shutil

from . import names
from .bus import Bus
from .client import Client
from .clock import RIGS, Clock, compile_shared_object
from .fprintd import Fprintd
from .keyring import Keyring
from .logind import FakeLogind
from .loop import wait_until
from .objects import Authenticator, Manager
from .processes import Program
from .reallogind import RealLogind

REPOSITORY = os.path.dirname(os.path.dirname(RIGS))


def program(name):
    """A program of the project: $SMILEAUTHD and $SMILEAUTH, else the debug build's."""
    return os.environ.get(name.upper()) or os.path.join(REPOSITORY, ".build", "debug", name)


class World:
    def __init__(self, folder, scratch=None):
        """`scratch` is where helpers are compiled; without it the service sees the machine's own clocks."""
        self.folder = str(folder)
        self.home = os.path.join(self.folder, "home")
        self.runtime = os.path.join(self.folder, "run")
        self.data = os.path.join(self.home, ".local", "share")
        for path in (
            self.runtime,
            self.data,
            os.path.join(self.home, ".config"),
            os.path.join(self.home, ".local/state"),
        ):
            os.makedirs(path, exist_ok=True)
        for path in (self.home, self.runtime):
            os.chmod(path, 0o700)
        self.clock = scratch and Clock(
            os.path.join(self.folder, "clocks"), compile_shared_object(os.path.join(RIGS, "clock_shim.c"), scratch)
        )
        self.bus = self.system = self.keyring = self.logind = self.real = self.fprintd = self.service = None
        self.seed = scratch and os.path.join(scratch, "argon2id")
        self._plant()
        self.clients = []
        self.programs = []
        self.extra_env = {}
        self.expect_exit = False  # a test that ends the service on purpose says so

    # What the first start measured of this machine, a second's work, is handed on to the worlds after it.

    @property
    def _measured(self):
        return os.path.join(self.home, ".local", "state", "smileauth", "argon2id")

    def _plant(self):
        if self.seed and os.path.exists(self.seed):
            os.makedirs(os.path.dirname(self._measured), mode=0o700)
            shutil.copy(self.seed, self._measured)

    def _harvest(self):
        if self.seed and os.path.exists(self._measured) and not os.path.exists(self.seed):
            shutil.copy(self._measured, f"{self.seed}.{os.getpid()}")
            os.rename(f"{self.seed}.{os.getpid()}", self.seed)

    # Surroundings

    @property
    def env(self):
        env = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": self.home,
            "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": self.runtime,
            "XDG_DATA_HOME": self.data,
            "XDG_CONFIG_HOME": os.path.join(self.home, ".config"),
            "XDG_STATE_HOME": os.path.join(self.home, ".local/state"),
            "XDG_CACHE_HOME": os.path.join(self.home, ".cache"),
            "XDG_SESSION_ID": "c1",
            "DBUS_SESSION_BUS_ADDRESS": self.bus.address if self.bus else "unix:path=/nonexistent",
            "DBUS_SYSTEM_BUS_ADDRESS": self.system.address if self.system else f"unix:path={self.folder}/no-system-bus",
        }
        env.update(self.extra_env)
        return env

    def start_bus(self, services=None):
        env = dict(self.env)
        self.bus = Bus(os.path.join(self.folder, "bus"), "session", services, env)
        return self.bus

    @property
    def system_services(self):
        """Activation files of the system bus; empty until a rig puts one there."""
        return os.path.join(self.folder, "system-services")

    def start_system_bus(self):
        os.makedirs(self.system_services, exist_ok=True)
        self.system = Bus(os.path.join(self.folder, "bus"), "system", self.system_services)
        return self.system

    def start_keyring(self, locked=False):
        self.keyring = Keyring(self.bus, self.folder, self.env)
        self.keyring.start(locked)
        return self.keyring

    def start_logind(self, **values):
        self.start_system_bus()
        self.logind = FakeLogind(self.system.address, **values)
        return self.logind

    def start_real_logind(self, **values):
        """Instead of the stand-in; root only."""
        self.real = RealLogind(self, **values)
        self.extra_env = {"DBUS_SYSTEM_BUS_ADDRESS": self.real.address, "XDG_SESSION_ID": self.real.session_id}
        return self.real

    def start_fprintd(self, activatable=False, sensor=None):
        """The real fprintd and its virtual sensor, beside the stand-in for logind where that was started before."""
        if not self.system:
            self.start_system_bus()
        self.fprintd = Fprintd(self.system.address, self.folder, activatable, self.system_services, sensor)
        return self.fprintd

    def surround(self, keyring=True, logind=True):
        self.start_bus()
        if keyring:
            self.start_keyring()
        if logind:
            self.start_logind()
        return self

    # The service

    def start_service(self, wait=True, wrapper=(), env=None):
        environment = {**self.env, **(self.clock.env if self.clock else {}), **(env or {})}
        self.service = Program(
            [*wrapper, program("smileauthd")], environment, os.path.join(self.folder, "smileauthd.log")
        )
        self.programs.append(self.service)
        if wait:
            self.wait_service()
        return self.service

    def wait_service(self, seconds=10):
        observer = self.observer
        wait_until(lambda: observer.owner(names.BUS_NAME) or not self.service.running, seconds, "the service's name")
        assert self.service.running, f"the service ended with {self.service.status}:\n{self.log}"

    def kill_service(self):
        """kill -9, and its name gone."""
        self.service.kill()
        self.wait_gone()

    def wait_gone(self):
        observer = self.observer
        wait_until(lambda: not observer.owner(names.BUS_NAME), 10, "the service's name to go")

    def restart_service(self, **keywords):
        self.kill_service()
        return self.start_service(**keywords)

    def end_service(self):
        self.expect_exit = True
        status = self.service.end()
        return status

    @property
    def log(self):
        return self.service.output().decode(errors="replace")

    # Clients

    def client(self, listen=True):
        client = Client(self.bus.address, listen)
        self.clients.append(client)
        return client

    @property
    def observer(self):
        if not hasattr(self, "_observer"):
            self._observer = self.client(listen=False)
        return self._observer

    def manager(self, client=None):
        return Manager(client or self.client())

    def session(self, client=None):
        return Authenticator(client or self.client(), names.SESSION)

    def app(self, name, client=None):
        client = client or self.client()
        return Authenticator(client, Manager(client).get_authenticator(name))

    def run(self, arguments, name, env=None, **keywords):
        """Another program in this world."""
        started = Program(arguments, {**self.env, **(env or {})}, os.path.join(self.folder, f"{name}.log"), **keywords)
        self.programs.append(started)
        return started

    # The end

    def close(self):
        died = None
        if self.service is not None and not self.expect_exit and not self.service.running:
            died = f"the service ended with {self.service.status}:\n{self.log[-3000:]}"
        for client in self.clients:
            client.close()
        for started in self.programs:
            started.end()
        if self.keyring:
            self.keyring.end()
            if self.keyring._client:
                self.keyring._client.close()
        for rig in (self.fprintd, self.logind, self.real):
            if rig:
                rig.end()
        for bus in (self.bus, self.system):
            if bus:
                bus.end()
        self._harvest()
        shutil.rmtree(self.folder, ignore_errors=True)
        assert died is None, died
