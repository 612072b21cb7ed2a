"""A desk of a test's own: an X server without a screen, a window manager, an application, and a cover over all."""

import os
import shutil
import subprocess
import sys
import threading
import time

from kit.processes import Program, poll_until

from . import xlib
from .cover import Cover
from .feed import Feed

HERE = os.path.dirname(os.path.abspath(__file__))
GREEN, COVER, ROOT = 0x00FF00, 0x000000, 0xFF00FF


class Victim:
    """The application with the focus.  Whatever it is told of input while covered is a leak."""

    def __init__(self, screen):
        self.program = screen.run([sys.executable, os.path.join(HERE, "victim.py"), screen.display], "victim")
        poll_until(lambda: "window" in self.lines_of(), 30, "the victim's window")
        self.window = int(self.lines_of()["window"][0])
        poll_until(lambda: "focus" in self.lines_of(), 30, "the victim's focus")

    def lines_of(self):
        """Every kind of line and what stands in it, in order."""
        found = {}
        for line in self.program.output().decode().splitlines():
            kind, _, value = line.partition(" ")
            found.setdefault(kind, []).append(value)
        return found

    def input(self):
        """Key, button and motion events so far, as (kind, time)."""
        kinds = ("key", "key-up", "button", "button-up", "motion")
        return [(kind, int(when)) for kind, times in self.lines_of().items() if kind in kinds for when in times]

    def clear(self):
        os.truncate(self.program.log, 0)


class CoverWatch(threading.Thread):
    """Notes the moment at which nothing is seen of the desktop any more."""

    def __init__(self, screen):
        super().__init__(daemon=True)
        self.client = screen.client()
        self.at = None
        self.is_done = False
        self.start()

    def run(self):
        root = self.client.attributes(self.client.root)
        points = [(2, 2), (root.width - 3, root.height - 3)]
        while not self.is_done and self.at is None:
            if ROOT not in self.client.pixels(points):
                self.at = time.monotonic()
            time.sleep(0.001)

    def stop(self):
        """The moment, None where it never came."""
        self.is_done = True
        self.join()
        return self.at


class Screen:
    def __init__(self, folder, size="1280x800", server=("Xvfb",), screens=1):
        self.folder = folder
        self.programs = []
        self.clients = []
        self.covers = []
        self.feeds = []
        self.bus = None
        read, write = os.pipe()
        arguments = [*server, "-displayfd", str(write), "-nolisten", "tcp", "-noreset"]
        if server[0] == "Xvfb":
            for number in range(screens):
                arguments += ["-screen", str(number), f"{size}x24"]
        elif server[0] == "Xephyr":
            arguments += ["-screen", size]
        self.server = Program(arguments, self.env_base, os.path.join(folder, "server.log"), pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        assert number, f"no X server: {self.server.output().decode()}"
        self.display = f":{number}"
        self.me = self.client()

    @property
    def env_base(self):
        env = {key: os.environ[key] for key in ("PATH", "DISPLAY") if key in os.environ}
        return {**env, "HOME": self.folder, "LANG": "C.UTF-8"}

    @property
    def env(self):
        return {
            **self.env_base,
            "DISPLAY": getattr(self, "display", ""),
            "XDG_RUNTIME_DIR": self.folder,
            "DBUS_SESSION_BUS_ADDRESS": self.bus.address if self.bus else "unix:path=/nonexistent",
        }

    def client(self):
        client = xlib.Client(self.display)
        self.clients.append(client)
        return client

    def run(self, arguments, name, env=None, **keywords):
        log = os.path.join(self.folder, f"{name}.log")
        started = Program(arguments, {**self.env, **(env or {})}, log, **keywords)
        self.programs.append(started)
        return started

    def tool(self, *arguments, check=True):
        """A command of a person at this display, waited for."""
        return subprocess.run(
            arguments, env=self.env, check=check, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=30
        ).stdout.decode()

    def start_manager(self):
        """A real window manager with its usual keys, ready."""
        manager = self.run(["openbox", "--sm-disable"], "openbox")
        poll_until(self._is_managed, 30, "the window manager to manage windows", step=0.02)
        return manager

    def _is_managed(self):
        """Openbox says that it is there before it takes care of windows: what is mapped in between is lost."""
        if not self.me.selection_owner("WM_S0"):
            return False
        probe = self.me.create(0, 0, 10, 10)
        try:
            self.me.map(probe)
            deadline = time.monotonic() + 0.3
            while time.monotonic() < deadline:
                if self.me.attributes(probe).map_state == xlib.IS_VIEWABLE:
                    return True
                time.sleep(0.005)
            return False
        finally:
            self.me.call("XDestroyWindow", probe)

    def start_victim(self):
        return Victim(self)

    def cover(self, before=(), env=None):
        started = Cover({**self.env, **(env or {})}, os.path.join(self.folder, f"cover{len(self.covers)}.log"), before)
        self.covers.append(started)
        return started

    def feed(self):
        feed = Feed()
        self.feeds.append(feed)
        return feed

    def prompt_window(self, x=300, y=200, width=400, height=300, pixel=0x0000FF, client=None):
        """A window as the session's prompt has one, not mapped yet."""
        return (client or self.me).create(x, y, width, height, pixel, override=True, name="prompt")

    def show_prompt(self, cover):
        """A prompt's window at 300,200, 400×300 pixels, which the cover knows of; returns its feed."""
        window, feed = self.prompt_window(), self.feed()
        feed.window = window
        cover.prompt(window, feed)
        self.me.map(window)
        for number in range(200):
            self.me.move(400 + number % 2, 300)
            if feed.next(0.05):
                break
        else:
            raise AssertionError("the cover does not know of the prompt")
        self.me.move(5, 5)
        feed.all(0.2)
        return feed

    # What is seen

    @property
    def grid(self):
        """Points all over the screen, corners and edges too."""
        root = self.me.attributes(self.me.root)
        across = [0, 1, root.width // 3, root.width // 2, root.width - 2, root.width - 1]
        down = [0, 1, root.height // 3, root.height // 2, root.height - 2, root.height - 1]
        return [(x, y) for x in across for y in down]

    def is_plain(self, points=None):
        """Whether nothing but the cover's colour is seen at the points."""
        return set(self.me.pixels(points or self.grid)) == {COVER}

    def watch_for_cover(self):
        return CoverWatch(self)

    def paint_root(self, colour="#ff00ff"):
        """So that what is not covered is told from what is."""
        self.tool("xsetroot", "-solid", colour)

    def close(self):
        for cover in self.covers:
            cover.end()
        for feed in self.feeds:
            feed.close()
        for client in self.clients:
            client.close()
        for started in reversed(self.programs):
            started.end()
        self.server.end()
        if self.bus:
            self.bus.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def settle(seconds):
    """A time in which something must *not* happen."""
    time.sleep(seconds)
