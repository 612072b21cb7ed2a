"""Sandboxed callers reach their own application's authenticator and no other; the unknown reach nothing (section 9)."""

import re
import xml.etree.ElementTree as ET

import pytest

from kit import names, sandbox
from kit.acts import RIGHT, WRONG, turn_on
from kit.objects import refused

MINE, OTHER = "org.example.Mine", "org.example.Other"
UNKNOWN = names.UNKNOWN_OBJECT


@pytest.fixture
def agent(desk):
    agents = []

    def make(kind, *arguments):
        made = getattr(sandbox, kind)(desk, *arguments)
        agents.append(made)
        return made

    yield make
    for made in agents:
        made.end()


def test_it_reaches_its_own(desk, agent):
    mine = agent("flatpak", MINE)
    path = mine.call(names.ROOT, names.MANAGER, "GetAuthenticator", "s", MINE)
    assert path == names.app_path(MINE)
    assert mine.get(path, "ApplicationId") == MINE
    mine.set(path, "TintColor", "s", "#101010")
    assert mine.get(path, "TintColor") == "#101010"
    mine.authenticator(path, "SetPasscode", "ssa{sv}", "", RIGHT, {"a{sv}": {}})
    assert mine.get(path, "HasPasscode") is True
    assert mine.authenticator(path, "VerifyPasscode", "s", WRONG) is False
    mine.authenticator(path, "Lock")
    assert mine.authenticator(path, "SubmitPasscode", "s", RIGHT)[0] == "accepted"
    mine.authenticator(path, "ClearPasscode", "s", RIGHT)
    mine.call(names.ROOT, names.MANAGER, "RemoveAuthenticator", "s", MINE)


def test_it_sees_no_other(desk, client, agent):
    other = turn_on(desk.app(OTHER, client))
    mine = agent("flatpak", MINE)
    refused("NotAuthorized", mine.call, names.ROOT, names.MANAGER, "GetAuthenticator", "s", OTHER)
    assert mine.call(names.ROOT, names.MANAGER, "ListAuthenticators") in (None, [], ())
    path = mine.call(names.ROOT, names.MANAGER, "GetAuthenticator", "s", MINE)
    assert mine.call(names.ROOT, names.MANAGER, "ListAuthenticators") == [[MINE, path]]
    assert list(mine.call(names.ROOT, names.OBJECT_MANAGER, "GetManagedObjects")) == [path]
    for foreign in (other.path, names.SESSION):
        refused(UNKNOWN, mine.get, foreign, "HasPasscode")
        refused(UNKNOWN, mine.set, foreign, "TintColor", "s", "#101010")
        refused(UNKNOWN, mine.call, foreign, names.PROPERTIES, "GetAll", "s", names.AUTHENTICATOR)
        refused(UNKNOWN, mine.call, foreign, names.INTROSPECTABLE, "Introspect")
        for member in ("GetView", "Cancel", "Lock", "CanAuthenticate", "UseFingerprint"):
            refused(UNKNOWN, mine.authenticator, foreign, member)
        refused(UNKNOWN, mine.authenticator, foreign, "VerifyPasscode", "s", WRONG)
        refused(UNKNOWN, mine.authenticator, foreign, "SubmitPasscode", "s", WRONG)
        refused(UNKNOWN, mine.authenticator, foreign, "Present", "sa{sv}", "touchid", {"a{sv}": {}})
        refused(UNKNOWN, mine.authenticator, foreign, "Hold", "a{sv}", {"a{sv}": {}})
        refused(UNKNOWN, mine.authenticator, foreign, "ChangeAuthentication", "b", False)
        refused(UNKNOWN, mine.authenticator, foreign, "UseFinger", "s", "left-thumb")
        refused(UNKNOWN, mine.call, foreign, names.POLICY, "CanEvaluatePolicy", "s", "biometrics")
        refused(
            UNKNOWN, mine.call, foreign, names.POLICY, "EvaluatePolicy", "ssa{sv}", "device-owner", "", {"a{sv}": {}}
        )
        refused(UNKNOWN, mine.call, foreign, names.POLICY, "Fallback")
        refused(UNKNOWN, mine.call, foreign, names.POLICY, "Invalidate")
        refused(UNKNOWN, mine.call, foreign, names.POLICY, "RememberDomainState", "s", "me")
        refused(UNKNOWN, mine.call, foreign, names.POLICY, "DomainStateChanged", "s", "me")
        refused(UNKNOWN, mine.get, foreign, "EvaluatedPolicyDomainState", names.POLICY)
    assert other.get("FailCount") == 0 and other.authenticated is True
    # For it there is no such thing.
    refused(names.INVALID_ARGS, mine.call, names.ROOT, names.MANAGER, "RemoveAuthenticator", "s", OTHER)
    tree = mine.call(names.ROOT, names.INTROSPECTABLE, "Introspect")
    assert "session" not in re.findall(r'<node name="([^"]+)"', tree)
    app_nodes = mine.call(names.ROOT + "/app", names.INTROSPECTABLE, "Introspect")
    assert [n.get("name") for n in ET.fromstring(app_nodes).findall("node")] == [names.escape_label(MINE)]


