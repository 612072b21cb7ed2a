"""A caller in a process of its own, told what to do line by line: runs inside sandboxes, or leaves its process behind.

Stand-alone on purpose: it imports nothing of the kit.  One JSON object a line in, one out.
"""

import json
import os
import sys
import time

import dbus
import dbus.bus
import dbus.lowlevel


def plain(value):
    if isinstance(value, dbus.Boolean) or isinstance(value, bool):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else value


def build(argument):
    """{"a{sv}": {...}} and {"v": [signature, value]} are typed; the rest goes as it is."""
    if isinstance(argument, dict) and "a{sv}" in argument:
        values = {k: dbus.UInt32(v) if type(v) is int else v for k, v in argument["a{sv}"].items()}
        return dbus.Dictionary(values, signature="sv")
    if isinstance(argument, dict) and "v" in argument:
        kind, value = argument["v"]
        if kind == "as":
            return dbus.Array(value, signature="s", variant_level=1)
        return {"s": dbus.String, "b": dbus.Boolean, "u": dbus.UInt32, "d": dbus.Double}[kind](value, variant_level=1)
    return argument


def main():
    connection = dbus.bus.BusConnection(os.environ["DBUS_SESSION_BUS_ADDRESS"])
    if os.environ.get("LEAVE_PROCESS"):
        # The credentials that the bus keeps are those of a process that is gone.
        first = os.getpid()
        if os.fork():
            os._exit(0)
        while os.path.exists(f"/proc/{first}"):
            time.sleep(0.005)
    print(json.dumps({"unique": str(connection.get_unique_name()), "pid": os.getpid()}), flush=True)
    for line in sys.stdin:
        ask = json.loads(line)
        message = dbus.lowlevel.MethodCallMessage(ask["to"], ask["path"], ask["interface"], ask["member"])
        if ask["signature"]:
            message.append(*[build(a) for a in ask["arguments"]], signature=ask["signature"])
        try:
            reply = connection.send_message_with_reply_and_block(message, 30)
            answer = {"result": plain(reply.get_args_list())}
        except dbus.DBusException as failure:
            answer = {"error": failure.get_dbus_name(), "message": failure.get_dbus_message()}
        print(json.dumps(answer), flush=True)


main()
