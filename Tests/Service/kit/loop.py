"""The main loop of the test process: everything on any bus is dispatched here, in the order in which it came."""

import time

import dbus.mainloop.glib
from gi.repository import GLib

CONTEXT = GLib.MainContext.default()
MAIN_LOOP = dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)


def turn():
    """Dispatches what is there and does not wait."""
    while CONTEXT.iteration(False):
        pass


def _nothing():
    return True


def wait_until(condition, seconds=10.0, what=None):
    """Runs the loop until `condition()` is true and returns its value; an AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    # Wakes the loop for conditions that no message announces (a file, a process).
    tick = GLib.timeout_add(10, _nothing)
    try:
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"waited {seconds} s for {what or condition}")
            CONTEXT.iteration(True)
    finally:
        GLib.source_remove(tick)


def settle(seconds):
    """Runs the loop for a time: only to see that something does *not* come."""
    deadline = time.monotonic() + seconds
    wait_until(lambda: time.monotonic() > deadline, seconds + 5)
