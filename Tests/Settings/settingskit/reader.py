"""Prints what a screen reader finds in a program's windows, as a line of JSON for each name that it reads.

A program of its own: pyatspi has one bus.
"""

import json
import sys

import pyatspi
from gi.repository import GLib


def text(item):
    """Role, name, description and states; and whether it is really to be seen."""
    states = [pyatspi.stateToString(state) for state in item.getState().getStates()]
    return {"role": item.getRoleName(), "name": item.name, "description": item.description, "states": states}


def walk(item, found, shown=True, depth=0):
    if item is None or depth > 30:
        return
    entry = text(item)
    # "showing" is the window's alone in GTK 4.8.
    entry["shown"] = shown = shown and (depth == 0 or "visible" in entry["states"])
    for key, read in (("value", value), ("box", box)):
        try:
            entry[key] = read(item)
        except NotImplementedError:
            pass
    found.append(entry)
    if shown:
        for child in item:
            walk(child, found, shown, depth + 1)


def value(item):
    range_ = item.queryValue()
    return [range_.currentValue, range_.maximumValue]


def box(item):
    extents = item.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
    return [extents.x, extents.y, extents.width, extents.height]


for line in sys.stdin:
    found = []
    try:
        for program in pyatspi.Registry.getDesktop(0):
            if program is not None and program.name == line.strip():
                # What it said before may be over.
                program.clearCache()
                walk(program, found)
    except GLib.Error:
        # It went while it was looked at.
        found = []
    print(json.dumps(found), flush=True)
