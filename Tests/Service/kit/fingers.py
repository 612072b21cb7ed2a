"""A person's fingers on a world's sensor, whoever reads it: the service through libfprint, or the real fprintd.

The sensors are libfprint's virtual ones.  `verifies` and `fprintd` compare with one print at a time, `identifies` and
`chip` (fprintd on the same device) find out which finger it is and keep the prints themselves.
"""

import os
import time

from .acts import turn_on
from .loop import wait_until
from .objects import Fingerprint, Request
from .sensor import VirtualSensor

INDEX, THUMB, MIDDLE = "right-index-finger", "left-thumb", "right-middle-finger"
#: In their order.
FINGERS = (
    "left-thumb left-index-finger left-middle-finger left-ring-finger left-little-finger "
    "right-thumb right-index-finger right-middle-finger right-ring-finger right-little-finger"
).split()
KINDS = ("verifies", "identifies", "fprintd", "chip")
#: Every expected effect is there within this.
LIMIT = 2.0
#: A finger that nobody has enrolled.
STRANGER = "somebody-elses"


class Sensing:
    """Before the service is started: what it will find."""

    def __init__(self, world, kind):
        self.world = world
        self.kind = kind
        self.is_fprintd = kind in ("fprintd", "chip")
        self.backend = "fprintd" if self.is_fprintd else "libfprint"
        self.identifies = kind in ("identifies", "chip")
        self.sensor = VirtualSensor(os.path.join(world.folder, "sensor"), storage=self.identifies)
        self.fprintd = None
        if self.is_fprintd:
            self.fprintd = world.start_fprintd(sensor=self.sensor)
        else:
            world.extra_env.update(self.sensor.env)
        world.extra_env["SMILEAUTH_FINGERPRINT"] = self.backend

    # The prints

    @property
    def prints(self):
        """The folder of the service's own prints of this sensor."""
        driver = "virtual_device_storage" if self.identifies else "virtual_device"
        return os.path.join(self.world.data, "smileauth", "fingerprints", driver, "0")

    def enroll(self, finger=INDEX, scans=None, client=None):
        """By the service's own interface; `scans` is the word that the sensor knows the finger by."""
        client = client or self.world.client()
        request = Request(client, Fingerprint(client).enroll(finger))
        result = self.finish(request, scans or finger)
        assert result[0] == "success", result
        return self

    def stage(self, request, scans, by=None):
        """One scan of an enrolment, or what `by` does, and what it is answered with: (status, stage, stages).

        None where it is answered with the end of the request.
        """
        client = request.client
        seen = len(client.signals("EnrollStatus"))
        if by:
            by()
        else:
            self.sensor.scan(scans)
        wait_until(lambda: client.signals("EnrollStatus")[seen:] or request.completed(), LIMIT, "EnrollStatus")
        told = client.signals("EnrollStatus")[seen:]
        return told[0].arguments if told else None

    def finish(self, request, scans):
        """Scans to the end of an enrolment, as a person does: one after another.  Gives (result, details)."""
        while (told := self.stage(request, scans)) and told[1] < told[2]:
            pass
        return request.wait(LIMIT)

    def test(self, client, scans, **opts):
        """A VerifyTest with this finger: (result, details).

        One that touches before anybody knows whether fprintd's sensor identifies has to touch again.
        """
        self.wait_idle()
        request = Request(client, Fingerprint(client).verify_test(**opts))
        for _ in range(4):
            self.sensor.scan(scans)
            deadline = time.monotonic() + 0.5
            wait_until(lambda: request.completed() or time.monotonic() > deadline, 5)
            if request.completed():
                break
        return request.wait(LIMIT)

    @property
    def enrolled(self):
        return Fingerprint(self.world.observer).list()

    # The sensor

    @property
    def is_idle(self):
        """Nobody has it: libfprint's device is closed, fprintd's is free."""
        if not self.is_fprintd:
            return not self.sensor.is_open
        from .client import Failure

        try:
            self.fprintd.claim()
        except Failure:
            return False
        self.fprintd.release()
        return True

    def wait_idle(self, seconds=LIMIT):
        wait_until(lambda: self.is_idle, seconds, "the sensor to be let go")

    def lose(self):
        """It goes from under whatever runs on it."""
        if self.is_fprintd:
            self.fprintd.kill()
        else:
            self.sensor.unplug()

    def find(self):
        """What was lost with `lose` is there again; an unplugged virtual one is at once."""
        if self.is_fprintd:
            self.fprintd.start()


def locked_app(sensing, name="org.example.App", fingers=(INDEX,), client=None):
    """An application whose passcode was turned on with these fingers enrolled; not locked yet."""
    world = sensing.world
    for finger in fingers:
        sensing.enroll(finger)
    app = world.app(name, client)
    app.hold(ui="none")
    return turn_on(app)


def finger(authenticator):
    """What its view says of the finger; None without a view."""
    return authenticator.view().get("fingerprint")


def wait_finger(authenticator, *words, seconds=LIMIT):
    """Waits until the view says one of these of the finger."""
    wait_until(lambda: finger(authenticator) in words, seconds, f"{words} instead of {finger(authenticator)!r}")


def armed(authenticator, seconds=LIMIT):
    wait_finger(authenticator, "armed", seconds=seconds)
    return authenticator


def counts(authenticator):
    """(FailCount, BiometryFailCount)"""
    return authenticator.get("FailCount"), authenticator.get("BiometryFailCount")


def miss(sensing, authenticator, times=1):
    """Fingers that are not recognised, each counted before the next comes."""
    for _ in range(times):
        before = authenticator.get("BiometryFailCount")
        wait_finger(authenticator, "armed", "retry", "no-match")
        sensing.sensor.scan(STRANGER)
        wait_until(lambda: authenticator.get("BiometryFailCount") == before + 1, LIMIT, f"failure {before + 1}")


def latency(sensing, app):
    """Seconds from the moment at which the sensor has taken the scan to AuthenticationSucceeded.

    The virtual sensor ends the connection of its command (EOF) when it has taken it, so its own time is not in there.
    """
    app.lock()
    armed(app)
    start = app.client.mark()
    sensing.sensor.scan(INDEX)
    taken = time.monotonic()
    return max(0.0, app.client.wait_signal("AuthenticationSucceeded", app.path, start, LIMIT).at - taken)
