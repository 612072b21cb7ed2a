"""The Fingerprint object on libfprint's virtual sensors and on the real fprintd (sections 4 and 9)."""

import os
import shutil
import tempfile

import pytest

from kit import names
from kit.acts import RIGHT, WRONG, lock_and_open, turn_on
from kit.fingers import FINGERS, INDEX, KINDS, LIMIT, MIDDLE, STRANGER, THUMB, Sensing
from kit.fingers import armed, counts, finger, locked_app, wait_finger
from kit.loop import wait_until
from kit.objects import Fingerprint, Policy, Request, refused
from kit.reallogind import Monitor
from kit.sensor import CENTER_FINGER, GENERAL, REMOVE_FINGER, TOO_SHORT
from kit.world import World

every = pytest.mark.parametrize("sensing", KINDS, indirect=True)
identifying = pytest.mark.parametrize("sensing", ["identifies", "chip"], indirect=True)
both = pytest.mark.parametrize("sensing", ["identifies", "fprintd"], indirect=True)
verifying = pytest.mark.parametrize("sensing", ["verifies"], indirect=True)
#: Those that have their prints yet after they were unplugged: the virtual chip forgets them.
lasting = pytest.mark.parametrize("sensing", ["verifies", "fprintd"], indirect=True)
WORDS = {GENERAL: "general", TOO_SHORT: "too-short", CENTER_FINGER: "center-finger", REMOVE_FINGER: "remove-finger"}


@pytest.fixture
def fingerprint(sensing):
    return Fingerprint(sensing.world.client())


def events(client, since):
    """What the object did: signals, changes of Busy, and the end of a request."""
    return [
        f"Busy {e.arguments[1]['Busy']}" if e.kind == "changed" else str(e)
        for e in client.events[since:]
        if e.name in ("EnrollStatus", "Completed")
        or (e.kind == "changed" and e.path == names.FINGERPRINT_PATH and "Busy" in e.arguments[1])
    ]


# What there is


@every
def test_what_the_sensor_is(sensing, fingerprint):
    assert fingerprint.all() == {
        "DeviceName": "Virtual device with storage and identification for debugging"
        if sensing.identifies
        else "Virtual device for debugging",
        "ScanType": "swipe",
        "Backend": sensing.backend,
        "DomainStateBasis": "names" if sensing.is_fprintd else "prints",
        # fprintd's look for a duplicate on a chip is one more.
        "EnrollStages": 6 if sensing.kind == "chip" else 5,
        "Available": True,
        "Busy": False,
    }
    assert fingerprint.list() == []
    assert sensing.world.manager().get("BiometryType") == "fingerprint"


def test_without_a_sensor(desk, client):
    fingerprint = Fingerprint(client)
    assert fingerprint.all() == {
        "DeviceName": "",
        "ScanType": "",
        "Backend": "none",
        "DomainStateBasis": "prints",
        "EnrollStages": 0,
        "Available": False,
        "Busy": False,
    }
    for call in (fingerprint.list, lambda: fingerprint.enroll(INDEX), fingerprint.verify_test, fingerprint.delete_all):
        refused("BiometryNotAvailable", call)
    refused("BiometryNotAvailable", fingerprint.delete, INDEX)
    assert desk.manager(client).get("BiometryType") == "none"


@pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)
def test_many_who_ask_at_once_share_a_look(sensing, fingerprint):
    """Others enrol and delete behind our back, so each answer is as fresh as its question; 501 looks are too many."""
    sensing.enroll()
    monitor = Monitor(sensing.fprintd.address)
    crowd = sensing.world.client()
    asked = [crowd.start(names.FINGERPRINT_PATH, names.FINGERPRINT, "ListEnrolledFingers") for _ in range(500)]
    assert fingerprint.list() == [INDEX]
    assert [one.wait() for one in asked] == [[INDEX]] * 500
    looks = len(monitor.moments("GetDefaultDevice"))
    monitor.close()
    assert 1 <= looks <= 100, looks


# Enrolling


