"""A Wayland compositor of the tests' own, compiled from compositor.c: no packaged one of this distribution has the
session lock.  It enforces the protocol's rules, keeps what each output shows, and plays a person's keys, pointer and
fingers."""

import os
import subprocess
import threading
import time

RIGS = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(RIGS))
PROTOCOL = os.path.join(ROOT, "Sources", "CWayland", "ext-session-lock-v1.xml")
SOURCE = os.path.join(RIGS, "compositor.c")

#: X's names of the characters that tests type.
NAMES = {" ": "space", "-": "minus", "!": "exclam", ".": "period", ",": "comma", "/": "slash", "ä": "adiaeresis",
         "é": "eacute", "€": "EuroSign", "ß": "ssharp", "ñ": "ntilde"}


def program():
    """The compositor, compiled where it is not there yet or older than its source."""
    folder = os.path.join(ROOT, ".build", "tests")
    path = os.path.join(folder, "compositor")
    newest = max(os.path.getmtime(SOURCE), os.path.getmtime(PROTOCOL))
    if os.path.exists(path) and os.path.getmtime(path) > newest:
        return path
    os.makedirs(folder, exist_ok=True)
    own = f"{path}.{os.getpid()}.{threading.get_ident()}"
    header, code = own + "-h", own + ".c"
    os.makedirs(header, exist_ok=True)
    scan = ["wayland-scanner", "-s"]
    subprocess.run([*scan, "server-header", PROTOCOL, header + "/ext-session-lock-v1-server-protocol.h"], check=True)
    subprocess.run([*scan, "private-code", PROTOCOL, code], check=True)
    subprocess.run(
        ["gcc", "-O1", "-Wall", "-Wextra", "-I", header, "-o", own, SOURCE, code, "-lwayland-server", "-lxkbcommon"],
        check=True)
    # In one step: another worker may start it now.
    os.rename(own, path)
    os.remove(code)
    subprocess.run(["rm", "-r", header], check=True)
    return path


class Compositor:
    """Runs in `env`'s XDG_RUNTIME_DIR as the display `name`; `layout` is a keyboard's, with its variant after a
    colon."""

    def __init__(self, env, outputs=(("one", 1024, 768, 1),), layout="us", lock=True, name="wayland-tests"):
        self.name = name
        self.events = []
        self.grown = threading.Condition()
        self.process = subprocess.Popen(
            [program(), name, layout, *([] if lock else ["no-lock"])], env=env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, bufsize=1)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.expect("ready")
        for output in outputs:
            self.add(*output)

    def _read(self):
        # Each line begins with its moment: this thread may be late.
        for line in self.process.stdout:
            moment, text = line.rstrip("\n").split(" ", 1)
            with self.grown:
                self.events.append((float(moment), text))
                self.grown.notify_all()

    # What happens.

    @property
    def mark(self):
        return len(self.events)

    def said(self, start, since=0):
        """All events that begin so."""
        return [line for _, line in self.events[since:] if line.startswith(start)]

    def expect(self, start, count=1, seconds=5.0, since=0):
        """The last of `count` events that begin so, once they are there."""
        deadline = time.monotonic() + seconds
        with self.grown:
            while len(self.said(start, since)) < count:
                left = deadline - time.monotonic()
                assert left > 0 and self.grown.wait(left), f"no {count}. '{start}': {self.events[since:]}"
            return self.said(start, since)[count - 1]

    def moment(self, start, since=0):
        """When the first event that begins so came, by the monotonic clock."""
        return next(when for when, line in self.events[since:] if line.startswith(start))

    @property
    def errors(self):
        return self.said("error")

    # Orders.

    def order(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, answer):
        mark = self.mark
        self.order(line)
        return self.expect(answer, since=mark)

    @property
    def state(self):
        words = self.ask("state", "state").split()[1:]
        return {key: int(value) for key, value in (word.split("=") for word in words)}

    @property
    def locked(self):
        return self.state["locked"] == 1

    def add(self, name, width=1024, height=768, scale=1):
        self.order(f"output add {name} {width} {height} {scale}")

    def key(self, *names):
        for name in names:
            self.order(f"key {name}")

    def type(self, text):
        self.key(*(NAMES.get(letter, letter) for letter in text))

    def move(self, x, y, output="one"):
        self.order(f"pointer {output} {x} {y}")

    def press(self, button=0x110):
        self.order(f"button {button} 1")

    def release(self, button=0x110):
        self.order(f"button {button} 0")

    def click(self, x, y, output="one"):
        self.move(x, y, output)
        self.press()
        self.release()

    def touch(self, kind, x=0, y=0, output="one", finger=1):
        self.order(f"touch {kind} {finger} {output} {x} {y}")

    def dump(self, path, output="one"):
        """Width, height and RGB bytes of what an output shows."""
        answer = self.ask(f"dump {output} {path}", "dumped")
        assert answer != "dumped nothing", f"nothing on {output}"
        with open(path, "rb") as file:
            data = file.read()
        width, height = (int(word) for word in answer.split()[1:])
        return width, height, data[len(data) - width * height * 3 :]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.reader.join()
        self.process.stdout.close()
