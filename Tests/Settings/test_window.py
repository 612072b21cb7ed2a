"""The window itself: narrow and wide, in other languages, by the keyboard, in the dark, and what is behind it."""

import os
import signal
import time

import pytest
from gi.repository import Gio, GLib
from kit.acts import RIGHT, turn_on
from kit.fingers import INDEX, THUMB
from kit.loop import wait_until
from promptkit import pictures

from settingskit.room import answer

PAGES = ("passcode", "fingers", "locking", "looks", "apps")
NARROW = dict(size=(360, 640), manager=False)
#: What GTK itself names by its type.
INNER = ("GtkListItemWidget",)


@pytest.fixture(scope="session")
def locale_folder(tmp_path_factory):
    """The catalogs, built for these tests."""
    import subprocess

    from kit.world import REPOSITORY

    folder = tmp_path_factory.mktemp("locale")
    for language in ("de", "ar"):
        place = folder / language / "LC_MESSAGES"
        place.mkdir(parents=True)
        subprocess.run(
            ["msgfmt", "-o", str(place / "smileauth.mo"), os.path.join(REPOSITORY, "po", f"{language}.po")], check=True)
    return str(folder)


def test_there_is_one_window(make_room):
    room = make_room().open()
    room.find("Passcode", role="list item", states=["selected"])
    second = room.screen.start(room.program, "locking", env=room.screen.env)
    wait_until(lambda: not second.running, 10, "the second one's end")
    assert second.popen.returncode == 0
    room.find("Locking", role="list item", states=["selected"])
    assert len([i for i in room.tree() if i["role"] == "frame"]) == 1
    room.world.client().call(
        "/org/smileauth/Settings", "org.freedesktop.Application", "Activate", "a{sv}", {}, to="org.smileauth.Settings")
    # One that hangs is not waited for.
    os.kill(room.window.pid, signal.SIGSTOP)
    third = room.screen.start(room.program, env=room.screen.env)
    try:
        search = ("xdotool", "search", "--onlyvisible", "--name", "SmileAuth Settings")
        wait_until(lambda: len(room.screen.run(*search).split()) == 2, 15, "a window of the third one's")
    finally:
        os.kill(room.window.pid, signal.SIGCONT)
        third.end()


def test_a_narrow_window_shows_the_list_or_the_page(make_room):
    room = make_room(**NARROW).open()
    room.find("Passcode", role="list item", states=["selected"])
    assert not [i for i in room.tree() if i["name"] == "Use a passcode" and i["shown"]]
    room.screen.keys("Down", "Down", "Return")
    room.find("Nobody is at the desk", role="check box")
    assert not [i for i in room.tree() if i["role"] == "list item" and i["shown"]]
    room.screen.keys("Escape")
    room.find("Locking", role="list item", states=["selected", "focused"])
    room.screen.keys("alt+k")
    room.find("Tint #ff2d55")
    room.find("Back", role="push button")


#: The theme's ground, and its colour of what is chosen.
GROUND, CHOSEN = (246, 245, 244), (53, 132, 228)


def settled(room):
    """What the window shows once it has come to rest, as a function of a place in it."""
    shots = []

    def is_at_rest():
        time.sleep(0.2)
        shots.append(pictures.pixels(room.screen, room.xid))
        return len(shots) > 1 and shots[-1] == shots[-2]

    wait_until(is_at_rest, 10, "the window to come to rest")
    width, _, data = shots[-1]
    return lambda x, y: tuple(data[(y * width + x) * 3 : (y * width + x) * 3 + 3])


