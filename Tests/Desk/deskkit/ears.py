"""What a screen reader's user hears of the window, and what is found in it by name."""

import json
import os
import select
import subprocess
import time

READER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reader.py")


class Ears:
    def __init__(self, env, log):
        self.log = log
        with open(log, "wb") as words:
            self.program = subprocess.Popen(
                ["/usr/bin/python3", READER], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=words
            )
        assert self._line(20) == b"ready\n"

    def _line(self, seconds=10):
        ready, _, _ = select.select([self.program.stdout], [], [], seconds)
        if not ready:
            with open(self.log) as words:
                raise AssertionError("the screen reader says nothing: " + words.read())
        return self.program.stdout.readline()

    def _ask(self, what):
        answer = None
        while answer is None:
            self.program.stdin.write(what.encode() + b"\n")
            self.program.stdin.flush()
            answer = json.loads(self._line(20))
        return answer

    def tree(self):
        """Everything in the prompts' windows: role, name, description, states, box (in the window), value."""
        return self._ask("tree")

    def events(self):
        """What came up, was renamed or got the focus so far: kind, role, text."""
        return self._ask("events")

    def visible(self):
        return [item for item in self.tree() if "visible" in item["states"]]

    def find(self, name, role=None, seconds=10, **states):
        """The visible thing with this name (a string, or a function of it), once it is there.

        `states`: whether it has them, such as sensitive=False.
        """
        is_it = name if callable(name) else lambda found: found == name
        deadline = time.monotonic() + seconds
        while True:
            tree = self.visible()
            for item in tree:
                if not is_it(item["name"]) or role and item["role"] != role:
                    continue
                if all((state in item["states"]) == wanted for state, wanted in states.items()):
                    return item
            if time.monotonic() > deadline:
                names = [(item["role"], item["name"], item["states"]) for item in tree if item["name"]]
                raise AssertionError(f"no {role or 'thing'} {name} {states} in {names}")
            time.sleep(0.05)

    def none(self, name, seconds=10):
        """Waits until nothing visible has this name."""
        deadline = time.monotonic() + seconds
        while any(item["name"] == name for item in self.visible()):
            assert time.monotonic() < deadline, f"{name} is still there"
            time.sleep(0.05)

    def announced(self, words, seconds=10):
        """Waits until these words were told in an alert, and with what has the focus, which a reader says by itself."""
        self._told(lambda event: event["role"] == "alert" and event["text"] == words, words, seconds)
        described = "object:property-change:accessible-description"
        self._told(lambda event: event["kind"] == described and event["text"].startswith(words), words, seconds)

    def _told(self, condition, words, seconds):
        deadline = time.monotonic() + seconds
        while not any(condition(event) for event in self.events()):
            assert time.monotonic() < deadline, f"{words} was not announced, but {self.events()[-12:]}"
            time.sleep(0.05)

    def close(self):
        self.program.kill()
        self.program.wait()
