import AuthLooks
import AuthWire
import DBus
import Testing

@testable import AuthSettings

/// What becomes of the service's signals, errors and results.
@Suite struct StateTests {
    @Test func changesGoWhereTheyBelong() {
        var state = ServiceState()
        let app = Wire.Path.app("org.example.App")
        var isTaken = state.take(["HasPasscode": .bool(true)], of: Wire.Interface.authenticator, at: app)
        #expect(!isTaken)
        state.add(app, [Wire.Interface.authenticator: ["HasPasscode": .bool(false)]])
        isTaken = state.take(["HasPasscode": .bool(true)], of: Wire.Interface.authenticator, at: app)
        #expect(isTaken && state.apps[app]?.hasPasscode == true && !state.session.hasPasscode)
        isTaken = state.take(["Busy": .bool(true)], of: Wire.Interface.fingerprint, at: Wire.Path.fingerprint)
        #expect(isTaken && state.sensor.isBusy)
        isTaken = state.take(["Busy": .bool(true)], of: Wire.Interface.request, at: Wire.Path.fingerprint)
        #expect(!isTaken)
    }

    @Test func fingersAreTheSessionsAffairElseEverybodys() {
        var state = ServiceState()
        let (first, second) = (Wire.Path.app("org.a.A"), Wire.Path.app("org.b.B"))
        state.add(first, [Wire.Interface.authenticator: ["UnlockRoute": .string("passcode")]])
        state.add(second, [Wire.Interface.authenticator: ["UnlockRoute": .string("login")]])
        #expect(state.locksOfFingers.map(\.path) == [first])
        state.session.values["UnlockRoute"] = .string("passcode")
        #expect(state.locksOfFingers.map(\.path) == [Wire.Path.session])
    }

    @Test func whatIsSaidOfAnOutcome() {
        #expect(Outcome(result: "success").notice == nil)
        #expect(Outcome(result: "UserCancel").notice?.text == "Cancelled. Nothing was changed.")
        #expect(Outcome(failure: WireError.notAuthorized.fullName) == .error(.notAuthorized))
        #expect(Outcome(failure: "org.freedesktop.DBus.Error.InvalidArgs") == .invalid)
        #expect(Outcome(failure: "org.freedesktop.DBus.Error.NoReply") == .silence)
        #expect(Outcome(failure: "com.example.Odd").notice?.kind == .failure)
        // Every error has words of its own, or those for all.
        for error in WireError.allCases { #expect(!Texts.failure(error).isEmpty) }
    }

    @Test func whatIsOverIsNotSaidAnyLonger() {
        var (old, new) = (ServiceState(), ServiceState())
        new.session.values = ["LockOn": .stringArray(["idle"]), "TintColor": .string("#000000")]
        new.fingers = [.leftThumb]
        let over: [Item] = [.cause(.idle), .cause(.sleep), .tint, .enroll, .finger(.leftThumb), .deleteAll]
        let standing: [Item] = [.passcode, .change, .grace, .background, .factors, .fingerEnabled, .lockNow]
        for item in over { #expect(item.isAbout((old, new)), "\(item)") }
        for item in standing { #expect(!item.isAbout((old, new)), "\(item)") }
        let app = Wire.Path.app("org.a.A")
        old = new
        new.add(app, [Wire.Interface.authenticator: ["HasPasscode": .bool(false)]])
        #expect(Item.app(app).isAbout((old, new)) && !Item.tint.isAbout((old, new)))
    }

    @Test func whatAPromptSaysItIsFor() {
        var state = ServiceState()
        let app = Wire.Path.app("org.a.A")
        state.add(app, [Wire.Interface.authenticator: ["ApplicationId": .string("org.a.A")]])
        #expect(Texts.reason(.app(app), state) == "Remove the lock of org.a.A")
        #expect(Texts.reason(.finger(.leftThumb), state) == "Delete a finger")
        #expect(Texts.reason(.cause(.sleep), state) == "Change what locks")
        #expect(Texts.reason(.unlock, state).isEmpty && Texts.reason(.tint, state) == "Change a setting")
    }

    @Test func titlesWithoutTheirMnemonics() {
        #expect(Texts.plain("_Passcode") == "Passcode")
        #expect(Texts.plain("パスコード(_P)") == "パスコード")
        #expect(Texts.plain("更改(_C)…") == "更改…")
    }

    @Test func coloursAreWrittenAsTheyAreRead() {
        for text in ["#000000", "#ff2d55", "#0a7aff", "#ffffff"] { #expect(Colour(text)?.hex == text) }
    }

    @Test func missingPropertiesReadAsDefaults() {
        let lock = LockState()
        #expect(lock.lockOn == Set(LockState.Cause.allCases) && lock.isFingerEnabled && lock.factors == .any)
        #expect(lock.store == .unavailable && !lock.isLockable && lock.digits == 4 && lock.grace == 0)
    }
}
