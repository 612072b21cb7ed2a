"""`smileauth` and a sensor: libfprint's virtual one, which the service opens itself (sections 4 and 10)."""

import json
import os
import subprocess

import pytest

from kit import names
from kit.account import ACCOUNT_PASSWORD, account_wrapper
from kit.acts import RIGHT, WRONG, turn_on
from kit.loop import turn, wait_until
from kit.objects import Fingerprint, Request, refused
from kit.sensor import CENTER_FINGER, REMOVE_FINGER, TOO_SHORT, VirtualSensor
from kit.terminal import Terminal
from kit.world import program

DONE, REFUSED, USAGE, UNAVAILABLE = range(4)
INDEX, THUMB = "right-index-finger", "left-thumb"


@pytest.fixture(params=["verifies", "identifies"])
def sensor(request, world):
    made = VirtualSensor(os.path.join(world.folder, "sensor"), storage=request.param == "identifies")
    world.extra_env.update(made.env)
    return made


@pytest.fixture
def place(world, sensor):
    world.surround()
    world.start_service(env={"SMILEAUTH_FINGERPRINT": "libfprint"})
    return world


@pytest.fixture
def open_terminal(place):
    opened = []

    def open_one(*arguments):
        opened.append(Terminal(place, [program("smileauth"), *arguments], f"terminal{len(opened)}"))
        return opened[-1]

    return open_one


def run(world, *arguments, seconds=20, pass_fds=()):
    """Runs it without a terminal."""
    started = subprocess.Popen(
        [program("smileauth"), *arguments],
        env=world.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=pass_fds,
    )
    try:
        wait_until(lambda: turn() or started.poll() is not None, seconds, f"smileauth {' '.join(arguments)}")
    finally:
        started.kill()
    return started.returncode, started.communicate()[0].decode()


def errors(screen):
    """What went to standard error, which is not the terminal."""
    return screen.program.output().decode()


def enroll(world, sensor, finger=INDEX, as_finger=None, client=None):
    """By the service's own interface, from a connection of its own where none is given."""
    client = client or world.client()
    path = Fingerprint(client).enroll(finger)
    request = Request(client, path)
    sensor.enroll(as_finger or finger)
    assert request.wait()[0] == "success"


def enrolled(world):
    return Fingerprint(world.client()).list()


def test_enrolling_says_how_far_it_is_and_what_to_do(place, sensor, open_terminal):
    screen = open_terminal("fingers", "enroll")
    at = screen.wait_for("Swipe your right index finger over the sensor, 5 times.")
    sensor.scan(INDEX)
    at = screen.wait_for("[#....]  1 of 5", after=at)
    sensor.retry(TOO_SHORT)
    at = screen.wait_for("Leave your finger on the sensor a little longer.", after=at)
    sensor.retry(CENTER_FINGER)
    at = screen.wait_for("Put the middle of your fingertip on the sensor.", after=at)
    sensor.retry(REMOVE_FINGER)
    at = screen.wait_for("Lift your finger", after=at)
    sensor.enroll(INDEX, 4)
    at = screen.wait_for("[#####]  5 of 5", after=at)
    assert screen.end() == DONE
    assert "Enrolled: right index finger." in screen.text
    assert enrolled(place) == [INDEX]


def test_control_c_ends_an_enrolment_and_keeps_nothing(place, sensor, open_terminal):
    enroll(place, sensor, THUMB)
    screen = open_terminal("fingers", "enroll", INDEX)
    at = screen.wait_for("your right index finger")
    sensor.scan(INDEX)
    screen.wait_for("1 of 5", after=at)
    screen.type("\x03")
    assert screen.end() == REFUSED
    assert "nothing is kept" in errors(screen)
    assert enrolled(place) == [THUMB]
    wait_until(lambda: not Fingerprint(place.client()).get("Busy"), 2, "the sensor to be free again")


def test_status_says_that_the_fingers_changed(place, sensor):
    session = turn_on(place.session())
    enroll(place, sensor, client=session.client)
    out = run(place, "status")[1]
    assert "asks for the passcode once: the enrolled fingers changed" in out
    session.lock()
    assert session.submit(RIGHT)[0] == "accepted"
    out = run(place, "status")[1]
    assert "enrolled fingers changed" not in out and out.endswith("Finger      on\n")


