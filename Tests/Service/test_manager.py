"""The manager: which authenticators there are, and what it says of the session and its services (section 1)."""

import pytest

from kit import names
from kit.acts import turn_off, turn_on
from kit.loop import wait_until
from kit.objects import refused

GOOD = ["org.example.App", "org.example.app", "a.b", "org.gnome.Text-Editor", "org._7zip.Archiver", "x_y.z-1", "A.B9.c"]
BAD = [
    "nodot",
    ".a.b",
    "a..b",
    "a.b.",
    ":1.5",
    "1a.b",
    "org.7zip.Archiver",
    "a b.c",
    "a.b/c",
    "org.exämple.App",
    "a.b\n",
    "a." + "b" * 254,
    "../etc.passwd",
    "org.example.App\u202e",
]


@pytest.fixture
def manager(desk, client):
    return desk.manager(client)


def test_what_it_says_of_a_quiet_session(desk, manager):
    assert manager.get("Version")
    assert manager.get("SessionState") == "active"
    assert "logind" in manager.get("SessionSources")
    assert manager.get("SecretServiceState") == "ready"
    assert manager.get("BiometryType") == "none"


def test_without_logind_it_runs_and_says_so(world):
    world.surround(logind=False)
    world.start_service()
    manager = world.manager()
    assert "logind" not in manager.get("SessionSources")
    turn_on(world.session())


@pytest.mark.parametrize("name", GOOD)
def test_a_path_is_the_escaped_id(manager, client, name):
    path = manager.get_authenticator(name)
    assert path == names.app_path(name)
    assert manager.list() == {"": names.SESSION, name: path}
    assert client.call(path, names.PROPERTIES, "Get", "ss", names.AUTHENTICATOR, "ApplicationId") == name


def test_ids_are_case_sensitive(manager):
    assert manager.get_authenticator("org.example.App") != manager.get_authenticator("org.example.app")


@pytest.mark.parametrize("name", BAD)
def test_bad_ids(manager, name):
    refused(names.INVALID_ARGS, manager.get_authenticator, name)
    refused(names.INVALID_ARGS, manager.remove, name)
    assert manager.list() == {"": names.SESSION}


def test_the_session_has_no_id(manager, client):
    assert client.call(names.SESSION, names.PROPERTIES, "Get", "ss", names.AUTHENTICATOR, "ApplicationId") == ""
    assert manager.list() == {"": names.SESSION}


def test_an_object_lives_as_long_as_a_connection_that_named_it(desk, manager, client):
    other = desk.client()
    start = client.mark()
    path = desk.manager(other).get_authenticator("org.example.Guest")
    client.sync()
    added = client.signals("InterfacesAdded", names.ROOT, start)[0].arguments
    assert added[0] == path and names.AUTHENTICATOR in added[1]
    assert path in manager.objects()
    other.close()
    desk.clients.remove(other)
    removed = client.wait_signal("InterfacesRemoved", names.ROOT, start).arguments
    assert removed[0] == path and names.AUTHENTICATOR in removed[1]
    assert manager.list() == {"": names.SESSION}
    refused(names.UNKNOWN_OBJECT, client.call, path, names.AUTHENTICATOR, "GetView")


def test_a_stored_passcode_keeps_it_over_a_restart(desk, manager):
    other = desk.client()
    app = turn_on(desk.app("org.example.Stored", other))
    other.close()
    desk.clients.remove(other)
    desk.restart_service()
    manager = desk.manager()
    assert manager.list() == {"": names.SESSION, "org.example.Stored": app.path}
    assert manager.objects()[app.path][names.AUTHENTICATOR]["HasPasscode"] is True


def test_stored_settings_keep_it_over_a_restart(desk):
    other = desk.client()
    app = desk.app("org.example.Settings", other)
    app.set("TintColor", "s", "#112233")
    other.close()
    desk.clients.remove(other)
    desk.restart_service()
    again = desk.app("org.example.Settings")
    assert names.app_path("org.example.Settings") in desk.manager().list().values()
    assert again.get("TintColor") == "#112233"


def test_managed_objects_are_the_authenticators_with_all_their_properties(desk, manager, client):
    path = manager.get_authenticator("org.example.App")
    objects = manager.objects()
    assert {names.SESSION, path} <= set(objects)
    for each in (names.SESSION, path):
        assert objects[each][names.AUTHENTICATOR] == client.call(
            each, names.PROPERTIES, "GetAll", "s", names.AUTHENTICATOR
        )


