"""Bad input: a named error each, and the service lives (sections 1, 5 and 11)."""

import os
import socket
import tempfile
import time

import dbus
import pytest

from kit import names
from kit.acts import RIGHT, snapshot, turn_on
from kit.client import Failure
from kit.objects import refused

LONG = "9" * 5000
MEGABYTE = "x" * 1_000_000


@pytest.fixture
def locked(desk, client):
    app = turn_on(desk.app("org.example.App", client))
    app.lock()
    return app


def test_strings_over_four_kilobytes(desk, client, locked):
    for long in (LONG, MEGABYTE):
        refused("LimitsExceeded", locked.submit, long)
        refused("LimitsExceeded", locked.verify, long)
        refused("LimitsExceeded", locked.set_passcode, long, "1111")
        refused("LimitsExceeded", locked.set_passcode, RIGHT, long)
        refused("LimitsExceeded", locked.clear_passcode, long)
        refused("LimitsExceeded", locked.present, long)
        refused("LimitsExceeded", locked.authenticate, long)
        refused("LimitsExceeded", locked.present, "touchid", reason=long)
        refused("LimitsExceeded", locked.present, "touchid", unknown_key=long)
        refused("LimitsExceeded", desk.manager(client).get_authenticator, long)
        refused("LimitsExceeded", desk.manager(client).remove, long)
    assert locked.get("FailCount") == 0
    assert locked.outcome(RIGHT) == "accepted"


def test_many_small_options_are_too_large_together(locked):
    refused("LimitsExceeded", locked.present, "touchid", **{f"option_{i}": "x" * 50 for i in range(1000)})


def test_four_kilobytes_are_taken(desk, client):
    app = desk.app("org.example.Text", client)
    turn_on(app, "correct horse", kind="text")
    app.lock()
    assert app.outcome("y" * 4096) == "wrong"


def test_reasons_with_nul_and_bidi(locked):
    # A NUL cannot be in a string of the bus; libdbus drops whoever sends one.
    locked.cancel()
    for reason in ("\u202eevil\u202c", "a\u2066b\u2069", "\x01\x02\x7f\x9b", "\u200f\u061c", "\n\r\t", "\ufeff"):
        assert locked.present("touchid", reason=reason) is True
        shown = locked.view()["reason"]
        assert not [
            c
            for c in shown
            if ord(c) < 32
            or 0x7F <= ord(c) < 0xA0
            or c in "\u202a\u202b\u202c\u202d\u202e" "\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
        ], repr(shown)
        locked.cancel()


