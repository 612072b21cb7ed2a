"""A desk on Wayland: a session bus and a compositor of the test's own."""

import os
import sys

from .desk import Desk
from .processes import poll_until

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Rigs"))

from compositor import Compositor  # noqa: E402


class WaylandDesk(Desk):
    """`outputs` are name, width, height and scale; without `lock` the compositor does not offer it.

    `size` is that of an X display beside, None for none.
    """

    def __init__(self, outputs=(("one", 1024, 768, 1),), layout="us", lock=True, env=None, size=None):
        super().__init__(size=size, manager=False, env={"WAYLAND_DISPLAY": "wayland-tests", **(env or {})})
        os.mkdir(os.path.join(self.env["XDG_RUNTIME_DIR"], "smileauth"), 0o700)
        self.compositor = Compositor(self.env, outputs, layout, lock)

    @property
    def mark(self):
        """Where the prompt notes that the compositor has locked for it."""
        return os.path.join(self.env["XDG_RUNTIME_DIR"], "smileauth", "screen-locked")

    def shot(self, path, output="one"):
        raw = path + ".ppm"
        self.compositor.dump(raw, output)
        self.run("convert", raw, path)
        os.remove(raw)

    def close(self):
        self.compositor.close()
        super().close()


class WestonDesk(Desk):
    """A desk on Weston, a real compositor without the session lock, that shows nothing."""

    def __init__(self):
        super().__init__(size=None, manager=False, env={"WAYLAND_DISPLAY": "wayland-weston", "GTK_A11Y": "none"})
        self.start(
            "weston", "--backend=headless-backend.so", "--use-pixman", "--no-config", "--idle-time=0", "--width=800",
            "--height=600", "--socket=wayland-weston",
        )
        socket = os.path.join(self.env["XDG_RUNTIME_DIR"], "wayland-weston")
        poll_until(lambda: os.path.exists(socket), what="Weston", seconds=20)
