import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 4, 9: the Fingerprint object.
struct EnrolmentTests {
    private func free() -> Bench {
        let bench = Bench()
        bench.plug()
        bench.clear()
        return bench
    }

    @Test func `enrolling tells its stages and its end`() {
        let bench = free()
        #expect(bench.fingerprint(.enroll(.rightIndex, request: "/r")) == .request("/r"))
        #expect(bench.machine.fingerprint.isBusy)
        let number = bench.sensor.enrolment?.number ?? 0
        bench.send(.sensor(.stagePassed(number, stage: 1, stages: 5)))
        bench.clear()
        bench.fumble(.tooShort)
        #expect(bench.everything().contains("enroll status too-short 1/5"))
        bench.clear()
        bench.completeEnrolment("owner")
        #expect(bench.everything().contains("enroll status completed 5/5"))
        #expect(bench.fingerprint(.list) == .fingers([.rightIndex]))
        #expect(!bench.machine.fingerprint.isBusy)
        #expect(bench.error(bench.fingerprint(.enroll(.rightIndex, request: "/s"))) == .fingerAlreadyEnrolled)
        bench.fingerprint(.enroll(.leftThumb, request: "/t"))
        bench.clear()
        bench.completeEnrolment("owner")
        #expect(bench.look().contains("completed /t to :1.1 FingerAlreadyEnrolled"))
        bench.fingerprint(.enroll(.leftThumb, request: "/u"))
        bench.clear()
        bench.completeEnrolment("thumb", diskIsFull: true)
        #expect(bench.look().contains("completed /u to :1.1 StoreUnavailable"))
    }

    @Test func `one that nobody touches ends after two minutes, and so does a test`() {
        let bench = free()
        bench.enroll(.rightIndex, "owner")
        bench.fingerprint(.enroll(.leftThumb, request: "/r"))
        bench.pass(seconds: 119)
        let number = bench.sensor.enrolment?.number ?? 0
        bench.send(.sensor(.stagePassed(number, stage: 1, stages: 5)))
        bench.pass(seconds: 119)
        #expect(bench.machine.fingerprint.isBusy)
        bench.clear()
        bench.pass(seconds: 1)
        #expect(bench.look().contains("completed /r to :1.1 SystemCancel"))
        #expect(bench.sensor.enrolment == nil)
        bench.fingerprint(.verifyTest(CallOptions(), request: "/t"))
        bench.pass(seconds: 119)
        bench.fumble(.general)
        bench.pass(seconds: 119)
        #expect(bench.machine.fingerprint.isBusy)
        bench.clear()
        bench.pass(seconds: 1)
        #expect(bench.look().contains("completed /t to :1.1 SystemCancel"))
        #expect(!bench.machine.fingerprint.isBusy)
    }

    @Test func `one that began without a lock adds no finger to a lock of fingers alone`() {
        let bench = free()
        bench.enroll(.rightIndex, "owner")
        bench.fingerprint(.enroll(.leftThumb, request: "/r"), by: other)
        bench.clear()
        #expect(bench.set(.factorMode, .string("finger")) == .done)
        #expect(bench.look().contains("completed /r to \(other.connection) SystemCancel"))
        #expect(bench.sensor.enrolment == nil)
        #expect(!bench.machine.fingerprint.isBusy)
    }

    @Test func `it needs the session's recent passcode, or that of every lock`() {
        let bench = Bench.withFinger()
        bench.pass(seconds: 301)
        #expect(bench.error(bench.fingerprint(.enroll(.leftThumb, request: "/r"))) == .notAuthorized)
        #expect(bench.error(bench.fingerprint(.delete(.rightIndex))) == .notAuthorized)
        #expect(bench.error(bench.fingerprint(.deleteAll)) == .notAuthorized)
        bench.verify("1234")
        #expect(bench.error(bench.fingerprint(.enroll(.leftThumb, request: "/r"), by: other)) == .notAuthorized)
        #expect(bench.fingerprint(.enroll(.leftThumb, request: "/r")) == .request("/r"))
        // Without a lock of the session's, every application's.
        let apps = Bench.withApp()
        apps.sensor.enrolled = [.rightIndex: "owner"]
        apps.plug()
        let second = Bench.application("Second")
        apps.name(second, by: host)
        apps.setPasscode("", "9999", second)
        apps.pass(seconds: 301)
        apps.verify("1234", app)
        #expect(apps.error(apps.fingerprint(.deleteAll)) == .notAuthorized)
        apps.verify("9999", second)
        #expect(apps.fingerprint(.deleteAll) == .done)
        #expect(apps.sensor.enrolled.isEmpty)
    }

