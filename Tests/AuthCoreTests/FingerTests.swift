import AuthCore
import AuthCoreTestKit
import Testing

extension Bench {
    /// A session with the passcode 1234 and a right index finger of `owner`, the set remembered.
    static func withFinger(_ print: String = "owner") -> Bench {
        let bench = Bench()
        bench.sensor.enrolled = [.rightIndex: print]
        bench.plug()
        bench.setPasscode("", "1234")
        bench.clear()
        return bench
    }

    /// Locked, and a terminal shows the view.
    static func lockedWithFinger() -> Bench {
        let bench = withFinger()
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        bench.clear()
        return bench
    }

    func count(_ property: Property, _ id: AuthenticatorID = .session) -> UInt64 { number(property, id) }

    /// FactorMode `all` over `withFinger`, set by a connection that gave both.
    static func withBoth() -> Bench {
        let bench = withFinger()
        bench.verify("1234")
        bench.set(.factorMode, .string("all"))
        bench.clear()
        return bench
    }

    /// FactorMode `finger`, and no passcode.
    static func withFingerAlone() -> Bench {
        let bench = Bench()
        bench.sensor.enrolled = [.rightIndex: "owner"]
        bench.plug()
        bench.set(.factorMode, .string("finger"))
        bench.clear()
        return bench
    }
}

