"""The main job, played on a private bus, a throw-away keyring and a stand-in logind: nothing of the desktop is touched.

Every call, signal and property change is printed as it happens.  Each step knows what it must show; the first that
shows something else ends the demo with a non-zero status.
"""

import os
import shutil
import sys
import tempfile

import dbus

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Service"))

from kit import names  # noqa: E402
from kit.client import Failure, options  # noqa: E402
from kit.loop import wait_until  # noqa: E402
from kit.objects import Authenticator, Manager  # noqa: E402
from kit.world import World, program  # noqa: E402
from telling import Difference, Teller, TellingClient, shown  # noqa: E402

APPLICATION = "org.smileauth.Demo"
RIGHT, WRONG = b"2468", b"1357"


class Job:
    def __init__(self, world, teller):
        self.world = world
        self.tell = teller
        self.client = TellingClient(world.bus.address, teller)
        world.clients.append(self.client)
        self.lock = None  # the demo's authenticator

    # What every step is made of

    def call(self, member, arguments, signature="", *values):
        self.tell.call(f"{member}({arguments})")
        result = self.lock.call(member, signature, *values)
        self.tell.reply(shown(result))
        return result

    def present(self, kind):
        return self.call("Present", f'"{kind}", {{ui: none}}', "sa{sv}", kind, options({"ui": "none"}))

    def submit(self, entry, what):
        """Through a pipe: the digits are on no bus, in no argument and in no log."""
        reader, writer = os.pipe()
        os.write(writer, entry)
        os.close(writer)
        try:
            return self.call("SubmitPasscodeFd", f"a pipe with {what}", "h", dbus.types.UnixFd(reader))[0]
        finally:
            os.close(reader)

    def logind(self, value):
        self.tell.other("logind", f"PrepareForSleep({str(value).lower()})")
        self.world.logind.prepare_for_sleep(value)

    def expect(self, since, *wanted):
        """The object's own events since then, in their order."""

        def seen():
            return [
                str(e)
                for e in self.client.since(since, self.lock.path)
                if e.kind in ("signal", "changed") and e.name != "ViewChanged"
            ]

        try:
            wait_until(lambda: len(seen()) >= len(wanted), 5)
        except AssertionError:
            pass
        self.client.sync()
        self.check("the events", seen(), list(wanted))

    def check(self, what, found, wanted):
        if found != wanted:
            raise Difference(f"{what}: {shown(found)} instead of {shown(wanted)}")

    def state(self, **wanted):
        now = self.lock.all()
        found = {name: now[name] for name in wanted}
        self.check("the state", found, wanted)
        self.tell.checked(", ".join(f"{name} {shown(value)}" for name, value in wanted.items()))

    # The steps

    def play(self):
        for number, (title, step) in enumerate(
            (
                ("An application asks for its authenticator and holds it", self.hold),
                ("A passcode is turned on", self.turn_on),
                ("The machine goes to sleep", self.sleep),
                ("It resumes, and the lock is presented", self.resume),
                ("A wrong passcode", self.wrong),
                ("The right passcode", self.right),
                ("The passcode is turned off", self.turn_off),
            ),
            1,
        ):
            self.tell.step(number, title)
            step()

    def hold(self):
        self.tell.call(f'GetAuthenticator("{APPLICATION}")')
        path = Manager(self.client).get_authenticator(APPLICATION)
        self.tell.reply(shown(path))
        self.check("the path", path, names.app_path(APPLICATION))
        self.lock = Authenticator(self.client, path)
        self.call("Hold", "{ui: none}", "a{sv}", options({"ui": "none"}))
        self.state(HasPasscode=False, StoreState="unset", UnlockRoute="login", IsAuthenticated=False)

    def turn_on(self):
        start = self.client.mark()
        self.check("Present", self.present("twice"), True)
        self.expect(start, "changed", "AuthViewPresented", "AuthViewShown app")
        self.check("the first entry", self.submit(RIGHT, "4 digits"), "next")
        start = self.client.mark()
        self.check("the second entry", self.submit(RIGHT, "the same 4 digits"), "accepted")
        self.expect(start, "changed", "PasscodeTurnedOn", "AuthViewDismissed success")
        self.state(HasPasscode=True, StoreState="ready", PasscodeKind="digits", IsAuthenticated=True)
        self.tell.checked(f"{len(self.world.keyring.items())} item in the Secret Service")
        self.check("the items of the Secret Service", len(self.world.keyring.items()), 1)

    def sleep(self):
        inhibitor = self.world.logind.wait_inhibited()
        self.tell.checked(f'logind lists a delay inhibitor for {inhibitor.what} of "{inhibitor.who}"')
        start = self.client.mark()
        self.logind(True)
        self.expect(start, "changed")
        self.state(IsAuthenticated=False, ShouldCover=True, IsShowingAuth=False)
        wait_until(lambda: not inhibitor.held, 5, "the inhibitor's release")
        locked = next(e.at for e in self.client.events[start:] if e.path == self.lock.path)
        self.tell.checked("the lock was signalled, and the inhibitor is released")
        self.check("the order of lock and release", locked <= inhibitor.released + 0.05, True)

    def resume(self):
        start = self.client.mark()
        self.logind(False)
        self.expect(start, "changed", "AuthViewPresented", "AuthViewShown app")
        self.world.logind.wait_inhibited()
        self.state(IsShowingAuth=True, IsAuthenticated=False, ShouldCover=True)
        self.tell.call("GetView()")
        view = self.lock.view()
        self.tell.reply(shown({key: view[key] for key in ("security_type", "title", "description", "digits")}))
        self.check("the view", (view["security_type"], view["title"]), ("touchid", "Enter Passcode"))

    def wrong(self):
        start = self.client.mark()
        self.check("the entry", self.submit(WRONG, "4 other digits"), "wrong")
        self.expect(start, "changed", "AuthenticationFailed 1 passcode")
        self.state(FailCount=1, IsAuthenticated=False, IsShowingAuth=True)

    def right(self):
        start = self.client.mark()
        self.check("the entry", self.submit(RIGHT, "the 4 digits"), "accepted")
        self.expect(start, "changed", "AuthenticationSucceeded passcode", "AuthViewDismissed success")
        self.state(FailCount=0, IsAuthenticated=True, IsShowingAuth=False, ShouldCover=False)

    def turn_off(self):
        start = self.client.mark()
        self.check("Present", self.present("once"), True)
        self.expect(start, "changed", "AuthViewPresented", "AuthViewShown app")
        start = self.client.mark()
        self.check("the entry", self.submit(RIGHT, "the 4 digits"), "accepted")
        self.expect(start, "changed", "PasscodeTurnedOff", "AuthViewDismissed success")
        self.state(HasPasscode=False, StoreState="unset", UnlockRoute="login")
        self.check("the items of the Secret Service", len(self.world.keyring.items()), 0)


def main():
    teller = Teller()
    executable = program("smileauthd")
    if not os.access(executable, os.X_OK):
        teller.failed(f"no {executable}: run `make run`, which builds it")
        return 1
    world = World(tempfile.mkdtemp(prefix="smileauth-demo-"))
    try:
        teller.begin("The main job, on a private bus, a throw-away keyring and a stand-in logind")
        world.surround()
        world.start_service()
        Job(world, teller).play()
        world.end_service()
    except (Difference, Failure, AssertionError) as reason:
        world.expect_exit = True
        teller.failed(str(reason))
        if world.service is not None and world.log.strip():
            teller.failed("the service said:\n" + world.log)
        return 1
    finally:
        world.close()
        shutil.rmtree(world.folder, ignore_errors=True)
    teller.done("All of it as it should be.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
