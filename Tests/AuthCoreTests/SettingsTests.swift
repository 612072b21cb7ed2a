import AuthCore
import AuthCoreTestKit
import Testing

/// SPEC 2: the properties that may be set, and the order of their writes.
struct SettingsTests {
    @Test func `the defaults`() {
        let bench = Bench()
        let defaults: [Property: PropertyValue] = [
            .securityType: .string("twice"), .passcodeDigit: .uint32(4), .timeoutInterval: .double(0),
            .localizedReason: .string(""), .tintColor: .string("#ff2d55"), .descriptionTextColor: .string(""),
            .touchIDIconName: .string(""), .appLogoName: .string(""), .backgroundImage: .string(""),
            .navibarTranslucent: .bool(false), .parallaxMode: .bool(true), .nightMode: .string("auto"),
            .presentedContext: .string(""), .fingerprintEnabled: .bool(true), .factorMode: .string("any"),
            .requirePasscodeForChanges: .bool(false), .failCount: .uint32(0), .biometryFailCount: .uint32(0),
            .lockedOutUntil: .uint64(0), .lockedOutUntilBoottime: .uint64(0), .shouldCover: .bool(false),
            .lockOn: .strings(["idle", "screen-lock", "switch", "sleep"]), .unlockRoute: .string("login"),
            .applicationId: .string(""), .hasPasscode: .bool(false), .storeState: .string("unset"),
            .isAuthenticated: .bool(false), .isShowingAuth: .bool(false), .passcodeKind: .string(""),
            .localizedFallbackTitle: .string(""), .localizedCancelTitle: .string(""),
            .allowableReuseDuration: .double(0), .biometryType: .string("none"),
            .evaluatedPolicyDomainState: .bytes([]),
        ]
        for property in Property.allCases { #expect(bench.value(property) == defaults[property]) }
    }

    @Test(arguments: [
        (Property.timeoutInterval, PropertyValue.double(-1)), (.timeoutInterval, .double(86_400.1)),
        (.timeoutInterval, .double(.nan)), (.timeoutInterval, .double(.infinity)), (.timeoutInterval, .uint32(1)),
        (.passcodeDigit, .uint32(3)), (.passcodeDigit, .uint32(65)), (.securityType, .string("four")),
        (.tintColor, .string("red")), (.tintColor, .string("#12345")), (.tintColor, .string("")),
        (.descriptionTextColor, .string("#gggggg")), (.nightMode, .string("dark")), (.factorMode, .string("both")),
        (.lockOn, .strings(["lid"])), (.securityType, .string("policy")), (.allowableReuseDuration, .double(300.1)),
        (.allowableReuseDuration, .double(-1)), (.biometryType, .string("fingerprint")),
        (.evaluatedPolicyDomainState, .bytes([1])), (.isAuthenticated, .bool(true)), (.failCount, .uint32(0)),
        (.hasPasscode, .bool(false)), (.presentedContext, .bool(true)),
    ])
    func `what a property may not have is refused`(_ property: Property, _ value: PropertyValue) {
        let bench = Bench()
        let before = bench.value(property)
        #expect(bench.error(bench.set(property, value)) == .invalidArguments)
        #expect(bench.value(property) == before)
        #expect(bench.disk.settings.isEmpty)
    }

    @Test func `a change is in force when it is durable, and told before the reply`() {
        let bench = Bench()
        bench.holdsAnswers = true
        bench.set(.timeoutInterval, .double(60))
        #expect(bench.value(.timeoutInterval) == .double(0))
        bench.clear()
        bench.deliverAll()
        #expect(bench.look() == ["session changed TimeoutInterval=60.0", "reply 1 done"])
        bench.holdsAnswers = false
        bench.kill()
        #expect(bench.value(.timeoutInterval) == .double(60))
        bench.diskIsFull = true
        #expect(bench.error(bench.set(.timeoutInterval, .double(30))) == .storeUnavailable)
        #expect(bench.value(.timeoutInterval) == .double(60))
    }

    @Test func `changes are written one after another, each on top of the one before`() {
        let bench = Bench()
        bench.holdsAnswers = true
        bench.set(.timeoutInterval, .double(60))
        bench.set(.nightMode, .string("on"))
        bench.set(.nightMode, .string("on"))
        #expect(bench.waiting == 1)
        bench.deliverAll()
        #expect(bench.look().suffix(2) == ["reply 2 done", "reply 3 done"])
        bench.kill()
        bench.deliverAll()
        #expect(bench.value(.timeoutInterval) == .double(60))
        #expect(bench.value(.nightMode) == .string("on"))
    }

    @Test func `a turn-off keeps the length beside a change that is being written`() {
        let bench = Bench()
        bench.setPasscode("", "123456") { $0.digits = 6 }
        bench.holdsAnswers = true
        bench.set(.nightMode, .string("on"))
        bench.clearPasscode("123456")
        while bench.waiting > 1 { bench.deliver(bench.waiting - 1) }
        bench.deliverAll()
        #expect(bench.number(.passcodeDigit) == 6)
        bench.kill()
        bench.deliverAll()
        #expect(bench.number(.passcodeDigit) == 6)
        #expect(bench.value(.nightMode) == .string("on"))
    }

    @Test func `the length of a stored passcode is its own`() {
        let bench = Bench()
        #expect(bench.set(.passcodeDigit, .uint32(6)) == .done)
        #expect(bench.set(.passcodeDigit, .uint32(0)) == .done)
        #expect(bench.number(.passcodeDigit) == 4)
        bench.set(.passcodeDigit, .uint32(6))
        bench.present(.twice)
        #expect(bench.view()?.digits == 6)
        bench.call(.cancel)
        bench.setPasscode("", "12345678") { $0.digits = 8 }
        #expect(bench.number(.passcodeDigit) == 8)
        #expect(bench.error(bench.set(.passcodeDigit, .uint32(4))) == .passcodeAlreadySet)
        #expect(bench.set(.passcodeDigit, .uint32(8)) == .done)
        bench.setPasscode("12345678", "some text") { $0.kind = .text }
        #expect(bench.number(.passcodeDigit) == 0)
    }

    @Test func `PresentedContext is kept for the run and not told`() {
        let bench = Bench()
        bench.clear()
        bench.set(.presentedContext, .string("page 3"))
        #expect(bench.look() == ["reply 1 done"])
        #expect(bench.value(.presentedContext) == .string("page 3"))
    }

    @Test func `a broken file is set aside, and the safe defaults hold`() {
        for file in [FileReading.broken, .fields(["TimeoutInterval": "86400", "LockOn": "lid"])] {
            let bench = Bench(starting: false)
            bench.disk.settings[.session] = file
            bench.start()
            #expect(bench.everything().contains("set aside settings of session"))
            #expect(bench.value(.timeoutInterval) == .double(0))
        }
    }

    @Test func `leaving the bus leaves a change that is being written, answered to nobody`() {
        let bench = Bench()
        bench.holdsAnswers = true
        bench.set(.nightMode, .string("on"), by: other)
        bench.send(.callerLeft(other.connection))
        bench.deliverAll()
        #expect(bench.value(.nightMode) == .string("on"))
        #expect(!bench.look().contains { $0.hasPrefix("reply") })
    }
}