/// SPEC 2, 4: a finger in the flows and views.
struct FingerTests {
    @Test func `a finger opens what is locked, and says so`() {
        let bench = Bench.lockedWithFinger()
        #expect(bench.view()?.finger == .armed)
        #expect(bench.view()?.demand == .either)
        bench.touch("owner")
        #expect(
            bench.look() == [
                "record session=false", "session changed IsAuthenticated=true IsShowingAuth=false ShouldCover=false",
                "session AuthenticationSucceeded fingerprint", "session AuthViewDismissed success",
                "locked hint false",
            ])
        #expect(bench.sensor.scan == nil)
    }

    @Test func `it is read only where somebody is shown what for`() {
        let bench = Bench.withFinger()
        bench.call(.lock)
        #expect(bench.sensor.scan == nil)
        #expect(bench.view()?.finger == .off)
        bench.present(.touchid, by: other) { $0.ui = .terminal }
        #expect(bench.sensor.isArmed)
        bench.send(.callerLeft(other.connection))
        #expect(bench.sensor.scan == nil)
    }

    @Test func `a passcode that is typed does not wait for the sensor`() {
        let bench = Bench.lockedWithFinger()
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        #expect(bench.isAuthenticated())
        #expect(bench.sensor.scan == nil)
        #expect(bench.touch("owner").isEmpty)
    }

    @Test func `retries say what to do and count as nothing`() {
        let bench = Bench.lockedWithFinger()
        for reason in RetryReason.allCases {
            bench.fumble(reason)
            #expect(bench.view()?.finger == .retry)
            #expect(bench.view()?.notice == .retry(reason))
        }
        #expect(bench.count(.biometryFailCount) == 0)
        #expect(!bench.look().contains { $0.contains("AuthenticationFailed") })
        #expect(bench.sensor.isArmed)
    }

    @Test func `each factor has its own count, and three in a row disarm until the button`() {
        let bench = Bench.lockedWithFinger()
        bench.submit("0000")
        for count in 1...3 {
            bench.clear()
            bench.touch("stranger")
            #expect(bench.look().contains("session AuthenticationFailed \(count) fingerprint"))
        }
        #expect(bench.count(.failCount) == 1)
        #expect(bench.count(.biometryFailCount) == 3)
        #expect(bench.sensor.scan == nil)
        #expect(bench.view()?.finger == .off)
        #expect(bench.view()?.notice == .noMatch(3))
        #expect(bench.touch("owner").isEmpty)
        #expect(bench.call(.useFingerprint(nil)) == .done)
        #expect(bench.sensor.isArmed)
        bench.touch("owner")
        #expect(bench.isAuthenticated())
        #expect(bench.count(.biometryFailCount) == 0)
        #expect(bench.count(.failCount) == 1, "Only its own factor's success clears a count")
    }

    @Test func `one that does not match is told once it is on the disk, and what comes meanwhile waits for that`() {
        let bench = Bench.lockedWithFinger()
        bench.holdsAnswers = true
        let number = bench.sensor.scan?.number ?? 0
        bench.send(.sensor(.noMatch(number)))
        bench.send(.sensor(.retry(number, .general)))
        bench.send(.sensor(.match(number, .rightIndex)))
        #expect(bench.count(.biometryFailCount) == 0)
        #expect(!bench.isAuthenticated())
        #expect(!bench.look().contains { $0.contains("Authentication") })
        bench.holdsAnswers = false
        bench.deliverAll()
        let lines = bench.look().filter { $0.contains("Authentication") }
        #expect(lines == ["session AuthenticationFailed 1 fingerprint", "session AuthenticationSucceeded fingerprint"])
        #expect(bench.isAuthenticated())
        #expect(bench.count(.biometryFailCount) == 0)
        #expect(bench.disk.biometryFailures(.session) == 0)
    }

    @Test func `five are a lockout that is durable, and that the passcode ends`() {
        let bench = Bench.lockedWithFinger()
        for _ in 0..<3 { bench.touch("stranger") }
        bench.call(.useFingerprint(nil))
        for _ in 0..<2 { bench.touch("stranger") }
        #expect(bench.count(.biometryFailCount) == 5)
        #expect(bench.view()?.isBiometryLockedOut == true)
        #expect(bench.error(bench.call(.useFingerprint(nil))) == .biometryLockout)
        #expect(bench.call(.canAuthenticate) == .canAuthenticate(.biometryLockout))
        bench.kill()
        bench.present(.touchid) { $0.ui = .terminal }
        #expect(bench.count(.biometryFailCount) == 5)
        #expect(bench.sensor.scan == nil)
        bench.submit("1234")
        #expect(bench.count(.biometryFailCount) == 0)
        #expect(bench.call(.canAuthenticate) == .canAuthenticate(nil))
    }

    @Test func `a wait of the passcode's keeps the sensor off`() {
        let bench = Bench.lockedWithFinger()
        for _ in 0..<5 { bench.submit("0000") }
        #expect(bench.sensor.scan == nil)
        #expect(bench.view()?.finger == .off)
        #expect(bench.error(bench.call(.useFingerprint(nil))) == .lockedOut)
        bench.pass(seconds: 60)
        #expect(bench.sensor.isArmed)
    }

    @Test func `nothing is read while a cause stands, and the sensor is given back before a sleep`() {
        let bench = Bench.lockedWithFinger()
        let number = bench.sensor.scan?.number ?? 0
        bench.clear()
        bench.began(.sleep)
        let lines = bench.everything()
        let stop = lines.firstIndex(of: "sensor stop(\(number))")
        let release = lines.firstIndex(of: "allow sleep")
        #expect(stop.flatMap { stop in release.map { stop < $0 } } == true)
        // A match that was on its way is void.
        bench.send(.sensor(.match(number, .rightIndex)))
        #expect(!bench.isAuthenticated())
        bench.ended(.sleep)
        #expect(bench.sensor.isArmed)
        bench.touch("owner")
        #expect(bench.isAuthenticated())
    }

    @Test func `an answer to another order than the standing one is void`() {
        let bench = Bench.lockedWithFinger()
        let number = bench.sensor.scan?.number ?? 0
        bench.send(.sensor(.match(number + 1, .rightIndex)))
        bench.send(.sensor(.noMatch(number + 1)))
        bench.send(.sensor(.match(0, .rightIndex)))
        #expect(!bench.isAuthenticated())
        #expect(bench.count(.biometryFailCount) == 0)
    }

    @Test func `a sensor that goes is said, and comes back by itself`() {
        let bench = Bench.lockedWithFinger()
        bench.claim(true)
        #expect(bench.view()?.finger == .gone)
        #expect(bench.view()?.demand == .passcode)
        bench.claim(false)
        #expect(bench.view()?.finger == .armed)
        bench.unplug()
        #expect(bench.view()?.finger == .gone)
        #expect(bench.value(.unlockRoute) == .string("passcode"))
        #expect(bench.value(.biometryType) == .string("none"))
        bench.submit("0000")
        #expect(bench.count(.failCount) == 1)
        bench.plug()
        #expect(bench.value(.unlockRoute) == .string("fingerprint-or-passcode"))
        #expect(bench.view()?.finger == .armed)
        bench.touch("owner")
        #expect(bench.isAuthenticated())
    }

    @Test func `once and three read a finger on the button only, and it stands for the old passcode`() {
        for type in [SecurityType.once, .three] {
            let bench = Bench.withFinger()
            bench.present(type) { $0.ui = .terminal }
            #expect(bench.view()?.finger == .off)
            #expect(bench.sensor.scan == nil)
            #expect(bench.call(.useFingerprint(nil)) == .done)
            bench.clear()
            bench.touch("owner")
            if type == .once {
                #expect(bench.value(.hasPasscode) == .bool(false))
                #expect(bench.look().suffix(2) == ["session PasscodeTurnedOff", "session AuthViewDismissed success"])
            } else {
                #expect(bench.view()?.step == .new)
                #expect(bench.view()?.finger == ViewState.FingerState.none)
                #expect(bench.error(bench.submit("5678", by: other)) == .busy, "The finger binds to its terminal")
                bench.submit("5678")
                bench.submit("5678")
                #expect(bench.disk.items[.session]?.bytes == Array("5678".utf8))
            }
        }
    }

    @Test func `a finger that turns it off answers the entry that is being checked`() {
        let bench = Bench.withFinger()
        bench.present(.once) { $0.ui = .terminal }
        bench.call(.useFingerprint(nil))
        bench.holdsAnswers = true
        #expect(bench.submit("0000") == nil)
        bench.touch("owner")
        #expect(bench.look().contains { $0.hasPrefix("reply") && $0.contains("SystemCancel") })
        bench.holdsAnswers = false
        bench.deliverAll()
        #expect(bench.value(.hasPasscode) == .bool(false))
        #expect(bench.count(.failCount) == 0)
    }

    @Test func `where changes need the passcode, no finger stands in for it`() {
        let bench = Bench.withFinger()
        bench.set(.requirePasscodeForChanges, .bool(true))
        bench.present(.once) { $0.ui = .terminal }
        #expect(bench.view()?.finger == ViewState.FingerState.none)
        #expect(bench.error(bench.call(.useFingerprint(nil))) == .invalidContext)
    }

    @Test func `a finger that does not match in a change of the session's ends it and locks`() {
        let bench = Bench.withFinger()
        bench.present(.three) { $0.ui = .terminal }
        bench.call(.useFingerprint(nil))
        bench.touch("stranger")
        #expect(bench.view()?.type == .touchid)
        #expect(!bench.isAuthenticated())
        #expect(bench.count(.biometryFailCount) == 1)
    }

    @Test func `a sensor that is unplugged ends no change of a passcode`() {
        let bench = Bench.withFinger()
        bench.present(.three) { $0.ui = .terminal }
        bench.submit("1234")
        bench.unplug()
        #expect(bench.view()?.step == .new)
        bench.submit("5678")
        bench.submit("5678")
        #expect(bench.isAuthenticated())
    }

    @Test func `a finger is off where the authenticator says so`() {
        let bench = Bench.withFinger()
        #expect(bench.set(.fingerprintEnabled, .bool(false)) == .done)
        #expect(bench.value(.unlockRoute) == .string("passcode"))
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        #expect(bench.sensor.scan == nil)
        #expect(bench.view()?.finger == ViewState.FingerState.none)
        #expect(bench.error(bench.set(.fingerprintEnabled, .bool(true))) == .notAuthorized)
    }

    @Test func `a finger grants nothing while the store is away or has lost the passcode`() {
        for isLost in [false, true] {
            let bench = Bench.lockedWithFinger()
            let items = bench.disk.items
            if isLost { bench.disk.items = [:] } else { bench.storeIsAway = true }
            bench.send(.secretServiceChanged(isLost ? .ready : .absent))
            #expect(bench.sensor.scan == nil)
            #expect(bench.call(.canAuthenticate) == .canAuthenticate(isLost ? .storeLost : .storeUnavailable))
            #expect(bench.error(bench.call(.useFingerprint(nil))) == (isLost ? .storeLost : .storeUnavailable))
            #expect(bench.view()?.finger == ViewState.FingerState.none, "No button that would do nothing")
            #expect(bench.view()?.demand == .passcode)
            // Back with the store.
            bench.disk.items = items
            bench.storeIsAway = false
            bench.send(.secretServiceChanged(.ready))
            #expect(bench.view()?.finger == .armed)
        }
    }

    @Test func `without a passcode the store says nothing of fingers`() {
        let bench = Bench.withFingerAlone()
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        bench.storeIsAway = true
        bench.send(.secretServiceChanged(.absent))
        #expect(bench.view()?.finger == .armed)
        #expect(bench.call(.canAuthenticate) == .canAuthenticate(nil))
        bench.touch("owner")
        #expect(bench.isAuthenticated())
    }

    @Test func `a device that cannot tell reads the finger that was picked`() {
        let bench = Bench()
        bench.sensor.canIdentify = false
        bench.sensor.enrolled = [.leftThumb: "thumb", .rightIndex: "index", .rightMiddle: "middle"]
        bench.plug()
        bench.setPasscode("", "1234")
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        #expect(bench.view()?.fingersToPick == [.leftThumb, .rightIndex, .rightMiddle])
        #expect(bench.view()?.pickedFinger == .rightIndex)
        bench.touch("thumb")
        #expect(bench.count(.biometryFailCount) == 1, "One scan is one failure")
        #expect(bench.error(bench.call(.useFingerprint(.leftLittle))) == .biometryNotEnrolled)
        #expect(bench.call(.useFingerprint(.leftThumb)) == .done)
        #expect(bench.sensor.scan?.finger == .leftThumb)
        bench.touch("thumb")
        #expect(bench.isAuthenticated())
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        #expect(bench.view()?.pickedFinger == .leftThumb, "The last one that matched")
    }

    @Test func `where a failure cannot be written no finger is tried any more`() {
        let bench = Bench.lockedWithFinger()
        bench.diskIsFull = true
        bench.touch("stranger")
        #expect(bench.sensor.scan == nil)
        #expect(bench.call(.canAuthenticate) == .canAuthenticate(.biometryNotAvailable))
        bench.diskIsFull = false
        bench.call(.useFingerprint(nil))
        bench.call(.useFingerprint(nil))
        #expect(bench.sensor.isArmed)
        #expect(bench.disk.biometryFailures(.session) == 1)
    }

    @Test func `a finger's failure and a passcode under way are both counted`() {
        let bench = Bench.lockedWithFinger()
        bench.holdsAnswers = true
        bench.call(.submit(FakePasscode("0000")))
        while let next = bench.nextPending, !next.hasPrefix("compare") { bench.deliver() }
        bench.touch("stranger")
        bench.holdsAnswers = false
        bench.deliverAll()
        #expect(bench.count(.failCount) == 1)
        #expect(bench.count(.biometryFailCount) == 1)
        #expect(bench.disk.failures(.session) == 1)
        #expect(bench.disk.biometryFailures(.session) == 1)
    }

    @Test func `a waiter that asks for the passcode is not served by a finger`() {
        let bench = Bench.withFinger()
        bench.authenticate(request: "/r") {
            $0.requiresPasscode = true
            $0.ui = .terminal
        }
        #expect(bench.view()?.type == .touchid)
        #expect(bench.sensor.scan == nil)
        let locked = Bench.lockedWithFinger()
        locked.authenticate(request: "/r") { $0.requiresPasscode = true }
        locked.touch("owner")
        #expect(locked.isAuthenticated())
        #expect(locked.look().contains("completed /r to :1.1 SystemCancel"))
    }

    @Test func `an app's own view is served when none is in front`() {
        let bench = Bench.withApp()
        bench.sensor.enrolled = [.rightIndex: "owner"]
        bench.plug()
        bench.verify("1234", app)
        bench.call(.lock, app)
        bench.present(.touchid, app) { $0.ui = .none }
        // The fingers came after the passcode was last given in a view.
        #expect(bench.view(app)?.finger == .changed)
        bench.submit("1234", app)
        bench.call(.changeAuthentication(false), app)
        bench.present(.touchid, app) { $0.ui = .none }
        #expect(bench.sensor.isArmed)
        bench.setPasscode("", "4321")
        bench.call(.lock)
        #expect(bench.sensor.scan == nil, "The session's view is in front")
        bench.submit("4321")
        #expect(bench.sensor.isArmed)
    }
}
