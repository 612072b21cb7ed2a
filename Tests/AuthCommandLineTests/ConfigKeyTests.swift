import AuthWire
import DBus
import Testing

@testable import AuthCommandLine

@Suite struct ConfigKeyTests {
    @Test func namesAreLowerCaseWithDashes() {
        #expect(
            ConfigKey.all.map(\.name) == [
                "security-type", "passcode-digit", "timeout-interval", "localized-reason", "tint-color",
                "description-text-color", "touch-id-icon-name", "app-logo-name", "background-image",
                "navibar-translucent", "parallax-mode", "night-mode", "presented-context", "fingerprint-enabled",
                "factor-mode", "require-passcode-for-changes", "lock-on", "localized-fallback-title",
                "localized-cancel-title", "allowable-reuse-duration",
            ])
    }

    @Test(arguments: [
        ("timeout-interval", "60", Value.double(60)), ("timeout-interval", "1.5", .double(1.5)),
        ("passcode-digit", "6", .uint32(6)), ("parallax-mode", "false", .bool(false)),
        ("lock-on", "idle,screen-lock", .stringArray(["idle", "screen-lock"])), ("lock-on", "", .stringArray([])),
        ("night-mode", "auto", .string("auto")), ("localized-reason", "", .string("")),
        ("tint-color", "#ff2d55", .string("#ff2d55")), ("localized-fallback-title", "", .string("")),
        ("allowable-reuse-duration", "300", .double(300)),
    ])
    func readsEachType(_ name: String, _ text: String, _ value: Value) throws {
        let key = try ConfigKey(named: name)
        #expect(try key.parse(text) == value)
        #expect(value.signature == key.signature)
        #expect(key.show(value) == text)
    }

    @Test(arguments: [
        ("timeout-interval", "-1"), ("timeout-interval", "inf"), ("timeout-interval", "nan"),
        ("timeout-interval", "1e3"), ("timeout-interval", "0x10"), ("timeout-interval", ""),
        ("timeout-interval", "1."), ("timeout-interval", ".5"), ("timeout-interval", "1.2.3"),
        ("passcode-digit", "+4"), ("passcode-digit", "4294967296"), ("parallax-mode", "yes"),
        ("parallax-mode", "True"), ("lock-on", "idle,"), ("lock-on", "idle,idle"), ("lock-on", "lunch"),
        ("night-mode", "dark"), ("factor-mode", "both"), ("security-type", "four"),
    ])
    func refuses(_ name: String, _ text: String) throws {
        let key = try ConfigKey(named: name)
        #expect { try key.parse(text) } throws: { ($0 as? CommandFailure)?.status == .usage }
    }

    @Test(arguments: [
        ("timeout-interval", "timeout-interval takes seconds, 0 to 86400; 0 always asks"),
        ("passcode-digit", "passcode-digit takes a whole number from 4 to 64; 0 is 4"),
        ("parallax-mode", "parallax-mode takes true or false"),
        ("factor-mode", "factor-mode takes one of any, all, finger"),
        ("lock-on", "lock-on takes a list with commas, of idle, sleep, screen-lock, switch"),
    ])
    func saysWhatASettingTakes(_ name: String, _ message: String) throws {
        let key = try ConfigKey(named: name)
        #expect { try key.parse("x") } throws: { ($0 as? CommandFailure)?.message == message }
    }

    @Test(arguments: ["has-passcode", "HasPasscode", "lockon", ""])
    func knowsWritableSettingsOnly(_ name: String) {
        #expect(throws: CommandFailure.self) { try ConfigKey(named: name) }
    }
}
