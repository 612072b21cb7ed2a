"""100,000 random messages: a reply each, the service lives, memory does not grow, and nobody got in."""

import os
import random
import string

import dbus
import dbus.lowlevel

from kit import names
from kit.acts import RIGHT, snapshot, turn_on
from kit.loop import CONTEXT, wait_until

COUNT = 100_000
LETTERS = string.printable + "äß€\U0001f511\u2066"
WINDOW = 500  # messages on their way at a time

MEMBERS = {
    names.AUTHENTICATOR: [
        "Present",
        "Authenticate",
        "CanAuthenticate",
        "SubmitPasscode",
        "SubmitPasscodeFd",
        "GetView",
        "UseFingerprint",
        "Cancel",
        "Lock",
        "ChangeAuthentication",
        "VerifyPasscode",
        "SetPasscode",
        "ClearPasscode",
        "ResetFd",
        "Hold",
        "Release",
        "Covered",
    ],
    names.MANAGER: ["GetAuthenticator", "RemoveAuthenticator", "ListAuthenticators", "ReportIdle"],
    names.PROPERTIES: ["Get", "Set", "GetAll"],
    names.INTROSPECTABLE: ["Introspect"],
    names.PEER: ["Ping", "GetMachineId"],
    names.OBJECT_MANAGER: ["GetManagedObjects"],
    names.REQUEST: ["Cancel"],
}
#: What a member takes: every other message has it right and only its values wild.
RIGHT_SIGNATURE = {
    "Present": "sa{sv}",
    "Authenticate": "sa{sv}",
    "SubmitPasscode": "s",
    "ChangeAuthentication": "b",
    "VerifyPasscode": "s",
    "SetPasscode": "ssa{sv}",
    "ClearPasscode": "s",
    "Hold": "a{sv}",
    "Release": "u",
    "Covered": "u",
    "GetAuthenticator": "s",
    "RemoveAuthenticator": "s",
    "ReportIdle": "b",
    "Get": "ss",
    "Set": "ssv",
    "GetAll": "s",
}
WORDS = [
    "",
    "once",
    "twice",
    "three",
    "touchid",
    "ui",
    "none",
    "auto",
    "terminal",
    "kind",
    "digits",
    "text",
    "pattern",
    "reason",
    "require",
    "handle_token",
    "org.example.App",
    "org.example.Fuzz",
    names.AUTHENTICATOR,
    names.MANAGER,
    "TimeoutInterval",
    "LockOn",
    "PasscodeDigit",
    "TintColor",
    "IsAuthenticated",
    "FactorMode",
    "0000",
    "1379",
    "\u202e",
    "é" * 30,
    "x" * 300,
]


class Fuzzer:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        pick = self.random.random()
        if pick < 0.6:
            return self.random.choice(WORDS)
        if pick < 0.999:
            return "".join(self.random.choices(LETTERS, k=self.random.randrange(30)))
        return "x" * self.random.choice([4096, 4097, 20000])

    def value(self, kind, depth=0):
        choose = self.random
        if kind == "s":
            return self.text()
        if kind == "b":
            return choose.random() < 0.5
        if kind == "u":
            return dbus.UInt32(choose.choice([0, 1, 4, 64, 65, 2**32 - 1, choose.randrange(2**32)]))
        if kind == "d":
            return choose.choice([0.0, -1.0, float("nan"), float("inf"), 86400.0, 1e300, choose.random()])
        if kind == "o":
            return choose.choice(["/", names.SESSION, names.ROOT])
        if kind == "t":
            return dbus.UInt64(choose.randrange(2**64))
        if kind == "y":
            return dbus.Byte(choose.randrange(256))
        if kind == "v":
            inner = choose.choice("sbudoty")
            return self.typed(inner)
        if kind == "a{sv}":
            return dbus.Dictionary(
                {self.text(): self.typed(choose.choice("sbud")) for _ in range(choose.randrange(4))}, signature="sv"
            )
        if kind == "as":
            return dbus.Array([self.text() for _ in range(choose.randrange(4))], signature="s")
        return dbus.Struct((self.text(), self.value("u")), signature="su")

    def typed(self, kind):
        wrap = {
            "s": dbus.String,
            "b": dbus.Boolean,
            "u": dbus.UInt32,
            "d": dbus.Double,
            "o": dbus.ObjectPath,
            "t": dbus.UInt64,
            "y": dbus.Byte,
        }[kind]
        return wrap(self.value(kind), variant_level=1)

    def message(self, paths):
        choose = self.random
        interface = choose.choice(list(MEMBERS))
        member = choose.choice(MEMBERS[interface]) if choose.random() < 0.97 else "Made" + str(choose.randrange(9))
        signature = (
            RIGHT_SIGNATURE.get(member, "")
            if choose.random() < 0.8
            else "".join(
                choose.choices(["s", "b", "u", "d", "v", "a{sv}", "as", "(su)", "t", "y", "o"], k=choose.randrange(5))
            )
        )
        made = dbus.lowlevel.MethodCallMessage(names.BUS_NAME, choose.choice(paths), interface, member)
        if signature:
            kinds = split(signature)
            made.append(*[self.value(k) for k in kinds], signature=signature)
        return made


def split(signature):
    parts, rest = [], signature
    while rest:
        for kind in ("a{sv}", "as", "(su)"):
            if rest.startswith(kind):
                break
        else:
            kind = rest[0]
        parts.append(kind)
        rest = rest[len(kind) :]
    return parts


def resident(desk):
    with open(f"/proc/{desk.service.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def storm(desk, count, seed):
    fuzzer = Fuzzer(seed)
    connections = [desk.client(listen=False) for _ in range(4)]
    paths = [
        names.ROOT,
        names.SESSION,
        names.app_path("org.example.App"),
        names.app_path("org.example.Fuzz"),
        "/",
        names.ROOT + "/request/1_1/x",
    ]
    waiting, replies, without = [0], [0], []

    def answered(reply):
        waiting[0] -= 1
        replies[0] += 1
        if reply.get_error_name() == "org.freedesktop.DBus.Error.NoReply":
            without.append(reply)

    for index in range(count):
        client = connections[index % len(connections)]
        client.connection.send_message_with_reply(fuzzer.message(paths), answered, 60.0)
        waiting[0] += 1
        client.events.clear()
        while waiting[0] >= WINDOW:
            CONTEXT.iteration(True)
    wait_until(lambda: waiting[0] == 0, 120, "the last replies")
    assert replies[0] == count and not without
    for client in connections:
        client.close()
        desk.clients.remove(client)


def test_a_hundred_thousand_random_messages(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    session = turn_on(desk.session(client))
    app.lock()
    # A pass to fill caches and pools, then the measure.
    storm(desk, COUNT // 5, 1)
    before = resident(desk)
    storm(desk, COUNT - COUNT // 5, 2)
    assert resident(desk) - before < 4 * 1024 * 1024
    client.events.clear()
    # What was locked still is, and what opens it still does.
    desk.manager(client).report_idle(False)
    for authenticator in (app, session):
        state = snapshot(authenticator)
        assert state["HasPasscode"] is True
        if state["FailCount"] >= 5:
            desk.clock.pass_time(3601)
        assert authenticator.verify(RIGHT) is True