    @Test func `a passcode that a stranger gives the session proves nothing to a lock that needs a finger`() {
        for mode in ["finger", "all"] {
            let bench = Bench()
            bench.sensor.enrolled = [.rightIndex: "owner"]
            bench.plug()
            bench.name(app, by: host)
            if mode == "all" { bench.setPasscode("", "1234", app) }
            bench.set(.factorMode, .string(mode), app)
            bench.call(.lock, app)
            bench.setPasscode("", "9999", by: other)
            let enroll = FingerprintCall.enroll(.leftThumb, request: "/r")
            #expect(bench.error(bench.fingerprint(enroll, by: other)) == .notAuthorized)
            #expect(bench.error(bench.fingerprint(.deleteAll, by: other)) == .notAuthorized)
            #expect(bench.sensor.enrolled == [.rightIndex: "owner"])
        }
    }

    @Test func `nothing is enrolled while the session is locked, and its lock ends what is under way`() {
        let bench = Bench.withFinger()
        bench.fingerprint(.enroll(.leftThumb, request: "/r"))
        bench.clear()
        bench.began(.sleep)
        #expect(bench.look().contains("completed /r to :1.1 SystemCancel"))
        #expect(bench.sensor.enrolment == nil)
        #expect(bench.error(bench.fingerprint(.enroll(.leftThumb, request: "/s"))) == .notAuthorized)
        #expect(bench.error(bench.fingerprint(.verifyTest(CallOptions(), request: "/t"))) == .notAuthorized)
    }

    @Test func `one at a time, ended by its caller, by its going and by the sensor's`() {
        let bench = free()
        bench.fingerprint(.enroll(.rightIndex, request: "/a"))
        #expect(bench.error(bench.fingerprint(.enroll(.leftThumb, request: "/b"))) == .busy)
        #expect(bench.error(bench.cancelRequest("/a", by: other)) == .notAuthorized)
        bench.clear()
        #expect(bench.cancelRequest("/a") == .done)
        #expect(bench.look().contains("completed /a to :1.1 AppCancel"))
        bench.fingerprint(.enroll(.rightIndex, request: "/c"), by: other)
        bench.send(.callerLeft(other.connection))
        #expect(bench.sensor.enrolment == nil)
        bench.fingerprint(.enroll(.rightIndex, request: "/d"))
        bench.clear()
        bench.unplug()
        #expect(bench.look().contains("completed /d to :1.1 BiometryNotAvailable"))
        #expect(bench.error(bench.fingerprint(.list)) == .biometryNotAvailable)
        #expect(bench.error(bench.fingerprint(.enroll(.rightIndex, request: "/e"))) == .biometryNotAvailable)
    }

    @Test func `deleting`() {
        let bench = free()
        bench.enroll(.rightIndex, "owner")
        #expect(bench.error(bench.fingerprint(.delete(.leftThumb))) == .biometryNotEnrolled)
        #expect(bench.fingerprint(.delete(.rightIndex)) == .done)
        #expect(bench.fingerprint(.list) == .fingers([]))
        #expect(bench.fingerprint(.deleteAll) == .done)
    }

    @Test func `a test grants and counts nothing`() {
        let bench = Bench.withFinger()
        #expect(bench.fingerprint(.verifyTest(CallOptions(), request: "/a")) == .request("/a"))
        bench.touch("stranger")
        #expect(bench.look().contains("completed /a to :1.1 AuthenticationFailed"))
        #expect(bench.count(.biometryFailCount) == 0)
        bench.fingerprint(.verifyTest(CallOptions(), request: "/b"))
        bench.fumble(.centerFinger)
        #expect(bench.everything().contains("enroll status center-finger 0/0"))
        bench.touch("owner")
        #expect(bench.look().contains("completed /b to :1.1 success fingerprint"))
        var options = CallOptions()
        options.finger = .leftThumb
        #expect(bench.error(bench.fingerprint(.verifyTest(options, request: "/c"))) == .biometryNotEnrolled)
    }

    @Test func `a view does not get the sensor from an enrolment`() {
        let bench = free()
        bench.enroll(.rightIndex, "owner")
        bench.name(app, by: host)
        bench.setPasscode("", "1234", app)
        bench.verify("1234", app)
        bench.fingerprint(.enroll(.leftThumb, request: "/a"))
        bench.evaluate(.biometrics, app, request: "/b")
        #expect(bench.sensor.scan == nil)
        bench.completeEnrolment("thumb")
        #expect(bench.look().contains("completed /b to :1.1 BiometryNotAvailable"), "The fingers have changed")
    }
}
