"""The documented XML in dbus/ against what the running service introspects, and against itself (section 1)."""

import glob
import os
import xml.etree.ElementTree as ET

import dbus
import pytest

from kit import names
from kit.client import Failure, options
from kit.objects import refused
from kit.world import REPOSITORY

FILES = sorted(glob.glob(os.path.join(REPOSITORY, "dbus", "org.smileauth.Auth1*.xml")))
EMITS = "org.freedesktop.DBus.Property.EmitsChangedSignal"


def describe(interface):
    """An interface as plain data: everything that a caller depends on, nothing that is only said."""
    members = {}
    for element in interface:
        if element.tag == "method":
            members["method " + element.get("name")] = [
                (a.get("name"), a.get("type"), a.get("direction", "in")) for a in element.findall("arg")
            ]
        elif element.tag == "signal":
            members["signal " + element.get("name")] = [(a.get("name"), a.get("type")) for a in element.findall("arg")]
        elif element.tag == "property":
            emits = [a.get("value") for a in element.findall("annotation") if a.get("name") == EMITS]
            members["property " + element.get("name")] = (
                element.get("type"),
                element.get("access"),
                emits[0] if emits else "true",
            )
    return members


def documented():
    interfaces = {}
    for file in FILES:
        for interface in ET.parse(file).getroot().iter("interface"):
            interfaces[interface.get("name")] = interface
    return interfaces


def introspect(client, path):
    return ET.fromstring(client.call(path, names.INTROSPECTABLE, "Introspect"))


def live(client, path):
    return {i.get("name"): i for i in introspect(client, path).findall("interface")}


#: The contract once more, from the specification and not from the XML under test.
PROPERTIES = {
    "SecurityType": "s rw",
    "ApplicationId": "s r",
    "HasPasscode": "b r",
    "StoreState": "s r",
    "IsAuthenticated": "b r",
    "IsShowingAuth": "b r",
    "PasscodeDigit": "u rw",
    "PasscodeKind": "s r",
    "TimeoutInterval": "d rw",
    "LocalizedReason": "s rw",
    "TintColor": "s rw",
    "DescriptionTextColor": "s rw",
    "TouchIDIconName": "s rw",
    "AppLogoName": "s rw",
    "BackgroundImage": "s rw",
    "NavibarTranslucent": "b rw",
    "ParallaxMode": "b rw",
    "NightMode": "s rw",
    "PresentedContext": "s rw",
    "FingerprintEnabled": "b rw",
    "FactorMode": "s rw",
    "UnlockRoute": "s r",
    "RequirePasscodeForChanges": "b rw",
    "LockOn": "as rw",
    "FailCount": "u r",
    "BiometryFailCount": "u r",
    "LockedOutUntil": "t r",
    "LockedOutUntilBoottime": "t r",
    "ShouldCover": "b r",
}
METHODS = {
    "Present": "sa{sv} b",
    "Authenticate": "sa{sv} o",
    "CanAuthenticate": " bs",
    "SubmitPasscode": "s sa{sv}",
    "SubmitPasscodeFd": "h sa{sv}",
    "SubmitAccountPasswordFd": "h sa{sv}",
    "GetView": " a{sv}",
    "UseFingerprint": " ",
    "UseFinger": "s ",
    "Cancel": " ",
    "Lock": " ",
    "ChangeAuthentication": "b ",
    "VerifyPasscode": "s b",
    "SetPasscode": "ssa{sv} ",
    "ClearPasscode": "s ",
    "ResetFd": "h ",
    "Hold": "a{sv} u",
    "Release": "u ",
    "Covered": "u ",
}
SIGNALS = {
    "AuthViewPresented": "",
    "AuthViewShown": "s",
    "ViewChanged": "a{sv}",
    "AuthViewDismissed": "s",
    "AuthenticationSucceeded": "s",
    "AuthenticationFailed": "us",
    "PasscodeTurnedOn": "",
    "PasscodeTurnedOff": "",
    "PasscodeChanged": "",
}
CONTRACT = {
    names.AUTHENTICATOR: (METHODS, SIGNALS, PROPERTIES),
    names.MANAGER: (
        {"GetAuthenticator": "s o", "RemoveAuthenticator": "s ", "ListAuthenticators": " a(so)", "ReportIdle": "b "},
        {},
        {
            "Version": "s r",
            "SessionState": "s r",
            "SessionSources": "as r",
            "SecretServiceState": "s r",
            "BiometryType": "s r",
        },
    ),
    names.REQUEST: ({"Cancel": " "}, {"Completed": "sa{sv}"}, {}),
    names.POLICY: (
        {
            "CanEvaluatePolicy": "s bss",
            "EvaluatePolicy": "ssa{sv} o",
            "Fallback": " ",
            "Invalidate": " ",
            "RememberDomainState": "s b",
            "DomainStateChanged": "s bs",
        },
        {},
        {
            "LocalizedFallbackTitle": "s rw",
            "LocalizedCancelTitle": "s rw",
            "AllowableReuseDuration": "d rw",
            "BiometryType": "s r",
            "EvaluatedPolicyDomainState": "ay r",
        },
    ),
    names.FINGERPRINT: (
        {
            "ListEnrolledFingers": " as",
            "Enroll": "sa{sv} o",
            "VerifyTest": "a{sv} o",
            "DeleteFinger": "s ",
            "DeleteAll": " ",
        },
        {"EnrollStatus": "suu"},
        {
            "DeviceName": "s r",
            "ScanType": "s r",
            "Backend": "s r",
            "DomainStateBasis": "s r",
            "EnrollStages": "u r",
            "Available": "b r",
            "Busy": "b r",
        },
    ),
}
TYPES = {"s": str, "b": bool, "u": int, "t": int, "d": float, "as": list, "ay": list}


