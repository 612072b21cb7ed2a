"""The real fprintd with a virtual sensor on a test's system bus; polkit is dbusmock's.

It can hang, be killed and come back; another program can claim the sensor; prints can be enrolled behind the
service's back.
"""

import os

import dbus

from .client import Client
from .loop import wait_until
from .processes import Program
from .sensor import VirtualSensor

NAME = "net.reactivated.Fprint"
MANAGER_PATH = "/net/reactivated/Fprint/Manager"
MANAGER = NAME + ".Manager"
DEVICE = NAME + ".Device"
POLKIT = "org.freedesktop.PolicyKit1"
ACTIONS = [f"net.reactivated.fprint.device.{action}" for action in ("verify", "enroll", "setusername")]


class Polkit:
    """Says yes to what is allowed, no to the rest."""

    def __init__(self, address, folder):
        env = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": address}
        self.client = Client(address, listen=False)
        self.program = Program(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "polkitd"],
            env,
            os.path.join(folder, "polkit.log"),
        )
        wait_until(lambda: self.client.owner(POLKIT), 20, "polkit")
        self.allow(*ACTIONS)

    def allow(self, *actions):
        """Only these from now on."""
        self._mock("SetAllowed", "as", dbus.Array(actions, signature="s"))

    def _mock(self, member, signature, *arguments):
        path = "/org/freedesktop/PolicyKit1/Authority"
        self.client.call(path, "org.freedesktop.DBus.Mock", member, signature, *arguments, to=POLKIT)

    def end(self):
        self.client.close()
        self.program.end()


class Fprintd:
    """Started by `World.start_fprintd`.

    `activatable`: the bus starts it when it is called, also again after a kill; else only `start` does.
    """

    def __init__(self, address, folder, activatable=False, services=None, sensor=None):
        self.address = address
        self.folder = os.path.join(folder, "fprintd")
        self.state = os.path.join(self.folder, "state")
        for path in (self.state, os.path.join(self.folder, "run")):
            os.makedirs(path, exist_ok=True)
        self.sensor = sensor or VirtualSensor(os.path.join(self.folder, "sensor"))
        self.polkit = Polkit(address, self.folder)
        self.client = Client(address, listen=False)
        self.client.listen_to(f"type='signal',sender='{NAME}'")
        self.program = None
        self._claimant = None
        if activatable:
            self._install(services)
        else:
            self.start()

    @property
    def env(self):
        return {
            "PATH": "/usr/bin:/bin",
            "DBUS_SYSTEM_BUS_ADDRESS": self.address,
            "STATE_DIRECTORY": self.state,
            "RUNTIME_DIRECTORY": os.path.join(self.folder, "run"),
            "G_MESSAGES_DEBUG": "all",
            **self.sensor.env,
        }

    # The process

    def _install(self, services):
        """Without -t: it goes by itself when nobody has used it for 30 s."""
        os.makedirs(services, exist_ok=True)
        variables = " ".join(f"{name}={value}" for name, value in self.env.items())
        with open(os.path.join(services, f"{NAME}.service"), "w") as file:
            file.write(f"[D-BUS Service]\nName={NAME}\nUser=root\nExec=/usr/bin/env {variables} /usr/libexec/fprintd\n")
        self.client.driver("ReloadConfig")

    def start(self, wrapper=()):
        log = os.path.join(self.folder, "fprintd.log")
        self.program = Program([*wrapper, "/usr/libexec/fprintd", "-t"], self.env, log)
        wait_until(lambda: self.owner or not self.program.running, 10, "fprintd")
        assert self.owner, self.log
        return self

    @property
    def owner(self):
        """Its unique name while it runs."""
        return self.client.owner(NAME)

    @property
    def pid(self):
        return self.client.driver("GetConnectionUnixProcessID", "s", NAME)

    def signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        if self.program:
            self.program.kill()
        else:
            self.signal(9)
        wait_until(lambda: not self.owner, 10, "fprintd's name to go")

    def stop(self):
        """It hangs."""
        self.program.stop()

    def go_on(self):
        self.program.go_on()

    def restart(self):
        if self.owner:
            self.kill()
        return self.start()

    @property
    def log(self):
        with open(os.path.join(self.folder, "fprintd.log"), errors="replace") as log:
            return log.read()

    def end(self):
        if self.program:
            self.program.end()
        elif self.owner:
            self.signal(15)
        self.polkit.end()
        self.client.close()
        if self._claimant:
            self._claimant.close()

    # Another program

    @property
    def device(self):
        return self.client.call(MANAGER_PATH, MANAGER, "GetDefaultDevice", to=NAME)

    @property
    def devices(self):
        return self.client.call(MANAGER_PATH, MANAGER, "GetDevices", to=NAME)

    def call(self, member, signature="", *arguments):
        """To the device, as another program of the same user."""
        return self.client.call(self.device, DEVICE, member, signature, *arguments, to=NAME)

    def claim(self):
        """Another program has the sensor until `release`."""
        self.call("Claim", "s", "")

    def release(self):
        self.call("Release")

    def statuses(self, member="VerifyStatus"):
        """The results so far that fprintd has signalled: words."""
        return [event.arguments[0] for event in self.client.others if event.name == member]

    def enroll(self, finger="right-index-finger", scans="mine"):
        """Enrols `scans` (the word that the sensor knows the finger by) as `finger`."""
        self.claim()
        try:
            seen = len(self.statuses("EnrollStatus"))
            self.call("EnrollStart", "s", finger)
            for _ in range(self.read("num-enroll-stages")):
                before = len(self.statuses("EnrollStatus"))
                self.sensor.scan(scans)
                wait_until(lambda: len(self.statuses("EnrollStatus")) > before, 5, "a stage")
            done = ("enroll-completed", "enroll-failed", "enroll-duplicate", "enroll-data-full", "enroll-unknown-error")
            wait_until(lambda: set(self.statuses("EnrollStatus")[seen:]) & set(done), 5, "the end of the enrolment")
            last = self.statuses("EnrollStatus")[-1]
            assert last == "enroll-completed", last
            self.call("EnrollStop")
        finally:
            self.release()
        return self

    def delete(self, finger):
        self.claim()
        try:
            self.call("DeleteEnrolledFinger", "s", finger)
        finally:
            self.release()

    def delete_all(self):
        self.claim()
        try:
            self.call("DeleteEnrolledFingers2")
        finally:
            self.release()

    def read(self, name):
        properties = "org.freedesktop.DBus.Properties"
        return self.client.call(self.device, properties, "Get", "ss", DEVICE, name, to=NAME)

    @property
    def enrolled(self):
        """The names of the fingers in its store, whatever it says of them."""
        numbers = (
            "left-thumb left-index-finger left-middle-finger left-ring-finger left-little-finger "
            "right-thumb right-index-finger right-middle-finger right-ring-finger right-little-finger"
        ).split()
        files = [name for _, _, names in os.walk(self.state) for name in names]
        return sorted(numbers[int(name, 16) - 1] for name in files)

    def forge(self, result, done=True, client=None, to=None):
        """A VerifyStatus that is not fprintd's."""
        client = client or self.claimant
        client.emit(self.device, DEVICE, "VerifyStatus", "sb", result, done, to=to)

    @property
    def claimant(self):
        """A connection that owns nothing and means no good."""
        if self._claimant is None:
            self._claimant = Client(self.address, listen=False)
        return self._claimant