def test_list_test_and_delete(place, sensor, open_terminal):
    enroll(place, sensor)
    enroll(place, sensor, THUMB)
    status, out = run(place, "fingers", "list", "--json")
    assert status == DONE
    listed = json.loads(out)
    assert listed["fingers"] == [THUMB, INDEX]
    assert listed["sensor"]["Backend"] == "libfprint" and listed["sensor"]["DomainStateBasis"] == "prints"
    status, out = run(place, "fingers", "list")
    assert status == DONE and f"{THUMB}, {INDEX}" in out and "by libfprint" in out
    assert "another finger under the same name" not in out

    screen = open_terminal("fingers", "test", INDEX)
    screen.wait_for("Swipe your right index finger over the sensor.")
    sensor.scan(INDEX)
    assert screen.end() == DONE and "Recognised." in screen.text
    screen = open_terminal("fingers", "test", INDEX)
    at = screen.wait_for("Swipe your right index finger over the sensor.")
    sensor.retry(TOO_SHORT)
    screen.wait_for("too short", after=at)
    sensor.scan("somebody-elses")
    assert screen.end() == REFUSED and "not recognised" in errors(screen)

    assert run(place, "fingers", "delete", THUMB)[0] == DONE
    assert enrolled(place) == [INDEX]
    status, out = run(place, "fingers", "delete", THUMB)
    assert status == REFUSED
    assert run(place, "fingers", "delete", "--all")[0] == DONE
    assert enrolled(place) == []
    assert "none enrolled" in run(place, "fingers", "list")[1]


def test_without_a_sensor_the_list_is_unknown_not_empty(world):
    world.surround()
    world.start_service(env={"SMILEAUTH_FINGERPRINT": "none"})
    status, out = run(world, "fingers", "list")
    assert status == REFUSED and "none enrolled" not in out


def test_what_a_mode_means_and_what_it_needs(place, sensor):
    enroll(place, sensor)
    assert run(place, "fingers", "enroll") == (REFUSED, "smileauth: right index finger is enrolled already\n")
    out = run(place, "config", "factor-mode", "finger")[1]
    assert "the account password is the only other way" in out
    out = run(place, "doctor")[1]
    assert "a finger locks it" in out and "it does not lock" not in out


def test_what_is_no_command(place):
    for words in (
        ("fingers", "dance"),
        ("fingers", "enroll", "left-pinky"),
        ("fingers", "delete"),
        ("fingers", "delete", INDEX, "--all"),
        ("fingers", "list", INDEX),
        ("fingers", "test", "--json"),
        ("fingers", "enroll", INDEX, "more"),
    ):
        assert run(place, *words)[0] == USAGE, words


def test_a_new_finger_needs_the_sessions_passcode(place, sensor, open_terminal):
    turn_on(place.session())
    status, out = run(place, "fingers", "enroll")
    assert status == USAGE, out
    screen = open_terminal("fingers", "enroll")
    screen.wait_for("Enter 4 digit passcode")
    screen.enter(RIGHT)
    screen.wait_for("your right index finger")
    sensor.enroll(INDEX)
    assert screen.end() == DONE
    assert "ask for it once before fingers count again" in screen.text
    assert enrolled(place) == [INDEX]
    status, out = run(place, "config", "factor-mode", "finger")
    assert status == REFUSED and "smileauth off" in out


@pytest.mark.parametrize(
    "words, done",
    [(("config", "timeout-interval", "60"), "60"), (("fingers", "delete", INDEX), "Deleted: right index finger.")],
)
def test_a_finger_is_no_proof_and_the_passcode_is_asked_for_then(place, sensor, open_terminal, words, done):
    """A session that was not asked since the service started, or is locked: its view takes a finger as well."""
    session = turn_on(place.session())
    enroll(place, sensor, client=session.client)
    session.lock()
    assert session.submit(RIGHT)[0] == "accepted"
    if sensor.storage:
        # The virtual sensor's own memory would not outlive the service.
        session.lock()
    else:
        place.end_service()
        place.start_service(env={"SMILEAUTH_FINGERPRINT": "libfprint"})
        session = place.session()
    assert session.authenticated is False
    screen = open_terminal(*words)
    at = screen.wait_for("Touch the sensor, or enter the passcode.")
    sensor.scan(INDEX)
    at = screen.wait_for("That opened the lock. This needs the passcode, too.", after=at)
    screen.wait_for("Enter 4 digit passcode", after=at)
    assert session.authenticated is True
    assert "Touch the sensor" not in screen.text[at:]
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert done in screen.text


