"""The service, its bus and its store come and go: the window says so, and what is shown is never more than was said."""

import subprocess

from kit.acts import RIGHT, turn_on

from settingskit.room import answer

SWITCH = "Use a passcode"
ABSENT = "The SmileAuth service is not running. Until it is back, it locks nothing."


def test_the_service_is_killed_and_comes_back(room):
    turn_on(room.session)
    room.open()
    room.find(SWITCH, states=["checked", "sensitive"])
    room.world.kill_service()
    room.find(ABSENT, role="alert|notification", containing=True)
    room.find(SWITCH, states=["-checked", "-sensitive"])
    # Nobody can start it on this bus, and that is said, too.
    room.find("The SmileAuth service cannot be started. Is it installed?", containing=True)
    room.find("Start the Service", role="push button", states=["sensitive"])
    room.world.start_service()
    # Locked it comes back, for it was killed after its owner's last success: what it says counts.
    room.find(SWITCH, states=["checked", "sensitive"])
    room.find("On, with 4 digits.")
    assert not [i for i in room.tree() if ABSENT in i["name"] and i["shown"]]


def test_after_a_restart_nobody_was_asked_and_there_is_a_way(room):
    turn_on(room.session)
    room.world.restart_service()
    assert room.session.get("IsAuthenticated") is False and room.session.get("IsShowingAuth") is False
    room.open("locking")
    said = "SmileAuth has not asked you since it started. Unlock once before you make the lock weaker."
    room.find(said)
    room.find("Not unlocked since SmileAuth started.")
    room.find("Unlock", role="push button", states=["sensitive"])
    room.focus("Unlock", key="shift+Tab", presses=3)
    room.screen.keys("space")
    answer(room, "Enter Passcode", RIGHT)
    room.wait_for("IsAuthenticated", True)
    room.gone(said)
    room.gone("Unlock")
    # The keyboard's focus did not go with the button.
    room.find("Locking", role="list item", states=["focused"])
    room.find("Open.")


def test_it_is_not_there_at_the_start(make_room):
    room = make_room(service=False).open()
    room.find(ABSENT, role="alert|notification", containing=True)
    room.find(SWITCH, states=["-sensitive"])
    room.world.start_service()
    room.find(SWITCH, states=["sensitive", "-checked"])
    room.find("Off. Nothing locks this session.")


def test_without_a_bus(room):
    # The accessibility bus is told by hand: it is asked for on the one that is missing.
    said = room.screen.run(
        "gdbus", "call", "--session", "-d", "org.a11y.Bus", "-o", "/org/a11y/bus", "-m", "org.a11y.Bus.GetAddress")
    address = said.split("'")[1]
    room.open(env={"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent", "AT_SPI_BUS_ADDRESS": address})
    room.find("There is no session bus. The settings come back with it.", role="alert|notification")
    room.find(SWITCH, states=["-sensitive"])


def test_the_keyring_is_locked_and_opened(room):
    turn_on(room.session)
    room.world.keyring.lock()
    # The service looks again when somebody asks for the store.
    room.world.restart_service()
    room.open()
    room.find(
        "The keyring does not answer. Until it does, no passcode can be checked or changed.",
        role="alert|notification")
    room.find(SWITCH, states=["checked", "-sensitive"])
    room.world.keyring.unlock()
    room.find(SWITCH, states=["checked", "sensitive"])


def test_the_keyring_has_lost_it(room):
    turn_on(room.session)
    room.world.keyring.delete_all()
    room.world.restart_service()
    room.open()
    room.find(
        "The keyring has lost your passcode. Run “smileauth reset” with your account password.",
        role="alert|notification")
    room.find(SWITCH, states=["-sensitive"])


def test_it_ends_with_its_window_and_knows_its_words(room):
    done = subprocess.run([room.program, "nonsense"], env=room.screen.env, capture_output=True, text=True, timeout=20)
    assert done.returncode == 2 and done.stderr.startswith("smileauth-settings: usage:")
    for option, begin in (("--help", "usage: smileauth-settings [passcode | "), ("--version", "smileauth-settings ")):
        done = subprocess.run([room.program, option], env={}, capture_output=True, text=True, timeout=20)
        assert done.returncode == 0 and done.stdout.startswith(begin) and done.stderr == ""
    room.open("apps")
    room.find("No application has a lock here.")
    room.screen.keys("ctrl+w")
    assert room.window.popen.wait(10) == 0