@every
def test_enrolling_tells_of_every_stage_and_every_retry(sensing, fingerprint):
    client = fingerprint.client
    stages = fingerprint.get("EnrollStages")
    start = client.mark()
    request = Request(client, fingerprint.enroll(INDEX))
    assert fingerprint.get("Busy") is True
    assert sensing.stage(request, "mine") == ("stage-passed", 1, stages)
    assert sensing.stage(request, "mine") == ("stage-passed", 2, stages)
    for reason, word in WORDS.items():
        assert sensing.stage(request, "", lambda: sensing.sensor.retry(reason)) == (word, 2, stages)
    for stage in range(3, stages + 1):
        assert sensing.stage(request, "mine") == ("stage-passed", stage, stages)
    assert request.wait(LIMIT) == ("success", {})
    assert events(client, start)[-4:] == [
        f"EnrollStatus stage-passed {stages} {stages}",
        "Busy False",
        f"EnrollStatus completed {stages} {stages}",
        "Completed success",
    ]
    assert fingerprint.list() == [INDEX]
    if sensing.is_fprintd:
        assert sensing.fprintd.enrolled == [INDEX]
    else:
        assert os.stat(os.path.join(sensing.prints, INDEX)).st_mode & 0o7777 == 0o600
    sensing.wait_idle()


@every
def test_ten_names_in_their_order_and_no_other(sensing, fingerprint):
    for name in (MIDDLE, THUMB, INDEX, "left-little-finger"):
        sensing.enroll(name, client=fingerprint.client)
    assert fingerprint.list() == [name for name in FINGERS if name in (MIDDLE, THUMB, INDEX, "left-little-finger")]
    for name in ("", "right-index", "any", "Right-Index-Finger", INDEX + " "):
        refused(names.INVALID_ARGS, fingerprint.enroll, name)
        refused(names.INVALID_ARGS, fingerprint.delete, name)
        refused(names.INVALID_ARGS, fingerprint.verify_test, finger=name)
    refused(names.INVALID_ARGS, fingerprint.verify_test, finger=True)
    refused(names.INVALID_ARGS, fingerprint.enroll, "right-thumb", handle_token="no-dashes")
    assert fingerprint.get("Busy") is False


@every
def test_a_name_that_is_enrolled_is_refused(sensing, fingerprint):
    sensing.enroll(INDEX, client=fingerprint.client)
    refused("FingerAlreadyEnrolled", fingerprint.enroll, INDEX)
    assert fingerprint.list() == [INDEX] and fingerprint.get("Busy") is False


@identifying
def test_the_same_finger_under_another_name_is_a_duplicate(sensing, fingerprint):
    client = fingerprint.client
    sensing.enroll(INDEX, "mine", client)
    request = Request(client, fingerprint.enroll(THUMB))
    assert sensing.finish(request, "mine")[0] == "FingerAlreadyEnrolled"
    assert fingerprint.list() == [INDEX]
    # Another finger takes the name.
    sensing.enroll(THUMB, "other", client)
    assert fingerprint.list() == [THUMB, INDEX]
    # And the first one is as good as before.
    assert sensing.test(client, "mine", finger=INDEX) == ("success", {"method": "fingerprint"})


# Deleting


@every
def test_deleting_one_and_all(sensing, fingerprint):
    client = fingerprint.client
    for name in (INDEX, THUMB, MIDDLE):
        sensing.enroll(name, client=client)
    refused("BiometryNotEnrolled", fingerprint.delete, "left-index-finger")
    fingerprint.delete(THUMB)
    assert fingerprint.list() == [INDEX, MIDDLE]
    refused("BiometryNotEnrolled", fingerprint.delete, THUMB)
    fingerprint.delete_all()
    assert fingerprint.list() == []
    fingerprint.delete_all()
    assert fingerprint.get("Busy") is False
    if sensing.is_fprintd:
        assert sensing.fprintd.enrolled == []
    else:
        assert os.listdir(sensing.prints) == []
    # Nothing of them is left on a chip either, so the same fingers can be enrolled under other names.
    sensing.enroll(THUMB, INDEX, client)
    assert fingerprint.list() == [THUMB]


# Testing


