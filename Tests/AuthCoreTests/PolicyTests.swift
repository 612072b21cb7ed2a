import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 9: recent passcodes, weakening, removing, and ChangeAuthentication.
struct PolicyTests {
    private let weaker: [(Property, PropertyValue)] = [
        (.timeoutInterval, .double(60)), (.lockOn, .strings(["sleep"])),
    ]

    @Test func `weakening needs this connection's right passcode within 5 minutes, and the lock open since`() {
        for (property, value) in weaker {
            let bench = Bench.withPasscode()
            #expect(bench.error(bench.set(property, value, by: other)) == .notAuthorized)
            #expect(bench.verify("1234", by: other) == .verified(true))
            bench.pass(seconds: 301)
            #expect(bench.error(bench.set(property, value, by: other)) == .notAuthorized)
            bench.verify("1234", by: other)
            bench.pass(seconds: 300)
            bench.clear()
            #expect(bench.set(property, value, by: other) == .done)
            #expect(bench.everything().first?.hasPrefix("write settings of session awaited") == true)
            // Whoever has fallen in between has it no more.
            let fallen = Bench.withPasscode()
            fallen.verify("1234", by: other)
            fallen.began(.idle)
            fallen.ended(.idle)
            #expect(fallen.error(fallen.set(property, value, by: other)) == .notAuthorized)
            #expect(fallen.verify("1234", by: other) == .verified(true))
            #expect(fallen.error(fallen.set(property, value, by: other)) == .notAuthorized, "It is locked")
            fallen.submit("1234")
            #expect(fallen.error(fallen.set(property, value, by: other)) == .notAuthorized, "Another gave it")
            #expect(fallen.set(property, value) == .done)
        }
    }

    @Test func `whose Present or Authenticate was answered has it too`() {
        let bench = Bench.locked()
        bench.authenticate(request: "/r", by: other)
        bench.submit("1234")
        #expect(bench.set(.timeoutInterval, .double(60), by: other) == .done)
        #expect(bench.error(bench.set(.timeoutInterval, .double(90), by: Bench.caller(9))) == .notAuthorized)
    }

