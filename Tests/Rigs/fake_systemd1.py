#!/usr/bin/python3
"""Just enough of org.freedesktop.systemd1 for a real systemd-logind on a private bus.

Every *.target/*.service/*.scope/*.slice is 'loaded'; StartUnit/StartTransientUnit/StopUnit return a
job and emit JobRemoved(uoss "done").  Scopes really get a cgroup below CGROOT (so that
GetSessionByPID / sd_pid_get_session work).  suspend.target's job takes SLEEP_SECS (default 0.5):
logind emits PrepareForSleep(false) when that job is removed.
"""

import os, sys, dbus, dbus.service, dbus.mainloop.glib
from gi.repository import GLib

CGROOT = os.environ.get("CGROOT") or next(l.split()[4] for l in open("/proc/self/mountinfo") if " - cgroup2 " in l)
SLEEP_SECS = float(os.environ.get("SLEEP_SECS", "0.5"))
I = "org.freedesktop.systemd1.Manager"
P = "/org/freedesktop/systemd1"


def esc(n):
    return "".join(c if c.isalnum() and not (i == 0 and c.isdigit()) else "_%02x" % ord(c) for i, c in enumerate(n))


def unesc(s):
    out, i = "", 0
    while i < len(s):
        if s[i] == "_":
            out += chr(int(s[i + 1 : i + 3], 16))
            i += 3
        else:
            out += s[i]
            i += 1
    return out


cg = {}
state = {}


class Manager(dbus.service.Object):
    job = 0

    def done(self, name, secs=0.0):
        Manager.job += 1
        j = Manager.job
        path = dbus.ObjectPath(f"{P}/job/{j}")

        def fire():
            self.JobRemoved(dbus.UInt32(j), path, name, "done")
            return False

        GLib.timeout_add(max(1, int(secs * 1000)), fire)
        return path

    @dbus.service.method(I, in_signature="", out_signature="")
    def Subscribe(self):
        pass

    @dbus.service.method(I, in_signature="", out_signature="")
    def Unsubscribe(self):
        pass

    @dbus.service.method(I, in_signature="ss", out_signature="o")
    def StartUnit(self, name, mode):
        print("StartUnit", name, flush=True)
        state[name] = "active"
        sleep = name in ("suspend.target", "hibernate.target", "hybrid-sleep.target", "suspend-then-hibernate.target")
        if sleep:
            state[name] = "inactive"
        return self.done(name, SLEEP_SECS if sleep else 0)

    @dbus.service.method(I, in_signature="ssa(sv)a(sa(sv))", out_signature="o")
    def StartTransientUnit(self, name, mode, props, aux):
        pr = {str(k): v for k, v in props}
        print("StartTransientUnit", name, flush=True)
        state[name] = "active"
        if name.endswith(".scope"):
            d = CGROOT
            sl = str(pr.get("Slice", "user.slice"))
            parts = sl[:-6].split("-")
            for i in range(len(parts)):
                d = os.path.join(d, "-".join(parts[: i + 1]) + ".slice")
            d = os.path.join(d, str(name))
            try:
                os.makedirs(d, exist_ok=True)
                cg[name] = d
                for pid in list(pr.get("PIDs", [])):
                    open(d + "/cgroup.procs", "w").write(str(int(pid)))
            except OSError as e:
                print("cgroup", e, flush=True)
        return self.done(name)

    @dbus.service.method(I, in_signature="ss", out_signature="o")
    def StopUnit(self, name, mode):
        print("StopUnit", name, flush=True)
        state[name] = "inactive"
        return self.done(name)

    @dbus.service.method(I, in_signature="ssi", out_signature="")
    def KillUnit(self, name, who, sig):
        print("KillUnit", name, flush=True)

    @dbus.service.method(I, in_signature="s", out_signature="")
    def ResetFailedUnit(self, name):
        pass

    @dbus.service.method(I, in_signature="s", out_signature="")
    def AbandonScope(self, name):
        pass

    @dbus.service.method(I, in_signature="s", out_signature="o")
    def GetUnit(self, name):
        return dbus.ObjectPath(f"{P}/unit/{esc(name)}")

    @dbus.service.method(I, in_signature="s", out_signature="o")
    def LoadUnit(self, name):
        return dbus.ObjectPath(f"{P}/unit/{esc(name)}")

    @dbus.service.signal(I, signature="uoss")
    def JobRemoved(self, i, job, unit, result):
        print("JobRemoved", unit, result, flush=True)

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, iface, prop):
        return {"Version": "252", "Virtualization": ""}.get(prop, "")


class Units(dbus.service.FallbackObject):
    @dbus.service.method(
        "org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v", rel_path_keyword="rel"
    )
    def Get(self, iface, prop, rel=""):
        n = unesc(rel.strip("/"))
        v = {"LoadState": "loaded", "ActiveState": state.get(n, "inactive"), "Id": n, "LoadError": ("", "")}
        if prop == "Job":
            return dbus.Struct((dbus.UInt32(0), dbus.ObjectPath("/")), signature="uo")
        return v.get(prop, "")

    @dbus.service.method("org.freedesktop.systemd1.Scope", in_signature="", out_signature="", rel_path_keyword="rel")
    def Abandon(self, rel=""):
        pass


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
n = dbus.service.BusName("org.freedesktop.systemd1", bus)
m = Manager(bus, P)
u = Units(bus, P + "/unit")
loop = GLib.MainLoop()
import signal

GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, loop.quit)
loop.run()
for d in cg.values():
    try:
        os.rmdir(d)
    except OSError:
        pass
