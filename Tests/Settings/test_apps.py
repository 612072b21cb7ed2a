"""The page of the applications: it follows them as they come, change and go."""

import os

from kit.acts import RIGHT, turn_on
from kit.loop import wait_until

from settingskit.room import answer

NOTES = "org.example.Notes"


def names(room):
    return list(room.world.manager().list())


def test_an_applications_lock_comes_is_locked_and_is_removed(room):
    room.open("apps")
    room.find("No application has a lock here.")
    app = room.world.app(NOTES)
    app.hold(ui="none")
    room.find(NOTES)
    room.find("No passcode is set.")
    # Where it is on the bus is nothing to a person.
    assert not [i for i in room.tree() if "/org/smileauth" in i["name"] + i["description"]]
    turn_on(app)
    room.find("A passcode is set. Open.")
    app.lock()
    room.find("A passcode is set. Locked. It is asking now.")
    assert app.outcome(RIGHT) == "accepted"
    room.find("A passcode is set. Open.")
    room.focus(f"Remove: {NOTES}")
    room.screen.keys("space")
    room.find(f"Remove the lock of \u2068{NOTES}\u2069?")
    room.screen.keys("alt+r")
    wait_until(app.view, 5, "the view")
    assert f"Remove the lock of {NOTES}" in app.view()["reason"]
    answer(room, "Enter Passcode", RIGHT, view=app)
    room.find("No passcode is set.")
    app.client.close()
    room.find("No application has a lock here.")
    assert NOTES not in names(room)


def test_one_without_a_lock_is_removed_at_once(room):
    room.world.app(NOTES).set("TimeoutInterval", "d", 60.0)
    room.open("apps")
    room.find(NOTES)
    room.focus(f"Remove: {NOTES}")
    room.screen.keys("space")
    room.find(f"Remove the lock of \u2068{NOTES}\u2069?")
    room.screen.keys("alt+c")
    wait_until(lambda: not [i for i in room.tree() if "Remove the lock" in i["name"]], 5, "the answer")
    assert NOTES in names(room)


def test_an_applications_words_are_shown_as_they_are_and_play_no_tricks(room):
    """An underscore is no mnemonic: two applications would look the same. A desktop entry's name may be anybody's."""
    folder = os.path.join(room.screen.env["XDG_DATA_HOME"], "applications")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "org.example.Evil.desktop"), "w") as file:
        name = "Bank_\u202eof\u2069\\n\x07 you" + "r" * 4000
        file.write(f"[Desktop Entry]\nType=Application\nExec=true\nName={name}\n")
    for application in ("org.exam_ple.Notes", "org.example.Evil"):
        room.world.app(application).set("TimeoutInterval", "d", 60.0)
    room.open("apps")
    room.find("org.exam_ple.Notes")
    room.find("Bank_of you" + "r" * 117)
