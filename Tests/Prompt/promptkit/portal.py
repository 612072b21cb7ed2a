"""The Settings portal of a desktop, as the contract of xdg-desktop-portal has it: `portal.py [KEY=NUMBER…]`, then a
KEY=NUMBER a line on stdin for every change.  Says `ready` and, for each line, `told`."""

import sys

from gi.repository import Gio, GLib

NAME, PATH, INTERFACE = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings"
APPEARANCE = "org.freedesktop.appearance"
#: GNOME's settings, which its portal hands on.
GNOME = "org.gnome.desktop.interface"
_XML = f"""<node><interface name="{INTERFACE}">
  <method name="Read"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
  <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
</interface></node>"""
values = {}


def take(word):
    key, _, number = word.partition("=")
    values[key] = GLib.Variant("d", float(number)) if group(key) == GNOME else GLib.Variant("u", int(number))
    return key


def group(key):
    return GNOME if key == "text-scaling-factor" else APPEARANCE


def called(connection, sender, path, interface, method, arguments, invocation):
    namespace, key = arguments.unpack()
    if key not in values or namespace != group(key):
        invocation.return_dbus_error("org.freedesktop.portal.Error.NotFound", "no such setting")
        return
    # Read wraps its answer once more than it should, which is why ReadOne came.
    invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", values[key]),)))


def line(channel, condition):
    word = sys.stdin.readline().strip()
    if not word:
        loop.quit()
        return False
    key = take(word)
    bus.emit_signal(None, PATH, INTERFACE, "SettingChanged", GLib.Variant("(ssv)", (group(key), key, values[key])))
    bus.flush_sync(None)
    print("told", flush=True)
    return True


for word in sys.argv[1:]:
    take(word)
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(_XML).interfaces[0], called)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None)
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin.fileno(), GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, line)
loop.run()
