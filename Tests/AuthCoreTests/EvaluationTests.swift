import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 4: policies, as LAContext evaluates them.
struct EvaluationTests {
    @Test func `what cannot be evaluated is said by its error`() {
        func errors(_ bench: Bench) -> [AuthError?] {
            Policy.allCases.map { policy in
                guard case .canEvaluate(let error) = bench.call(.canEvaluate(policy)) else { return .busy }
                return error
            }
        }
        let bench = Bench()
        #expect(errors(bench) == [.biometryNotAvailable, .passcodeNotSet])
        bench.plug()
        #expect(errors(bench) == [.biometryNotEnrolled, .passcodeNotSet])
        bench.enroll(.rightIndex, "owner")
        #expect(errors(bench) == [nil, .passcodeNotSet])
        bench.setPasscode("", "1234")
        #expect(errors(bench) == [nil, nil])
        bench.enroll(.leftThumb, "somebody")
        #expect(errors(bench) == [.biometryNotAvailable, nil])
        bench.enroll(.leftThumb, nil)
        #expect(errors(bench) == [nil, nil])
        bench.set(.fingerprintEnabled, .bool(false))
        #expect(errors(bench) == [.biometryNotAvailable, nil])
        for _ in 0..<5 { bench.verify("0000") }
        #expect(errors(bench)[1] == .lockedOut)
        bench.storeIsAway = true
        bench.send(.secretServiceChanged(.absent))
        #expect(errors(bench)[1] == .storeUnavailable)
    }

