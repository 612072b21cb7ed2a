"""The prompt's end of the channel, in the hands of the test."""

import os
import signal
import socket
import struct

from gi.repository import Gio

from .loop import wait_until

RELAY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "relay_prompt.py")


class Desk:
    """A display with nobody at it: where the service's prompts come up."""

    def __init__(self, world):
        self.path = os.path.join(world.folder, "relay")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(self.path)
        self.listener.listen(16)
        world.extra_env.update(SMILEAUTH_PROMPT=RELAY, PROMPT_RELAY=self.path, DISPLAY=":prompt", SMILEAUTH_COVER="/nonexistent")
        self.prompts = []

    def next(self, seconds=5):
        """The next prompt that is started."""
        self.listener.settimeout(seconds)
        connection, _ = self.listener.accept()
        prompt = Prompt(connection)
        self.prompts.append(prompt)
        return prompt

    def none(self, seconds):
        """That no further prompt comes for so long."""
        self.listener.settimeout(seconds)
        try:
            self.listener.accept()
        except socket.timeout:
            return True
        return False

    def close(self):
        for prompt in self.prompts:
            prompt.connection.close()
        self.listener.close()


class Prompt:
    def __init__(self, connection):
        self.connection = connection
        self.connection.settimeout(5)
        self.pid = int(connection.recv(64))
        self.views = []
        self.outcomes = []
        self.dismissed = None
        self.has_ended = False
        self.answers_pings = True

    # To the service

    def send(self, letter, body=b""):
        self.connection.settimeout(5)
        self.connection.send(letter.encode() + body)

    def hello(self, version=1):
        self.send("H", struct.pack("<I", version))
        return self

    def shown(self):
        self.send("S")
        return self

    def entry(self, text, token=1, letter="E"):
        self.send(letter, struct.pack("<I", token) + text.encode())
        return self.outcome(token)

    def kill(self, number=signal.SIGKILL):
        os.kill(self.pid, number)

    # From the service

    def take(self, seconds=0):
        """Takes in what has come; waits for one datagram at most."""
        self.connection.settimeout(seconds or 0.001)
        try:
            while True:
                datagram = self.connection.recv(1 << 17)
                if not datagram:
                    self.has_ended = True
                    return
                self._take(chr(datagram[0]), datagram[1:])
                self.connection.settimeout(0.001)
        except (socket.timeout, BlockingIOError):
            pass
        except OSError:
            self.has_ended = True

    def _take(self, letter, body):
        arguments = Gio.DBusMessage.new_from_blob(body, Gio.DBusCapabilityFlags.NONE).get_body().unpack()
        if letter == "V":
            self.views.append(arguments[0])
        elif letter == "O":
            self.outcomes.append(arguments)
        elif letter == "D":
            self.dismissed = arguments
        elif letter == "P" and self.answers_pings:
            self.send("P", struct.pack("<I", arguments[0]))

    def wait(self, condition, what, seconds=5):
        def check():
            self.take(0.02)
            return condition()

        wait_until(check, seconds, what)

    def view(self, **values):
        """Waits for a view that has these values, and returns it."""
        self.wait(
            lambda: self.views and all(self.views[-1].get(key) == value for key, value in values.items()),
            f"a view with {values}, not {self.views[-1:]}",
        )
        return self.views[-1]

    def outcome(self, token, seconds=8):
        self.wait(lambda: any(outcome[0] == token for outcome in self.outcomes), f"an answer to {token}", seconds)
        return next(outcome for outcome in self.outcomes if outcome[0] == token)[1]

    def ended(self, seconds=5):
        self.wait(lambda: self.has_ended, "the prompt to end", seconds)
