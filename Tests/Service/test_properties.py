"""The authenticator's properties: defaults, what they take, what they refuse, and that they last (section 2)."""

import math
import os

import pytest

from kit import names
from kit.acts import snapshot, turn_on, unchanged
from kit.objects import refused

DEFAULTS = {
    "SecurityType": "twice",
    "HasPasscode": False,
    "StoreState": "unset",
    "IsAuthenticated": False,
    "IsShowingAuth": False,
    "PasscodeDigit": 4,
    "PasscodeKind": "",
    "TimeoutInterval": 0.0,
    "LocalizedReason": "Are you the device owner?",
    "TintColor": "#ff2d55",
    "DescriptionTextColor": "",
    "TouchIDIconName": "",
    "AppLogoName": "",
    "BackgroundImage": "",
    "NavibarTranslucent": False,
    "ParallaxMode": True,
    "NightMode": "auto",
    "PresentedContext": "",
    "FingerprintEnabled": True,
    "FactorMode": "any",
    "UnlockRoute": "login",
    "RequirePasscodeForChanges": False,
    "FailCount": 0,
    "BiometryFailCount": 0,
    "LockedOutUntil": 0,
    "LockedOutUntilBoottime": 0,
    "ShouldCover": False,
}

#: property, signature, values that are taken
GOOD = [
    ("SecurityType", "s", ["once", "three", "touchid", "twice"]),
    ("PasscodeDigit", "u", [6, 64, 4]),
    ("TimeoutInterval", "d", [0.5, 86400.0, 0.0]),
    ("LocalizedReason", "s", ["Zum Öffnen des Tagebuchs", "x" * 256]),
    ("TintColor", "s", ["#000000", "#a1b2c3"]),
    ("DescriptionTextColor", "s", ["#ffffff", ""]),
    ("TouchIDIconName", "s", ["fingerprint-symbolic", ""]),
    ("AppLogoName", "s", ["org.example.App", ""]),
    ("NavibarTranslucent", "b", [True, False]),
    ("ParallaxMode", "b", [False, True]),
    ("NightMode", "s", ["on", "off", "auto"]),
    ("PresentedContext", "s", ["page=3", ""]),
    ("FingerprintEnabled", "b", [False, True]),
    ("RequirePasscodeForChanges", "b", [True, False]),
    ("LockOn", "as", [["sleep"], [], ["idle", "switch"], ["idle", "sleep", "screen-lock", "switch"]]),
]

#: property, signature, values that are refused
BAD = [
    ("SecurityType", "s", ["", "four", "Once", "policy", "x" * 4000]),
    ("PasscodeDigit", "u", [1, 3, 65, 2**32 - 1]),
    ("TimeoutInterval", "d", [-0.001, -1.0, 86400.5, 1e300, math.inf, -math.inf, math.nan]),
    ("TintColor", "s", ["red", "#fff", "#gggggg", "ff2d55", "#ff2d5", "#ff2d555", "# ff2d5", "#ff2d5\n"]),
    ("DescriptionTextColor", "s", ["white", "#fff", "#12345g"]),
    ("NightMode", "s", ["", "yes", "ON"]),
    ("FactorMode", "s", ["", "both", "ANY"]),
    ("LockOn", "as", [["lid"], ["sleep", ""], ["Sleep"]]),
    ("BackgroundImage", "s", ["relative/picture.png", "/nonexistent/picture.png", "/", "/dev/zero", "/dev/null"]),
    ("AppLogoName", "s", ["/nonexistent", "/etc", "/dev/random"]),
    ("TouchIDIconName", "s", ["/nonexistent", "/tmp"]),
]


@pytest.fixture(params=["session", "app"])
def auth(request, desk, client):
    return desk.session(client) if request.param == "session" else desk.app("org.example.App", client)


def test_defaults(auth):
    values = auth.all()
    values.pop("ApplicationId")
    assert sorted(values.pop("LockOn")) == ["idle", "screen-lock", "sleep", "switch"]
    assert values == DEFAULTS


@pytest.mark.parametrize("name,signature,values", GOOD, ids=[row[0] for row in GOOD])
def test_what_is_taken(desk, auth, client, name, signature, values):
    for value in values:
        before = auth.get(name)
        start = client.mark()
        auth.set(name, signature, value)
        now = auth.get(name)
        assert (sorted(now), sorted(now)) == (sorted(value), sorted(value)) if signature == "as" else now == value
        announced = client.changes(auth.path, start)
        if name == "PresentedContext" or before == now:
            assert name not in announced
        else:
            assert announced == {name: now}
            assert [e.kind for e in client.since(start, auth.path)][:2] == ["changed", "reply"]


@pytest.mark.parametrize("name,signature,values", BAD, ids=[row[0] for row in BAD])
def test_what_is_refused(auth, name, signature, values):
    for value in values:
        unchanged(auth, names.INVALID_ARGS, auth.set, name, signature, value)


def test_settings_last(desk, client):
    for authenticator in (desk.session(client), desk.app("org.example.App", client)):
        for name, signature, values in GOOD:
            authenticator.set(name, signature, values[0])
    saved = {
        path: client.call(path, names.PROPERTIES, "GetAll", "s", names.AUTHENTICATOR)
        for path in (names.SESSION, names.app_path("org.example.App"))
    }
    desk.restart_service()
    again = desk.client()
    desk.manager(again).get_authenticator("org.example.App")
    for path, values in saved.items():
        now = again.call(path, names.PROPERTIES, "GetAll", "s", names.AUTHENTICATOR)
        for name, _, _ in GOOD:
            if name != "PresentedContext":
                assert now[name] == values[name], name


