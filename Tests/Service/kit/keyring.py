"""A real gnome-keyring on a test's bus, and the Secret Service seen from outside: items counted, deleted, spoilt."""

import os
import shutil

import dbus

from .client import Client
from .loop import wait_until
from .processes import Program

NAME = "org.freedesktop.secrets"
SERVICE = "org.freedesktop.Secret.Service"
ITEM = "org.freedesktop.Secret.Item"
COLLECTION = "org.freedesktop.Secret.Collection"
ROOT = "/org/freedesktop/secrets"
DEFAULT = ROOT + "/aliases/default"
PASSWORD = b"throw-away"


class Keyring:
    def __init__(self, bus, folder, env):
        self.bus = bus
        self.folder = folder
        self.env = env
        self.program = None
        self._client = None

    @property
    def client(self):
        if self._client is None:
            self._client = Client(self.bus.address, listen=False)
        return self._client

    @property
    def files(self):
        return os.path.join(self.env["XDG_DATA_HOME"], "keyrings")

    # The process

    def start(self, locked=False):
        """Unlocked with the password, or, where a collection stands, locked."""
        arguments = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        if not locked:
            arguments.append("--unlock")
        reader, writer = os.pipe()
        os.write(writer, b"" if locked else PASSWORD)
        os.close(writer)
        self.program = Program(arguments, self.env, os.path.join(self.folder, "keyring.log"), stdin=reader)
        os.close(reader)
        wait_until(lambda: self.client.owner(NAME), 10, "the keyring")
        if not locked:
            wait_until(lambda: self._call(ROOT, SERVICE, "ReadAlias", "s", "default") != "/", 10, "a collection")
        return self

    def kill(self):
        self.program.kill()
        wait_until(lambda: not self.client.owner(NAME), 10, "the keyring's name to go")

    def stop(self):
        self.program.stop()

    def go_on(self):
        self.program.go_on()

    def restart(self, locked=False):
        if self.program and self.program.running:
            self.kill()
        return self.start(locked)

    def end(self):
        if self.program:
            self.program.end()

    # What is in it

    def _call(self, path, interface, member, signature="", *arguments):
        return self.client.call(path, interface, member, signature, *arguments, to=NAME)

    def lock(self):
        self._call(ROOT, SERVICE, "Lock", "ao", [self.collection()])
        wait_until(lambda: self._locked(), 5, "the collection to lock")

    def _locked(self):
        return self._call(self.collection(), "org.freedesktop.DBus.Properties", "Get", "ss", COLLECTION, "Locked")

    def unlock(self):
        """As its own prompt does once it has the password."""
        secret = (dbus.ObjectPath(self._session()), dbus.ByteArray(b""), dbus.ByteArray(PASSWORD), "text/plain")
        self._call(
            ROOT,
            "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface",
            "UnlockWithMasterPassword",
            "o(oayays)",
            dbus.ObjectPath(self.collection()),
            secret,
        )
        wait_until(lambda: not self._locked(), 5, "the collection to open")

    def collection(self):
        return self._call(ROOT, SERVICE, "ReadAlias", "s", "default")

    def items(self):
        unlocked, locked = self._call(ROOT, SERVICE, "SearchItems", "a{ss}", dbus.Dictionary({}, signature="ss"))
        return unlocked + locked

    def attributes(self, item):
        return self._call(item, "org.freedesktop.DBus.Properties", "Get", "ss", ITEM, "Attributes")

    def _session(self):
        return self._call(ROOT, SERVICE, "OpenSession", "sv", "plain", dbus.String("", variant_level=1))[1]

    def secret(self, item):
        return bytes(self._call(item, ITEM, "GetSecret", "o", dbus.ObjectPath(self._session()))[2])

    def set_secret(self, item, data):
        secret = (dbus.ObjectPath(self._session()), dbus.ByteArray(b""), dbus.ByteArray(data), "text/plain")
        self._call(item, ITEM, "SetSecret", "(oayays)", secret)

    def delete(self, item):
        prompt = self._call(item, ITEM, "Delete")
        assert prompt == "/", "deleting an item asked for a prompt"

    def delete_all(self):
        for item in self.items():
            self.delete(item)

    def create_item(self, attributes, data):
        properties = dbus.Dictionary(
            {
                ITEM + ".Label": dbus.String("copy", variant_level=1),
                ITEM + ".Attributes": dbus.Dictionary(attributes, signature="ss", variant_level=1),
            },
            signature="sv",
        )
        secret = (dbus.ObjectPath(self._session()), dbus.ByteArray(b""), dbus.ByteArray(data), "text/plain")
        return self._call(self.collection(), COLLECTION, "CreateItem", "a{sv}(oayays)b", properties, secret, False)[0]

    def delete_files(self):
        """The store's files are lost while it does not run."""
        shutil.rmtree(self.files, ignore_errors=True)

    def truncate_files(self):
        for name in os.listdir(self.files):
            if name.endswith(".keyring"):
                os.truncate(os.path.join(self.files, name), 20)
