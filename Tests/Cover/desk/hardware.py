"""A real Xorg on a card that shows nothing, with a keyboard and a touch screen that the test plays (inputtest(4))."""

import os
import socket
import struct
import tempfile

from .screen import Screen

_XORG = "/usr/lib/xorg/Xorg"
_CONFIG = """
Section "ServerFlags"
    Option "AutoAddDevices" "false"
    Option "DontVTSwitch" "true"
EndSection
Section "Device"
    Identifier "card"
    Driver "dummy"
EndSection
Section "Screen"
    Identifier "screen"
    Device "card"
    DefaultDepth 24
    SubSection "Display"
        Modes "1024x768"
    EndSubSection
EndSection
Section "InputDevice"
    Identifier "keys"
    Driver "inputtest"
    Option "SocketPath" "{folder}/keys"
    Option "DeviceType" "Keyboard"
EndSection
Section "InputDevice"
    Identifier "touch"
    Driver "inputtest"
    Option "SocketPath" "{folder}/touch"
    Option "DeviceType" "Touch"
    Option "TouchCount" "5"
EndSection
Section "ServerLayout"
    Identifier "layout"
    Screen "screen"
    InputDevice "keys" "CoreKeyboard"
    InputDevice "touch" "CorePointer"
EndSection
"""
_VERSION, _SYNC, _KEY, _TOUCH = 0, 1, 5, 6
BEGIN, UPDATE, END = 18, 19, 20
# What an absolute axis of the driver's counts up to.
_FULL = 0xFFFF


class Device:
    """The socket of one played device."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.send(_VERSION, struct.pack("=HH", 1, 1))
        assert struct.unpack("=IIHH", self.socket.recv(64))[1] == 0

    def send(self, kind, body):
        self.socket.sendall(struct.pack("=II", 8 + len(body), kind) + body)

    def sync(self):
        self.send(_SYNC, b"")
        self.socket.recv(64)

    def close(self):
        self.socket.close()


class Hardware(Screen):
    def __init__(self):
        folder = tempfile.mkdtemp(prefix="sx-")
        config = os.path.join(folder, "xorg.conf")
        with open(config, "w") as file:
            file.write(_CONFIG.format(folder=folder))
        super().__init__(
            folder,
            server=(_XORG, "-config", config, "-logfile", os.path.join(folder, "xorg.log"), "-novtswitch", "-sharevts"),
        )
        root = self.me.attributes(self.me.root)
        self.size = (root.width, root.height)
        self.keys = Device(os.path.join(folder, "keys"))
        self.panel = Device(os.path.join(folder, "touch"))

    def press(self, name):
        code = self.me.keycode(name)
        for is_press in (1, 0):
            self.keys.send(_KEY, struct.pack("=iI", code, is_press))
        self.keys.sync()

    def touch(self, kind, x, y, finger=0):
        values = [(position + 0.5) * (_FULL + 1) / extent for position, extent in zip((x, y), self.size)]
        values += [0.0] * (64 - len(values))
        # Which valuators are given, as bits; the doubles after them are aligned.
        body = struct.pack("=III8s4x", finger, kind, 0, bytes([0b11]) + bytes(7))
        self.panel.send(_TOUCH, body + struct.pack("=64d", *values) + bytes(64 * 8))
        self.panel.sync()

    def close(self):
        self.keys.close()
        self.panel.close()
        super().close()
