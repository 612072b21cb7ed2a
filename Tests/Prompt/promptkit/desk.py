"""A desk: an X display, a session bus with the accessibility bus on it, and a window manager, all of the test's own."""

import os
import re
import shutil
import subprocess
import tempfile

from .probe import windows_come_up
from .processes import Program, poll_until

_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  {services}
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"""


class Desk:
    """`size` is the screen's, None for no X display; `accessible` starts the accessibility bus; `manager` the window
    manager.

    `bus` is the address of a session bus that is there already; without it the desk has one of its own.
    """

    def __init__(self, size=(1024, 768), accessible=False, manager=True, env=None, settings=None, bus=None):
        # Socket paths are short: 108 bytes is all that a Unix socket's may have.
        self.folder = tempfile.mkdtemp(prefix="sp-")
        self.programs = []
        self.env = self._environment(env or {})
        if settings:
            self._write_settings(settings)
        if size:
            self._start_display(size)
        if bus:
            self.env["DBUS_SESSION_BUS_ADDRESS"] = bus
        else:
            self._start_bus()
        if accessible:
            del self.env["NO_AT_BRIDGE"]
            self.start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately")
            poll_until(lambda: self._owner("org.a11y.Bus"), what="the accessibility bus", step=0.02)
        if manager:
            self.start("openbox", "--sm-disable")
            poll_until(self._is_managed, what="the window manager", step=0.02)
            assert windows_come_up(self.env["DISPLAY"]), "the window manager shows no window"

    def _environment(self, more):
        keep = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS") if key in os.environ}
        env = {
            "HOME": self.folder,
            "LANG": "C.UTF-8",
            "NO_AT_BRIDGE": "1",
            "SWIFT_BACKTRACE": "enable=no",
            **keep,
        }
        for name in ("RUNTIME_DIR", "CONFIG_HOME", "DATA_HOME", "CACHE_HOME", "STATE_HOME"):
            folder = os.path.join(self.folder, name.lower())
            os.mkdir(folder, 0o700)
            env["XDG_" + name] = folder
        env.update(more)
        return env

    def _write_settings(self, settings):
        folder = os.path.join(self.env["XDG_CONFIG_HOME"], "gtk-4.0")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "settings.ini"), "w") as file:
            file.write("[Settings]\n" + "".join(f"{key}={value}\n" for key, value in settings.items()))

    def _start_display(self, size):
        reading, writing = os.pipe()
        self.start(
            "Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp",
            "-noreset", pass_fds=(writing,),
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb gave no display"
        self.env["DISPLAY"] = ":" + number
        self.env["GDK_BACKEND"] = "x11"

    def _start_bus(self):
        socket = os.path.join(self.folder, "bus")
        config = os.path.join(self.folder, "bus.conf")
        # The accessibility registry is started by its bus; nothing else is.
        with open(config, "w") as file:
            file.write(_BUS.format(socket=socket, services=""))
        self.env["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={socket}"
        self.start("dbus-daemon", f"--config-file={config}", "--nofork", "--nopidfile")
        poll_until(lambda: os.path.exists(socket), what="the bus", step=0.002)

    def _owner(self, name):
        answer = self.run(
            "gdbus", "call", "--session", "-d", "org.freedesktop.DBus", "-o", "/", "-m",
            "org.freedesktop.DBus.NameHasOwner", name,
        )
        return "true" in answer

    def _is_managed(self):
        return "window id" in self.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK")

    def start(self, *arguments, pass_fds=(), env=None):
        log = os.path.join(self.folder, f"{os.path.basename(arguments[0])}.log")
        program = Program(arguments, env or self.env, log, pass_fds)
        self.programs.append(program)
        return program

    def run(self, *arguments):
        """What a program says to its end."""
        done = subprocess.run(
            [str(a) for a in arguments], env=self.env, capture_output=True, text=True, timeout=30
        )
        return done.stdout

    def close(self):
        for program in reversed(self.programs):
            program.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Hands.

    def keys(self, *names):
        self.run("xdotool", "key", "--clearmodifiers", *names)

    def type(self, text):
        self.run("xdotool", "type", "--delay", "12", text)

    def move(self, x, y):
        self.run("xdotool", "mousemove", str(int(x)), str(int(y)))

    def click(self, x, y):
        self.run("xdotool", "mousemove", str(int(x)), str(int(y)), "click", "1")

    def draw(self, points):
        """A stroke with the left button down."""
        steps = ["mousemove", *map(str, points[0]), "mousedown", "1"]
        for start, end in zip(points, points[1:]):
            for share in (0.25, 0.5, 0.75, 1):
                x, y = (int(a + (b - a) * share) for a, b in zip(start, end))
                steps += ["mousemove", str(x), str(y), "sleep", "0.02"]
        self.run("xdotool", *steps, "mouseup", "1")

    # Eyes.

    def window(self, title, seconds=10.0):
        """The X window with this title, once it is there."""
        return poll_until(
            lambda: self.run("xdotool", "search", "--onlyvisible", "--name", title).split(),
            seconds, f"the window {title}", 0.02,
        )[-1]

    def geometry(self, window):
        """x, y, width and height.  (xdotool counts a window manager's frame twice.)"""
        said = self.run("xwininfo", "-id", window)
        found = [re.search(rf"{key}: +(-?\d+)", said) for key in ("left X", "left Y", "Width", "Height")]
        assert all(found), said
        return tuple(int(match[1]) for match in found)

    def shot(self, path, window="root"):
        self.run("import", "-window", window, path)