def test_a_finger_that_is_none_locks_what_it_should_have_turned_off(place, sensor, open_terminal):
    session = locked(place, sensor)
    assert session.submit(RIGHT)[0] == "accepted"
    screen = open_terminal("off")
    screen.wait_for("An empty line turns the sensor on.")
    screen.enter("")
    screen.wait_for("Touch the sensor, or enter the passcode.")
    sensor.scan("somebody-elses")
    assert screen.end() == REFUSED
    assert errors(screen) == "smileauth: that finger was not recognised, and it is locked now: smileauth unlock\n"
    assert session.authenticated is False and session.get("HasPasscode") is True
    assert session.view()["fingerprint"] == "no-match"


def locked(place, sensor, *fingers):
    for finger in fingers or (INDEX,):
        enroll(place, sensor, finger)
    session = turn_on(place.session())
    session.lock()
    return session


def test_a_finger_opens_while_the_passcode_could(place, sensor, open_terminal):
    session = locked(place, sensor)
    screen = open_terminal("unlock")
    screen.wait_for("Touch the sensor, or enter the passcode.")
    screen.wait_for("Enter 4 digit passcode")
    sensor.scan(INDEX)
    assert screen.end() == DONE
    assert session.authenticated is True and session.get("BiometryFailCount") == 0


def test_a_typed_passcode_survives_what_the_finger_does(place, sensor, open_terminal):
    session = locked(place, sensor)
    screen = open_terminal("unlock")
    at = screen.wait_for("Touch the sensor, or enter the passcode.")
    screen.type(RIGHT[:2])
    sensor.retry(TOO_SHORT)
    at = screen.wait_for("Leave your finger on the sensor a little longer.", after=at)
    sensor.scan("somebody-elses")
    at = screen.wait_for("not recognised. Try again.", after=at)
    screen.enter(RIGHT[2:])
    assert screen.end() == DONE
    assert session.authenticated is True
    assert session.get("FailCount") == 0 and session.get("BiometryFailCount") == 0


@pytest.mark.parametrize("sensor", ["identifies"], indirect=True)
def test_without_its_store_the_lock_offers_no_finger(place, sensor, open_terminal):
    session = locked(place, sensor)
    session.present("touchid", ui="terminal")
    wait_until(lambda: session.view()["fingerprint"] == "armed", 5, "the sensor to be armed")
    place.keyring.lock()
    wait_until(lambda: session.get("StoreState") == "unavailable", 10, "the store to be away")
    assert session.view()["fingerprint"] == "none" and session.view()["demand"] == "passcode"
    assert session.call("CanAuthenticate") == (False, names.ERROR + "StoreUnavailable")
    refused("StoreUnavailable", session.call, "UseFingerprint")
    screen = open_terminal("unlock")
    screen.wait_for("keyring")
    assert "sensor" not in screen.text
    place.keyring.unlock()
    wait_until(lambda: session.view()["fingerprint"] == "armed", 10, "the finger to be back")
    screen.wait_for("Touch the sensor, or enter the passcode.")
    sensor.scan(INDEX)
    assert screen.end() == DONE
    assert session.authenticated is True


def test_after_three_an_empty_line_is_the_finger_button(place, sensor, open_terminal):
    session = locked(place, sensor)
    screen = open_terminal("unlock")
    at = screen.wait_for("Touch the sensor, or enter the passcode.")
    for _ in range(3):
        sensor.scan("somebody-elses")
        at = screen.wait_for("not recognised", after=at)
    screen.wait_for("An empty line turns the sensor on.", after=at - 200)
    assert session.get("BiometryFailCount") == 3
    screen.enter("")
    sensor.scan(INDEX)
    assert screen.end() == DONE
    assert session.authenticated is True


def test_changed_fingers_ask_for_the_passcode(place, sensor, open_terminal):
    enroll(place, sensor)
    session = turn_on(place.session())
    assert session.verify(RIGHT)
    # Somebody else's, enrolled by another program: the passcode was not the one who did it.
    client = session.client
    path = Fingerprint(client).enroll(THUMB)
    sensor.enroll(THUMB)
    assert Request(client, path).wait()[0] == "success"
    session.lock()
    screen = open_terminal("unlock")
    screen.wait_for("The enrolled fingers have changed.")
    screen.enter(RIGHT)
    assert screen.end() == DONE
    session.lock()
    assert session.view()["fingerprint"] != "changed"


