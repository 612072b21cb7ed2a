"""An application that wants input: every event it gets is a line on its output, with the time in nanoseconds.

Run as a program: `victim.py DISPLAY`.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from desk import xlib  # noqa: E402

KINDS = {
    xlib.KEY_PRESS: "key", xlib.KEY_RELEASE: "key-up", xlib.BUTTON_PRESS: "button", xlib.BUTTON_RELEASE: "button-up",
    xlib.MOTION: "motion", xlib.ENTER: "enter", xlib.LEAVE: "leave", xlib.FOCUS_IN: "focus", xlib.FOCUS_OUT: "blur",
    xlib.MAP: "map",
}  # fmt: skip


def main(display):
    client = xlib.Client(display)
    window = client.create(
        100, 100, 600, 400, 0x00FF00, name="victim",
        events=xlib.KEY_MASK | xlib.BUTTON_MASK | xlib.MOTION_MASK | xlib.FOCUS_MASK | xlib.STRUCTURE_MASK
        | 1 << 4 | 1 << 5,
    )  # fmt: skip
    client.map(window)
    event = xlib.AnyEvent()
    while True:
        xlib.x11.XNextEvent(client.raw, xlib.byref(event))
        kind = KINDS.get(event.type)
        if kind:
            print(kind, time.monotonic_ns(), flush=True)
        if event.type == xlib.MAP:
            client.set_focus(window)
            print("window", window, flush=True)


main(sys.argv[1])
