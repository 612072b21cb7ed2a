import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 6: FactorMode `all`, a finger and then the passcode.
struct BothFactorsTests {
    private func locked() -> Bench {
        let bench = Bench.withBoth()
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        bench.clear()
        return bench
    }

    @Test func `it needs a passcode and a finger to be set`() {
        let bench = Bench.withPasscode()
        bench.verify("1234")
        #expect(bench.error(bench.set(.factorMode, .string("all"))) == .biometryNotAvailable)
        bench.plug()
        #expect(bench.error(bench.set(.factorMode, .string("all"))) == .biometryNotEnrolled)
        bench.enroll(.rightIndex, "owner")
        #expect(bench.error(bench.set(.factorMode, .string("all"), by: other)) == .notAuthorized)
        #expect(bench.set(.factorMode, .string("all")) == .done)
        #expect(bench.value(.unlockRoute) == .string("fingerprint+passcode"))
        let without = Bench()
        without.sensor.enrolled = [.rightIndex: "owner"]
        without.plug()
        #expect(without.error(without.set(.factorMode, .string("all"))) == .passcodeNotSet)
        #expect(bench.error(bench.set(.fingerprintEnabled, .bool(false))) == .notAuthorized)
    }

    @Test func `the finger comes first, then the passcode`() {
        let bench = locked()
        #expect(bench.view()?.demand == .finger)
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
        #expect(bench.count(.failCount) == 0)
        bench.touch("owner")
        #expect(!bench.isAuthenticated())
        #expect(bench.view()?.demand == .passcode)
        #expect(bench.sensor.scan == nil)
        bench.clear()
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        #expect(bench.look().contains("session AuthenticationSucceeded fingerprint+passcode"))
        #expect(bench.isAuthenticated())
    }

    @Test func `a wrong passcode asks for the finger again`() {
        let bench = locked()
        bench.touch("owner")
        #expect(bench.submit("0000").map(bench.line) == "wrong")
        #expect(bench.view()?.demand == .finger)
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
        #expect(!bench.isAuthenticated())
    }

    @Test func `the finger lapses after 60 s, at Background and at Lock`() {
        let bench = locked()
        bench.touch("owner")
        bench.pass(seconds: 59)
        #expect(bench.view()?.demand == .passcode)
        bench.pass(seconds: 1)
        #expect(bench.view()?.demand == .finger)
        bench.touch("owner")
        bench.began(.idle)
        bench.ended(.idle)
        #expect(bench.view()?.demand == .finger)
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
        bench.touch("owner")
        bench.call(.lock)
        #expect(bench.view()?.demand == .finger)
    }

    @Test func `in lockout the passcode comes first, and both are needed all the same`() {
        let bench = locked()
        for _ in 0..<3 { bench.touch("stranger") }
        #expect(bench.error(bench.submit("1234")) == .invalidContext, "Disarmed is not locked out")
        bench.call(.useFingerprint(nil))
        for _ in 0..<2 { bench.touch("stranger") }
        #expect(bench.view()?.demand == .passcode)
        #expect(bench.submit("1234").map(bench.line) == "next")
        #expect(!bench.isAuthenticated())
        #expect(bench.view()?.demand == .finger)
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
        bench.touch("owner")
        #expect(bench.isAuthenticated())
    }

    @Test func `with changed fingers the passcode comes first and takes them over`() {
        let bench = locked()
        bench.enroll(.leftThumb, "somebody")
        #expect(bench.view()?.finger == .changed)
        #expect(bench.sensor.scan == nil)
        #expect(bench.submit("1234").map(bench.line) == "next")
        bench.touch("owner")
        #expect(bench.isAuthenticated())
    }