@every
def test_a_test_says_whether_a_finger_is_enrolled_and_changes_nothing(sensing, fingerprint):
    client = fingerprint.client
    refused("BiometryNotEnrolled", fingerprint.verify_test)
    sensing.enroll(INDEX, "mine", client)
    refused("BiometryNotEnrolled", fingerprint.verify_test, finger=THUMB)
    app = sensing.world.app("org.example.App", client)
    app.hold(ui="none")
    turn_on(app)
    app.change(False)
    request = Request(client, fingerprint.verify_test())
    for reason, word in WORDS.items():
        assert sensing.stage(request, "", lambda: sensing.sensor.retry(reason)) == (word, 0, 0)
    sensing.sensor.scan(STRANGER)
    assert request.wait(LIMIT)[0] == "AuthenticationFailed"
    assert sensing.test(client, "mine", finger=INDEX) == ("success", {"method": "fingerprint"})
    assert counts(app) == (0, 0) and app.authenticated is False
    wait_until(lambda: fingerprint.get("Busy") is False, LIMIT)
    sensing.wait_idle()


@every
def test_another_finger_than_the_one_that_was_named_is_not_it(sensing, fingerprint):
    for name in (INDEX, THUMB):
        sensing.enroll(name, client=fingerprint.client)
    for named, scanned, result in ((INDEX, THUMB, "AuthenticationFailed"), (THUMB, THUMB, "success")):
        assert sensing.test(fingerprint.client, scanned, finger=named)[0] == result
    # Without a name any of them will do where the sensor can tell, the first one where it cannot.
    assert sensing.test(fingerprint.client, INDEX if sensing.identifies else THUMB)[0] == "success"


# One at a time


@every
def test_whoever_comes_later_is_busy(sensing, fingerprint):
    client = fingerprint.client
    sensing.enroll(THUMB, client=client)
    other = Fingerprint(sensing.world.client())

    def all_busy():
        for call in (other.verify_test, other.delete_all, fingerprint.verify_test, fingerprint.delete_all):
            refused("Busy", call)
        for one in (other, fingerprint):
            refused("Busy", one.enroll, INDEX)
            refused("Busy", one.delete, THUMB)

    request = Request(client, fingerprint.enroll(INDEX))
    all_busy()
    assert other.list() == [THUMB], "Reading is free"
    assert sensing.finish(request, INDEX)[0] == "success"
    request = Request(client, fingerprint.verify_test())
    all_busy()
    request.cancel()
    app = locked_app(sensing, fingers=())
    app.lock()
    armed(app)
    other = fingerprint = Fingerprint(app.client)
    refused("Busy", fingerprint.verify_test)
    assert app.outcome(RIGHT) == "accepted"
    fingerprint.delete_all()


@pytest.mark.parametrize("sensing", ["fprintd"], indirect=True)
def test_a_sensor_that_another_program_has_is_busy(sensing, fingerprint):
    client = fingerprint.client
    sensing.enroll(THUMB, client=client)
    sensing.fprintd.claim()
    assert fingerprint.get("Available") is True
    for path in (fingerprint.enroll(INDEX), fingerprint.verify_test()):
        assert Request(client, path).wait(LIMIT)[0] == "Busy"
    refused("Busy", fingerprint.delete, THUMB)
    assert fingerprint.list() == [THUMB]
    sensing.fprintd.release()
    sensing.enroll(INDEX, client=client)
    assert fingerprint.list() == [THUMB, INDEX]


@every
@pytest.mark.parametrize("how", ["cancelled", "left"])
def test_an_enrolment_that_is_given_up_leaves_nothing(sensing, fingerprint, how):
    sensing.enroll(THUMB, "mine", client=fingerprint.client)
    client = sensing.world.client()
    request = Request(client, Fingerprint(client).enroll(INDEX))
    for _ in range(3):
        sensing.stage(request, "other")
    # Nobody else's to cancel.
    refused("NotAuthorized", Request(fingerprint.client, request.path).cancel)
    start = client.mark()
    if how == "cancelled":
        request.cancel()
        assert [str(e) for e in client.events[start:] if e.name in ("Completed", "Cancel")] == [
            "Completed AppCancel",
            "reply Cancel",
        ]
    else:
        client.close()
        sensing.world.clients.remove(client)
    wait_until(lambda: fingerprint.get("Busy") is False, LIMIT)
    sensing.wait_idle()
    assert fingerprint.list() == [THUMB]
    # Neither on the disk nor on the chip: the same finger is no duplicate, and the other one is intact.
    sensing.enroll(MIDDLE, "other", client=fingerprint.client)
    assert sensing.test(fingerprint.client, "mine", finger=THUMB)[0] == "success"


