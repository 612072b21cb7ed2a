"""A client of the bus that writes down everything it is sent in the order in which it arrives.

libdbus hands every incoming message to a connection's filters before anything else, replies included, so one list
holds signals, property changes and the replies of calls exactly as the service sent them.
"""

import time
from dataclasses import dataclass, field

import dbus
import dbus.bus
import dbus.lowlevel

from . import names
from .loop import MAIN_LOOP, wait_until

CALL_SECONDS = 30.0


class Failure(Exception):
    """An error reply."""

    def __init__(self, name, message):
        super().__init__(f"{name}: {message}")
        self.name = name
        self.message = message

    @property
    def short(self):
        return self.name.rsplit(".", 1)[-1]


def plain(value):
    """dbus-python's values as Python's own."""
    if isinstance(value, dbus.Boolean):
        return bool(value)
    if isinstance(value, (dbus.ByteArray,)):
        return bytes(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, dict):
        return {plain(k): plain(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return value


def options(values):
    """a{sv} from Python's values: str s, bool b, int u, float d; dbus types stay what they are."""
    converted = {}
    for key, value in values.items():
        if type(value) is int:
            value = dbus.UInt32(value)
        elif type(value) is list:
            value = dbus.Array(value, signature="s")
        converted[key] = value
    return dbus.Dictionary(converted, signature="sv")


@dataclass(eq=False)
class Event:
    kind: str  # signal, changed, reply, error
    path: str
    name: str  # the member; for replies the called method's
    arguments: tuple
    sender: str = ""
    interface: str = ""
    at: float = field(default_factory=time.monotonic)

    def __str__(self):
        if self.kind == "changed":
            return "changed"
        if self.kind == "reply":
            return f"reply {self.name}"
        if self.kind == "error":
            return f"error {self.name} {self.arguments[0].rsplit('.', 1)[-1]}"
        shown = [str(a) for a in self.arguments if not isinstance(a, dict)]
        return " ".join([self.name, *shown])


class Pending:
    """A call on its way."""

    def __init__(self, member):
        self.member = member
        self.reply = None
        self.sent = time.monotonic()

    @property
    def done(self):
        return self.reply is not None

    def wait(self, seconds=CALL_SECONDS):
        wait_until(lambda: self.done, seconds, f"the reply of {self.member}")
        if self.reply.kind == "error":
            raise Failure(*self.reply.arguments[:2])
        arguments = self.reply.arguments
        return None if not arguments else arguments[0] if len(arguments) == 1 else arguments

    @property
    def seconds(self):
        return self.reply.at - self.sent


class Client:
    """One connection.  `events` is what it saw of the service, in order."""

    def __init__(self, address, listen=True):
        self.connection = dbus.bus.BusConnection(address, mainloop=MAIN_LOOP)
        self.unique = str(self.connection.get_unique_name())
        self.events = []
        self.others = []  # signals of anybody else, the driver included
        self._pending = {}
        self.connection.add_message_filter(self._incoming)
        if listen:
            self.connection.add_match_string(f"type='signal',path_namespace='{names.ROOT}'")

    # What comes in

    def _incoming(self, connection, message):
        kind = message.get_type()
        if kind == dbus.lowlevel.MESSAGE_TYPE_SIGNAL:
            self._signal(message)
        elif kind in (dbus.lowlevel.MESSAGE_TYPE_METHOD_RETURN, dbus.lowlevel.MESSAGE_TYPE_ERROR):
            pending = self._pending.pop(message.get_reply_serial(), None)
            if pending is not None:
                self._answer(pending, message)
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED

    def _signal(self, message):
        arguments = tuple(plain(a) for a in message.get_args_list())
        event = Event(
            "signal",
            str(message.get_path()),
            str(message.get_member()),
            arguments,
            str(message.get_sender()),
            str(message.get_interface()),
        )
        if not event.path.startswith(names.ROOT):
            self.others.append(event)
            return
        if event.interface == names.PROPERTIES and event.name == "PropertiesChanged":
            event.kind = "changed"
            event.interface = arguments[0]
        self.events.append(event)

    def _answer(self, pending, message):
        arguments = tuple(plain(a) for a in message.get_args_list())
        if message.get_type() == dbus.lowlevel.MESSAGE_TYPE_ERROR:
            text = arguments[0] if arguments and isinstance(arguments[0], str) else ""
            event = Event("error", "", pending.member, (str(message.get_error_name()), text))
        else:
            event = Event("reply", "", pending.member, arguments)
        pending.reply = event
        self.events.append(event)

    # What goes out

    def start(self, path, interface, member, signature="", *arguments, to=names.BUS_NAME):
        message = dbus.lowlevel.MethodCallMessage(to, path, interface, member)
        if signature:
            message.append(*arguments, signature=signature)
        return self.send(message, member)

    def send(self, message, member="?"):
        pending = Pending(member)

        def lost(reply):
            # Only a reply that the filter did not see: the connection broke.
            if not pending.done:
                self._answer(pending, reply)

        self.connection.send_message_with_reply(message, lost, 600.0)
        self._pending[message.get_serial()] = pending
        self.connection.flush()
        return pending

    def call(self, path, interface, member, signature="", *arguments, to=names.BUS_NAME, seconds=CALL_SECONDS):
        return self.start(path, interface, member, signature, *arguments, to=to).wait(seconds)

    def emit(self, path, interface, member, signature="", *arguments, to=None):
        message = dbus.lowlevel.SignalMessage(path, interface, member)
        if to:
            message.set_destination(to)
        if signature:
            message.append(*arguments, signature=signature)
        self.connection.send_message(message)
        self.connection.flush()

    def driver(self, member, signature="", *arguments):
        return self.call(
            "/org/freedesktop/DBus", "org.freedesktop.DBus", member, signature, *arguments, to="org.freedesktop.DBus"
        )

    def listen_to(self, rule):
        self.connection.add_match_string(rule)

    def owner(self, name):
        try:
            return self.driver("GetNameOwner", "s", name)
        except Failure:
            return None

    def round_trip(self):
        """Everything that the bus had for us before is in `events` afterwards."""
        self._ask_and_forget("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", "org.freedesktop.DBus")

    def sync(self):
        """Everything that the service had sent before it saw this is in `events` afterwards."""
        self._ask_and_forget(names.ROOT, names.PEER, "Ping", names.BUS_NAME)

    def _ask_and_forget(self, path, interface, member, to):
        pending = self.start(path, interface, member, to=to)
        pending.wait()
        self.events.remove(pending.reply)

    # Reading the record

    def mark(self):
        return len(self.events)

    def since(self, mark, path=None):
        return [
            e
            for e in self.events[mark:]
            if path is None or e.path in (path, "") or e.path.startswith(names.ROOT + "/request")
        ]

    def signals(self, name, path=None, since=0):
        return [
            e for e in self.events[since:] if e.kind == "signal" and e.name == name and (path is None or e.path == path)
        ]

    def changes(self, path, since=0):
        """All property changes of one object as one dictionary, later over earlier."""
        merged = {}
        for event in self.events[since:]:
            if event.kind == "changed" and event.path == path:
                merged.update(event.arguments[1])
        return merged

    def wait_signal(self, name, path=None, since=0, seconds=10.0):
        return wait_until(lambda: self.signals(name, path, since), seconds, f"signal {name}")[0]

    def close(self):
        self.connection.close()