def test_zero_digits_is_four(auth):
    auth.set("PasscodeDigit", "u", 6)
    auth.set("PasscodeDigit", "u", 0)
    assert auth.get("PasscodeDigit") == 4


def test_wrong_types(auth):
    for name, right in (
        ("SecurityType", "s"),
        ("PasscodeDigit", "u"),
        ("TimeoutInterval", "d"),
        ("LocalizedReason", "s"),
        ("NavibarTranslucent", "b"),
        ("LockOn", "as"),
        ("FactorMode", "s"),
    ):
        values = {
            "s": "twice",
            "u": 4,
            "d": 1.0,
            "b": True,
            "as": ["sleep"],
            "i": 4,
            "v": "twice",
            "a{sv}": {},
            "(s)": ("twice",),
            "au": [1],
            "t": 4,
            "o": "/twice",
        }
        for signature, value in values.items():
            if signature != right:
                unchanged(auth, names.INVALID_ARGS, auth.set, name, signature, value)


def test_read_only_properties(auth):
    for name, signature, value in (
        ("ApplicationId", "s", "x.y"),
        ("HasPasscode", "b", False),
        ("IsAuthenticated", "b", True),
        ("IsShowingAuth", "b", False),
        ("PasscodeKind", "s", "text"),
        ("StoreState", "s", "unset"),
        ("UnlockRoute", "s", "login"),
        ("FailCount", "u", 0),
        ("BiometryFailCount", "u", 0),
        ("LockedOutUntil", "t", 0),
        ("LockedOutUntilBoottime", "t", 0),
        ("ShouldCover", "b", False),
    ):
        unchanged(auth, names.READ_ONLY, auth.set, name, signature, value)


def test_very_long_strings(auth, client):
    megabyte = "x" * 1_000_000
    for name in (
        "SecurityType",
        "LocalizedReason",
        "TintColor",
        "TouchIDIconName",
        "BackgroundImage",
        "PresentedContext",
        "NightMode",
        "FactorMode",
    ):
        unchanged(auth, "LimitsExceeded", auth.set, name, "s", megabyte)
    unchanged(auth, "LimitsExceeded", auth.set, "LockOn", "as", ["sleep"] * 100_000)
    unchanged(auth, "LimitsExceeded", auth.set, "PresentedContext", "s", "x" * 4097)
    auth.set("PresentedContext", "s", "x" * 4096)
    assert len(auth.get("PresentedContext")) == 4096


def test_an_absolute_path_is_a_regular_file_of_bounded_size(desk, auth):
    picture = os.path.join(desk.folder, "picture.png")
    with open(picture, "wb") as file:
        file.write(b"\x89PNG")
    auth.set("BackgroundImage", "s", picture)
    assert auth.get("BackgroundImage") == picture
    huge = os.path.join(desk.folder, "huge.png")
    with open(huge, "wb") as file:
        file.truncate(16 * 1024 * 1024 + 1)
    unchanged(auth, names.INVALID_ARGS, auth.set, "BackgroundImage", "s", huge)
    os.truncate(huge, 16 * 1024 * 1024)
    auth.set("BackgroundImage", "s", huge)
    pipe = os.path.join(desk.folder, "pipe")
    os.mkfifo(pipe)
    # A pipe without a writer would block whoever opens it.
    unchanged(auth, names.INVALID_ARGS, auth.set, "BackgroundImage", "s", pipe)


def test_factors_wait_for_the_sensor(auth):
    for mode in ("all", "finger"):
        unchanged(auth, "BiometryNotAvailable", auth.set, "FactorMode", "s", mode)
    auth.set("FactorMode", "s", "any")
    assert auth.call("CanAuthenticate") == (False, names.error("BiometryNotAvailable"))
    refused("InvalidContext", auth.call, "UseFingerprint")


def test_the_length_is_the_passcodes_while_one_is_stored(auth):
    turn_on(auth, "123456", digits=6)
    assert auth.get("PasscodeDigit") == 6 and auth.get("PasscodeKind") == "digits"
    unchanged(auth, "PasscodeAlreadySet", auth.set, "PasscodeDigit", "u", 8)
    unchanged(auth, "PasscodeAlreadySet", auth.set, "PasscodeDigit", "u", 0)


def test_a_text_passcode_has_no_length(desk, client):
    app = desk.app("org.example.Text", client)
    turn_on(app, "correct horse", kind="text")
    assert app.get("PasscodeDigit") == 0 and app.get("PasscodeKind") == "text"


def test_writing_the_same_value_tells_nobody(auth, client):
    start = client.mark()
    auth.set("TintColor", "s", "#ff2d55")
    assert client.changes(auth.path, start) == {}


def test_reading_never_errors(desk, auth):
    turn_on(auth)
    auth.lock()
    desk.keyring.kill()
    assert set(snapshot(auth)) >= {"HasPasscode", "StoreState"}


def test_a_reason_is_shown_without_its_tricks(auth):
    turn_on(auth)
    auth.lock()
    auth.call("GetView")
    auth.set("LocalizedReason", "s", "one\u202etwo\x07three\nfour")
    assert auth.view()["security_type"] == "touchid"


def test_reasons_are_cut_and_stripped_in_the_view(desk, client):
    app = desk.app("org.example.Reason", client)
    turn_on(app)
    app.lock()
    app.client.call(app.path, names.AUTHENTICATOR, "Cancel")
    assert app.present("touchid", reason="a\u202eb\x1b[31mc\u2066d" + "é" * 300) is True
    reason = app.view()["reason"]
    assert len(reason.encode()) <= 256
    assert not set(reason) & set("\u202e\x1b\u2066")
    assert reason.startswith("ab[31mcd") or "ab[31mcd" in reason
