"""A screen reader: answers `tree` and `events`, a line each, with a line of JSON.  pyatspi has one bus a process."""

import json
import sys

import pyatspi
from gi.repository import Atspi, GLib

PROGRAM = "smileauth-prompt"
#: What Orca, among others, speaks by itself: what comes up, what the focused object's name becomes.
KINDS = (
    "object:state-changed:showing", "object:state-changed:focused", "object:property-change:accessible-name",
    "object:property-change:accessible-description",
)
#: What looking at something that has just gone ends in.
GONE = (LookupError, NotImplementedError, ValueError, GLib.Error)
heard = []


def describe(item):
    kinds = pyatspi.listInterfaces(item)
    box = list(item.queryComponent().getExtents(pyatspi.WINDOW_COORDS)) if "Component" in kinds else None
    value = item.queryValue().currentValue if "Value" in kinds else None
    return {
        "role": item.getRoleName(),
        "name": item.name,
        "description": item.description,
        "states": [pyatspi.stateToString(state) for state in item.getState().getStates()],
        "box": box,
        "value": value,
        "pid": item.get_process_id(),
    }


def walk(item, found, depth=0):
    if item is None or depth > 20:
        return
    try:
        found.append(describe(item))
        children = list(item)
    except GONE:
        # It went while it was looked at.
        return
    for child in children:
        walk(child, found, depth + 1)


def tree():
    found = []
    for program in pyatspi.Registry.getDesktop(0):
        try:
            if program is not None and program.name == PROGRAM:
                for window in program:
                    walk(window, found)
        except GONE:
            continue
    return found


def note(event):
    try:
        heard.append(
            {"kind": event.type.name, "role": event.source.getRoleName(), "text": str(event.any_data)}
        )
    except (AttributeError, *GONE):
        pass


def asked(channel, condition):
    line = sys.stdin.readline().strip()
    if not line:
        loop.quit()
        return False
    try:
        answer = tree() if line == "tree" else heard
    except GONE:
        # It went while it was looked at: whoever asks looks again.
        answer = None
    print(json.dumps(answer), flush=True)
    return True


# A window that hangs or dies holds nobody up; by default a young one gets 15 s.
Atspi.set_timeout(1000, 0)
pyatspi.Registry.getDesktop(0).setCacheMask(pyatspi.cache.NONE)
for kind in KINDS:
    pyatspi.Registry.registerEventListener(note, kind)
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, asked)
print("ready", flush=True)
loop.run()
