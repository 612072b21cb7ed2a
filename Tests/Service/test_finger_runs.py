"""Two hundred scripted runs over the whole service: right and wrong fingers, retries, errors, unplugs, busy claims,
kills.  Never a false grant, never a hang, both counts exact.

Each run is one lock that is opened at last.  The script is made of a seed, which a failure names.
"""

import random

import pytest

from kit.acts import RIGHT, WRONG
from kit.client import Failure
from kit.fingers import INDEX, LIMIT, STRANGER, Sensing, counts, finger, locked_app
from kit.loop import wait_until
from kit.objects import Fingerprint
from kit.sensor import CENTER_FINGER, ERROR_GENERAL, ERROR_PROTO, GENERAL, REMOVE_FINGER, TOO_SHORT

RUNS = 25
READS = ("armed", "retry", "no-match")


class Run:
    """One lock, and what it has to look like after each act."""

    def __init__(self, sensing, app, random_):
        self.sensing = sensing
        self.app = app
        self.random = random_
        self.script = []
        self.wrong = self.missed = 0  # FailCount and BiometryFailCount as they have to be
        self.in_view = 0
        self.granted = len(app.client.signals("AuthenticationSucceeded"))
        self.failed = len(app.client.signals("AuthenticationFailed"))
        self.is_stolen = False

    @property
    def is_armed(self):
        return finger(self.app) in READS

    def expect(self, condition, what):
        wait_until(condition, LIMIT, f"{what}; the view says {self.app.view()}")

    def check(self):
        """Nothing was granted, and nothing counted but what was to be."""
        assert self.app.authenticated is False, "opened by nothing"
        assert len(self.app.client.signals("AuthenticationSucceeded")) == self.granted
        assert counts(self.app) == (self.wrong, self.missed)
        assert len(self.app.client.signals("AuthenticationFailed")) - self.failed == self.wrong + self.missed

    def wait_settled(self):
        """Something is said of the sensor within LIMIT."""
        rests = ("off",) if self.in_view >= 3 or self.missed >= 5 else (*READS, "gone")
        self.expect(lambda: finger(self.app) in rests, f"one of {rests}")

    # What may happen

    def act(self):
        acts = [self.wrong_passcode, self.button]
        if self.is_armed:
            acts += [self.stranger] * 3 + [self.retry] * 2 + [self.error]
            # The virtual chip forgets its prints when it is unplugged.
            acts += [] if self.sensing.identifies else [self.lose]
        if self.sensing.is_fprintd:
            acts += [self.second_claim]
        act = self.random.choice(acts)
        self.script.append(act.__name__)
        act()
        self.wait_settled()
        self.check()

    def stranger(self):
        self.sensing.sensor.scan(STRANGER)
        self.missed += 1
        self.in_view += 1
        self.expect(lambda: counts(self.app)[1] == self.missed, f"failure {self.missed}")

    def retry(self):
        self.sensing.sensor.retry(self.random.choice((GENERAL, TOO_SHORT, CENTER_FINGER, REMOVE_FINGER)))
        self.expect(lambda: finger(self.app) == "retry", "retry")

    def expect_gone(self, since):
        """The view has said so, and may say already that it is back."""

        def said():
            views = self.app.client.signals("ViewChanged", self.app.path, since)
            return any(view.arguments[0]["fingerprint"] == "gone" for view in views)

        self.expect(said, "gone")

    def error(self):
        start = self.app.client.mark()
        self.sensing.sensor.error(self.random.choice((ERROR_GENERAL, ERROR_PROTO)))
        self.expect_gone(start)

    def lose(self):
        start = self.app.client.mark()
        self.sensing.lose()
        self.expect_gone(start)
        self.sensing.find()

    def second_claim(self):
        """Another program tries; it gets the sensor only where we have not got it."""
        try:
            self.sensing.fprintd.claim()
        except Failure:
            return
        self.sensing.fprintd.release()

    def wrong_passcode(self):
        if self.wrong == 4:
            return
        assert self.app.outcome(WRONG) == "wrong"
        self.wrong += 1

    def button(self):
        try:
            self.app.call("UseFingerprint")
        except Failure as failure:
            expected = {"BiometryNotAvailable"} if self.missed < 5 else {"BiometryLockout", "BiometryNotAvailable"}
            assert failure.short in expected, failure
            return
        assert self.missed < 5
        self.in_view = 0

    # How it ends

    def open(self):
        by_finger = self.is_armed and self.random.random() < 0.6
        self.script.append("finger" if by_finger else "passcode")
        if by_finger:
            self.sensing.sensor.scan(INDEX)
            self.expect(lambda: self.app.authenticated, "the finger to open it")
            method, self.missed = "fingerprint", 0
        else:
            assert self.app.outcome(RIGHT) == "accepted"
            method, self.wrong, self.missed = "passcode", 0, 0
        self.app.client.sync()
        granted = [e.arguments[0] for e in self.app.client.signals("AuthenticationSucceeded")]
        assert granted[self.granted :] == [method]
        assert self.app.view() == {} and counts(self.app) == (self.wrong, self.missed)
        if self.wrong:
            assert self.app.verify(RIGHT) is True


@pytest.mark.parametrize(
    "kind,chunk", [(kind, n) for kind in ("verifies", "identifies", "fprintd", "fprintd again") for n in range(2)]
)
def test_scripted_runs(world, kind, chunk):
    world.surround()
    sensing = Sensing(world, kind.split()[0])
    world.start_service()
    app = locked_app(sensing)
    fingerprint = Fingerprint(app.client)
    for number in range(chunk * RUNS, (chunk + 1) * RUNS):
        seed = f"{kind} {number}"
        random_ = random.Random(seed)
        wait_until(lambda: fingerprint.get("Available"), LIMIT, "the sensor that the run before has lost")
        # What it was claimed for by itself is long ago.
        world.clock.pass_time(61)
        held = sensing.is_fprintd and random_.random() < 0.15
        run = Run(sensing, app, random_)
        try:
            if held:
                sensing.wait_idle()
                sensing.fprintd.claim()
                run.script.append("held by another")
            app.lock()
            run.wait_settled()
            if held:
                assert finger(app) == "gone"
                run.wrong_passcode()
                run.check()
                sensing.fprintd.release()
                run.expect(lambda: run.is_armed, "armed again")
            for _ in range(random_.randint(1, 6)):
                run.act()
            run.open()
        except Exception as failure:
            raise AssertionError(f"seed {seed!r}, script {run.script}: {failure}") from failure