@both
@pytest.mark.parametrize("task", ["enrolment", "test"])
def test_background_and_sleep_end_it(sensing, fingerprint, task):
    world, client = sensing.world, fingerprint.client
    sensing.enroll(THUMB, client=client)

    def begin():
        return Request(client, fingerprint.enroll(INDEX) if task == "enrolment" else fingerprint.verify_test())

    request = begin()
    world.manager(client).report_idle(True)
    assert request.wait(LIMIT)[0] == "SystemCancel"
    for call in (lambda: fingerprint.enroll(INDEX), fingerprint.verify_test, fingerprint.delete_all):
        refused("NotAuthorized", call)
    world.manager(client).report_idle(False)
    request = begin()
    world.logind.wait_inhibited()
    world.logind.prepare_for_sleep(True)
    assert request.wait(LIMIT)[0] == "SystemCancel"
    world.logind.prepare_for_sleep(False)
    world.manager(client).wait_for("SessionState", "active")
    assert fingerprint.list() == [THUMB]


# Who may


@both
def test_the_sessions_recent_passcode_is_needed(sensing, fingerprint):
    world, client = sensing.world, fingerprint.client
    sensing.enroll(THUMB, client=client)
    session = turn_on(world.session(client))
    stranger = Fingerprint(world.client())

    def denied(one):
        refused("NotAuthorized", one.enroll, INDEX)
        refused("NotAuthorized", one.delete, THUMB)
        refused("NotAuthorized", one.delete_all)

    denied(stranger)
    # Reading and testing are free.
    assert stranger.list() == [THUMB]
    Request(stranger.client, stranger.verify_test()).cancel()
    wait_until(lambda: fingerprint.get("Busy") is False, LIMIT)
    # A scan that comes before the device is closed goes with it.
    sensing.wait_idle()
    sensing.enroll(INDEX, client=client)
    world.clock.pass_time(301)
    denied(fingerprint)
    assert session.verify(WRONG) is False
    denied(fingerprint)
    assert session.verify(RIGHT) is True
    fingerprint.delete(INDEX)
    session.lock()
    denied(fingerprint)
    refused("NotAuthorized", fingerprint.verify_test)
    assert world.session(stranger.client).outcome(RIGHT) == "accepted"
    denied(fingerprint)
    fingerprint.list()
    stranger.delete_all()
    assert fingerprint.list() == []


@both
def test_without_a_lock_of_the_session_every_applications_is_needed(sensing, fingerprint):
    world, client = sensing.world, fingerprint.client
    sensing.enroll(THUMB, client=client)
    first, second = (world.app(f"org.example.{name}", client) for name in ("First", "Second"))
    turn_on(first)
    turn_on(second, "8642")
    refused("NotAuthorized", Fingerprint(world.client()).delete_all)
    fingerprint.delete_all()
    second.change(False)
    refused("NotAuthorized", fingerprint.enroll, INDEX)
    lock_and_open(second, "8642")
    sensing.enroll(INDEX, client=client)


# It comes and goes


@lasting
def test_unplugged_in_the_middle_it_says_so_and_comes_back_by_itself(sensing, fingerprint):
    client = fingerprint.client
    sensing.enroll(THUMB, "mine", client=client)
    for begin in (lambda: fingerprint.enroll(INDEX), fingerprint.verify_test):
        request = Request(client, begin())
        if sensing.is_fprintd:
            # It is claimed by then.
            sensing.sensor.wait_open()
        sensing.stage(request, "", lambda: sensing.sensor.retry(GENERAL))
        start = client.mark()
        sensing.lose()
        assert request.wait(LIMIT)[0] == "BiometryNotAvailable"
        wait_until(lambda: client.changes(names.FINGERPRINT_PATH, start).get("Busy") is False, LIMIT)
        sensing.find()
        wait_until(lambda: fingerprint.get("Available"), LIMIT, "the sensor to come back")
        assert fingerprint.list() == [THUMB]
    assert sensing.test(client, "mine")[0] == "success"