    @Test func `writing the same or a stricter value is always allowed, and on login everything`() {
        let bench = Bench()
        for (property, value) in weaker { #expect(bench.set(property, value, by: other) == .done) }
        bench.setPasscode("", "1234")
        bench.call(.lock)
        for (property, value) in weaker { #expect(bench.set(property, value, by: other) == .done) }
        #expect(bench.set(.timeoutInterval, .double(30), by: other) == .done)
        #expect(bench.set(.lockOn, .strings(["idle", "sleep"]), by: other) == .done)
        #expect(bench.set(.requirePasscodeForChanges, .bool(true), by: other) == .done)
        #expect(bench.error(bench.set(.requirePasscodeForChanges, .bool(false), by: other)) == .notAuthorized)
        #expect(bench.set(.fingerprintEnabled, .bool(false), by: other) == .done)
        #expect(bench.error(bench.set(.fingerprintEnabled, .bool(true), by: other)) == .notAuthorized)
        #expect(bench.set(.tintColor, .string("#00FF00"), by: other) == .done)
        #expect(bench.value(.tintColor) == .string("#00ff00"))
        #expect(bench.set(.factorMode, .string("any"), by: other) == .done)
        for mode in ["all", "finger"] {
            #expect(bench.error(bench.set(.factorMode, .string(mode))) == .biometryNotAvailable)
        }
    }

    @Test func `removing needs the same, ends a standing view, and leaves nothing`() {
        let bench = Bench.withApp()
        bench.set(.tintColor, .string("#00ff00"), app)
        bench.set(.presentedContext, .string("page 3"), app)
        #expect(bench.error(bench.call(.remove, app, by: other)) == .notAuthorized)
        #expect(bench.error(bench.call(.remove)) == .invalidArguments)
        bench.present(.three, app, by: other)
        bench.submit("1234", app, by: other)
        bench.call(.cancel, app)
        #expect(bench.error(bench.call(.remove, app)) == .notAuthorized, "It fell for the view")
        bench.verify("1234", app)
        bench.authenticate(app, request: "/r", by: other) { $0.requiresPasscode = true }
        bench.clear()
        #expect(bench.call(.remove, app) == .done)
        let lines = bench.look()
        #expect(lines.contains("org.example.App AuthViewDismissed AppCancel"))
        #expect(lines.contains("completed /r to :1.2 AppCancel"))
        #expect(!lines.contains("org.example.App PasscodeTurnedOff"))
        #expect(bench.value(.tintColor, app) == .string("#ff2d55"))
        #expect(bench.value(.presentedContext, app) == .string(""))
        #expect(!bench.isAuthenticated(app))
        #expect(bench.disk.stored.isEmpty == true)
        bench.send(.callerLeft(host.connection))
        #expect(!bench.machine.exists(app))
    }

    @Test func `ChangeAuthentication(true) is for the holder since before the last success`() {
        let bench = Bench.withApp()
        #expect(bench.error(bench.call(.changeAuthentication(true))) == .notAuthorized)
        #expect(bench.call(.changeAuthentication(false), app) == .done)
        #expect(!bench.isAuthenticated(app))
        #expect(bench.error(bench.call(.changeAuthentication(true), app, by: other)) == .notAuthorized)
        bench.hold(app, by: other)
        #expect(bench.error(bench.call(.changeAuthentication(true), app, by: other)) == .notAuthorized)
        bench.clear()
        #expect(bench.call(.changeAuthentication(true), app) == .done)
        #expect(bench.look().first == "org.example.App changed IsAuthenticated=true ShouldCover=false")
        bench.call(.changeAuthentication(false), app)
        bench.began(.idle)
        #expect(bench.error(bench.call(.changeAuthentication(true), app)) == .notAuthorized)
        bench.ended(.idle)
        #expect(bench.error(bench.call(.changeAuthentication(true), app)) == .notAuthorized, "It fell by Background")
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a view, a failure, another's fall, or a lock take it away`(_ which: Int) {
        let bench = Bench.withApp()
        switch which {
        case 0:
            bench.call(.changeAuthentication(false), app)
            bench.present(.touchid, app)
        case 1: bench.verify("0000", app, by: other)
        case 2: bench.call(.changeAuthentication(false), app, by: other)
        default: bench.call(.lock, app)
        }
        if which == 1 { bench.call(.changeAuthentication(false), app) }
        #expect(bench.error(bench.call(.changeAuthentication(true), app)) == .notAuthorized)
        #expect(!bench.isAuthenticated(app))
    }

    @Test func `an application that its sandbox vouches for may, but not over a lock`() {
        let own = Caller(connection: ":1.7", sandboxed: app, displayName: "App")
        let bench = Bench.withApp()
        bench.call(.changeAuthentication(false), app, by: own)
        #expect(bench.call(.changeAuthentication(true), app, by: own) == .done)
        bench.began(.idle)
        bench.ended(.idle)
        bench.call(.cancel, app)
        #expect(bench.error(bench.call(.changeAuthentication(true), app, by: own)) == .notAuthorized)
        #expect(!bench.isAuthenticated(app))
    }

    @Test func `on the session ChangeAuthentication(false) is Lock`() {
        let bench = Bench.withPasscode()
        bench.call(.changeAuthentication(false))
        #expect(bench.isTrue(.isShowingAuth))
        #expect(bench.look().contains("session AuthViewPresented"))
    }

    @Test func `without a passcode there is nothing to say`() {
        let bench = Bench()
        bench.name(app, by: host)
        bench.hold(app)
        #expect(bench.error(bench.call(.changeAuthentication(true), app)) == .passcodeNotSet)
        #expect(bench.call(.lock, app) == .done)
        #expect(bench.view(app) == nil)
    }
}
