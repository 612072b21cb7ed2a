"""Prints what a screen reader finds in a program's windows, as JSON.  A program of its own: pyatspi has one bus."""

import json
import sys

import pyatspi


def walk(item, found, shown=True, depth=0):
    if item is None or depth > 30:
        return
    states = [pyatspi.stateToString(state) for state in item.getState().getStates()]
    # "showing" is the window's alone in GTK 4.8.
    shown = shown and (depth == 0 or "visible" in states)
    entry = {"role": item.getRoleName(), "name": item.name, "description": item.description, "states": states,
             "shown": shown}
    try:
        value = item.queryValue()
        entry["value"] = [value.currentValue, value.maximumValue]
    except NotImplementedError:
        pass
    found.append(entry)
    if not shown:
        return
    for child in item:
        walk(child, found, shown, depth + 1)


found = []
for program in pyatspi.Registry.getDesktop(0):
    if program is not None and program.name == sys.argv[1]:
        walk(program, found)
json.dump(found, sys.stdout)
