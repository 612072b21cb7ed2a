"""The page of what locks: written, proved where it is weaker, and refused in words."""

from kit.acts import RIGHT, WRONG, turn_on
from kit.loop import wait_until

from settingskit.room import answer


def test_what_locks_and_for_how_long_not_to_ask(room):
    turn_on(room.session)
    room.open("locking")
    room.find("Open.")
    room.find("Nobody is at the desk", states=["checked", "sensitive"])
    room.screen.keys("alt+d")
    answer(room, "Enter Passcode", RIGHT)
    wait_until(lambda: set(room.session.get("LockOn")) == {"sleep", "screen-lock", "switch"}, 10, "three causes")
    room.find("Nobody is at the desk", states=["-checked", "sensitive"])
    # The passcode counts for five minutes: no second question.
    room.choose("alt+g", "Do not ask again for", "5 minutes", keys=["Down"] * 4)
    room.wait_for("TimeoutInterval", 300.0)
    # Stricter needs nothing.
    room.screen.keys("alt+d")
    wait_until(lambda: len(room.session.get("LockOn")) == 4, 10, "all causes")


def test_a_refusal_is_said_and_the_switch_goes_back(room):
    turn_on(room.session)
    room.open("locking")
    room.find("The computer sleeps", states=["checked", "sensitive"])
    room.screen.keys("alt+s")
    answer(room, "Enter Passcode", WRONG)
    room.wait_for("FailCount", 1)
    room.session.cancel()
    alert = room.find("Cancelled. Nothing was changed.", role="alert|notification")
    assert alert
    room.find("The computer sleeps", states=["checked", "sensitive"])
    assert len(room.session.get("LockOn")) == 4


def test_locked_by_hand(room):
    turn_on(room.session)
    room.open("locking")
    room.find("Lock Now", role="push button", states=["sensitive"])
    room.screen.keys("alt+n")
    room.wait_for("IsAuthenticated", False)
    room.find("Locked.")
    room.find("A locked session covers every monitor, and no key reaches your windows.")
    answer(room, "Enter Passcode", RIGHT)
    room.wait_for("IsAuthenticated", True)
    room.find("Open.")


def test_without_a_lock_there_is_nothing_to_close(room):
    room.open("locking")
    room.find("No lock: there is no passcode, and no finger alone opens it.")
    room.find("Lock Now", role="push button", states=["-sensitive"])


def test_too_many_wrong_entries_say_how_long(room):
    turn_on(room.session)
    room.open("locking")
    room.find("Open.")
    for _ in range(5):
        assert room.session.verify(WRONG) is False
    banner = room.find("Too many wrong entries. Try again in", containing=True)
    assert banner["role"] in ("alert", "notification") and ("0:5" in banner["name"] or "1:00" in banner["name"])
