import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 4: did the enrolled fingers change?
struct DomainStateTests {
    private func state(_ bench: Bench, _ id: AuthenticatorID = .session) -> PropertyValue? {
        bench.value(.evaluatedPolicyDomainState, id)
    }

    @Test func `the same set gives the same bytes, another application others`() {
        let bench = Bench.withApp()
        bench.plug()
        #expect(state(bench) == .bytes([]), "Nothing is enrolled")
        bench.enroll(.rightIndex, "owner")
        let one = state(bench)
        bench.enroll(.leftThumb, "thumb")
        let two = state(bench)
        #expect(one != two)
        bench.enroll(.leftThumb, nil)
        #expect(state(bench) == one)
        bench.enroll(.rightIndex, "another")
        #expect(state(bench) != one)
        bench.enroll(.rightIndex, "owner")
        #expect(state(bench, app) != one)
        bench.unplug()
        #expect(state(bench) == .bytes([]))
    }

    @Test func `a finger that somebody enrolled opens nothing before a passcode was given in a view that says so`() {
        let bench = Bench.lockedWithFinger()
        bench.enroll(.leftThumb, "somebody")
        #expect(bench.view()?.finger == .changed)
        #expect(bench.sensor.scan == nil)
        #expect(bench.touch("somebody").isEmpty)
        // A script's passcode is given in no view.
        #expect(bench.verify("1234", by: other) == .verified(true))
        #expect(bench.view()?.finger == .changed)
        bench.submit("1234")
        #expect(bench.isAuthenticated())
        bench.call(.lock)
        bench.present(.touchid) { $0.ui = .terminal }
        bench.touch("somebody")
        #expect(bench.isAuthenticated())
    }

    @Test func `a lockout does not keep it from being said`() {
        let bench = Bench.lockedWithFinger()
        for _ in 0..<3 { bench.touch("somebody") }
        bench.call(.useFingerprint(nil))
        for _ in 0..<2 { bench.touch("somebody") }
        #expect(bench.view()?.finger == .off)
        #expect(bench.view()?.isBiometryLockedOut == true)
        bench.enroll(.leftThumb, "somebody")
        #expect(bench.view()?.finger == .changed)
        bench.submit("1234")
        #expect(bench.call(.canAuthenticate) == .canAuthenticate(nil))
    }

    @Test func `a view that does not speak of the fingers takes none over`() {
        func check(_ what: String, _ answer: (Bench) -> Void) {
            let bench = Bench.withFinger()
            bench.enroll(.leftThumb, "somebody")
            answer(bench)
            #expect(bench.call(.canAuthenticate) == .canAuthenticate(.biometryNotAvailable), "\(what)")
        }
        check("three, where changes need the passcode") { bench in
            bench.set(.requirePasscodeForChanges, .bool(true))
            bench.present(.three) { $0.ui = .terminal }
            #expect(bench.view()?.finger == ViewState.FingerState.none)
            bench.submit("1234")
            bench.call(.cancel)
        }
        check("a passcode that was asked for by name") { bench in
            bench.authenticate(request: "/a") {
                $0.ui = .terminal
                $0.requiresPasscode = true
            }
            #expect(bench.view()?.finger == ViewState.FingerState.none)
            #expect(bench.submit("1234").map(bench.line) == "accepted")
        }
        check("an evaluation after its fallback") { bench in
            bench.evaluate(.deviceOwner, request: "/e")
            bench.submit("0000")
            #expect(bench.call(.fallback) == .done)
            #expect(bench.view()?.finger == ViewState.FingerState.none)
            #expect(bench.submit("1234").map(bench.line) == "accepted")
        }
    }

    @Test func `a set that changes while the passcode is checked is not taken over`() {
        let bench = Bench.lockedWithFinger()
        bench.holdsAnswers = true
        bench.call(.submit(FakePasscode("1234")))
        bench.enroll(.leftThumb, "somebody")
        bench.holdsAnswers = false
        bench.deliverAll()
        #expect(bench.isAuthenticated())
        #expect(bench.call(.canAuthenticate) == .canAuthenticate(.biometryNotAvailable))
    }

    @Test func `a restart remembers the set`() {
        let bench = Bench.lockedWithFinger()
        bench.kill()
        bench.present(.touchid) { $0.ui = .terminal }
        #expect(bench.sensor.isArmed)
        bench.sensor.enrolled[.leftThumb] = "somebody"
        bench.kill()
        bench.present(.touchid) { $0.ui = .terminal }
        #expect(bench.view()?.finger == .changed)
    }

    @Test func `remembered by application and identity`() {
        let bench = Bench.withFinger()
        func changed(_ identity: String) -> Reply? { bench.call(.domainStateChanged(identity: identity)) }
        #expect(changed("me") == .domainState(changed: false, nil), "Never remembered")
        #expect(bench.call(.rememberDomainState(identity: "")) == .remembered(false))
        #expect(bench.call(.rememberDomainState(identity: "me")) == .remembered(true))
        #expect(changed("me") == .domainState(changed: false, nil))
        bench.enroll(.leftThumb, "somebody")
        #expect(changed("me") == .domainState(changed: true, nil))
        #expect(changed("you") == .domainState(changed: false, nil))
        bench.enroll(.leftThumb, nil)
        #expect(changed("me") == .domainState(changed: false, nil))
        bench.enroll(.rightIndex, nil)
        #expect(changed("me") == .domainState(changed: true, nil), "All are deleted")
        #expect(bench.call(.rememberDomainState(identity: "me")) == .remembered(false))
        bench.unplug()
        #expect(changed("me") == .domainState(changed: false, .biometryNotAvailable))
        bench.storeIsAway = true
        #expect(bench.error(changed("me")) == .storeUnavailable)
    }

    @Test func `in lockout nothing is told apart`() {
        let bench = Bench.withFinger()
        bench.call(.rememberDomainState(identity: "me"))
        for request in ["/a", "/b"] {
            bench.evaluate(.biometrics, request: request)
            for _ in 0..<3 { bench.touch("stranger") }
        }
        #expect(state(bench) == .bytes([]))
        #expect(bench.call(.domainStateChanged(identity: "me")) == .domainState(changed: false, nil))
        #expect(bench.call(.rememberDomainState(identity: "me")) == .remembered(false))
    }

    @Test func `64 identities at most`() {
        let bench = Bench.withFinger()
        for number in 0..<64 {
            #expect(bench.call(.rememberDomainState(identity: "\(number)")) == .remembered(true))
        }
        #expect(bench.error(bench.call(.rememberDomainState(identity: "64"))) == .limitsExceeded)
        #expect(bench.call(.rememberDomainState(identity: "0")) == .remembered(true))
    }

    @Test func `with fprintd what others enrolled is seen before it is answered`() {
        let bench = Bench.withFinger()
        bench.sensor.backend = .fprintd
        bench.sensor.basis = .names
        bench.plug()
        bench.call(.rememberDomainState(identity: "me"))
        bench.sensor.enrolled[.leftThumb] = "somebody"
        #expect(bench.call(.domainStateChanged(identity: "me")) == .domainState(changed: true, nil))
        #expect(bench.fingerprint(.list) == .fingers([.leftThumb, .rightIndex]))
    }
}
