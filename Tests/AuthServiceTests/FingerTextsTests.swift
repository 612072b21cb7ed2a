import AuthFingerprint
import AuthWire
import DBus
import Testing

@testable import AuthCore
@testable import AuthService

/// What a view says of the finger.
@Suite struct FingerTextsTests {
    private func view(
        _ type: SecurityType = .touchid, _ demand: ViewState.Demand, _ finger: ViewState.FingerState = .armed,
        _ change: (inout ViewState) -> Void = { _ in }
    ) -> ViewState {
        var view = ViewState(
            type: type, step: .old, stepNumber: 1, kind: .digits, digits: 4, notice: .none, trouble: .none,
            failCount: 0, lockedOutUntil: 0, reason: "", requester: "", isVerified: false, canCancel: false,
            takesAccountPassword: false)
        view.demand = demand
        view.finger = finger
        change(&view)
        return view
    }

    @Test func titlesSayWhatIsWanted() {
        #expect(Texts.title(view(.touchid, .either)) == "Enter Passcode")
        #expect(Texts.title(view(.touchid, .passcode)) == "Enter Passcode")
        #expect(Texts.title(view(.touchid, .finger)) == "Use Fingerprint")
        #expect(Texts.title(view(.touchid, .account)) == "Enter Account Password")
        #expect(Texts.title(view(.policy, .either)) == "Use Fingerprint or Passcode")
        #expect(Texts.title(view(.policy, .passcode)) == "Enter Passcode")
        #expect(Texts.title(view(.once, .either)) == "Turn off Passcode")
    }

    @Test func besideThePasscodeItsOwnTextStands() {
        #expect(Texts.description(view(.touchid, .either)) == "Enter 4 digit passcode")
        #expect(Texts.description(view(.three, .either)) == "Enter your old 4 digit passcode")
        #expect(Texts.description(view(.touchid, .passcode, .gone)) == "Enter 4 digit passcode")
    }