def test_removing_takes_everything(desk, client, manager):
    app = desk.app("org.example.Gone", client)
    app.set("TintColor", "s", "#112233")
    turn_on(app)
    manager.remove("org.example.Gone")
    assert desk.keyring.items() == []
    again = desk.app("org.example.Gone", client)
    assert again.get("TintColor") == "#ff2d55"
    assert again.get("HasPasscode") is False and again.get("UnlockRoute") == "login"


def test_removing_without_a_lock_is_free_and_ends_a_view(desk, client, manager):
    app = desk.app("org.example.Open", client)
    app.present("twice", ui="none")
    desk.manager(desk.client()).remove("org.example.Open")
    client.sync()
    assert client.signals("AuthViewDismissed", app.path)[0].arguments == ("AppCancel",)


def test_removing_what_is_not_there(manager):
    refused(names.INVALID_ARGS, manager.remove, "org.example.Nobody")
    assert manager.list() == {"": names.SESSION}


def test_removing_locked_is_refused(desk, client, manager):
    app = turn_on(desk.app("org.example.Locked", client))
    app.lock()
    refused("NotAuthorized", manager.remove, "org.example.Locked")
    assert app.get("HasPasscode") is True


def test_reported_idle_outlives_its_caller(desk, manager, client):
    start = client.mark()
    other = desk.client()
    desk.manager(other).report_idle(True)
    assert manager.get("SessionState") == "idle"
    assert client.changes(names.ROOT, start)["SessionState"] == "idle"
    other.close()
    desk.clients.remove(other)
    client.sync()
    assert manager.get("SessionState") == "idle"
    manager.report_idle(False)
    assert manager.get("SessionState") == "active"


def test_sleep_stands_over_switch_over_lock_over_idle(desk, manager):
    logind = desk.logind
    logind.wait_inhibited()
    manager.report_idle(True)
    assert manager.get("SessionState") == "idle"
    logind.change(LockedHint=True)
    manager.wait_for("SessionState", "locked")
    logind.change(Active=False)
    manager.wait_for("SessionState", "away")
    logind.prepare_for_sleep(True)
    manager.wait_for("SessionState", "asleep")
    logind.prepare_for_sleep(False)
    manager.wait_for("SessionState", "away")
    logind.change(Active=True)
    manager.wait_for("SessionState", "locked")
    logind.change(LockedHint=False)
    manager.wait_for("SessionState", "idle")
    manager.report_idle(False)
    assert manager.get("SessionState") == "active"


def test_the_secret_services_state_follows_it(desk, manager, client):
    start = client.mark()
    desk.keyring.kill()
    wait_until(lambda: manager.get("SecretServiceState") == "absent", 8)
    assert client.changes(names.ROOT, start)["SecretServiceState"] == "absent"
    desk.keyring.start()
    wait_until(lambda: manager.get("SecretServiceState") == "ready", 8)
    desk.keyring.lock()
    session = desk.session(client)
    refused("StoreUnavailable", session.set_passcode, "", "2468")
    assert manager.get("SecretServiceState") == "locked"


def test_properties_of_the_manager_are_read_only(manager):
    for name, signature, value in (("Version", "s", "2"), ("SessionState", "s", "active"), ("BiometryType", "s", "x")):
        refused(names.READ_ONLY, manager.set, name, signature, value)


def test_a_turned_off_authenticator_with_settings_stays(desk, client, manager):
    app = turn_on(desk.app("org.example.Off", client))
    app.set("TintColor", "s", "#000001")
    turn_off(app)
    assert "org.example.Off" in manager.list()


def test_a_view_keeps_its_object_after_its_caller_left(desk, manager, client):
    other = desk.client()
    app = desk.app("org.example.View", other)
    app.present("twice")
    start = client.mark()
    other.close()
    desk.clients.remove(other)
    client.sync()
    assert "org.example.View" in manager.list()
    desk.clock.pass_time(121)
    client.sync()
    client.wait_signal("AuthViewDismissed", app.path, start)
    wait_until(lambda: "org.example.View" not in manager.list(), 3)