def test_the_list_of_pages_is_whole_before_anything_is_done_to_it(make_room):
    """Each time: a list that was measured before there was a style sheet stayed without it until it got a key."""
    room = make_room(accessible=False)
    for start in range(20):
        # A page that is named, too.
        room.open("passcode" if start % 5 == 4 else None)
        at = settled(room)
        # Between the row's left edge and its icon; a banner may be above it.
        chosen = [y for y in range(45, 200) if at(13, y) == CHOSEN]
        assert len(chosen) >= 28, (start, chosen)
        first, last = chosen[0], chosen[-1]
        # The margin around it, the rows below it and the list's ground are the window's.
        assert at(13, first - 3) == GROUND and at(7, (first + last) // 2) == GROUND, start
        assert at(13, last + 30) == GROUND and at(13, 500) == GROUND, start
        room.window.end()


@pytest.mark.parametrize("language", ["de", "ar"])
def test_nothing_goes_beyond_a_narrow_window_in_any_language(make_room, locale_folder, language):
    room = make_room(sensor="verifies", env={"LANGUAGE": language, "SMILEAUTH_LOCALEDIR": locale_folder}, **NARROW)
    room.sensing.enroll(THUMB)
    turn_on(room.session)
    turn_on(room.world.app("org.example.Notes"))
    titles = {"de": ("Code", "Finger", "Sperren", "Aussehen", "Apps mit Sperre"),
              "ar": ("رمز الدخول", "الأصابع", "القفل", "المظهر", "التطبيقات المقفلة")}[language]
    room.open(PAGES[0])
    for number, title in enumerate(titles):
        room.find(title, role="label")
        tree = room.tree()
        width = next(i for i in tree if i["role"] == "frame")["box"][2]
        assert 300 < width <= 360
        beyond = [
            (i["role"], i["name"], i["box"]) for i in tree
            if i["shown"] and i.get("box", [0] * 4)[2] > 0 and (i["box"][0] < 0 or i["box"][0] + i["box"][2] > width)
        ]
        assert beyond == []
        room.screen.keys("ctrl+Next")


def test_a_language_from_right_to_left_begins_there(make_room, locale_folder):
    room = make_room(env={"LANGUAGE": "ar", "SMILEAUTH_LOCALEDIR": locale_folder}).open()
    toggle = room.find("استخدام رمز دخول", role="check box")
    title = room.find("استخدام رمز دخول", role="label")
    assert toggle["box"][0] < title["box"][0]


@pytest.mark.parametrize("page", PAGES)
def test_whatever_takes_the_focus_has_a_name(make_room, page):
    room = make_room(sensor="verifies")
    room.sensing.enroll(INDEX)
    turn_on(room.session)
    turn_on(room.world.app("org.example.Notes"))
    room.open(page)
    room.find("Passcode", role="list item", states=["sensitive"])
    wait_until(lambda: any("On, with 4 digits." in i["description"] for i in room.tree()) or page != "passcode", 10)
    nameless = [
        (i["role"], i["name"]) for i in room.tree()
        if i["shown"] and "focusable" in i["states"] and i["role"] != "scroll pane" and i["name"] not in INNER
        and (not i["name"] or i["name"].startswith("Gtk") or "_" in i["name"])
    ]
    assert nameless == []


class Portal:
    """The Settings portal of a desktop, as far as the window asks it."""

    XML = """<node><interface name="org.freedesktop.portal.Settings">
      <method name="Read"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
      <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal></interface></node>"""
    NAMESPACE = "org.freedesktop.appearance"

    def __init__(self, address):
        flags = Gio.DBusConnectionFlags
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
        self.values = {"color-scheme": 0, "contrast": 0}
        self.path = "/org/freedesktop/portal/desktop"
        self.bus.register_object(
            self.path, Gio.DBusNodeInfo.new_for_xml(self.XML).interfaces[0], self.answer, None, None)
        Gio.bus_own_name_on_connection(
            self.bus, "org.freedesktop.portal.Desktop", Gio.BusNameOwnerFlags.NONE, None, None)

    def answer(self, _bus, _sender, _path, _interface, _method, parameters, invocation):
        value = GLib.Variant("u", self.values.get(parameters.unpack()[1], 0))
        invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", value),)))

    def set(self, key, value):
        self.values[key] = value
        self.bus.emit_signal(
            None, self.path, "org.freedesktop.portal.Settings", "SettingChanged",
            GLib.Variant("(ssv)", (self.NAMESPACE, key, GLib.Variant("u", value))))


def brightness(room):
    """Of the page's ground, 0 to 255."""
    width, height, data = pictures.pixels(room.screen, room.xid)
    at = ((height - 12) * width + width - 40) * 3
    return sum(data[at : at + 3]) / 3


def test_it_follows_the_desktops_colour_scheme(room):
    portal = Portal(room.world.bus.address)
    room.open()
    room.find("Use a passcode", states=["sensitive"])
    wait_until(lambda: brightness(room) > 200, 5, "a light window")
    portal.set("color-scheme", 1)
    wait_until(lambda: brightness(room) < 90, 5, "a dark window")
    portal.set("color-scheme", 2)
    wait_until(lambda: brightness(room) > 200, 5, "a light window again")


def test_what_it_asked_for_ends_with_it(room):
    room.open()
    room.find("Use a passcode", states=["sensitive"])
    room.screen.keys("alt+u")
    room.screen.window("Set Passcode")
    room.find("Answer in the window that asks.")
    room.window.popen.terminate()
    room.window.popen.wait(5)
    # Killed it cannot withdraw; closed it does.
    assert room.session.get("IsShowingAuth") is True
    room.session.cancel()
    room.open()
    room.find("Use a passcode", states=["sensitive"])
    room.screen.keys("alt+u")
    room.find("Answer in the window that asks.")
    settings = room.xid
    room.screen.run("xdotool", "windowactivate", "--sync", settings)
    room.screen.keys("ctrl+q")
    assert room.window.popen.wait(10) == 0
    wait_until(lambda: room.session.get("IsShowingAuth") is False, 5, "the view to end")


def test_both_factors_are_asked_for_by_locking(make_room):
    room = make_room(sensor="verifies")
    room.sensing.enroll(INDEX)
    turn_on(room.session)
    room.open("fingers")
    room.find("Finger and passcode", role="radio button", states=["sensitive"])
    room.screen.keys("alt+n")
    answer(room, "Enter Passcode", RIGHT)
    room.wait_for("FactorMode", "all")
    room.find("Finger and passcode", role="radio button", states=["checked"])
    # From the stricter one back: finger and passcode are needed, and only a lock asks for both.
    room.screen.keys("alt+r")
    wait_until(lambda: room.session.view().get("fingerprint") == "armed", 10, "the sensor to be armed")
    assert room.session.get("IsAuthenticated") is False
    room.sensing.sensor.scan(INDEX)
    wait_until(lambda: room.session.view().get("demand") == "passcode", 10, "the passcode's turn")
    answer(room, "Enter Passcode", RIGHT)
    room.wait_for("FactorMode", "any")
    room.find("Finger or passcode", role="radio button", states=["checked"])