def test_the_session_goes_on_when_the_sensor_is_unplugged(place, sensor, open_terminal):
    session = locked(place, sensor)
    screen = open_terminal("unlock")
    at = screen.wait_for("Touch the sensor, or enter the passcode.")
    sensor.unplug()
    screen.wait_for("It comes back by itself.", "Enter 4 digit", after=at)
    screen.enter(WRONG)
    screen.wait_for("1 Failed Passcode", after=at)
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert session.authenticated is True


def test_status_and_doctor_tell_of_the_sensor(place, sensor):
    locked(place, sensor)
    status, out = run(place, "status")
    assert status == DONE
    assert "by libfprint" in out and "1 enrolled: right index finger" in out
    assert "fingerprint or passcode" in out
    told = json.loads(run(place, "status", "--json")[1])
    assert told["fingers"] == [INDEX] and told["sensor"]["Available"] is True
    assert told["policy"]["BiometryType"] == "fingerprint"
    out = run(place, "doctor")[1]
    assert "Fingerprint" in out and "by libfprint, 1 enrolled" in out


def test_settings_of_policies(place):
    assert run(place, "config", "localized-fallback-title") == (DONE, "Enter Passcode\n")
    assert run(place, "config", "allowable-reuse-duration", "120")[0] == DONE
    assert run(place, "config", "allowable-reuse-duration") == (DONE, "120\n")
    assert run(place, "config", "allowable-reuse-duration", "301")[0] == USAGE
    assert "domain-state" not in run(place, "config")[1]


@pytest.mark.parametrize("word,backend", [("none", "none"), ("nonsense", "none"), ("libfprint", "libfprint")])
def test_the_back_end_is_forced_by_the_environment(world, word, backend):
    sensor = VirtualSensor(os.path.join(world.folder, "sensor"))
    world.extra_env.update(sensor.env)
    world.surround()
    world.start_service(env={"SMILEAUTH_FINGERPRINT": word})
    fingerprint = Fingerprint(world.client())
    assert fingerprint.get("Backend") == backend
    assert fingerprint.get("Available") is (backend != "none")
    assert ("SMILEAUTH_FINGERPRINT" in world.log) is (word == "nonsense")
    biometry = world.manager().get("BiometryType")
    assert biometry == ("none" if backend == "none" else "fingerprint")
    assert world.client().call(names.SESSION, names.PROPERTIES, "Get", "ss", names.POLICY, "BiometryType") == biometry


# Locks that need a finger


@pytest.fixture
def account_place(world, sensor):
    """The same, where the account password is known."""
    world.surround()
    world.start_service(wrapper=account_wrapper(world), env={"SMILEAUTH_FINGERPRINT": "libfprint"})
    return world


def by_finger_alone(world, sensor):
    enroll(world, sensor)
    session = world.session()
    session.set("FactorMode", "s", "finger")
    assert session.get("UnlockRoute") == "fingerprint"
    session.lock()
    return session


def by_both(world, sensor):
    enroll(world, sensor)
    session = turn_on(world.session())
    # Both factors are needed to change it; so they were both needed to come here.
    session.set("FactorMode", "s", "all")
    assert session.get("UnlockRoute") == "fingerprint+passcode"
    session.lock()
    return session


def terminal(world, *arguments):
    return Terminal(world, [program("smileauth"), *arguments])


def test_a_finger_alone(place, sensor):
    session = by_finger_alone(place, sensor)
    screen = terminal(place, "unlock")
    at = screen.wait_for("Touch the fingerprint sensor")
    assert "Use Fingerprint" in screen.text and "passcode" not in screen.text.lower()
    screen.enter(RIGHT)
    at = screen.wait_for("that was no entry", after=at)
    sensor.retry(CENTER_FINGER)
    at = screen.wait_for("Put the middle of your fingertip on the sensor.", after=at)
    sensor.scan("somebody-elses")
    screen.wait_for("not recognised. Try again.", after=at)
    sensor.scan(INDEX)
    assert screen.end() == DONE
    assert session.authenticated is True and session.get("FailCount") == 0


def test_a_finger_alone_and_the_account_password(account_place, sensor):
    session = by_finger_alone(account_place, sensor)
    screen = terminal(account_place, "unlock")
    at = screen.wait_for("An empty line asks for the account password instead.")
    screen.enter("")
    at = screen.wait_for("Account password:", after=at)
    screen.enter("not it")
    at = screen.wait_for("That is not the account password", after=at, seconds=15)
    screen.enter("")
    at = screen.wait_for("Touch the fingerprint sensor", after=at)
    screen.enter("")
    screen.wait_for("Account password:", after=at)
    screen.enter(ACCOUNT_PASSWORD)
    assert screen.end() == DONE
    assert "the passcode stays" in screen.text or "account password" in screen.text
    assert session.authenticated is True and session.get("UnlockRoute") == "fingerprint"


