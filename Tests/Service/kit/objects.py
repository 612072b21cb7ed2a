"""The service's objects as a test speaks of them."""

import os

import dbus

from . import names
from .client import Failure, options
from .loop import wait_until


class Proxy:
    interface = None

    def __init__(self, client, path):
        self.client = client
        self.path = path

    def start(self, member, signature="", *arguments):
        return self.client.start(self.path, self.interface, member, signature, *arguments)

    def call(self, member, signature="", *arguments):
        return self.start(member, signature, *arguments).wait()

    def get(self, name):
        return self.client.call(self.path, names.PROPERTIES, "Get", "ss", self.interface, name)

    def all(self):
        return self.client.call(self.path, names.PROPERTIES, "GetAll", "s", self.interface)

    def set(self, name, signature, value):
        return self.client.call(
            self.path, names.PROPERTIES, "Set", "ssv", self.interface, name, typed(signature, value)
        )

    def wait_for(self, name, value, seconds=10.0):
        wait_until(lambda: self.get(name) == value, seconds, f"{name} = {value!r} at {self.path}")


def typed(signature, value):
    """A value of a variant with exactly this type."""
    simple = {
        "s": dbus.String,
        "b": dbus.Boolean,
        "u": dbus.UInt32,
        "d": dbus.Double,
        "t": dbus.UInt64,
        "i": dbus.Int32,
        "x": dbus.Int64,
        "y": dbus.Byte,
        "q": dbus.UInt16,
        "n": dbus.Int16,
        "o": dbus.ObjectPath,
        "g": dbus.Signature,
    }
    if signature in simple:
        return simple[signature](value, variant_level=1)
    if signature.startswith("a{"):
        return dbus.Dictionary(value, signature=signature[2:-1], variant_level=1)
    if signature.startswith("a"):
        return dbus.Array(value, signature=signature[1:], variant_level=1)
    if signature.startswith("("):
        return dbus.Struct(value, signature=signature[1:-1], variant_level=1)
    if signature == "v":
        return dbus.String(value, variant_level=2)
    raise ValueError(signature)


class Manager(Proxy):
    interface = names.MANAGER

    def __init__(self, client):
        super().__init__(client, names.ROOT)

    def get_authenticator(self, name):
        return self.call("GetAuthenticator", "s", name)

    def remove(self, name):
        return self.call("RemoveAuthenticator", "s", name)

    def list(self):
        return {name: path for name, path in self.call("ListAuthenticators")}

    def report_idle(self, idle):
        return self.call("ReportIdle", "b", idle)

    def objects(self):
        return self.client.call(names.ROOT, names.OBJECT_MANAGER, "GetManagedObjects")


class Authenticator(Proxy):
    interface = names.AUTHENTICATOR

    def present(self, security_type="", **opts):
        return self.call("Present", "sa{sv}", security_type, options(opts))

    def authenticate(self, reason="", **opts):
        """Returns the request's path."""
        return self.call("Authenticate", "sa{sv}", reason, options(opts))

    def submit(self, passcode):
        """(outcome, view)"""
        return self.call("SubmitPasscode", "s", passcode)

    def outcome(self, passcode):
        return self.submit(passcode)[0]

    def submit_bytes(self, data, member="SubmitPasscodeFd"):
        reader, writer = os.pipe()
        os.write(writer, data)
        os.close(writer)
        try:
            return self.call(member, "h", dbus.types.UnixFd(reader))
        finally:
            os.close(reader)

    def submit_fd(self, fd, member="SubmitPasscodeFd"):
        return self.call(member, "h", dbus.types.UnixFd(fd))

    def view(self):
        return self.call("GetView")

    def cancel(self):
        return self.call("Cancel")

    def lock(self):
        return self.call("Lock")

    def change(self, authenticated):
        return self.call("ChangeAuthentication", "b", authenticated)

    def verify(self, passcode):
        return self.call("VerifyPasscode", "s", passcode)

    def set_passcode(self, current, new, **opts):
        return self.call("SetPasscode", "ssa{sv}", current, new, options(opts))

    def clear_passcode(self, current):
        return self.call("ClearPasscode", "s", current)

    def hold(self, **opts):
        return self.call("Hold", "a{sv}", options(opts))

    def release(self, cookie):
        return self.call("Release", "u", dbus.UInt32(cookie))

    def covered(self, cookie):
        return self.call("Covered", "u", dbus.UInt32(cookie))

    @property
    def authenticated(self):
        return self.get("IsAuthenticated")

    @property
    def showing(self):
        return self.get("IsShowingAuth")

    # What the record says about this object

    def happened(self, since, views=False):
        """The object's events, Completed of requests and replies in order; ViewChanged only when asked for."""
        return [str(e) for e in self.client.since(since, self.path) if views or e.name != "ViewChanged"]


class Policy(Proxy):
    """The evaluations of the authenticator at a path."""

    interface = names.POLICY

    def can_evaluate(self, policy):
        """(can, error, biometry)"""
        return self.call("CanEvaluatePolicy", "s", policy)

    def evaluate(self, policy, reason="", **opts):
        """Returns the request's path."""
        return self.call("EvaluatePolicy", "ssa{sv}", policy, reason, options(opts))

    def fallback(self):
        return self.call("Fallback")

    def invalidate(self):
        return self.call("Invalidate")

    def remember(self, identity):
        return self.call("RememberDomainState", "s", identity)

    def changed(self, identity):
        """(changed, error)"""
        return self.call("DomainStateChanged", "s", identity)


class Fingerprint(Proxy):
    interface = names.FINGERPRINT

    def __init__(self, client):
        super().__init__(client, names.FINGERPRINT_PATH)

    def list(self):
        return list(self.call("ListEnrolledFingers") or [])

    def enroll(self, finger, **opts):
        """Returns the request's path."""
        return self.call("Enroll", "sa{sv}", finger, options(opts))

    def verify_test(self, **opts):
        """Returns the request's path."""
        return self.call("VerifyTest", "a{sv}", options(opts))

    def delete(self, finger):
        return self.call("DeleteFinger", "s", finger)

    def delete_all(self):
        return self.call("DeleteAll")


class Request(Proxy):
    interface = names.REQUEST

    def cancel(self):
        return self.call("Cancel")

    def completed(self):
        found = self.client.signals("Completed", self.path)
        return found[0].arguments if found else None

    def wait(self, seconds=10.0):
        """(result, details)"""
        return wait_until(self.completed, seconds, f"Completed of {self.path}")


def refused(short_or_name, call, *arguments, **keywords):
    """Asserts that a call is answered with this error and returns the failure."""
    try:
        result = call(*arguments, **keywords)
    except Failure as failure:
        wanted = short_or_name if "." in short_or_name else names.error(short_or_name)
        assert failure.name == wanted, f"{failure} instead of {wanted}"
        return failure
    raise AssertionError(f"answered {result!r} instead of {short_or_name}")
