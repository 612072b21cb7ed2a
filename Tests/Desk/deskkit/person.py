"""A person at a desk where the whole product runs: their tools, their hands, their eyes."""

import os
import re
import signal
import subprocess
import time

from kit import names
from kit.processes import Program, poll_until
from kit.world import program
from promptkit.desk import Desk

from .ears import Ears

AUTHENTICATOR = names.AUTHENTICATOR
SESSION = names.SESSION
#: Keys count once the window has had the focus for this long, in seconds, and a little more.
FOCUS = 0.45


class Person:
    def __init__(self, world, moving=False, settings=None, **desk):
        """`moving`: the desktop has animations; without them nobody has to wait for their end before typing on."""
        self.world = world
        settings = {"gtk-enable-animations": int(moving), **(settings or {})}
        # Folders, keyring and bus are the world's; the display and the ears are the desk's.
        self.desk = Desk(accessible=True, bus=world.bus.address, env=world.env, settings=settings, **desk)
        for name in ("DISPLAY", "GDK_BACKEND", "SWIFT_BACKTRACE"):
            world.extra_env[name] = self.desk.env[name]
        self.env = {**self.desk.env, **world.env}
        self.ears = None
        self.monitor = None
        #: Services that the bus started, by process; ended in the end.
        self.activated = []

    def begin(self, wait=True, **keywords):
        """The service starts, and the person listens."""
        self.ears = Ears(self.env, os.path.join(self.world.folder, "reader.log"))
        self.listen()
        self.world.start_service(wait=wait, **keywords)
        return self

    def make_activatable(self):
        """As it is installed: the bus starts the service for whoever calls its name."""
        entry = os.path.join(self.world.folder, "services", names.BUS_NAME + ".service")
        with open(entry, "w") as file:
            file.write(f"[D-BUS Service]\nName={names.BUS_NAME}\nExec={program('smileauthd')}\n")
        driver = ("busctl", "--user", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
        variables = [word for pair in self.world.env.items() for word in pair]
        self.run(*driver, "UpdateActivationEnvironment", "a{ss}", len(variables) // 2, *variables)
        self.run(*driver, "ReloadConfig")

    # Tools

    #: The command line.
    program = program("smileauth")

    def run(self, *arguments, data=None, status=0, seconds=30):
        """What a program says, to its end."""
        done = subprocess.run(
            [str(a) for a in arguments], env=self.env, input=data, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=seconds,
        )
        assert status is None or done.returncode == status, f"{arguments}: {done.returncode}, {done.stdout}"
        return done.stdout.strip()

    def smileauth(self, *arguments, **keywords):
        return self.run(self.program, *arguments, **keywords)

    def start(self, *arguments, name="tool"):
        """A program that goes on; `output()` and `status` are its own."""
        started = Program(
            arguments, self.env, os.path.join(self.world.folder, f"{name}-{time.monotonic_ns()}.log")
        )
        self.world.programs.append(started)
        return started

    def call(self, member, signature="", *arguments, path=SESSION, interface=AUTHENTICATOR, status=0):
        return self.run(
            "busctl", "--user", "call", names.BUS_NAME, path, interface, member, *([signature] if signature else []),
            *arguments, status=status,
        )

    def present(self, security_type, *options, count=0, path=SESSION):
        """`options` as busctl writes them: key, type, value."""
        return self.call("Present", "sa{sv}", security_type, count, *options, path=path)

    def get(self, name, path=SESSION):
        """A property as Python's own value."""
        kind, _, value = self.run(
            "busctl", "--user", "get-property", names.BUS_NAME, path, AUTHENTICATOR, name
        ).partition(" ")
        return {"b": lambda: value == "true", "s": lambda: value.strip('"')}.get(kind, lambda: int(value))()

    def owner(self):
        """The service's process, if it has its name."""
        said = self.run(
            "busctl", "--user", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "GetConnectionUnixProcessID", "s", names.BUS_NAME, status=None,
        )
        return int(said.split()[1]) if said.startswith("u ") else None

    def set(self, name, kind, value, path=SESSION):
        self.run("busctl", "--user", "set-property", names.BUS_NAME, path, AUTHENTICATOR, name, kind, value)

    def listen(self):
        """gdbus writes down every signal of the service from now on."""
        self.monitor = self.start("gdbus", "monitor", "--session", "--dest", names.BUS_NAME, name="monitor")
        poll_until(lambda: b"Monitoring" in self.monitor.output(), 10, "gdbus")

    def signals(self, name, path=SESSION):
        """The arguments, as gdbus writes them, of every signal with this name so far."""
        pattern = rf"^{re.escape(path)}: {re.escape(AUTHENTICATOR)}\.{name} \((.*)\)$"
        return re.findall(pattern, self.monitor.output().decode(), re.MULTILINE)

    def wait_signal(self, name, count=1, seconds=10, path=SESSION):
        poll_until(
            lambda: len(self.signals(name, path)) >= count, seconds, f"{count} {name}, not {self.signals(name, path)}"
        )
        return self.signals(name, path)[count - 1]

    def wait_for(self, name, value, seconds=10, path=SESSION):
        poll_until(lambda: self.get(name, path) == value, seconds, f"{name} = {value!r}", 0.05)

    # Hands

    def type(self, text):
        self.desk.type(text)

    def keys(self, *names_of_keys):
        self.desk.keys(*names_of_keys)

    def press(self, button):
        """The pointer on a button that is found by its name."""
        x, y, width, height = self.on_screen(self.settled(button))
        self.desk.click(x + width // 2, y + height // 2)

    def settled(self, name, **states):
        """What has this name, once it is where it stays: a window that changes is laid out with its next frame."""
        place, states = None, states or {"sensitive": True}
        while True:
            item = self.ears.find(name, **states)
            if item["box"] == place and place[2] > 0:
                return item
            place = item["box"]
            time.sleep(0.05)

    def draw(self, *dots):
        """A stroke over these dots of the pad."""
        x, y, width, height = self.on_screen(self.settled(lambda name: name.endswith("connected")))
        side = min(width, height)
        left, top = x + (width - side) / 2, y + (height - side) / 2
        self.desk.draw([
            (left + ((dot - 1) % 3 + 0.5) * side / 3, top + ((dot - 1) // 3 + 0.5) * side / 3) for dot in dots
        ])

    # Eyes

    def prompt(self, title=None, seconds=10, after=0):
        """The window is up and takes keys; its process.  `after` is the process that it is not."""
        wanted = (lambda name: bool(name)) if title is None else title
        frame = None
        deadline = time.monotonic() + seconds
        while frame is None or frame["pid"] == after:
            assert time.monotonic() < deadline, f"no window {title}"
            frame = self.ears.find(wanted, seconds=seconds)
        time.sleep(FOCUS)
        return frame["pid"]

    def gone(self, seconds=10):
        """Waits until no window is left."""
        poll_until(lambda: not self.ears.visible(), seconds, "the window to go", 0.05)

    def windows(self):
        """The X windows of prompts on the screen."""
        return self.desk.run("xdotool", "search", "--onlyvisible", "--class", "smileauth-prompt").split()

    def on_screen(self, item):
        windows = poll_until(self.windows, 5, "a window", 0.02)
        left, top, _, _ = self.desk.geometry(windows[-1])
        x, y, width, height = item["box"]
        return left + x, top + y, width, height

    def pixel(self, x, y):
        """The colour of one place of the screen."""
        data = subprocess.run(
            ["import", "-silent", "-window", "root", "-crop", f"1x1+{x}+{y}", "-depth", "8", "rgb:-"], env=self.env,
            stdout=subprocess.PIPE, check=True,
        ).stdout
        return tuple(data[:3])

    def close(self):
        # Before its display goes, which it would say.
        if self.world.service and self.world.service.running:
            self.world.end_service()
        for pid in self.activated:
            os.kill(pid, signal.SIGKILL)
        if self.ears:
            self.ears.close()
        self.desk.close()
