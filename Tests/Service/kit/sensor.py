"""libfprint's virtual sensors, driven through their socket.

The socket is there while somebody has the device open: fprintd, or the service itself where it is given `env`.
A command that comes while nothing is scanned waits for the next scan, until the device is closed.
"""

import os
import socket
import time

from .processes import poll_until

# FpDeviceRetry
GENERAL, TOO_SHORT, CENTER_FINGER, REMOVE_FINGER = range(4)
# Of FpDeviceError
ERROR_GENERAL, ERROR_PROTO, ERROR_DATA_FULL, ERROR_REMOVED = 0, 5, 8, 0x100


class VirtualSensor:
    """The sensor at `path`.  It verifies only; with `storage` it keeps prints itself and identifies."""

    def __init__(self, path, storage=False):
        self.path = path
        self.storage = storage

    @property
    def env(self):
        """What the process that opens the device has to see; for the service itself: `world.extra_env.update(…)`."""
        driver = "virtual_device_storage" if self.storage else "virtual_device"
        return {
            "FP_VIRTUAL_DEVICE_STORAGE" if self.storage else "FP_VIRTUAL_DEVICE": self.path,
            "FP_DRIVERS_WHITELIST": driver,
            "FP_DRIVERS_ALLOWLIST": driver,
        }

    @property
    def is_open(self):
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.path) == 0

    def wait_open(self, seconds=5):
        poll_until(lambda: os.path.exists(self.path), seconds, "the sensor to be opened", step=0.001)
        return self

    def command(self, text, seconds=5):
        """Sends one command and returns what the sensor answers; it has been taken then."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.settimeout(seconds)
                    connection.connect(self.path)
                    connection.sendall(text.encode())
                    answer = b""
                    while piece := connection.recv(4096):
                        answer += piece
                    return answer.decode()
            except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError):
                # It takes one connection at a time, and the socket goes when the device is closed.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.002)

    # A person

    def scan(self, finger):
        """The finger that is called `finger` is put on it: a match where a print was enrolled with the same word."""
        self.command(f"SCAN {finger}")

    def enroll(self, finger, stages=5):
        for _ in range(stages):
            self.scan(finger)

    def retry(self, reason=GENERAL):
        self.command(f"RETRY {reason}")

    def finger(self, present):
        self.command(f"FINGER {int(present)}")

    # Faults

    def error(self, code=ERROR_GENERAL):
        self.command(f"ERROR {code}")

    def sleep(self, milliseconds):
        """The next answer takes so long."""
        self.command(f"SLEEP {milliseconds}")

    def unplug(self):
        self.command("UNPLUG")

    # How it is made

    def set_enroll_stages(self, count):
        self.command(f"SET_ENROLL_STAGES {count}")

    def set_scan_type(self, kind):
        """`press` or `swipe`."""
        self.command(f"SET_SCAN_TYPE {kind}")

    def set_cancellation_enabled(self, enabled):
        self.command(f"SET_CANCELLATION_ENABLED {int(enabled)}")

    # Prints on the device (storage only)

    def insert(self, finger):
        self.command(f"INSERT {finger}")

    def remove(self, finger):
        self.command(f"REMOVE {finger}")

    def list(self):
        return self.command("LIST").split()
