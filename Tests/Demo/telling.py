"""How the demo tells what happens: one line for each call, reply, signal and property change, as it comes."""

import os
import sys
import time

from kit import names
from kit.client import Client


class Difference(Exception):
    """A step showed something else than it must."""


def shown(value):
    """A value as a person reads it."""
    if value is None:
        return "()"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shown(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(map(shown, value)) + ")"
    return f"{value:g}" if isinstance(value, float) else str(value)


class Teller:
    COLORS = {"call": "36", "reply": "36", "changed": "33", "signal": "32", "logind": "35", "ok": "32", "failed": "31"}

    def __init__(self):
        self.color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self.began = time.monotonic()

    def _paint(self, code, text):
        return f"\033[{code}m{text}\033[0m" if self.color else text

    def _line(self, word, text):
        elapsed = time.monotonic() - self.began
        print(
            f"  {elapsed:7.3f}  {self._paint(self.COLORS.get(word, '0'), f'{word:<8}')} {self._cut(text)}", flush=True
        )

    def _cut(self, text, most=96):
        return text if len(text) <= most else text[: most - 3] + "..."

    def begin(self, text):
        print(self._paint("1", text), flush=True)

    def step(self, number, title):
        print("\n" + self._paint("1", f"{number}. {title}"), flush=True)

    def call(self, text):
        self._line("call", text)

    def reply(self, text):
        self._line("reply", text)

    def other(self, who, text):
        self._line(who, text)

    def checked(self, text):
        self._line("ok", text)

    def failed(self, text):
        print(self._paint("31", f"\nDifferent: {text}"), file=sys.stderr, flush=True)

    def done(self, text):
        print("\n" + self._paint("1;32", text), flush=True)


class TellingClient(Client):
    """Prints signals and property changes the moment they arrive."""

    def __init__(self, address, teller):
        self.tell = teller
        super().__init__(address)

    def _signal(self, message):
        before = len(self.events)
        super()._signal(message)
        for event in self.events[before:]:
            where = event.path[len(names.ROOT) :].lstrip("/") or "manager"
            if event.kind == "changed":
                for name, value in event.arguments[1].items():
                    self.tell.other("changed", f"{name} = {shown(value)}   ({where})")
            else:
                arguments = ", ".join("{...}" if isinstance(a, dict) else shown(a) for a in event.arguments)
                self.tell.other("signal", f"{event.name}({arguments})   ({where})")
