"""Prints what a screen reader finds in the prompt's window, as JSON.  A program of its own: pyatspi has one bus."""

import json
import sys

import pyatspi


def walk(item, found, depth=0):
    if item is None or depth > 20:
        return
    states = [pyatspi.stateToString(state) for state in item.getState().getStates()]
    box = [0, 0, 0, 0]
    if "Component" in pyatspi.listInterfaces(item):
        try:
            box = list(item.queryComponent().getExtents(pyatspi.WINDOW_COORDS))
        except NotImplementedError:
            pass
    found.append({
        "role": item.getRoleName(), "name": item.name, "description": item.description, "states": states, "box": box
    })
    for child in item:
        walk(child, found, depth + 1)


found = []
for program in pyatspi.Registry.getDesktop(0):
    if program is not None and program.name == "smileauth-prompt":
        walk(program, found)
json.dump(found, sys.stdout)