    @Test func `without a sensor the account password stands for the finger, in either order`() {
        for isFirst in [false, true] {
            let bench = locked()
            bench.unplug()
            #expect(bench.view()?.finger == .gone)
            #expect(bench.view()?.takesAccountPassword == true)
            if isFirst {
                #expect(bench.submitAccount("account").map(bench.line) == "next")
                #expect(!bench.isAuthenticated())
                #expect(bench.submitAccount("account").flatMap(bench.error) == .invalidContext)
                #expect(bench.submit("1234").map(bench.line) == "accepted")
            } else {
                #expect(bench.submit("1234").map(bench.line) == "next")
                #expect(bench.view()?.demand == .account)
                #expect(bench.submitAccount("account").map(bench.line) == "accepted")
            }
            #expect(bench.isAuthenticated())
            #expect(bench.value(.hasPasscode) == .bool(true))
        }
    }

    @Test func `it is neither turned off nor changed with one factor alone`() {
        for type in [SecurityType.once, .three] {
            let bench = Bench.withBoth()
            bench.present(type) { $0.ui = .terminal }
            #expect(bench.error(bench.submit("1234")) == .invalidContext)
            bench.call(.useFingerprint(nil))
            bench.touch("owner")
            #expect(bench.value(.hasPasscode) == .bool(true))
            #expect(bench.view()?.step == .old)
            bench.submit("1234")
            if type == .once {
                #expect(bench.value(.hasPasscode) == .bool(false))
                #expect(bench.value(.factorMode) == .string("any"))
                #expect(bench.value(.unlockRoute) == .string("login"))
            } else {
                #expect(bench.view()?.step == .new)
            }
        }
        let bench = Bench.withBoth()
        #expect(bench.error(bench.setPasscode("1234", "5678")) == .notAuthorized)
        #expect(bench.error(bench.clearPasscode("1234")) == .notAuthorized)
        #expect(bench.count(.failCount) == 0)
        bench.verify("1234")
        #expect(bench.error(bench.set(.factorMode, .string("any"))) == .notAuthorized)
    }

    @Test func `who gave both may weaken it`() {
        let bench = locked()
        bench.touch("owner")
        bench.submit("1234")
        #expect(bench.set(.factorMode, .string("any")) == .done)
        #expect(bench.value(.unlockRoute) == .string("fingerprint-or-passcode"))
    }

    @Test func `a reset sets any`() {
        let bench = locked()
        #expect(bench.reset("account") == .done)
        #expect(bench.value(.factorMode) == .string("any"))
        #expect(bench.value(.hasPasscode) == .bool(false))
        bench.kill()
        #expect(bench.value(.factorMode) == .string("any"))
    }
}

/// SPEC 6: FactorMode `finger`, without a passcode.
struct FingerAloneTests {
    private func locked() -> Bench {
        let bench = Bench.withFingerAlone()
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        bench.clear()
        return bench
    }

    @Test func `it needs a finger and no passcode, leaves login open, and locks`() {
        let bench = Bench()
        bench.plug()
        #expect(bench.error(bench.set(.factorMode, .string("finger"))) == .biometryNotEnrolled)
        bench.enroll(.rightIndex, "owner")
        #expect(bench.set(.factorMode, .string("finger")) == .done)
        #expect(bench.value(.unlockRoute) == .string("fingerprint"))
        #expect(bench.isAuthenticated())
        #expect(bench.value(.hasPasscode) == .bool(false))
        bench.began(.idle)
        #expect(!bench.isAuthenticated())
        bench.ended(.idle)
        #expect(bench.view()?.type == .touchid)
        #expect(bench.view()?.demand == .finger)
        let set = Bench.withFinger()
        set.verify("1234")
        #expect(set.error(set.set(.factorMode, .string("finger"))) == .passcodeAlreadySet)
    }

    @Test func `no passcode is turned on, and none is entered`() {
        let bench = Bench.withFingerAlone()
        #expect(bench.error(bench.present(.twice)) == .notAuthorized)
        #expect(bench.error(bench.setPasscode("", "1234")) == .notAuthorized)
        #expect(bench.error(bench.present(.once)) == .passcodeNotSet)
        let locked = locked()
        #expect(locked.error(locked.submit("1234")) == .invalidContext)
        locked.touch("owner")
        #expect(locked.isAuthenticated())
    }

