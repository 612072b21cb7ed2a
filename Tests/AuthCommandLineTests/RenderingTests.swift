import AuthWire
import DBus
import Testing

@testable import AuthCommandLine

@Suite struct RenderingTests {
    private let colours = Style(isColoured: true)

    @Test func stripsWhatActsOnATerminal() {
        #expect(PlainText.strip("a\u{1b}[31mb\u{7f}\u{9b}c\r\nd") == "a[31mbcd")
        #expect(PlainText.strip("safe\u{202e}evil\u{2066}\u{200f}\u{61c}") == "safeevil")
        #expect(PlainText.strip("Grüße, 你好") == "Grüße, 你好")
    }

    @Test func jsonIsJSON() {
        let object = JSON.object([
            ("a\"\\\n", .array([.bool(true), .null, .integer(-1), .unsigned(.max)])),
            ("d", .double(1.5)), ("w", .double(60)), ("i", .double(.infinity)), ("b", .string("\u{1b}\u{202e}é")),
        ])
        #expect(
            object.render() == #"{"a\"\\\n":[true,null,-1,18446744073709551615],"d":1.5,"w":60,"i":null,"#
                + #""b":"\u001b\u202eé"}"#)
    }

    @Test func coloursComeAndGo() {
        #expect(colours.red("x") == "\u{1b}[31mx\u{1b}[0m")
        #expect(Style.plain.red("x") == "x")
        #expect(!Output { ["NO_COLOR": "1"][$0] }.terminalStyle.isColoured)
        #expect(!Output { ["TERM": "dumb"][$0] }.terminalStyle.isColoured)
        #expect(Output { ["NO_COLOR": ""][$0] }.terminalStyle.isColoured)
    }

    @Test func tablesAlign() {
        var table = Table()
        table.row("A", "1")
        table.row("Long", "2")
        #expect(table.render(.plain) == "  A     1\n  Long  2")
        #expect(Table.columns(["ID", "X"], [["longer", "y"]], .plain) == "ID      X\nlonger  y")
    }

    @Test(
        arguments: [
            (0, "0:00"), (1, "0:01"), (59_000_000, "0:59"), (59_000_001, "1:00"), (725_000_000, "12:05"),
            (3_600_000_000, "1:00:00"),
        ] as [(UInt64, String)])
    func waitsNeverReadZeroTooEarly(_ microseconds: UInt64, _ text: String) {
        #expect(Span.clock(microseconds: microseconds) == text)
    }

    @Test func secondsReadWell() {
        #expect(Span.seconds(90) == "90 s")
        #expect(Span.seconds(120) == "2 min")
        #expect(Span.seconds(1.5) == "1.5 s")
    }

    @Test func statusShowsAWait() {
        let manager: [String: Value] = [
            "Version": .string("9"), "SessionState": .string("idle"), "SessionSources": .stringArray(["report"]),
            "SecretServiceState": .string("ready"), "BiometryType": .string("none"),
        ]
        let lock: [String: Value] = [
            "ApplicationId": .string("org.example.\u{202e}App"), "StoreState": .string("ready"),
            "PasscodeKind": .string("digits"), "PasscodeDigit": .uint32(6), "UnlockRoute": .string("passcode"),
            "LockOn": .stringArray(["idle"]), "TimeoutInterval": .double(60), "FailCount": .uint32(5),
            "LockedOutUntilBoottime": .uint64(61_000_000), "IsAuthenticated": .bool(false),
        ]
        let none = SensorSummary([:])
        let text = StatusVerb.render(manager, lock, sensor: none, fingers: [], now: 2_000_000, .plain)
        #expect(text.contains("SmileAuth 9\n  Session         idle\n"))
        #expect(text.contains("org.example.App\n  Lock        locked\n  Passcode    6 digits\n"))
        #expect(text.contains("Locked out  for 0:59"))
        #expect(text.contains("Grace       1 min after an unlock"))
        #expect(text.contains("Fingerprint     no sensor"))
        #expect(!text.contains("Finger  "))
    }

    @Test func statusShowsTheFingers() {
        let sensor: [String: Value] = [
            "DeviceName": .string("Virtual \u{1b}Sensor"), "Backend": .string("fprintd"), "Available": .bool(true),
            "Busy": .bool(false), "DomainStateBasis": .string("names"),
        ]
        var lock: [String: Value] = [
            "FingerprintEnabled": .bool(true), "BiometryFailCount": .uint32(2),
            "UnlockRoute": .string("fingerprint-or-passcode"),
        ]
        func text(_ refusal: WireError? = nil) -> String {
            StatusVerb.render(
                [:], lock, sensor: SensorSummary(sensor), fingers: [.leftThumb, .rightIndex], refusal: refusal, now: 0,
                .plain)
        }
        #expect(text().contains("Fingerprint     Virtual Sensor, by fprintd\n"))
        #expect(text().contains("Fingers         2 enrolled: left thumb, right index finger\n"))
        #expect(text().contains("Opens with  fingerprint or passcode\n"))
        #expect(text().hasSuffix("Finger      on, 2 not recognised"))
        let changed = "Finger      asks for the passcode once: the enrolled fingers changed"
        #expect(text(.biometryNotAvailable).hasSuffix(changed))
        lock["BiometryFailCount"] = .uint32(5)
        #expect(text().hasSuffix("Finger      locked out: 5 were not recognised"))
        lock["FingerprintEnabled"] = .bool(false)
        #expect(text().hasSuffix("Finger      off (fingerprint-enabled)"))
    }

    @Test func monitorIsOneLineEach() {
        let signal = Signal(
            sender: ":1.1", path: Wire.Path.app("org.example.App"), interface: Wire.Interface.properties,
            member: "PropertiesChanged",
            arguments: [
                .string(Wire.Interface.authenticator),
                .options(["IsAuthenticated": .bool(true), "LocalizedReason": .string("a\nb")]), .stringArray([]),
            ])
        let human = MonitorLine(style: .plain, isJSON: false).lines(signal, at: 1_500_000)
        #expect(human.count == 1)
        #expect(human[0].contains("org.example.App   PropertiesChanged        IsAuthenticated true  "))
        #expect(human[0].hasSuffix("LocalizedReason \"ab\""))
        let json = MonitorLine(style: .plain, isJSON: true).lines(signal, at: 1_500_000)
        #expect(json[0].hasPrefix(#"{"time":"1970-01-01T00:00:01.500000Z","path":"/org/smileauth/Auth1/app/"#))
        #expect(json[0].contains(#""changed":{"IsAuthenticated":true,"LocalizedReason":"a\nb"}"#))
    }

    @Test func weakSettingsAreNamed() {
        let properties: [String: Value] = [
            "TimeoutInterval": .double(60), "LockOn": .stringArray(["sleep", "switch"]),
        ]
        #expect(
            NewPasscode.weakSettings(properties) == [
                "it opens without asking for 1 min after an unlock (timeout-interval)",
                "it does not lock on idle, screen-lock (lock-on)",
            ])
        #expect(
            NewPasscode.weakSettings(["AllowableReuseDuration": .double(90)]) == [
                "evaluations are not asked for 90 s after a finger opened the session (allowable-reuse-duration)"
            ])
        #expect(
            NewPasscode.weakSettings(["TimeoutInterval": .double(0), "LockOn": .stringArray(ConfigKey.causes)]) == [])
    }

    @Test func resetSaysWhatItIsAboutToDo() {
        #expect(ResetVerb.warning(application: nil, .plain).contains("removes the passcode of this session"))
        #expect(ResetVerb.warning(application: "a.b", .plain).contains("removes the passcode of the lock of a.b"))
    }
}
