"""How long after the sensor has taken a finger the lock is open (the figure itself is in Tests/Benchmarks)."""

import statistics

import pytest

from kit.fingers import latency, locked_app


@pytest.mark.parametrize("sensing", ["verifies", "identifies", "fprintd", "chip"], indirect=True)
def test_a_finger_opens_at_once(sensing):
    app = locked_app(sensing)
    times = [latency(sensing, app) for _ in range(21)]
    assert statistics.median(times) <= 0.05, times