def test_the_sensor_does_not_exist_for_it(desk, client, agent):
    mine = agent("flatpak", MINE)
    path = names.FINGERPRINT_PATH
    for name in ("Available", "Backend", "DeviceName", "DomainStateBasis"):
        refused(UNKNOWN, mine.get, path, name, names.FINGERPRINT)
    refused(UNKNOWN, mine.call, path, names.PROPERTIES, "GetAll", "s", names.FINGERPRINT)
    refused(UNKNOWN, mine.call, path, names.INTROSPECTABLE, "Introspect")
    refused(UNKNOWN, mine.call, path, names.FINGERPRINT, "ListEnrolledFingers")
    refused(UNKNOWN, mine.call, path, names.FINGERPRINT, "Enroll", "sa{sv}", "left-thumb", {"a{sv}": {}})
    refused(UNKNOWN, mine.call, path, names.FINGERPRINT, "VerifyTest", "a{sv}", {"a{sv}": {}})
    refused(UNKNOWN, mine.call, path, names.FINGERPRINT, "DeleteFinger", "s", "left-thumb")
    refused(UNKNOWN, mine.call, path, names.FINGERPRINT, "DeleteAll")
    assert path not in mine.call(names.ROOT, names.OBJECT_MANAGER, "GetManagedObjects")
    tree = mine.call(names.ROOT, names.INTROSPECTABLE, "Introspect")
    assert "fingerprint" not in re.findall(r'<node name="([^"]+)"', tree)
    assert "fingerprint" in re.findall(
        r'<node name="([^"]+)"', client.call(names.ROOT, names.INTROSPECTABLE, "Introspect")
    )


def test_its_own_evaluations_are_its_own(desk, agent):
    mine = agent("flatpak", MINE)
    path = mine.call(names.ROOT, names.MANAGER, "GetAuthenticator", "s", MINE)
    mine.authenticator(path, "SetPasscode", "ssa{sv}", "", RIGHT, {"a{sv}": {}})
    assert mine.call(path, names.POLICY, "CanEvaluatePolicy", "s", "device-owner") == (True, "", "none")
    assert mine.get(path, "BiometryType", names.POLICY) == "none"
    mine.call(path, names.POLICY, "EvaluatePolicy", "ssa{sv}", "device-owner", "why", {"a{sv}": {"ui": "none"}})
    view = mine.authenticator(path, "GetView")
    assert view["security_type"] == "policy" and view["verified"] is True and view["requester"] == MINE
    assert mine.authenticator(path, "SubmitPasscode", "s", RIGHT)[0] == "accepted"
    assert mine.call(path, names.POLICY, "RememberDomainState", "s", "me") is False
    # The account password is no application's business.
    refused("NotAuthorized", mine.authenticator, path, "SubmitAccountPasswordFd", "h", 0)


