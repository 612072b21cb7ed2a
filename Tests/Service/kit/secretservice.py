"""A Secret Service that is not gnome-keyring, served by the test's own process: plain sessions only, prompts, and every
fault that a test asks for.  Its collection has a path of its own, and its items are what a test looks at."""

import dbus
import dbus.bus
import dbus.lowlevel
from gi.repository import GLib

from .client import plain
from .loop import MAIN_LOOP

NAME = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
SERVICE = "org.freedesktop.Secret.Service"
COLLECTION = "org.freedesktop.Secret.Collection"
ITEM = "org.freedesktop.Secret.Item"
PROMPT = "org.freedesktop.Secret.Prompt"
PROPERTIES = "org.freedesktop.DBus.Properties"
PASSWORDS = ROOT + "/collection/Passwords_2ekdbx"
SESSION = ROOT + "/session/1"


class Refused(Exception):
    pass


class FakeSecretService:
    def __init__(self, address):
        self.address = address
        self.locked = False
        self.items = {}  # path: (attributes, secret)
        self.calls = []
        self.asked = []  # prompts that were really put up
        self.delay = 0.0  # seconds before every answer
        self.fail = {}  # member: error name; the call does nothing
        self.fail_after = {}  # member: error name; the call does its work all the same
        self.ignore = set()  # members that say yes and do nothing
        self.alias = PASSWORDS
        self._count = 0
        self.start()

    def start(self):
        self.connection = dbus.bus.BusConnection(self.address, mainloop=MAIN_LOOP)
        self.connection.add_message_filter(self._incoming)
        assert self.connection.request_name(NAME, 4) == 1

    def end(self):
        if self.connection:
            self.connection.close()
            self.connection = None

    def complete(self, dismissed=False):
        """The person answers the prompt."""
        if not dismissed:
            self.locked = False
            self._changed(PASSWORDS, COLLECTION, "Locked", False)
        message = dbus.lowlevel.SignalMessage(ROOT + "/prompt/1", PROMPT, "Completed")
        message.append(
            dismissed,
            dbus.Array([] if dismissed else [dbus.ObjectPath(PASSWORDS)], signature="o", variant_level=1),
            signature="bv",
        )
        self.connection.send_message(message)
        self.connection.flush()

    def _changed(self, path, interface, name, value):
        message = dbus.lowlevel.SignalMessage(path, PROPERTIES, "PropertiesChanged")
        message.append(
            interface,
            dbus.Dictionary({name: value}, signature="sv"),
            dbus.Array([], signature="s"),
            signature="sa{sv}as",
        )
        self.connection.send_message(message)
        self.connection.flush()

    def called(self, member):
        return [arguments for name, arguments in self.calls if name == member]

    # Answers

    def _incoming(self, connection, message):
        if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        if self.delay:
            GLib.timeout_add(int(self.delay * 1000), lambda: self._handle(connection, message))
        else:
            self._handle(connection, message)
        return dbus.lowlevel.HANDLER_RESULT_HANDLED

    def _handle(self, connection, message):
        member = str(message.get_member())
        arguments = message.get_args_list()
        self.calls.append((member, [plain(a) for a in arguments]))
        try:
            if member in self.fail:
                raise Refused(self.fail[member])
            signature, *values = self._answer(str(message.get_path()), str(message.get_interface()), member, arguments)
            if member in self.fail_after:
                raise Refused(self.fail_after[member])
            reply = dbus.lowlevel.MethodReturnMessage(message)
            if signature:
                reply.append(*values, signature=signature)
        except Refused as why:
            reply = dbus.lowlevel.ErrorMessage(message, why.args[0], "as the test wants it")
        if self.connection:
            connection.send_message(reply)
        return False

    def _answer(self, path, interface, member, arguments):
        if interface == PROPERTIES:
            return self._properties(path, member, arguments)
        if member == "OpenSession":
            if arguments[0] != "plain":
                raise Refused("org.freedesktop.DBus.Error.NotSupported")
            return "vo", dbus.String("", variant_level=1), SESSION
        if member == "ReadAlias":
            return "o", self.alias if arguments[0] == "default" else "/"
        if member == "SearchItems":
            wanted = plain(arguments[0])
            hits = [p for p, (attributes, _) in self.items.items() if wanted.items() <= attributes.items()]
            if interface == COLLECTION:
                return "ao", hits
            return ("aoao", [], hits) if self.locked else ("aoao", hits, [])
        if member == "Unlock":
            return ("aoo", [], ROOT + "/prompt/1") if self.locked else ("aoo", arguments[0], "/")
        if member == "Prompt":
            self.asked.append(plain(arguments[0]))
            return ("",)
        if member in ("Dismiss", "Close"):
            return ("",)
        if member in ("CreateItem", "GetSecret", "GetSecrets", "SetSecret", "Delete") and self.locked:
            raise Refused("org.freedesktop.Secret.Error.IsLocked")
        return self._item_call(path, member, arguments)

    def _item_call(self, path, member, arguments):
        if member == "CreateItem":
            attributes = plain(arguments[0][ITEM + ".Attributes"])
            self._count += 1
            made = f"{PASSWORDS}/{self._count}"
            if member not in self.ignore:
                self.items[made] = (attributes, bytes(bytearray(arguments[1][2])))
            return "oo", made, "/"
        if member == "GetSecret":
            return "(oayays)", self._secret(path)
        if member == "GetSecrets":
            found = {dbus.ObjectPath(p): self._secret(p) for p in arguments[0] if p in self.items}
            return "a{o(oayays)}", dbus.Dictionary(found, signature="o(oayays)")
        if path not in self.items:
            raise Refused("org.freedesktop.DBus.Error.UnknownObject")
        if member == "SetSecret":
            self.items[path] = (self.items[path][0], bytes(bytearray(arguments[0][2])))
            return ("",)
        if member == "Delete":
            if member not in self.ignore:
                del self.items[path]
            return "o", "/"
        raise Refused("org.freedesktop.DBus.Error.UnknownMethod")

    def _secret(self, path):
        if path not in self.items:
            raise Refused("org.freedesktop.Secret.Error.NoSuchObject")
        return dbus.Struct(
            (dbus.ObjectPath(SESSION), dbus.ByteArray(b""), dbus.ByteArray(self.items[path][1]), "text/plain"),
            signature="oayays",
        )

    def _properties(self, path, member, arguments):
        if path == ROOT:
            table = {"Collections": dbus.Array([dbus.ObjectPath(PASSWORDS)], signature="o")}
        elif path == PASSWORDS:
            table = {
                "Items": dbus.Array([dbus.ObjectPath(p) for p in self.items], signature="o"),
                "Label": "Passwords",
                "Locked": self.locked,
                "Created": dbus.UInt64(1),
                "Modified": dbus.UInt64(1),
            }
        elif path in self.items:
            table = {
                "Locked": self.locked,
                "Label": "x",
                "Created": dbus.UInt64(1),
                "Modified": dbus.UInt64(1),
                "Attributes": dbus.Dictionary(self.items[path][0], signature="ss"),
            }
        else:
            raise Refused("org.freedesktop.DBus.Error.UnknownObject")
        if member == "GetAll":
            return "a{sv}", dbus.Dictionary(table, signature="sv")
        if arguments[1] not in table:
            raise Refused("org.freedesktop.DBus.Error.UnknownProperty")
        return "v", table[arguments[1]]
