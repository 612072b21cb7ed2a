"""After the demo, on a terminal: the service on the desktop's own bus, Secret Service and logind, until Ctrl-C.

A part that is missing is replaced by one of our own for as long as this runs, and that is said.  With a keyring of our
own nothing is kept in the person's folders either: a passcode whose store is thrown away would be a lost one.
"""

import os
import shutil
import signal
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Service"))

from gi.repository import GLib  # noqa: E402

from kit import names  # noqa: E402
from kit.client import Client, Failure  # noqa: E402
from kit.keyring import NAME as SECRETS, Keyring  # noqa: E402
from kit.logind import NAME as LOGIND  # noqa: E402
from kit.processes import Program  # noqa: E402
from kit.world import World, program  # noqa: E402


class DesktopBus:
    """The bus that is there already; it is not ours to end."""

    def __init__(self, address):
        self.address = address

    def end(self):
        pass


def session_address():
    """The desktop's bus, or None."""
    given = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    standard = f"unix:path={runtime}/bus" if runtime and os.path.exists(f"{runtime}/bus") else None
    for address in filter(None, (given, standard)):
        try:
            Client(address, listen=False).close()
            return address
        except Exception as reason:  # whatever is wrong with it, it is of no use
            print(f"  {address}: {reason}")
    return None


def has_logind():
    address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/run/dbus/system_bus_socket")
    try:
        client = Client(address, listen=False)
    except Exception:
        return False
    owned = client.owner(LOGIND)
    client.close()
    return bool(owned)


def has_secret_service(client):
    return bool(client.owner(SECRETS)) or SECRETS in client.driver("ListActivatableNames")


class Desktop:
    def __init__(self):
        self.world = World(tempfile.mkdtemp(prefix="smileauth-"))
        self.env = dict(os.environ)
        self.own = []
        self.notes = []

    def prepare(self):
        """False where the name is somebody else's."""
        world = self.world
        address = session_address()
        if address:
            world.bus = DesktopBus(address)
        else:
            world.start_bus()
            self.own.append("DBUS_SESSION_BUS_ADDRESS")
            self.notes.append("There is no session bus here: it runs on one of its own.")
        self.env["DBUS_SESSION_BUS_ADDRESS"] = world.bus.address
        client = world.observer
        if client.owner(names.BUS_NAME):
            pid = client.driver("GetConnectionUnixProcessID", "s", names.BUS_NAME)
            print(f"\n{names.BUS_NAME} is owned already, by process {pid}: it is that one you can try.")
            return False
        if not has_secret_service(client):
            world.keyring = Keyring(world.bus, world.folder, world.env).start()
            for name in (
                "HOME",
                "XDG_RUNTIME_DIR",
                "XDG_DATA_HOME",
                "XDG_CONFIG_HOME",
                "XDG_STATE_HOME",
                "XDG_CACHE_HOME",
            ):
                self.env[name] = world.env[name]
            self.notes.append("There is no Secret Service here: a throw-away keyring stands in, and nothing is kept.")
        elif not self.env.get("XDG_RUNTIME_DIR"):
            self.env["XDG_RUNTIME_DIR"] = world.runtime
        if not has_logind():
            world.start_logind()
            self.env.update(DBUS_SYSTEM_BUS_ADDRESS=world.system.address, XDG_SESSION_ID="c1")
            self.notes.append("There is no logind here: a stand-in is used; press Enter to let it sleep and resume.")
        return True

    def start(self):
        world = self.world
        world.service = Program([program("smileauthd")], self.env, os.path.join(world.folder, "smileauthd.log"))
        world.programs.append(world.service)
        world.wait_service(15)

    def invite(self):
        command = program("smileauth")
        settings = [f"{name}={self.env[name]}" for name in self.own]
        prefix = " ".join(["env", *settings, command]) if settings else command
        print(f"\n{names.BUS_NAME} runs on your session bus until you press Ctrl-C.")
        for note in self.notes:
            print("  " + note)
        sleep = "press Enter here, and then" if self.world.logind else "suspend the machine, and after it wakes up"
        print(
            f"""
Three things to try in another terminal:

  1. {prefix} set
     turns a passcode on for the session; `off` turns it off again.
  2. {prefix} monitor
     shows what any client of the bus sees; {sleep}
     {prefix} unlock
     opens it again. On X11 the screen is covered then: type the passcode there.
  3. busctl --user {'--address=' + self.world.bus.address + ' ' if self.own else ''}introspect \
{names.BUS_NAME} {names.SESSION}
     the authenticator itself, with every method, property and signal.
""",
            flush=True,
        )

    def run(self):
        loop = GLib.MainLoop()
        world = self.world
        for number in (signal.SIGINT, signal.SIGTERM):
            GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, loop.quit)

        def watch():
            if world.service.running:
                return True
            print(f"The service ended with {world.service.status}:\n{world.log}", file=sys.stderr)
            loop.quit()
            return False

        GLib.timeout_add(300, watch)
        if world.logind:
            GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, self.nap)
        loop.run()
        return 0 if world.service.running else 1

    def nap(self, fd, condition):
        """Enter: the stand-in sleeps for a second."""
        if not os.read(fd, 1000):
            return False
        logind = self.world.logind
        if not logind.manager["PreparingForSleep"]:
            print("  sleeping ...", flush=True)
            logind.prepare_for_sleep(True)

            def wake():
                logind.prepare_for_sleep(False)
                print("  ... and awake again", flush=True)
                return False

            GLib.timeout_add(1000, wake)
        return True

    def end(self):
        self.world.expect_exit = True
        self.world.close()
        shutil.rmtree(self.world.folder, ignore_errors=True)


def main():
    desktop = Desktop()
    try:
        if not desktop.prepare():
            return 0
        desktop.start()
        desktop.invite()
        return desktop.run()
    except (AssertionError, Failure) as reason:
        print(reason, file=sys.stderr)
        return 1
    finally:
        desktop.end()


if __name__ == "__main__":
    sys.exit(main())
