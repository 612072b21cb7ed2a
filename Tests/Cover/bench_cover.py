"""PrepareForSleep(true) to the cover's first frame, on a real systemd-logind and on the release build: section 12."""

import os
import statistics

from desk.session import REPOSITORY
from kit.acts import RIGHT

ROUNDS = 30


def test_the_cover_is_there_within_100_ms_of_the_announcement(desk, make_session, monkeypatch):
    release = os.path.join(REPOSITORY, ".build", "release", "smileauthd")
    if os.path.exists(release):
        # Prompt and cover are the ones beside it.
        monkeypatch.setenv("SMILEAUTHD", release)
    session = make_session(activatable=False, real_logind=True).turn_on()
    real, client = session.world.real, session.client
    covered, shown = [], []
    for _ in range(ROUNDS):
        real.wait_inhibited()
        mark = client.mark()
        watch = desk.watch_for_cover()
        prepared, _ = real.suspend()
        client.sync()
        covered.append((watch.stop() - prepared) * 1000)
        shown.append((client.signals("AuthViewShown", session.lock.path, mark)[0].at - prepared) * 1000)
        session.world.manager(client).wait_for("SessionState", "active")
        assert session.lock.outcome(RIGHT) == "accepted"
        session.wait_open()
    print(
        f"PrepareForSleep to the cover: median {statistics.median(covered):.1f} ms, worst {max(covered):.1f} ms; "
        f"to the prompt: median {statistics.median(shown):.1f} ms, worst {max(shown):.1f} ms"
    )
    assert statistics.median(covered) <= 100 and statistics.median(shown) <= 100
