"""What is stored deleted, cut, spoilt or left from a backup: lost where it is lost, and never unset (section 8)."""

import base64
import os
import resource

import pytest

from kit.acts import CANARY, LIMIT, RIGHT, WRONG, timed, turn_on
from kit.loop import wait_until
from kit.objects import refused


def test_a_deleted_item_is_lost_and_never_unset(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    desk.keyring.delete_all()
    timed(refused, "StoreLost", app.verify, RIGHT)
    assert app.get("StoreState") == "lost" and app.get("HasPasscode") is True
    for call in ((app.present, "twice"), (app.present, "once"), (app.present, "three")):
        refused("StoreLost", *call)
    refused("StoreLost", app.set_passcode, "", "1111")
    refused("StoreLost", app.set_passcode, RIGHT, "1111")
    refused("StoreLost", app.clear_passcode, RIGHT)
    app.lock()
    assert app.showing is True
    refused("StoreLost", app.submit, RIGHT)
    assert app.get("FailCount") == 0 and app.get("ShouldCover") is True


def test_deleted_while_the_service_was_away(world):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    world.keyring.delete_all()
    world.start_service()
    session = world.session()
    wait_until(lambda: session.get("StoreState") == "lost", LIMIT)
    assert session.get("HasPasscode") is True
    refused("StoreLost", session.set_passcode, "", "1111")
    session.lock()
    assert session.showing is True
    refused("StoreLost", session.submit, RIGHT)


@pytest.mark.parametrize("spoilt", [b"", b"x", b"AAAA", base64.b64encode(b"\0" * 100), b"\xff\xfe" * 40])
def test_a_foreign_or_spoilt_item_is_lost(desk, client, spoilt):
    app = turn_on(desk.app("org.example.App", client))
    (item,) = [i for i in desk.keyring.items()]
    desk.keyring.set_secret(item, spoilt)
    timed(refused, "StoreLost", app.verify, RIGHT)
    assert app.get("HasPasscode") is True
    desk.restart_service()
    again = desk.app("org.example.App")
    timed(refused, "StoreLost", again.verify, RIGHT)


@pytest.mark.parametrize("cut", [0.25, 0.5, 0.9, 0.99])
def test_a_truncated_item(desk, client, cut):
    app = turn_on(desk.app("org.example.App", client))
    (item,) = desk.keyring.items()
    whole = desk.keyring.secret(item)
    desk.keyring.set_secret(item, whole[: int(len(whole) * cut)])
    timed(refused, "StoreLost", app.verify, RIGHT)
    desk.keyring.set_secret(item, whole)
    assert timed(app.verify, RIGHT) is True, "the state is read anew, nothing was thrown away"


def test_a_truncated_keyring_file(world):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    world.keyring.kill()
    world.keyring.truncate_files()
    world.keyring.start(locked=True)
    world.start_service()
    session = world.session()
    assert session.get("HasPasscode") is True
    for call in ((session.verify, RIGHT), (session.set_passcode, "", "1111"), (session.clear_passcode, RIGHT)):
        with pytest.raises(Exception) as failure:
            timed(*call)
        assert failure.value.short in ("StoreUnavailable", "StoreLost")
    timed(session.lock)
    assert session.showing is True


def test_a_deleted_keyring(world):
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    world.keyring.kill()
    world.keyring.delete_files()
    world.keyring.start()
    world.start_service()
    session = world.session()
    timed(refused, "StoreLost", session.verify, RIGHT)
    assert session.get("HasPasscode") is True


def test_another_authenticators_item_is_foreign(desk, client):
    first = turn_on(desk.app("org.example.First", client))
    (item,) = desk.keyring.items()
    attributes, secret = desk.keyring.attributes(item), desk.keyring.secret(item)
    second = turn_on(desk.app("org.example.Second", client), "1111")
    (mine,) = [i for i in desk.keyring.items() if i != item]
    desk.keyring.set_secret(mine, secret)
    timed(refused, "StoreLost", second.verify, RIGHT)
    assert first.verify(RIGHT) is True
    assert "org.example.First" in attributes.values()


def test_an_item_of_neither_id_beside_the_right_one_is_swept(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    (item,) = desk.keyring.items()
    attributes = desk.keyring.attributes(item)
    app.set_passcode(RIGHT, "1111")
    (current,) = desk.keyring.items()
    assert desk.keyring.attributes(current) == attributes
    stranger = desk.keyring.create_item(attributes, b"AAAA")
    desk.restart_service()
    app = desk.app("org.example.App")
    assert app.verify("1111") is True
    wait_until(lambda: stranger not in desk.keyring.items(), 5)


def test_an_item_without_a_marker_is_ready(world):
    """A home folder that came back from a backup: the lock is not given away."""
    world.surround()
    world.start_service()
    turn_on(world.session())
    world.kill_service()
    for root, _, files in os.walk(world.home):
        if "keyrings" not in root:
            for file in files:
                os.unlink(os.path.join(root, file))
    world.start_service()
    session = world.session()
    wait_until(lambda: session.get("StoreState") == "ready", LIMIT)
    assert session.get("HasPasscode") is True and session.get("UnlockRoute") == "passcode"
    # The record is missing beside a stored passcode: the longest wait.
    refused("LockedOut", session.verify, RIGHT)
    world.clock.pass_time(3601)
    assert session.verify(RIGHT) is True


def test_stored_is_one_line_of_base64_with_few_attributes(desk, client):
    turn_on(desk.app("org.example.App", client), CANARY, digits=len(CANARY))
    (item,) = desk.keyring.items()
    secret = desk.keyring.secret(item)
    assert b"\n" not in secret and base64.b64decode(secret, validate=True)
    assert CANARY.encode() not in secret and CANARY.encode() not in base64.b64decode(secret)
    attributes = desk.keyring.attributes(item)
    attributes.pop("xdg:schema", None)
    attributes.pop("gkr:compat:hashed", None)
    assert len(attributes) == 2 and "org.example.App" in attributes.values()


def test_files_are_the_persons_alone(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.set("TintColor", "s", "#101010")
    app.verify(WRONG)
    count = 0
    for top in (desk.home, desk.runtime):
        for root, _, files in os.walk(top):
            for file in files:
                path = os.path.join(root, file)
                if "keyring" in path or not os.path.isfile(path):
                    continue
                count += 1
                assert os.stat(path).st_mode & 0o777 == 0o600, path
                assert not file.endswith(".tmp"), path
    assert count >= 3


def test_unknown_settings_are_kept_and_broken_files_set_aside(world):
    world.surround(logind=False)
    world.start_service()
    app = world.app("org.example.App")
    app.set("TintColor", "s", "#123456")
    app.set("TimeoutInterval", "d", 60.0)
    world.kill_service()
    holders = [
        os.path.join(r, f)
        for r, _, fs in os.walk(world.home)
        for f in fs
        if b"#123456" in open(os.path.join(r, f), "rb").read()
    ]
    assert len(holders) == 1
    (settings,) = holders
    with open(settings, "w") as file:
        file.write("\0\0 this is no settings file")
    world.start_service()
    app = world.app("org.example.App")
    assert app.get("TintColor") == "#ff2d55" and app.get("TimeoutInterval") == 0.0
    app.set("TintColor", "s", "#654321")
    aside = [
        f
        for f in os.listdir(os.path.dirname(settings))
        if f != os.path.basename(settings)
        and open(os.path.join(os.path.dirname(settings), f), "rb").read().startswith(b"\0\0 this")
    ]
    assert aside, "the broken file was thrown away"
    assert os.path.basename(settings) in world.log or "settings" in world.log


def test_without_memory_a_right_passcode_is_neither_wrong_nor_counted(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    pid = desk.service.pid
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        size = next(int(line.split()[1]) for line in status if line.startswith("VmSize:")) * 1024
    # Argon2id wants 64 MiB at least.
    resource.prlimit(pid, resource.RLIMIT_AS, (size + (32 << 20), resource.RLIM_INFINITY))
    for _ in range(6):
        refused("StoreUnavailable", app.verify, RIGHT)
    assert app.get("FailCount") == 0
    resource.prlimit(pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert app.verify(RIGHT) is True