    @Test func changedFingersAreSaid() {
        #expect(
            Texts.description(view(.touchid, .passcode, .changed))
                == "The enrolled fingers have changed. Enter your passcode.")
        let pattern = view(.touchid, .passcode, .changed) { $0.kind = .pattern }
        #expect(Texts.description(pattern) == "The enrolled fingers have changed. Draw your pattern.")
        let next = view(.three, .passcode, .changed) { $0.step = .new }
        #expect(Texts.description(next) == "Enter your new 4 digit passcode")
    }

    @Test func lockoutsAreSaid() {
        let passcode = view(.touchid, .passcode, .off) { $0.isBiometryLockedOut = true }
        #expect(Texts.description(passcode) == "Too many fingers were not recognised. Enter your passcode.")
        let account = view(.touchid, .account, .off) { $0.isBiometryLockedOut = true }
        #expect(Texts.description(account) == "Too many fingers were not recognised. Use your account password.")
        let wait = view(.touchid, .finger, .off) { $0.isBiometryLockedOut = true }
        #expect(Texts.description(wait) == "Too many fingers were not recognised. Wait, then try again.")
        let last = view(.touchid, .passcode, .off) {
            $0.isBiometryLockedOut = true
            $0.notice = .noMatch(5)
        }
        #expect(Texts.description(last) == "Too many fingers were not recognised. Enter your passcode.")
    }

    @Test func aFingerAlone() {
        #expect(Texts.description(view(.touchid, .finger)) == "Touch the fingerprint sensor")
        let picked = view(.touchid, .finger) {
            $0.fingersToPick = [.leftThumb, .rightIndex]
            $0.pickedFinger = .rightIndex
        }
        #expect(Texts.description(picked) == "Touch the fingerprint sensor with this finger: right index finger")
        #expect(
            Texts.description(view(.touchid, .account, .gone))
                == "The fingerprint sensor cannot be used. Use your account password.")
    }

    @Test(
        arguments: [
            (RetryReason.general, "That did not work. Touch the sensor again."),
            (.tooShort, "That was too short. Leave your finger on the sensor a little longer."),
            (.centerFinger, "Put the middle of your fingertip on the sensor."),
            (.removeFinger, "Lift your finger, then touch the sensor again."),
        ])
    func retriesAreInstructions(_ reason: RetryReason, _ text: String) {
        #expect(Texts.description(view(.touchid, .either, .retry) { $0.notice = .retry(reason) }) == text)
    }

    @Test func aFingerThatWasNotRecognised() {
        let again = view(.touchid, .either, .noMatch) { $0.notice = .noMatch(1) }
        #expect(Texts.description(again) == "The finger was not recognised. Try again.")
        let off = view(.touchid, .either, .off) { $0.notice = .noMatch(3) }
        #expect(Texts.description(off) == "The finger was not recognised. Enter your passcode.")
        // Nothing else opens it: the sensor is off until the button is used.
        for type in [SecurityType.touchid, .policy] {
            let alone = view(type, .finger, .off) { $0.notice = .noMatch(3) }
            #expect(
                Texts.description(alone) == "The finger was not recognised. Use the fingerprint button to try again.")
            let armed = view(type, .finger, .noMatch) { $0.notice = .noMatch(2) }
            #expect(Texts.description(armed) == "The finger was not recognised. Try again.")
        }
    }

    @Test func everyFingerHasAName() {
        #expect(Set(Finger.allCases.map(Texts.name)).count == 10)
        #expect(Texts.name(.leftLittle) == "left little finger")
    }

    // MARK: The dictionary

    @Test func theViewHasEveryKeyOfTheContractWithItsType() throws {
        let values = try #require(
            view(.policy, .finger, .noMatch) {
                $0.fingersToPick = [.leftThumb]
                $0.pickedFinger = .leftThumb
                $0.fallbackTitle = nil
                $0.cancelTitle = "Stop\u{202e}\n"
                $0.isBiometryLockedOut = true
                $0.filled = 3
            }.dictionary.asDictionary)
        #expect(Set(values.keys) == Set(Wire.ViewKey.allCases.map(\.rawValue)))
        for key in Wire.ViewKey.allCases { #expect(values[key.rawValue]?.signature == key.signature, "\(key)") }
        let read = try #require(AuthView(values))
        #expect(read.type == .policy && read.demand == .finger && read.finger == .noMatch)
        #expect(read.fingersToPick == [.leftThumb] && read.pickedFinger == .leftThumb && read.filled == 3)
        #expect(read.isBiometryLockedOut)
        #expect(read.fallbackTitle == "Enter Passcode")
        #expect(read.cancelTitle == "Stop")
        let plain = try #require(AuthView(view(.touchid, .passcode).dictionary.asDictionary ?? [:]))
        #expect(plain.fallbackTitle == "" && plain.cancelTitle == "Cancel" && plain.fingersToPick == [])
    }

    @Test func wireAndCoreUseTheSameWords() {
        #expect(Finger.allCases.map(\.rawValue) == Wire.Finger.allCases.map(\.rawValue))
        #expect(Policy.allCases.map(\.rawValue) == Wire.Policy.Name.allCases.map(\.rawValue))
        #expect(
            Set(RetryReason.allCases.map(\.rawValue)).union(["stage-passed", "completed"])
                == Set(Wire.EnrollStatus.allCases.map(\.rawValue)))
        #expect(Set(SecurityType.allCases.map(\.rawValue)) == Set(Wire.ViewType.allCases.map(\.rawValue)))
        for property in Wire.Policy.Property.allCases {
            #expect(Property(rawValue: property.rawValue)?.isOfPolicy == true)
        }
        for property in Wire.Authenticator.Property.allCases {
            #expect(Property(rawValue: property.rawValue)?.isOfPolicy == false)
        }
        #expect(
            Property.allCases.count
                == Wire.Policy.Property.allCases.count + Wire.Authenticator.Property.allCases.count)
    }

    // MARK: Options

    private func options(_ values: [String: Value]) -> CallOptions? {
        try? CallOptions.read(.options(values)).get().options
    }

    @Test func evaluationOptions() throws {
        let plain = try #require(options([:]))
        #expect(plain.isInteractive && !plain.thenPasscode && plain.reuseDuration == nil)
        #expect(plain.fallbackTitle == nil && plain.cancelTitle == nil && plain.finger == nil)
        let full = try #require(
            options([
                "interactive": .bool(false), "then_passcode": .bool(true), "reuse_duration": .double(300),
                "fallback_title": .string("Other\u{202e} way\n"), "cancel_title": .string("No"),
                "finger": .string("left-thumb"),
            ]))
        #expect(!full.isInteractive && full.thenPasscode && full.reuseDuration == 300)
        #expect(full.fallbackTitle == "Other way" && full.cancelTitle == "No" && full.finger == .leftThumb)
        #expect(options(["fallback_title": .string("")])?.fallbackTitle == "")
        #expect(try #require(options(["cancel_title": .string("")])).cancelTitle == nil)
        for (key, value) in [
            ("reuse_duration", Value.double(300.1)), ("reuse_duration", .double(-1)), ("reuse_duration", .double(.nan)),
            ("reuse_duration", .uint32(5)), ("interactive", .string("false")), ("then_passcode", .uint32(1)),
            ("finger", .string("thumb")), ("finger", .string("")), ("fallback_title", .bool(false)),
        ] {
            #expect(options([key: value]) == nil, "\(key) \(value)")
        }
    }

    @Test(
        arguments: [
            (nil, SensorChoice.automatic, false), ("", .automatic, false), ("auto", .automatic, false),
            ("libfprint", .libfprint, false), ("fprintd", .fprintd, false), ("none", .none, false),
            ("Auto", .none, true), ("yes", .none, true), (" fprintd", .none, true),
        ] as [(String?, SensorChoice, Bool)])
    func theEnvironmentForcesABackEnd(_ word: String?, _ choice: SensorChoice, _ isSaid: Bool) {
        var said: [String] = []
        #expect(SensorChoice.read(word) { said.append($0) } == choice)
        #expect(said.isEmpty != isSaid)
        #expect(said.allSatisfy { $0.contains("SMILEAUTH_FINGERPRINT") })
    }
}