def signatures(interface):
    methods, signals, properties = {}, {}, {}
    for element in interface:
        if element.tag == "method":
            inputs = "".join(a.get("type") for a in element.findall("arg") if a.get("direction", "in") == "in")
            outputs = "".join(a.get("type") for a in element.findall("arg") if a.get("direction", "in") == "out")
            methods[element.get("name")] = f"{inputs} {outputs}"
        elif element.tag == "signal":
            signals[element.get("name")] = "".join(a.get("type") for a in element.findall("arg"))
        elif element.tag == "property":
            access = {"read": "r", "readwrite": "rw", "write": "w"}[element.get("access")]
            properties[element.get("name")] = f"{element.get('type')} {access}"
    return methods, signals, properties


@pytest.mark.parametrize("name", sorted(CONTRACT))
def test_the_xml_is_the_contract(name):
    assert signatures(documented()[name]) == CONTRACT[name]


def test_one_file_for_each_interface_with_everything_documented():
    found = documented()
    assert set(found) == set(CONTRACT), "an interface before its time, or one missing"
    for file in FILES:
        assert len(list(ET.parse(file).getroot().iter("interface"))) == 1
    for name, interface in found.items():
        for element in interface:
            if element.tag in ("method", "signal"):
                for argument in element.findall("arg"):
                    assert argument.get("name"), f"{name}.{element.get('name')} has a nameless argument"


def test_live_introspection_is_the_xml(desk, client, app):
    app.present("twice", ui="none")
    lock = {names.AUTHENTICATOR, names.POLICY}
    places = {
        names.ROOT: {names.MANAGER},
        names.SESSION: lock,
        app.path: lock,
        names.FINGERPRINT_PATH: {names.FINGERPRINT},
    }
    for path, wanted in places.items():
        interfaces = live(client, path)
        ours = {n for n in interfaces if n.startswith(names.BUS_NAME)}
        assert ours == wanted
        for standard in (names.INTROSPECTABLE, names.PROPERTIES, names.PEER):
            assert standard in interfaces, f"{standard} at {path}"
        for name in ours:
            assert describe(interfaces[name]) == describe(documented()[name])
    assert names.OBJECT_MANAGER in live(client, names.ROOT)


def test_a_request_introspects_while_it_waits(app, client):
    from kit.acts import turn_on

    turn_on(app)
    app.lock()
    path = app.authenticate("x")
    interfaces = live(client, path)
    assert describe(interfaces[names.REQUEST]) == describe(documented()[names.REQUEST])


