"""Programs on a terminal of their own: what a person types, and what the screen gets back."""

import os
import pty
import re
import termios

from .loop import wait_until
from .processes import Program

_CONTROL = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    def __init__(self, world, arguments, name="terminal", env=None):
        self.master, self.slave = pty.openpty()
        self.seen = b""
        # A session of its own, so that the terminal is the controlling one and Control-C reaches the program.
        self.program = Program(
            ["setsid", "-c", "-w", *arguments],
            {**world.env, "TERM": "xterm", **(env or {})},
            os.path.join(world.folder, name + ".log"),
            stdin=self.slave,
            stdout=self.slave,
        )
        world.programs.append(self.program)
        os.set_blocking(self.master, False)

    def _read(self):
        try:
            while True:
                data = os.read(self.master, 65536)
                if not data:
                    return
                self.seen += data
        except (BlockingIOError, OSError):
            pass

    @property
    def text(self):
        self._read()
        return _CONTROL.sub(b"", self.seen).decode(errors="replace")

    def wait_for(self, *words, seconds=10, after=0):
        """Waits until one of the words is on the screen, looking only at what came after a place in the text."""
        wait_until(lambda: any(w in self.text[after:] for w in words), seconds, f"{words} in {self.text!r}")
        return len(self.text)

    def type(self, line):
        os.write(self.master, line.encode())

    def enter(self, line):
        self.type(line + "\n")

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def end(self, seconds=10):
        """The program's exit status once it has ended by itself."""

        def over():
            self._read()
            return not self.program.running

        wait_until(over, seconds, f"the program's end; the screen: {self.text!r}")
        self._read()
        return self.program.status
