"""A desk on Wayland: a session bus and a compositor of the test's own."""

import os
import sys

from .desk import Desk

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Rigs"))

from compositor import Compositor  # noqa: E402


class WaylandDesk(Desk):
    """`outputs` are name, width, height and scale; without `lock` the compositor does not offer it."""

    def __init__(self, outputs=(("one", 1024, 768, 1),), layout="us", lock=True, env=None):
        super().__init__(size=None, manager=False, env={"WAYLAND_DISPLAY": "wayland-tests", **(env or {})})
        os.mkdir(os.path.join(self.env["XDG_RUNTIME_DIR"], "smileauth"), 0o700)
        self.compositor = Compositor(self.env, outputs, layout, lock)

    @property
    def mark(self):
        """Where the prompt notes that the compositor has locked for it."""
        return os.path.join(self.env["XDG_RUNTIME_DIR"], "smileauth", "screen-locked")

    def close(self):
        self.compositor.close()
        super().close()