def test_a_message_with_a_nul_costs_its_sender_only(desk, locked):
    """Raw bytes on the wire: a string with a NUL inside, and one that is no UTF-8."""
    for body in (b"\x05\0\0\0ab\0cd\0", b"\x04\0\0\0\xff\xfe\xfd\xfc\0"):
        raw = socket.socket(socket.AF_UNIX)
        raw.settimeout(5)
        raw.connect(desk.bus.socket)
        raw.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
        raw.recv(1000)
        raw.sendall(b"BEGIN\r\n")
        raw.sendall(
            message(1, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", "", b"")
        )
        raw.recv(4096)
        raw.sendall(message(2, names.BUS_NAME, locked.path, names.AUTHENTICATOR, "VerifyPasscode", "s", body))
        try:
            while raw.recv(4096):
                pass
        except socket.timeout:
            pass
        raw.close()
    assert locked.get("FailCount") == 0


def message(serial, destination, path, interface, member, signature, body):
    """A method call as bytes, little-endian."""

    def string(value):
        data = value.encode()
        return len(data).to_bytes(4, "little") + data + b"\0"

    fields = b""
    for code, kind, value in ((1, b"o", path), (2, b"s", interface), (3, b"s", member), (6, b"s", destination)):
        fields += b"\0" * (-len(fields) % 8) + bytes([code]) + b"\x01" + kind + b"\0" + string(value)
    if signature:
        fields += b"\0" * (-len(fields) % 8) + b"\x08\x01g\0" + bytes([len(signature)]) + signature.encode() + b"\0"
    head = b"l\x01\0\x01" + len(body).to_bytes(4, "little") + serial.to_bytes(4, "little")
    head += len(fields).to_bytes(4, "little") + fields
    return head + b"\0" * (-len(head) % 8) + body


# Descriptors


@pytest.fixture(params=["SubmitPasscodeFd", "ResetFd"])
def member(request):
    return request.param


def test_descriptors_that_cannot_be_read(locked, member):
    writable = os.open("/dev/null", os.O_WRONLY)
    reader, writer = os.pipe()
    for fd in (
        os.open("/", os.O_RDONLY),
        os.open("/", os.O_PATH),
        os.open("/dev/null", os.O_PATH),
        writable,
        writer,
        os.open("/", os.O_RDONLY | os.O_DIRECTORY),
    ):
        refused(names.INVALID_ARGS, locked.submit_fd, fd, member)
        os.close(fd)
    os.close(reader)
    assert locked.get("FailCount") == 0


def test_a_descriptor_that_does_not_end(locked, member):
    reader, writer = os.pipe()
    os.write(writer, b"24")
    began = time.monotonic()
    pending = locked.start(member, "h", dbus.types.UnixFd(reader))
    # Meanwhile others are served.
    assert locked.get("FailCount") == 0
    assert time.monotonic() - began < 0.5
    refused(names.INVALID_ARGS, pending.wait)
    assert 0.8 < time.monotonic() - began < 2.5
    for fd in (reader, writer):
        os.close(fd)


def test_endless_and_large_descriptors(locked, member):
    endless = os.open("/dev/zero", os.O_RDONLY)
    refused("LimitsExceeded", locked.submit_fd, endless, member)
    os.close(endless)
    for size, short in ((4097, "LimitsExceeded"), (100_000, "LimitsExceeded")):
        with tempfile.TemporaryFile() as file:
            file.write(b"1" * size)
            file.seek(0)
            refused(short, locked.submit_fd, file.fileno(), member)


def test_sockets_memfds_and_files_are_read_to_their_end(locked):
    ours, theirs = socket.socketpair()
    ours.sendall(RIGHT.encode())
    ours.shutdown(socket.SHUT_WR)
    assert locked.submit_fd(theirs.fileno())[0] == "accepted"
    locked.lock()
    memory = os.memfd_create("entry")
    os.write(memory, RIGHT.encode() + b"\n")
    os.lseek(memory, 0, os.SEEK_SET)
    assert locked.submit_fd(memory)[0] == "accepted"
    os.close(memory)
    locked.lock()
    with tempfile.TemporaryFile() as file:
        file.write(RIGHT.encode())
        file.seek(0)
        assert locked.submit_fd(file.fileno())[0] == "accepted"


def test_an_entry_in_pieces(locked):
    reader, writer = os.pipe()
    pending = locked.start("SubmitPasscodeFd", "h", dbus.types.UnixFd(reader))
    os.close(reader)
    for digit in RIGHT:
        os.write(writer, digit.encode())
        locked.get("FailCount")
    os.close(writer)
    assert pending.wait()[0] == "accepted"


def open_descriptors(desk):
    return len(os.listdir(f"/proc/{desk.service.pid}/fd"))


def test_no_descriptor_is_kept(desk, client, locked):
    def use():
        for member in ("SubmitPasscodeFd", "ResetFd"):
            for fd in (os.open("/", os.O_RDONLY), os.open("/dev/zero", os.O_RDONLY), os.open("/dev/null", os.O_WRONLY)):
                try:
                    locked.submit_fd(fd, member)
                except Failure:
                    pass
                os.close(fd)
        # Where none is taken.
        for interface, at, other in (
            (names.AUTHENTICATOR, locked.path, "VerifyPasscode"),
            (names.MANAGER, names.ROOT, "GetAuthenticator"),
            (names.PROPERTIES, locked.path, "Get"),
            (names.PEER, names.ROOT, "Ping"),
        ):
            fd = os.open("/dev/null", os.O_RDONLY)
            try:
                client.call(at, interface, other, "h", dbus.types.UnixFd(fd))
            except Failure:
                pass
            os.close(fd)

    use()
    before = open_descriptors(desk)
    for _ in range(10):
        use()
    client.sync()
    assert open_descriptors(desk) <= before


def test_descriptors_elsewhere_are_invalid_arguments(client, locked):
    fd = os.open("/dev/null", os.O_RDONLY)
    refused(
        names.INVALID_ARGS, client.call, locked.path, names.AUTHENTICATOR, "VerifyPasscode", "h", dbus.types.UnixFd(fd)
    )
    refused(
        names.INVALID_ARGS,
        client.call,
        locked.path,
        names.AUTHENTICATOR,
        "Present",
        "sa{sv}",
        "touchid",
        dbus.Dictionary({"reason": dbus.types.UnixFd(fd)}, signature="sv"),
    )
    refused(names.INVALID_ARGS, client.call, locked.path, names.AUTHENTICATOR, "Hold", "h", dbus.types.UnixFd(fd))
    os.close(fd)


def test_strange_options(locked):
    before = snapshot(locked)
    deep = dbus.String("x", variant_level=20)
    locked.present("touchid", something=deep)
    locked.present("touchid", **{"": "empty key", "ü": 1})
    refused(names.INVALID_ARGS, locked.present, "touchid", ui=deep)
    refused(names.INVALID_ARGS, locked.present, "touchid", ui=dbus.Array([], signature="s"))
    assert snapshot(locked) == before