def test_the_tree_can_be_walked_from_the_root(app, client):
    seen, waiting = set(), ["/"]
    while waiting:
        path = waiting.pop()
        seen.add(path)
        for node in introspect(client, path).findall("node"):
            waiting.append(path.rstrip("/") + "/" + node.get("name"))
    assert {names.ROOT, names.SESSION, app.path} <= seen


def test_policy_and_fingerprint_are_managed_objects_too(desk, app):
    objects = desk.manager().objects()
    assert set(objects[names.FINGERPRINT_PATH]) >= {names.FINGERPRINT}
    for path in (names.SESSION, app.path):
        assert {names.AUTHENTICATOR, names.POLICY} <= set(objects[path])
    assert set(objects[names.FINGERPRINT_PATH][names.FINGERPRINT]) == set(CONTRACT[names.FINGERPRINT][2])


def test_every_property_of_policy_and_fingerprint_reads_with_its_type(app, session, client):
    for path, name in (
        (app.path, names.POLICY),
        (session.path, names.POLICY),
        (names.FINGERPRINT_PATH, names.FINGERPRINT),
    ):
        properties = CONTRACT[name][2]
        values = client.call(path, names.PROPERTIES, "GetAll", "s", name)
        assert set(values) == set(properties)
        for member, kind in properties.items():
            assert client.call(path, names.PROPERTIES, "Get", "ss", name, member) == values[member]
            assert type(values[member]) is TYPES[kind.split()[0]], member


def test_what_may_be_asked_of_fingers_is_spelled_rightly(app, client):
    ask = client.call
    for policy in ("", "biometry", "Biometrics", "device_owner"):
        refused(names.INVALID_ARGS, ask, app.path, names.POLICY, "CanEvaluatePolicy", "s", policy)
        refused(names.INVALID_ARGS, ask, app.path, names.POLICY, "EvaluatePolicy", "ssa{sv}", policy, "", options({}))
    for finger in ("", "index", "right-index", "Right-Index-Finger", "left-pinky"):
        refused(names.INVALID_ARGS, ask, app.path, names.AUTHENTICATOR, "UseFinger", "s", finger)
        refused(names.INVALID_ARGS, ask, names.FINGERPRINT_PATH, names.FINGERPRINT, "DeleteFinger", "s", finger)
        refused(
            names.INVALID_ARGS, ask, names.FINGERPRINT_PATH, names.FINGERPRINT, "Enroll", "sa{sv}", finger, options({})
        )
        refused(
            names.INVALID_ARGS,
            ask,
            names.FINGERPRINT_PATH,
            names.FINGERPRINT,
            "VerifyTest",
            "a{sv}",
            options({"finger": finger}),
        )
    wrong = {"interactive": "no", "then_passcode": 1.0, "reuse_duration": 300.5, "fallback_title": True}
    for key, value in wrong.items():
        refused(
            names.INVALID_ARGS,
            ask,
            app.path,
            names.POLICY,
            "EvaluatePolicy",
            "ssa{sv}",
            "biometrics",
            "",
            options({key: value}),
        )


def test_presented_context_is_the_only_property_that_tells_nobody():
    for element in documented()[names.AUTHENTICATOR].findall("property"):
        emits = describe(documented()[names.AUTHENTICATOR])["property " + element.get("name")][2]
        if element.get("name") == "PresentedContext":
            assert emits == "false"
        else:
            assert emits in ("true", "const"), element.get("name")


def test_every_documented_property_reads_with_its_type(app, session, client):
    for authenticator in (app, session):
        values = authenticator.all()
        assert set(values) == set(PROPERTIES)
        for name, kind in PROPERTIES.items():
            assert authenticator.get(name) == values[name]
            assert type(values[name]) is TYPES[kind.split()[0]], name