def test_the_account_password_by_descriptor(account_place, sensor):
    session = by_finger_alone(account_place, sensor)
    reader, writer = os.pipe()
    os.write(writer, (ACCOUNT_PASSWORD + "\n").encode())
    os.close(writer)
    assert run(account_place, "unlock", "--account", "--passcode-fd", str(reader), pass_fds=(reader,))[0] == DONE
    os.close(reader)
    assert session.authenticated is True and session.get("FactorMode") == "finger"


def test_a_finger_and_then_the_passcode(place, sensor):
    session = by_both(place, sensor)
    screen = terminal(place, "unlock")
    at = screen.wait_for("Touch the fingerprint sensor")
    sensor.scan(INDEX)
    screen.wait_for("Enter 4 digit passcode", after=at)
    assert session.authenticated is False
    screen.enter(WRONG)
    at = screen.wait_for("1 Failed Passcode", after=at)
    # The first step again, which is the finger's.
    screen.wait_for("Touch the fingerprint sensor again.")
    sensor.scan(INDEX)
    screen.wait_for("Enter 4 digit passcode", after=at)
    screen.enter(RIGHT)
    assert screen.end() == DONE
    assert session.authenticated is True


def test_with_a_descriptor_the_finger_comes_first(place, sensor):
    session = by_both(place, sensor)
    reader, writer = os.pipe()
    os.write(writer, (RIGHT + "\n").encode())
    os.close(writer)
    started = place.run(
        [program("smileauth"), "unlock", "--passcode-fd", str(reader)], "unlock", pass_fds=(reader,)
    )
    os.close(reader)
    wait_until(lambda: b"a finger comes first" in started.output(), 10, "the request for a finger")
    assert session.authenticated is False
    sensor.scan(INDEX)
    wait_until(lambda: not started.running, 10, "its end")
    assert started.status == DONE and session.authenticated is True


def test_a_finger_to_choose(world):
    sensor = VirtualSensor(os.path.join(world.folder, "sensor"))
    world.extra_env.update(sensor.env)
    world.surround()
    world.start_service(env={"SMILEAUTH_FINGERPRINT": "libfprint"})
    session = locked(world, sensor, THUMB, INDEX)
    screen = terminal(world, "unlock")
    at = screen.wait_for("Touch the sensor with the right index finger, or enter the passcode.")
    screen.wait_for("An empty line lets you choose another finger.")
    screen.enter("")
    at = screen.wait_for("Finger:", after=at)
    assert "1  left thumb" in screen.text and "2  right index finger" in screen.text
    screen.enter("1")
    screen.wait_for("Touch the sensor with the left thumb, or enter the passcode.", after=at)
    sensor.scan(THUMB)
    assert screen.end() == DONE
    assert session.authenticated is True and session.get("BiometryFailCount") == 0


# Through fprintd


def test_with_fprintd_only_names_are_seen_and_doctor_says_so(world):
    world.surround()
    fprintd = world.start_fprintd()
    fprintd.enroll(INDEX)
    world.start_service(env={"SMILEAUTH_FINGERPRINT": "auto"})
    status, out = run(world, "fingers", "list")
    assert status == DONE
    assert "by fprintd" in out and INDEX in out and "another finger under the same name is not noticed" in out
    out = run(world, "doctor")[1]
    assert "by fprintd, 1 enrolled: right index finger; another finger under the same name is not noticed" in out
    assert "answers, and has a sensor" in out
    session = turn_on(world.session())
    session.lock()
    screen = terminal(world, "unlock")
    screen.wait_for("Touch the sensor, or enter the passcode.")
    fprintd.sensor.scan("mine")
    assert screen.end() == DONE
    assert session.authenticated is True


def test_doctor_where_fprintd_denies_and_where_there_is_none(world):
    world.surround()
    world.start_service()
    out = run(world, "doctor")[1]
    assert "no sensor was found on this machine" in out or "there is a sensor" in out
    assert "fprintd" in out and "is not installed" in out
    fprintd = world.start_fprintd()
    fprintd.polkit.allow()
    out = run(world, "doctor")[1]
    assert "does not let this user near the sensor" in out and "polkit" in out
