"""A stand-in for logind, served by the test's own process on a private system bus.

Its state is the test's to change, every call that it gets is written down, and it sees at once when an inhibitor's
descriptor is closed.  The real logind is in `reallogind.py`.
"""

import os
import signal as signals
import threading
import time

import dbus
import dbus.bus
import dbus.lowlevel

from .client import options, plain
from .loop import MAIN_LOOP, wait_until

NAME = "org.freedesktop.login1"
ROOT = "/org/freedesktop/login1"
MANAGER = NAME + ".Manager"
SESSION = NAME + ".Session"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Inhibitor:
    """One descriptor handed out: a pipe whose other end hangs up when the holder closes it."""

    def __init__(self, what, who, mode):
        self.what, self.who, self.mode = what, who, mode
        self.reader, self.writer = os.pipe()
        self.taken = time.monotonic()
        self.released = None
        self.freeze = None  # a pid to stop at the very moment of the release
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        try:
            os.read(self.reader, 1)
        except OSError:
            pass
        if self.freeze:
            try:
                os.kill(self.freeze, signals.SIGSTOP)
            except ProcessLookupError:
                pass
        self.released = time.monotonic()
        os.close(self.reader)

    @property
    def held(self):
        return self.released is None


class FakeLogind:
    def __init__(self, address, session="c1", delay_usec=5_000_000):
        self.address = address
        self.session_id = session
        self.session_path = f"{ROOT}/session/{session}"
        self.manager = {
            "PreparingForSleep": False,
            "InhibitDelayMaxUSec": dbus.UInt64(delay_usec),
            "BlockInhibited": "",
            "DelayInhibited": "",
            "PreparingForShutdown": False,
        }
        self.session = {
            "Active": True,
            "LockedHint": False,
            "IdleHint": False,
            "Id": session,
            "Type": "wayland",
            "Class": "user",
            "State": "active",
            "Remote": False,
            "Display": "",
            "User": dbus.Struct((dbus.UInt32(os.getuid()), dbus.ObjectPath(f"{ROOT}/user/_0")), signature="uo"),
            "Seat": dbus.Struct(("seat0", dbus.ObjectPath(f"{ROOT}/seat/seat0")), signature="so"),
        }
        self.calls = []
        self.inhibitors = []
        self.inhibit_error = None
        self.connection = None
        self.start()

    # The service's life on the bus

    def start(self):
        self.connection = dbus.bus.BusConnection(self.address, mainloop=MAIN_LOOP)
        self.connection.add_message_filter(self._incoming)
        assert self.connection.request_name(NAME, 4) == 1

    def crash(self):
        """It leaves the bus; what it had handed out is worth nothing any more."""
        self.connection.close()
        self.connection = None

    def restart(self):
        if self.connection:
            self.crash()
        self.session["LockedHint"] = False
        self.start()

    def end(self):
        if self.connection:
            self.crash()

    # What a test does

    def emit(self, path, interface, member, signature="", *arguments):
        message = dbus.lowlevel.SignalMessage(path, interface, member)
        if signature:
            message.append(*arguments, signature=signature)
        self.connection.send_message(message)
        self.connection.flush()
        return time.monotonic()

    def prepare_for_sleep(self, start):
        self.manager["PreparingForSleep"] = start
        return self.emit(ROOT, MANAGER, "PrepareForSleep", "b", start)

    def lock(self):
        return self.emit(self.session_path, SESSION, "Lock")

    def unlock(self):
        return self.emit(self.session_path, SESSION, "Unlock")

    def change(self, **values):
        """Properties of the session change and are signalled."""
        self.session.update(values)
        return self.emit(
            self.session_path,
            PROPERTIES,
            "PropertiesChanged",
            "sa{sv}as",
            SESSION,
            options(values),
            dbus.Array([], signature="s"),
        )

    @property
    def sleep_inhibitors(self):
        return [i for i in self.inhibitors if i.held and "sleep" in i.what.split(":") and i.mode == "delay"]

    def wait_inhibited(self, seconds=10):
        return wait_until(lambda: self.sleep_inhibitors, seconds, "a delay inhibitor for sleep")[0]

    def called(self, member):
        return [arguments for name, arguments in self.calls if name == member]

    # What it answers

    def _incoming(self, connection, message):
        if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        member, path = str(message.get_member()), str(message.get_path())
        arguments = [plain(a) for a in message.get_args_list()]
        if str(message.get_interface()) != PROPERTIES:
            self.calls.append((member, arguments))
        reply = dbus.lowlevel.MethodReturnMessage(message)
        try:
            answer = self._answer(path, str(message.get_interface()), member, arguments)
        except KeyError as unknown:
            reply = dbus.lowlevel.ErrorMessage(message, unknown.args[0], f"no {member} at {path}")
            answer = None
        if answer:
            reply.append(*answer[1:], signature=answer[0])
            if answer[0] == "h":
                os.close(answer[1].take())
        if not message.get_no_reply():
            connection.send_message(reply)
        return dbus.lowlevel.HANDLER_RESULT_HANDLED

    def _answer(self, path, interface, member, arguments):
        if interface == PROPERTIES:
            return self._properties(path, member, arguments)
        if member == "Inhibit":
            return self._inhibit(*arguments)
        if member == "GetSession":
            if arguments[0] not in ("auto", "self", self.session_id):
                raise KeyError(NAME + ".NoSuchSession")
            return "o", self.session_path
        if member in ("GetSessionByPID",):
            return "o", self.session_path
        if member == "ListSessions":
            row = (self.session_id, dbus.UInt32(os.getuid()), "user", "seat0", dbus.ObjectPath(self.session_path))
            return "a(susso)", [row]
        if member == "GetUser":
            return "o", f"{ROOT}/user/_0"
        if member == "ListInhibitors":
            rows = [(i.what, i.who, "", i.mode, dbus.UInt32(0), dbus.UInt32(0)) for i in self.inhibitors if i.held]
            return "a(ssssuu)", rows
        if member == "SetLockedHint":
            self.session["LockedHint"] = arguments[0]
            self.emit(
                self.session_path,
                PROPERTIES,
                "PropertiesChanged",
                "sa{sv}as",
                SESSION,
                options({"LockedHint": arguments[0]}),
                dbus.Array([], signature="s"),
            )
            return None
        raise KeyError("org.freedesktop.DBus.Error.UnknownMethod")

    def _properties(self, path, member, arguments):
        table = self.session if path.startswith(ROOT + "/session/") else self.manager
        if member == "GetAll":
            return "a{sv}", options(table)
        if arguments[1] not in table:
            raise KeyError("org.freedesktop.DBus.Error.UnknownProperty")
        return "v", table[arguments[1]]

    def _inhibit(self, what, who, why, mode):
        if self.inhibit_error:
            raise KeyError(self.inhibit_error)
        if self.manager["PreparingForSleep"]:
            # As the real one answers between the two signals.
            raise KeyError(NAME + ".OperationInProgress")
        inhibitor = Inhibitor(what, who, mode)
        self.inhibitors.append(inhibitor)
        descriptor = dbus.types.UnixFd(inhibitor.writer)
        os.close(inhibitor.writer)
        return "h", descriptor
