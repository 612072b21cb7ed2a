"""The cover before the machine sleeps, on a real systemd-logind (section 7).  Needs root."""

import statistics

from kit.acts import RIGHT
from kit.loop import wait_until


def test_fifty_sleeps_are_covered_before_the_inhibitor_goes(desk, make_session):
    """Every time: the prompt shown and the cover up, then the release. The contract has the cover's first frame within
    100 ms of PrepareForSleep(true); `make bench` measures that on a release build, here it is a debug one among other
    tests."""
    session = make_session(activatable=False, real_logind=True).turn_on()
    real, client = session.world.real, session.client
    real.wait_inhibited()
    covered = []
    for count in range(50):
        mark = client.mark()
        frames = desk.watch_for_cover()
        prepared, started = real.suspend()
        client.sync()
        at = frames.stop()
        assert at is not None, "no cover"
        [shown] = client.signals("AuthViewShown", session.lock.path, mark)[:1]
        # What two buses and an X server tell one process is in order to a millisecond or two.
        assert at <= started + 0.002, f"covered {at - started:.4f} s after the release"
        assert shown.at <= started + 0.002, f"shown {shown.at - started:.4f} s after the release"
        assert started - prepared < 3.0
        covered.append((at - prepared) * 1000)
        assert session.is_desktop_hidden
        session.world.manager(client).wait_for("SessionState", "active")
        assert session.lock.outcome(RIGHT) == "accepted"
        session.wait_open()
        real.wait_inhibited()
        if count == 2:
            wait_until(lambda: session.holds[1] == 0, 5, "prompt and cover to end")
            before = session.holds
    wait_until(lambda: session.holds == before, 5, f"all to be given back: {before}, not {session.holds}")
    covered.sort()
    print(f"PrepareForSleep to the cover: median {statistics.median(covered):.1f} ms, p95 {covered[46]:.1f} ms")
    assert statistics.median(covered) < 250


def test_a_display_that_is_gone_holds_no_sleep_up(desk, make_session):
    """Prompts are tried, and end; a sleep would wait for each of them for as long as it may."""
    session = make_session(activatable=False, real_logind=True, env={"DISPLAY": ":9999"}).turn_on()
    real = session.world.real
    real.wait_inhibited()
    prepared, started = real.suspend()
    assert started - prepared < 2.0, "logind grants five, and three are waited for"
    session.world.manager(session.client).wait_for("SessionState", "active")
    assert session.lock.authenticated is False
    assert session.lock.outcome(RIGHT) == "accepted"