def test_a_foreign_request_does_not_exist(desk, client, agent):
    other = turn_on(desk.app(OTHER, client))
    other.lock()
    path = other.authenticate("x")
    mine = agent("flatpak", MINE)
    refused(UNKNOWN, mine.call, path, names.REQUEST, "Cancel")


def test_the_managers_words_are_for_all(desk, agent):
    mine = agent("flatpak", MINE)
    for name in ("Version", "SessionState", "SessionSources", "SecretServiceState", "BiometryType"):
        mine.get(names.ROOT, name, names.MANAGER)
    refused("NotAuthorized", mine.call, names.ROOT, names.MANAGER, "ReportIdle", "b", True)
    assert desk.manager().get("SessionState") == "active"


def test_its_view_is_verified(desk, client, agent):
    mine = agent("flatpak", MINE)
    path = mine.call(names.ROOT, names.MANAGER, "GetAuthenticator", "s", MINE)
    mine.authenticator(path, "SetPasscode", "ssa{sv}", "", RIGHT, {"a{sv}": {}})
    mine.authenticator(path, "Lock")
    mine.authenticator(path, "Cancel")
    mine.authenticator(path, "Present", "sa{sv}", "touchid", {"a{sv}": {"reason": "x"}})
    view = mine.authenticator(path, "GetView")
    assert view["verified"] is True and view["requester"] == MINE


def test_it_may_change_its_own_authentication(desk, agent):
    mine = agent("flatpak", MINE)
    path = mine.call(names.ROOT, names.MANAGER, "GetAuthenticator", "s", MINE)
    mine.authenticator(path, "SetPasscode", "ssa{sv}", "", RIGHT, {"a{sv}": {}})
    mine.authenticator(path, "ChangeAuthentication", "b", False)
    assert mine.get(path, "IsAuthenticated") is False
    mine.authenticator(path, "ChangeAuthentication", "b", True)
    assert mine.get(path, "IsAuthenticated") is True


def test_a_caller_that_nobody_can_tell_is_denied_everything(desk, client, agent):
    other = turn_on(desk.app(OTHER, client))
    lost = agent("vanished")
    for call in (
        (names.ROOT, names.MANAGER, "GetAuthenticator", "s", OTHER),
        (names.ROOT, names.MANAGER, "ListAuthenticators"),
        (names.ROOT, names.MANAGER, "ReportIdle", "b", True),
        (names.ROOT, names.OBJECT_MANAGER, "GetManagedObjects"),
        (other.path, names.AUTHENTICATOR, "GetView"),
        (other.path, names.AUTHENTICATOR, "Lock"),
        (names.SESSION, names.AUTHENTICATOR, "Lock"),
        (other.path, names.AUTHENTICATOR, "VerifyPasscode", "s", WRONG),
        (other.path, names.POLICY, "CanEvaluatePolicy", "s", "biometrics"),
        (other.path, names.POLICY, "Invalidate"),
        (names.FINGERPRINT_PATH, names.FINGERPRINT, "ListEnrolledFingers"),
        (names.FINGERPRINT_PATH, names.FINGERPRINT, "DeleteAll"),
    ):
        with pytest.raises(Exception) as failure:
            lost.call(*call)
        assert failure.value.name in (names.error("NotAuthorized"), UNKNOWN), (call, failure.value)
    refused("NotAuthorized", lost.call, names.ROOT, names.MANAGER, "GetAuthenticator", "s", OTHER)
    assert other.get("FailCount") == 0 and other.authenticated is True


def test_an_ordinary_process_is_a_host_caller(desk, agent):
    ordinary = agent("host")
    assert ordinary.call(names.ROOT, names.MANAGER, "GetAuthenticator", "s", OTHER) == names.app_path(OTHER)
    assert ordinary.get(names.SESSION, "HasPasscode") is False


def test_many_sandboxed_calls_right_after_the_connection(desk, agent):
    """The very first call of a connection waits for its credentials; it is not let through meanwhile."""
    for _ in range(5):
        mine = agent("flatpak", MINE)
        refused(UNKNOWN, mine.authenticator, names.SESSION, "Lock")