    @Test func `an evaluation has a view of its own, and changes nothing`() {
        let bench = Bench.withFinger()
        #expect(bench.evaluate(.biometrics, request: "/r") == .request("/r"))
        #expect(bench.view()?.type == .policy)
        #expect(bench.isAuthenticated())
        #expect(bench.isTrue(.isShowingAuth))
        #expect(!bench.isTrue(.shouldCover))
        #expect(bench.error(bench.submit("1234")) == .invalidContext)
        bench.clear()
        bench.touch("owner")
        #expect(
            bench.look() == [
                "session changed IsShowingAuth=false", "session AuthViewDismissed success",
                "completed /r to :1.1 success fingerprint",
            ])
        let app = Bench.application("A")
        bench.name(app, by: other)
        bench.setPasscode("", "1234", app)
        bench.call(.changeAuthentication(false), app)
        bench.evaluate(.deviceOwner, app, request: "/s")
        #expect(bench.submit("1234", app).map(bench.line) == "accepted")
        #expect(!bench.isAuthenticated(app), "An evaluation authenticates nobody")
        #expect(!bench.look().contains { $0.contains("AuthenticationSucceeded") })
    }

    @Test func `three that do not match end it, two more lock the finger out`() {
        let bench = Bench.withFinger()
        bench.evaluate(.biometrics, request: "/a")
        for _ in 0..<3 { bench.touch("stranger") }
        var lines = bench.look()
        #expect(lines.contains("session AuthViewDismissed AuthenticationFailed"))
        #expect(lines.contains("completed /a to :1.1 AuthenticationFailed"))
        bench.evaluate(.biometrics, request: "/b")
        for _ in 0..<2 { bench.touch("stranger") }
        lines = bench.look()
        #expect(lines.contains("completed /b to :1.1 BiometryLockout"))
        #expect(bench.count(.biometryFailCount) == 5)
        #expect(bench.error(bench.evaluate(.biometrics, request: "/c")) == .biometryLockout)
        #expect(bench.isAuthenticated())
    }

    @Test func `then_passcode goes on with the passcode, without a fallback button`() {
        let bench = Bench.withFinger()
        bench.evaluate(.biometrics, request: "/a")
        for _ in 0..<3 { bench.touch("stranger") }
        bench.evaluate(.biometrics, request: "/b") { $0.thenPasscode = true }
        bench.touch("stranger")
        #expect(bench.view()?.fallbackTitle == nil, "The default's button")
        bench.touch("stranger")
        #expect(bench.view()?.demand == .passcode)
        #expect(bench.view()?.fallbackTitle == "")
        #expect(bench.submit("1234").map(bench.line) == "accepted")
        #expect(bench.look().contains("completed /b to :1.1 success passcode"))
        #expect(bench.count(.biometryFailCount) == 0)
        // At once, where the lockout stands already.
        for _ in 0..<2 {
            bench.evaluate(.biometrics, request: "/c")
            for _ in 0..<3 { bench.touch("stranger") }
        }
        #expect(bench.evaluate(.biometrics, request: "/d") { $0.thenPasscode = true } == .request("/d"))
        #expect(bench.view()?.demand == .passcode)
        bench.submit("1234")
        #expect(bench.look().contains("completed /d to :1.1 success passcode"))
    }

    @Test func `the fallback button comes after the first failure`() {
        let bench = Bench.withFinger()
        bench.evaluate(.biometrics, request: "/a") { $0.fallbackTitle = "Other" }
        #expect(bench.view()?.fallbackTitle == "")
        #expect(bench.error(bench.call(.fallback)) == .invalidContext)
        bench.touch("stranger")
        #expect(bench.view()?.fallbackTitle == "Other")
        #expect(bench.call(.fallback) == .done)
        #expect(bench.look().contains("completed /a to :1.1 UserFallback"))
        bench.evaluate(.deviceOwner, request: "/b")
        bench.touch("stranger")
        #expect(bench.call(.fallback) == .done)
        #expect(bench.view()?.demand == .passcode)
        #expect(bench.sensor.scan == nil)
        bench.submit("1234")
        #expect(bench.look().contains("completed /b to :1.1 success passcode"))
        bench.evaluate(.deviceOwner, request: "/c") { $0.fallbackTitle = "" }
        bench.touch("stranger")
        #expect(bench.error(bench.call(.fallback)) == .invalidContext, "Hidden")
    }

    @Test func `a wait ends it with LockedOut`() {
        let bench = Bench.withFinger()
        bench.evaluate(.deviceOwner, request: "/a")
        for _ in 0..<5 { bench.submit("0000") }
        #expect(bench.look().contains("completed /a to :1.1 LockedOut"))
        #expect(bench.error(bench.evaluate(.deviceOwner, request: "/b")) == .lockedOut)
        #expect(bench.error(bench.evaluate(.biometrics, request: "/b")) == .lockedOut)
    }

    @Test func `a second one of the same caller ends the first, one of another is busy`() {
        let bench = Bench.withFinger()
        bench.evaluate(.biometrics, request: "/a")
        #expect(bench.error(bench.evaluate(.biometrics, request: "/x", by: other)) == .busy)
        bench.evaluate(.deviceOwner, request: "/b")
        #expect(bench.look().contains("completed /a to :1.1 SystemCancel"))
        #expect(bench.view()?.demand == .either)
        #expect(bench.call(.invalidate, by: other) == .done)
        #expect(bench.view() != nil, "Only the caller's own")
        bench.clear()
        bench.call(.invalidate)
        #expect(bench.look().contains("completed /b to :1.1 AppCancel"))
        #expect(bench.view() == nil)
    }

    @Test func `its end by cancel, by a caller that leaves, and by Background`() {
        let bench = Bench.withFinger()
        bench.evaluate(.biometrics, request: "/a")
        bench.call(.cancel)
        #expect(bench.look().contains("completed /a to :1.1 UserCancel"))
        bench.evaluate(.biometrics, request: "/b")
        bench.cancelRequest("/b")
        #expect(bench.look().contains("completed /b to :1.1 AppCancel"))
        bench.evaluate(.biometrics, request: "/c", by: other)
        bench.send(.callerLeft(other.connection))
        #expect(bench.view() == nil)
        #expect(bench.sensor.scan == nil)
        bench.set(.lockOn, .strings(["sleep"]))
        bench.evaluate(.biometrics, request: "/d")
        bench.clear()
        bench.began(.idle)
        #expect(bench.look().contains("completed /d to :1.1 SystemCancel"))
        #expect(bench.error(bench.evaluate(.biometrics, request: "/e")) == .systemCancel)
    }

    @Test func `without a person it says so, unless a recent unlock counts`() {
        let bench = Bench.lockedWithFinger()
        bench.touch("owner")
        func evaluate(_ reuse: Double?) -> Reply? {
            bench.evaluate(.biometrics, request: "/r") {
                $0.isInteractive = false
                $0.reuseDuration = reuse
            }
        }
        #expect(bench.error(evaluate(nil)) == .notInteractive)
        bench.pass(seconds: 9.9)
        bench.clear()
        #expect(evaluate(10) == .request("/r"))
        #expect(bench.look().contains("completed /r to :1.1 success fingerprint"))
        bench.pass(seconds: 0.1)
        #expect(bench.error(evaluate(10)) == .notInteractive, "Strictly less")
        bench.verify("1234")
        #expect(bench.set(.allowableReuseDuration, .double(60)) == .done)
        #expect(evaluate(nil) == .request("/r"))
        bench.call(.lock)
        bench.submit("1234")
        #expect(bench.error(evaluate(nil)) == .notInteractive, "A passcode is no finger")
        bench.set(.allowableReuseDuration, .double(30))
        #expect(bench.error(bench.set(.allowableReuseDuration, .double(60), by: other)) == .notAuthorized)
    }

    @Test func `a script that changes the passcode answers no evaluation`() {
        let bench = Bench.withFinger()
        bench.evaluate(.deviceOwner, request: "/a")
        bench.setPasscode("1234", "5678", by: other)
        #expect(bench.look().contains("completed /a to :1.1 SystemCancel"))
        bench.evaluate(.deviceOwner, request: "/b")
        bench.clearPasscode("5678", by: other)
        #expect(bench.look().contains("completed /b to :1.1 SystemCancel"))
    }

    @Test func `nobody evaluates on a locked session, and its lock ends what stands`() {
        let bench = Bench.withFinger()
        bench.evaluate(.biometrics, request: "/a")
        bench.call(.lock)
        #expect(bench.look().contains("completed /a to :1.1 SystemCancel"))
        #expect(bench.error(bench.evaluate(.biometrics, request: "/b")) == .notAuthorized)
    }

    @Test func `fingers that change under it end it`() {
        let bench = Bench.withFinger()
        bench.evaluate(.biometrics, request: "/a")
        bench.enroll(.leftThumb, "somebody")
        #expect(bench.look().contains("completed /a to :1.1 BiometryNotAvailable"))
    }
}