@verifying
def test_hot_unplug_is_signalled_everywhere(sensing, fingerprint):
    client = fingerprint.client
    sensing.enroll(INDEX, client=client)
    session = turn_on(sensing.world.session(client))
    assert session.get("UnlockRoute") == "fingerprint-or-passcode"
    Request(client, fingerprint.verify_test())
    sensing.sensor.wait_open()
    start = client.mark()
    sensing.sensor.unplug()
    wait_until(lambda: client.changes(names.FINGERPRINT_PATH, start).get("Available") is False, LIMIT)
    changed = client.changes(names.SESSION, start)
    assert changed["UnlockRoute"] == "passcode" and changed["BiometryType"] == "none"
    assert changed["EvaluatedPolicyDomainState"] == []
    assert client.changes(names.ROOT, start)["BiometryType"] == "none"
    wait_until(lambda: fingerprint.get("Available"), LIMIT)
    assert session.get("UnlockRoute") == "fingerprint-or-passcode"


def test_an_fprintd_that_comes_later_is_found(world):
    world.surround()
    world.extra_env["SMILEAUTH_FINGERPRINT"] = "auto"
    world.start_service()
    client = world.client()
    fingerprint = Fingerprint(client)
    assert fingerprint.get("Backend") == "none" and fingerprint.get("Available") is False
    fprintd = world.start_fprintd()
    wait_until(lambda: fingerprint.get("Available"), LIMIT)
    assert fingerprint.get("Backend") == "fprintd"
    assert client.changes(names.ROOT)["BiometryType"] == "fingerprint"
    # What another program enrolls is seen without asking, and by asking at the latest.
    fprintd.enroll(INDEX)
    assert fingerprint.list() == [INDEX]
    fprintd.kill()
    fprintd.start()
    wait_until(lambda: fingerprint.get("Available"), LIMIT)
    assert fingerprint.list() == [INDEX]


def test_by_itself_libfprint_comes_first(world):
    world.surround()
    sensing = Sensing(world, "fprintd")
    sensing.fprintd.enroll(THUMB)
    other = type(sensing.sensor)(os.path.join(world.folder, "ours"), storage=True)
    world.extra_env.update(other.env, SMILEAUTH_FINGERPRINT="auto")
    world.start_service()
    fingerprint = Fingerprint(world.client())
    assert fingerprint.get("Backend") == "libfprint" and fingerprint.get("DomainStateBasis") == "prints"
    assert fingerprint.list() == [], "fprintd's are not ours"


# Damage