def test_every_documented_method_refuses_another_signature(app, client):
    wrong = {"s": ("u", dbus.UInt32(1)), "b": ("s", "x"), "u": ("s", "x"), "h": ("s", "x"), "a": ("s", "x")}
    for name, (methods, _, _) in CONTRACT.items():
        if name == names.REQUEST:
            continue
        path = {names.MANAGER: names.ROOT, names.FINGERPRINT: names.FINGERPRINT_PATH}.get(name, app.path)
        for member, signature in methods.items():
            inputs = signature.split(" ")[0]
            kind, value = wrong[inputs[0]] if inputs else ("s", "x")
            refused(names.INVALID_ARGS, client.call, path, name, member, kind, value)
            # One argument too many is wrong as well.
            refused(names.INVALID_ARGS, client.call, path, name, member, "ttttt", 1, 2, 3, 4, 5)
            if inputs:
                refused(names.INVALID_ARGS, client.call, path, name, member)


def test_what_is_unknown_gets_the_standard_error(client):
    ask = client.call
    refused(names.UNKNOWN_OBJECT, ask, names.ROOT + "/nowhere", names.MANAGER, "ListAuthenticators")
    refused(names.UNKNOWN_OBJECT, ask, "/", names.MANAGER, "ListAuthenticators")
    refused(names.UNKNOWN_OBJECT, ask, names.app_path("org.example.Nobody"), names.AUTHENTICATOR, "GetView")
    refused(
        names.UNKNOWN_OBJECT,
        ask,
        names.app_path("org.example.Nobody"),
        names.PROPERTIES,
        "GetAll",
        "s",
        names.AUTHENTICATOR,
    )
    refused(names.UNKNOWN_METHOD, ask, names.ROOT, names.MANAGER, "Nothing")
    refused(names.UNKNOWN_METHOD, ask, names.SESSION, names.AUTHENTICATOR, "lock")
    refused(names.UNKNOWN_INTERFACE, ask, names.SESSION, names.MANAGER, "ListAuthenticators")
    refused(names.UNKNOWN_INTERFACE, ask, names.SESSION, "org.example.Other", "Lock")
    refused(names.UNKNOWN_INTERFACE, ask, names.SESSION, names.PROPERTIES, "Get", "ss", "org.example.Other", "X")
    refused(names.UNKNOWN_INTERFACE, ask, names.SESSION, names.PROPERTIES, "GetAll", "s", "org.example.Other")
    refused(names.UNKNOWN_PROPERTY, ask, names.SESSION, names.PROPERTIES, "Get", "ss", names.AUTHENTICATOR, "Nothing")
    refused(
        names.UNKNOWN_PROPERTY,
        ask,
        names.SESSION,
        names.PROPERTIES,
        "Set",
        "ssv",
        names.AUTHENTICATOR,
        "Nothing",
        dbus.String("x", variant_level=1),
    )


def test_a_call_without_an_interface_finds_its_method(desk, client):
    from gi.repository import Gio

    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    connection = Gio.DBusConnection.new_for_address_sync(desk.bus.address, flags, None, None)
    for member, error in (("GetView", None), ("NoSuchMember", names.UNKNOWN_METHOD)):
        message = Gio.DBusMessage.new_method_call(names.BUS_NAME, names.SESSION, None, member)
        reply, _ = connection.send_message_with_reply_sync(message, Gio.DBusSendMessageFlags.NONE, 5000, None)
        assert reply.get_error_name() == error
    connection.close_sync(None)


def test_peer(client):
    assert client.call(names.ROOT, names.PEER, "Ping") is None
    with open("/etc/machine-id") as file:
        assert client.call(names.ROOT, names.PEER, "GetMachineId") == file.read().strip()


def test_get_all_of_every_interface_and_of_none(client):
    assert set(client.call(names.ROOT, names.PROPERTIES, "GetAll", "s", names.MANAGER)) == {
        "Version",
        "SessionState",
        "SessionSources",
        "SecretServiceState",
        "BiometryType",
    }
    for path in (names.ROOT, names.SESSION):
        try:
            assert isinstance(client.call(path, names.PROPERTIES, "GetAll", "s", names.PEER), dict)
        except Failure as failure:
            assert failure.name == names.UNKNOWN_INTERFACE
