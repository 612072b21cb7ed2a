"""A prompt's end of its feed, and the messages that come through it."""

import select
import socket
import struct
from collections import namedtuple

Key = namedtuple("Key", "keysym modifiers phase text")
Pointer = namedtuple("Pointer", "x y kind button")
Touch = namedtuple("Touch", "x y kind id")
#: Something before it is lost.
Gap = "gap"
RELEASE, PRESS, REPETITION = range(3)
MOTION, BUTTON_PRESS, BUTTON_RELEASE, LEAVE = range(4)


def parse(datagram):
    letter = datagram[:1]
    if datagram == b"g":
        return Gap
    if letter == b"k":
        keysym, modifiers, phase = struct.unpack_from("<IIB", datagram, 1)
        return Key(keysym, modifiers, phase, datagram[10:].decode())
    x, y, kind, number = struct.unpack("<iiBI", datagram[1:])
    return {b"p": Pointer, b"t": Touch}[letter](x, y, kind, number)


class Feed:
    def __init__(self):
        self.ours, self.covers = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def close(self):
        self.ours.close()
        self.covers.close()

    def next(self, seconds=5.0):
        """The next message; None when there is none within the time."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return None
        datagram = self.ours.recv(256)
        return parse(datagram) if datagram else None

    def all(self, quiet=0.3):
        """Every message until none comes for a while."""
        messages = []
        while (message := self.next(quiet)) is not None:
            messages.append(message)
        return messages

    def typed(self, quiet=0.3):
        return "".join(message.text for message in self.all(quiet) if isinstance(message, Key))
