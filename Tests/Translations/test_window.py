"""The real window in other languages: what a screen reader finds in it, and the side that it begins at."""

import json
import subprocess
import time

import pytest
from promptkit.channel import Prompt, view
from promptkit.desk import Desk

#: A program of its own: pyatspi has one bus.  Name and left edge of everything that is visible.
READER = """
import json, sys, pyatspi
found = []
def walk(item):
    if item is None:
        return
    if item.name and item.getState().contains(pyatspi.STATE_VISIBLE):
        box = item.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        found.append((item.name, item.description, box.x))
    for child in item:
        walk(child)
for program in pyatspi.Registry.getDesktop(0):
    if program is not None and program.name == "smileauth-prompt":
        walk(program)
json.dump(found, sys.stdout)
"""


def until_named(desk, name, seconds=10):
    """Everything that is visible, once `name` is: {name: (description, left edge)}."""
    deadline = time.monotonic() + seconds
    while True:
        done = subprocess.run(
            ["/usr/bin/python3", "-c", READER], env=desk.env, capture_output=True, text=True, timeout=30
        )
        found = {item[0]: tuple(item[1:]) for item in json.loads(done.stdout or "[]")}
        if name in found:
            return found
        assert time.monotonic() < deadline, (name, found, done.stderr[-500:])
        time.sleep(0.1)


@pytest.mark.parametrize(
    "language, row, after, help, title, cancel",
    [
        (
            "de",
            "0 von 6 Ziffern eingegeben",
            "3 von 6 Ziffern eingegeben",
            "Geben Sie die Ziffern Ihres Codes ein.",
            "Code eingeben",
            "Abbrechen",
        ),
        (
            "ar",
            "الأرقام المُدخلة: 0 من 6",
            "الأرقام المُدخلة: 3 من 6",
            "اكتب أرقام رمز الدخول.",
            "أدخل رمز الدخول",
            "إلغاء",
        ),
    ],
)
def test_the_window_speaks_the_language_and_begins_at_its_side(
    locale_folder, language, row, after, help, title, cancel
):
    desk = Desk(accessible=True, env={"SMILEAUTH_LOCALEDIR": locale_folder, "LANGUAGE": language})
    try:
        # The view's own texts come from the service, in its language.
        prompt = Prompt(desk, view(digits=6, title=title, cancel_title=cancel, can_cancel=True))
        try:
            prompt.shown()
            found = until_named(desk, row)
            assert found[row][0] == help
            # The button stands where lines begin.
            begins_right = found[cancel][1] > found[title][1]
            assert begins_right == (language == "ar"), found
            desk.type("123")
            until_named(desk, after)
        finally:
            prompt.kill()
    finally:
        desk.close()
