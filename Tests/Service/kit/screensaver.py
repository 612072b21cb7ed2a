"""A screen saver on the session bus, served by the test's own process."""

import dbus
import dbus.bus
import dbus.lowlevel

from .loop import MAIN_LOOP


class FakeScreenSaver:
    def __init__(self, address, name, path):
        self.name, self.path = name, path
        self.active = False
        self.connection = dbus.bus.BusConnection(address, mainloop=MAIN_LOOP)
        self.connection.add_message_filter(self._incoming)
        assert self.connection.request_name(name, 4) == 1

    def activate(self, active):
        self.active = active
        message = dbus.lowlevel.SignalMessage(self.path, self.name, "ActiveChanged")
        message.append(active, signature="b")
        self.connection.send_message(message)
        self.connection.flush()

    def _incoming(self, connection, message):
        if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        if message.get_member() == "GetActive" and message.get_path() == self.path:
            reply = dbus.lowlevel.MethodReturnMessage(message)
            reply.append(self.active, signature="b")
        else:
            reply = dbus.lowlevel.ErrorMessage(message, "org.freedesktop.DBus.Error.UnknownMethod", "not here")
        connection.send_message(reply)
        return dbus.lowlevel.HANDLER_RESULT_HANDLED

    def end(self):
        if self.connection:
            self.connection.close()
            self.connection = None