def spoil(sensing, how):
    """What is done to the file of INDEX while nobody looks."""
    path = os.path.join(sensing.prints, INDEX)
    if how == "truncated":
        os.truncate(path, os.path.getsize(path) // 2)
    elif how == "empty":
        os.truncate(path, 0)
    elif how == "noise":
        with open(path, "wb") as file:
            file.write(os.urandom(600))
    elif how == "one byte":
        with open(path, "r+b") as file:
            file.seek(0)
            first = file.read(1)
            file.seek(0)
            file.write(bytes([first[0] ^ 0xFF]))
    elif how == "huge":
        with open(path, "ab") as file:
            file.truncate(64 << 20)
    elif how == "folder":
        os.unlink(path)
        os.mkdir(path)
    elif how == "pipe":
        os.unlink(path)
        os.mkfifo(path)
    elif how == "another sensor's":
        other = foreign_prints(sensing)
        shutil.copy(os.path.join(other, INDEX), path)


def foreign_prints(sensing):
    """A print of the same name, made by the other virtual sensor."""
    import tempfile

    from kit.fingers import Sensing
    folder = tempfile.mkdtemp(prefix="sa-")
    world = World(folder)
    try:
        world.surround(logind=False)
        other = Sensing(world, "verifies" if sensing.identifies else "identifies")
        world.start_service()
        other.enroll(INDEX)
        kept = os.path.join(sensing.world.folder, "kept")
        shutil.copytree(other.prints, kept)
        return kept
    finally:
        world.close()


@verifying
@pytest.mark.parametrize(
    "how", ["truncated", "empty", "noise", "one byte", "huge", "folder", "pipe", "another sensor's"]
)
def test_a_print_file_that_is_none(sensing, how):
    world = sensing.world
    app = locked_app(sensing, fingers=(INDEX, THUMB))
    world.kill_service()
    spoil(sensing, how)
    world.start_service()
    client = world.client()
    fingerprint = Fingerprint(client)
    assert fingerprint.list() == [THUMB]
    assert f"{INDEX}: not a print that counts" in world.log
    # Another set: first the passcode, then the finger that is left.
    app = world.app("org.example.App", client)
    app.hold(ui="none")
    app.lock()
    assert finger(app) == "changed"
    assert app.outcome(RIGHT) == "accepted"
    app.lock()
    armed(app)
    sensing.sensor.scan(THUMB)
    wait_until(lambda: app.authenticated, LIMIT)
    # It is never deleted, and out of the way of a new one.
    app.verify(RIGHT)
    fingerprint.delete_all()
    assert os.path.exists(os.path.join(sensing.prints, INDEX))
    sensing.enroll(INDEX, "new", client=client)
    assert fingerprint.list() == [INDEX]
    assert os.path.exists(os.path.join(sensing.prints, INDEX + ".broken"))


# A full disk: a small file system where the prints are, in the service's own (or fprintd's) mount namespace.
SMALL = 'd=$1; shift; mkdir -p "$d"; mount -t tmpfs -o size=64k,nr_inodes=64 tmpfs "$d"; exec "$@"'


def in_the_small(folder):
    return ["unshare", "-m", "sh", "-c", SMALL, "sh", folder]


def fill(folder, pid):
    """Not a byte more goes in there until the file that this gives is gone."""
    path = f"/proc/{pid}/root{folder}/filler"
    with open(path, "wb", buffering=0) as file, pytest.raises(OSError, match="No space"):
        while True:
            file.write(bytes(4096))
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_in_mid_enrolment(world, kind):
    world.surround()
    sensing = Sensing(world, kind)
    if sensing.is_fprintd:
        folder = sensing.fprintd.state
        sensing.fprintd.kill()
        sensing.fprintd.start(wrapper=in_the_small(folder))
        world.start_service()
    else:
        folder = os.path.join(world.data, "smileauth", "fingerprints")
        world.start_service(wrapper=in_the_small(folder))
    client = world.client()
    fingerprint = Fingerprint(client)
    sensing.enroll(THUMB, "mine", client)
    request = Request(client, fingerprint.enroll(INDEX))
    sensing.stage(request, "other")
    filler = fill(folder, sensing.fprintd.pid if sensing.is_fprintd else world.service.pid)
    assert sensing.finish(request, "other")[0] == "StoreUnavailable"
    assert fingerprint.list() == [THUMB]
    assert fingerprint.get("Busy") is False
    assert sensing.test(client, "mine")[0] == "success", "the other print is intact"
    # With room again the same finger is enrolled, so nothing of it was left anywhere.
    os.unlink(filler)
    sensing.enroll(INDEX, "other", client)
    assert fingerprint.list() == [THUMB, INDEX]


# Requests of the Policy interface on the same sensor


@both
def test_a_task_and_a_view_do_not_share_the_sensor(sensing, fingerprint):
    """A view that comes up during a test waits for the sensor; it has it when the test is over."""
    client = fingerprint.client
    app = locked_app(sensing, client=client)
    request = Request(client, fingerprint.verify_test())
    app.lock()
    assert finger(app) in ("off", "gone")
    sensing.sensor.scan(INDEX)
    assert request.wait(LIMIT)[0] == "success"
    assert app.authenticated is False, "a test opens nothing"
    armed(app)
    sensing.sensor.scan(INDEX)
    wait_until(lambda: app.authenticated, LIMIT)
    assert Policy(client, app.path).can_evaluate("biometrics") == (True, "", "fingerprint")
    wait_finger(app, None)
