"""The udev rule, by a real udev with libfprint's own hwdb, in a /sys made up for the purpose."""

import os
import re
import subprocess

import pytest

from kit.world import REPOSITORY

NAME = "71-smileauth-fingerprint.rules"
RULE = os.path.join(REPOSITORY, "desktop", NAME)
HWDB = "/usr/lib/udev/hwdb.d/60-autosuspend-libfprint-2.hwdb"

# The folders, as a namespace of its own sees them; then every device that is named, one after another.
SCRIPT = """
set -e
mount --bind "$1/etc" /etc/udev
mount -t tmpfs none /run
mount --bind "$1/sys" /sys
shift
systemd-hwdb update
for device; do
    echo "== $device"
    SYSTEMD_DEVICE_VERIFY_SYSFS=0 udevadm test "/sys/devices/usb1/$device" 2>&1
done
"""


class Machine:
    """USB devices by vendor and product id, and the answers of udev for each."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.rules = os.path.join(self.folder, "etc", "rules.d")
        os.makedirs(self.rules)
        os.makedirs(os.path.join(self.folder, "sys", "bus", "usb"))
        self.devices = []

    def install(self, text):
        with open(os.path.join(self.rules, NAME), "w") as file:
            file.write(text)

    def plug(self, vendor, product, kind="usb_device"):
        name = f"1-{len(self.devices) + 1}"
        folder = os.path.join(self.folder, "sys", "devices", "usb1", name)
        os.makedirs(folder)
        os.symlink("../../../bus/usb", os.path.join(folder, "subsystem"))
        number = len(self.devices) + 1
        files = {
            "uevent": f"MAJOR=189\nMINOR={number}\nDEVNAME=bus/usb/001/{number:03}\nDEVTYPE={kind}\n",
            "idVendor": f"{vendor:04x}\n",
            "idProduct": f"{product:04x}\n",
            "bcdDevice": "0100\n",
            "manufacturer": "Maker\n",
            "product": "Product\n",
        }
        for file, text in files.items():
            with open(os.path.join(folder, file), "w") as out:
                out.write(text)
        with open(os.path.join(folder, "descriptors"), "wb") as out:
            out.write(bytes([18, 1, 0, 2, 255, 0, 0, 64]) + vendor.to_bytes(2, "little") + product.to_bytes(2, "little"))
            out.write(bytes([0, 1, 1, 2, 0, 1, 9, 2, 18, 0, 1, 1, 0, 128, 50, 9, 4, 0, 0, 0, 255, 0, 0, 0]))
        self.devices.append(name)
        return name

    def ask(self):
        """What udev says of each device."""
        os.makedirs("/etc/udev", exist_ok=True)
        done = subprocess.run(
            ["unshare", "--mount", "bash", "-c", SCRIPT, "bash", self.folder, *self.devices],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout
        answers = dict(re.findall(r"^== (\S+)\n(.*?)(?=^== |\Z)", done.stdout, re.S | re.M))
        assert list(answers) == self.devices
        return answers


def is_given(answer):
    """Whether the seat's user gets it: the tag, and udev's own rule that acts on it."""
    return (
        re.search(r"^(CURRENT_)?TAGS=.*:uaccess:", answer, re.M) is not None
        and re.search(r"73-seat-late\.rules:\d+ RUN 'uaccess'", answer) is not None
    )


def complaints(answer):
    return [line for line in answer.splitlines() if NAME in line and re.search(r"nvalid|nknown|gnoring", line)]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def supported():
    """(vendor, product) of every sensor on USB that this libfprint has a driver for."""
    with open(HWDB) as file:
        text = file.read().split("# Known unsupported devices")[0]
    return [(int(v, 16), int(p, 16)) for v, p in re.findall(r"^usb:v([0-9A-F]{4})p([0-9A-F]{4})\*", text, re.M)]


def rule():
    with open(RULE) as file:
        return file.read()


def test_every_sensor_of_libfprint_is_the_seats(machine):
    machine.install(rule())
    sensors = supported()
    assert len(sensors) > 100
    # Each driver's first and last, and a sample: udev takes a tenth of a second for each.
    chosen = sensors[::8] + sensors[-1:]
    for vendor, product in chosen:
        machine.plug(vendor, product)
    answers = machine.ask()
    assert [name for name in machine.devices if not is_given(answers[name])] == []
    assert [line for answer in answers.values() for line in complaints(answer)] == []


def test_nothing_else_is(machine):
    machine.install(rule())
    keyboard = machine.plug(0x046D, 0xC31C)
    stick = machine.plug(0x0781, 0x5567)
    token = machine.plug(0x1050, 0x0407)
    part = machine.plug(*supported()[0], kind="usb_interface")
    answers = machine.ask()
    assert [name for name in (keyboard, stick, token, part) if is_given(answers[name])] == []


def test_without_the_rule_no_sensor_is(machine):
    machine.install("")
    sensor = machine.plug(*supported()[0])
    assert not is_given(machine.ask()[sensor])


def test_a_slip_in_it_would_be_seen(machine):
    machine.install(rule().replace("TAG+=", "TAGS+="))
    sensor = machine.plug(*supported()[0])
    answer = machine.ask()[sensor]
    assert complaints(answer) != []
    assert not is_given(answer)


def test_make_installs_and_removes_it(tmp_path):
    # Not the programs: those want a release build.
    for target, there in (("install", True), ("uninstall", False)):
        plan = subprocess.run(
            ["make", "-n", "-C", REPOSITORY, target, f"DESTDIR={tmp_path}"], stdout=subprocess.PIPE, text=True, check=True
        ).stdout.replace("\\\n", " ")
        lines = [line for line in plan.splitlines() if NAME in line]
        assert len(lines) == 1, plan
        subprocess.run(["sh", "-ec", lines[0]], cwd=REPOSITORY, check=True)
        assert os.path.exists(f"{tmp_path}/usr/local/lib/udev/rules.d/{NAME}") == there
