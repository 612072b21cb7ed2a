"""A world of its own with a display in it: bus, keyring, service, sensor, window manager, and the settings window."""

import json
import os
import subprocess
import time

from kit.fingers import Sensing
from kit.loop import wait_until
from kit.world import REPOSITORY, World
from promptkit.desk import Desk

READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reader.py")


def program(name):
    """A program of the project: by its variable, else the debug build's."""
    given = os.environ.get(name.upper().replace("-", "_"))
    return given or os.path.join(REPOSITORY, ".build", "debug", name)


class Room:
    """`sensor` is a kind of kit.fingers, or None; other options are the desk's."""

    def __init__(self, folder, scratch=None, sensor=None, service=True, keyring=True, **options):
        self.world = World(folder, scratch)
        # The machine's own clocks.
        self.world.clock = None
        self.world.start_bus()
        if keyring:
            self.world.start_keyring()
        self.sensing = Sensing(self.world, sensor) if sensor else None
        if not sensor:
            self.world.extra_env["SMILEAUTH_FINGERPRINT"] = "none"
        self.screen = Desk(bus=self.world.bus.address, **options)
        # The service's own prompt is on the same display.
        for name in ("DISPLAY", "GDK_BACKEND"):
            self.world.extra_env[name] = self.screen.env[name]
        for name in ("LANG", "LANGUAGE", "SMILEAUTH_LOCALEDIR", "NO_AT_BRIDGE", "XDG_CONFIG_HOME"):
            if name in self.screen.env:
                self.world.extra_env[name] = self.screen.env[name]
        self.window = self.reader = None
        if service:
            self.world.start_service()

    # The window.

    program = property(lambda self: program("smileauth-settings"))

    def open(self, page=None, env=None):
        # Out of the way: what a list opens below the pointer is chosen by it.
        self.screen.move(0, 0)
        arguments = [program("smileauth-settings")] + ([page] if page else [])
        self.window = self.screen.start(*arguments, env={**self.screen.env, **(env or {})})
        return self

    @property
    def xid(self):
        return self.screen.window("SmileAuth|Einstellungen|إعدادات|S.glages")

    def words(self):
        with open(self.window.log, "rb") as log:
            return log.read().decode(errors="replace")

    # What a screen reader is told.

    def tree(self, name="org.smileauth.Settings"):
        if self.reader is None:
            self.reader = subprocess.Popen(
                ["/usr/bin/python3", READER], env=self.screen.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                text=True)
        self.reader.stdin.write(name + "\n")
        self.reader.stdin.flush()
        line = self.reader.stdout.readline()
        assert line, "the reader has ended"
        return json.loads(line)

    def find(self, name, role=None, states=(), seconds=10, containing=False):
        """The one item that is visible with this name, once it is there; `states` are those that it is to have."""
        deadline = time.monotonic() + seconds
        while True:
            tree = self.tree()
            for item in tree:
                same = name in item["name"] if containing else item["name"] == name
                fits = all((s[1:] not in item["states"]) if s[0] == "-" else (s in item["states"]) for s in states)
                if same and (role is None or item["role"] in role.split("|")) and item["shown"] and fits:
                    return item
            shown = [(i["role"], i["name"], i["states"]) for i in tree if i["name"] and i["shown"]]
            assert time.monotonic() < deadline, f"no {name!r} {role} {states} in {shown}; {self.words()}"
            time.sleep(0.05)

    def gone(self, name, seconds=10):
        """Waits until nothing that is visible has this name."""
        wait_until(lambda: not [i for i in self.tree() if i["name"] == name and i["shown"]], seconds, f"{name!r} to go")

    def focused(self):
        return next((i for i in self.tree() if "focused" in i["states"]), None)

    def focus(self, name, presses=40, key="Tab"):
        """Goes there as a person does, with Tab."""
        for _ in range(presses):
            item = self.focused()
            if item and item["name"] == name:
                return item
            self.screen.keys(key)
        raise AssertionError(f"{name!r} is not reached by {key}; the focus is on {self.focused()}")

    def choose(self, mnemonic, title, name, keys):
        """Chooses in a list of words: by its mnemonic, then by `keys` in the list that opens."""
        self.screen.keys(mnemonic)
        # The focus is in the list that opens.
        # Its items have no name of their own in GTK 4.8.
        def is_in_list(item):
            return item is not None and item["role"] == "list item" and not item["name"]

        wait_until(lambda: is_in_list(self.focused()), 10, f"the list of {title}")
        self.screen.keys(*keys, "Return")
        return self.find(f"{title} {name}")

    # The service.

    @property
    def session(self):
        if not hasattr(self, "_session"):
            self._session = self.world.session()
        return self._session

    def wait_for(self, name, value, seconds=10):
        wait_until(lambda: self.session.get(name) == value, seconds, f"{name} = {value}, not {self.session.get(name)}")

    def close(self):
        if self.reader:
            self.reader.kill()
            self.reader.wait()
        if self.window:
            self.window.end()
        try:
            self.world.close()
        finally:
            self.screen.close()


def answer(room, title, *entries, view=None):
    """Types into the service's prompt: one step after another, as soon as it takes keys."""
    room.screen.window(title)
    view = view or room.session
    for step, entry in enumerate(entries, 1):
        wait_until(lambda: view.view().get("step") == step, 10, f"step {step} of {view.view()}")
        # Keys count once the window has had the focus for 0.3 s, and the row has come to rest.
        time.sleep(0.6 if step == 1 else 1.0)
        for line in entry.splitlines(keepends=True):
            room.screen.type(line.rstrip("\n"))
            if line.endswith("\n"):
                room.screen.keys("Return")