    @Test func `any enrolled finger counts`() {
        let bench = locked()
        bench.enroll(.leftThumb, "thumb")
        bench.touch("thumb")
        #expect(bench.isAuthenticated())
    }

    @Test func `the ladder's waits end its lockout`() {
        let bench = locked()
        for _ in 0..<3 { bench.touch("stranger") }
        bench.call(.useFingerprint(nil))
        for _ in 0..<2 { bench.touch("stranger") }
        #expect(bench.count(.lockedOutUntilBoottime) == bench.now.boottime + 60_000_000)
        #expect(bench.error(bench.call(.useFingerprint(nil))) == .biometryLockout)
        #expect(bench.view()?.isBiometryLockedOut == true)
        bench.kill()
        bench.present(.touchid) { $0.ui = .terminal }
        #expect(bench.sensor.scan == nil, "A restart does not help")
        bench.pass(seconds: 60)
        #expect(bench.sensor.isArmed)
        bench.touch("stranger")
        #expect(bench.count(.lockedOutUntilBoottime) == bench.now.boottime + 300_000_000)
        bench.pass(seconds: 300)
        bench.touch("owner")
        #expect(bench.isAuthenticated())
        #expect(bench.count(.biometryFailCount) == 0)
    }

    @Test func `with the sensor gone the view stays, and the account password opens it`() {
        let bench = locked()
        bench.unplug()
        #expect(bench.view()?.finger == .gone)
        #expect(bench.view()?.demand == .account)
        #expect(bench.call(.canAuthenticate) == .canAuthenticate(.biometryNotAvailable))
        #expect(bench.submitAccount("wrong").map(bench.line) == "wrong")
        #expect(bench.submitAccount("account").map(bench.line) == "accepted")
        #expect(bench.isAuthenticated())
        #expect(bench.value(.factorMode) == .string("finger"), "Nothing is removed")
    }

    @Test func `with no finger left to wait for, nothing but the account password is asked for`() {
        let bench = locked()
        for _ in 0..<3 { bench.touch("stranger") }
        bench.call(.useFingerprint(nil))
        for _ in 0..<2 { bench.touch("stranger") }
        #expect(bench.view()?.demand == .finger)
        bench.enroll(.rightIndex, nil)
        #expect(bench.view()?.demand == .account)
        #expect(bench.view()?.takesAccountPassword == true)
    }

    @Test func `it is locked at a start before the store or the sensor has answered`() {
        let bench = locked()
        bench.storeIsAway = true
        bench.sensor.isPlugged = false
        bench.kill()
        #expect(bench.isTrue(.shouldCover))
        #expect(bench.view()?.type == .touchid)
        #expect(bench.value(.unlockRoute) == .string("fingerprint"))
        bench.present(.touchid) { $0.ui = .terminal }
        bench.plug()
        bench.touch("owner")
        #expect(bench.isAuthenticated(), "The store has no say in it")
    }

    @Test func `a match within 5 minutes lets its connection weaken it`() {
        let bench = Bench.withFingerAlone()
        #expect(bench.error(bench.set(.factorMode, .string("any"))) == .notAuthorized)
        let locked = locked()
        locked.touch("owner")
        #expect(locked.error(locked.set(.factorMode, .string("any"), by: other)) == .notAuthorized)
        #expect(locked.set(.factorMode, .string("any")) == .done)
        #expect(locked.value(.unlockRoute) == .string("login"))
        #expect(!locked.isTrue(.shouldCover))
    }

    @Test func `a reset by the account password ends it`() {
        let bench = locked()
        bench.clear()
        #expect(bench.reset("account") == .done)
        #expect(bench.value(.factorMode) == .string("any"))
        #expect(bench.value(.unlockRoute) == .string("login"))
        let lines = bench.look()
        #expect(lines.contains("session AuthViewDismissed success"))
        #expect(!lines.contains("session PasscodeTurnedOff"), "There was none")
        bench.kill()
        #expect(bench.value(.unlockRoute) == .string("login"))
    }
}
