"""A whole session at a screen: the real service with its real prompt and cover, a keyring, and a bus that starts the
service again when it is asked to."""

import os
import tempfile
import time

from kit import names
from kit.acts import RIGHT, turn_on
from kit.client import Failure
from kit.loop import settle, wait_until
from kit.world import REPOSITORY, World, program

from .screen import COVER, GREEN, ROOT

__all__ = ["COVERS", "PROMPT", "REPOSITORY", "Session"]

#: What the kernel keeps of the programs' names.
PROMPT, COVERS = "smileauth-prompt"[:15], "smileauth-cover"[:15]


class Session:
    """`real_logind` needs root; `activatable` means that the bus starts the service, else the test does."""

    def __init__(self, screen, scratch, activatable=True, real_logind=False, env=None):
        self.screen = screen
        self.world = World(tempfile.mkdtemp(prefix="sa-"), scratch)
        self.world.expect_exit = True
        services = os.path.join(self.world.folder, "services")
        os.makedirs(services)
        self.more = {"DISPLAY": screen.display, "GDK_BACKEND": "x11", "GTK_A11Y": "none", **(env or {})}
        self.world.extra_env.update(self.more)
        if not real_logind:
            self.world.start_logind()
        self.world.start_bus(services)
        self.world.start_keyring()
        self.client = self.world.client()
        if real_logind:
            self.world.start_real_logind()
            self.world.extra_env.update(self.more)
        if activatable:
            with open(os.path.join(services, f"{names.BUS_NAME}.service"), "w") as file:
                file.write(f"[D-BUS Service]\nName={names.BUS_NAME}\nExec={program('smileauthd')}\n")
        self.activatable = activatable
        self.start()

    def start(self):
        """The bus's way where it has one."""
        if self.activatable:
            self.bus("StartServiceByName", "su", names.BUS_NAME, 0)
        else:
            self.world.start_service()
        self.lock = self.world.session(self.client)
        return self

    def turn_on(self):
        turn_on(self.lock, ui="terminal")
        return self

    def bus(self, member, signature="", *arguments):
        path, name = "/org/freedesktop/DBus", "org.freedesktop.DBus"
        return self.client.call(path, name, member, signature, *arguments, to=name)

    @property
    def said(self):
        """The output of the service and its children, whoever started it."""
        said = ""
        for log in (self.world.bus.daemon.log, os.path.join(self.world.folder, "smileauthd.log")):
            if os.path.exists(log):
                with open(log, errors="replace") as file:
                    said += file.read()
        return said

    # Processes

    @property
    def pid(self):
        """The service's; None while there is none."""
        try:
            return int(self.bus("GetConnectionUnixProcessID", "s", names.BUS_NAME))
        except Failure:
            return None

    def children(self, name):
        """The service's living children of this name, the newest last."""
        pid = self.pid
        return children(pid, name) if pid else []

    @property
    def holds(self):
        """What the service has open, and how many children it has, the unburied among them."""
        pid = self.pid
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return len(os.listdir(f"/proc/{pid}/fd")), len(file.read().split())

    def wait_child(self, name, other_than=()):
        """The pid of a child that is none of the others."""
        return wait_until(
            lambda: next((pid for pid in self.children(name) if pid not in other_than), None), 10, f"a {name}"
        )

    @property
    def has_service(self):
        return self.pid is not None

    def wait_restarted(self, former):
        """Another service than the former has the name, and its prompt and cover run."""
        wait_until(lambda: self.pid not in (former, None), 20, "the next service")
        self.lock = self.world.session(self.client)
        wait_until(lambda: self.children(COVERS) and self.children(PROMPT), 10, "its prompt and cover")

    # What a person does and sees

    def lock_it(self):
        """Locked, with prompt and cover on the screen, and keys taken."""
        mark = self.client.mark()
        self.lock.lock()
        return self.wait_locked(mark)

    def wait_locked(self, mark):
        self.wait_shown(mark)
        wait_until(lambda: self.screen.me.sheets(), 10, "the cover")
        return self

    def wait_shown(self, mark):
        wait_until(lambda: self.client.signals("AuthViewShown", self.lock.path, mark), 20, "the prompt's first frame")

    def type(self, passcode=RIGHT):
        """At the keyboard. A key counts only once the prompt has had it for 0.3 s: the first is tried until it does."""
        settle(0.35)
        for count, digit in enumerate(passcode, 1):
            last = count == len(passcode)
            for _ in range(30):
                self.screen.me.key(digit)
                if last:
                    return
                if self.filled(count):
                    break
            else:
                raise AssertionError(f"digit {count} does not arrive: {self.lock.view()}")

    def filled(self, count):
        deadline = time.monotonic() + 1
        while time.monotonic() < deadline:
            if self.lock.view().get("filled") == count:
                return True
            settle(0.02)
        return False

    def open_it(self):
        self.type()
        return self.wait_open()

    def wait_open(self):
        self.lock.wait_for("IsAuthenticated", True)
        self.wait_uncovered()
        return self

    def wait_uncovered(self):
        wait_until(lambda: not self.screen.me.sheets(), 10, "the cover to leave")

    @property
    def is_desktop_hidden(self):
        """Whether nothing is seen of the desktop's two colours: a prompt may be over the cover."""
        return not {ROOT, GREEN} & set(self.screen.me.pixels(self.screen.grid))

    @property
    def is_prompt_seen(self):
        """Something other than the cover in the middle of the screen."""
        return set(self.screen.me.pixels(self.screen.grid)) != {COVER} and self.is_desktop_hidden

    def gets_input(self):
        """Whether the application gets a key and a click; a failure says what is there instead.

        The window manager gives the focus in its own time: there may be a second key."""
        victim, me = self.screen.victim, self.screen.me
        victim.clear()
        me.move(400, 300)
        tried = 0.0

        def is_usable():
            nonlocal tried
            if time.monotonic() > tried + 1:
                tried = time.monotonic()
                me.click()
                me.key("a")
            return {"key", "button"} <= {kind for kind, _ in victim.input()} and me.pixels([(400, 300)]) == [GREEN]

        def state():
            windows = [(hex(window), me.name(window)) for window in me.children()[-5:]]
            return f"input for {hex(victim.window)}: {victim.lines_of()}, focus {hex(me.focus)}, on top {windows}"

        try:
            return wait_until(is_usable, 8)
        except AssertionError:
            raise AssertionError("no " + state()) from None

    def close(self):
        # The ends of all these are the end of whatever a test left covering: its X server goes.
        for pid in [self.pid, *self.children(PROMPT), *self.children(COVERS)]:
            try:
                os.kill(pid or 0, 9 if pid else 0)
            except ProcessLookupError:
                pass
        self.world.close()


def children(parent, name):
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (stat := _stat(entry)) and stat[0] == name and stat[1] != "Z" and stat[2] == parent:
            found.append((stat[3], int(entry)))
    return [pid for _, pid in sorted(found)]


def _stat(pid):
    """Name, state, parent and start of a process (proc(5))."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            text = file.read()
    except OSError:
        return None
    name, rest = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
    return name, rest[0], int(rest[1]), int(rest[19])
