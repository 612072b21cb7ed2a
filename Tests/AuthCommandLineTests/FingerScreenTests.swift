import AuthWire
import DBus
import Testing

@testable import AuthCommandLine

/// What a terminal shows of the finger in a view.
@Suite struct FingerScreenTests {
    private let screen = ViewScreen(style: .plain)

    private func view(_ finger: String, _ demand: String, _ more: [String: Value] = [:]) throws -> AuthView {
        var dictionary: [String: Value] = [
            "security_type": .string("touchid"), "fingerprint": .string(finger), "demand": .string(demand),
        ]
        dictionary.merge(more) { $1 }
        return try #require(AuthView(dictionary))
    }

    private func line(_ view: AuthView) -> String { screen.finger(FingerLine(view), or: "passcode") }

    @Test func besideThePasscode() throws {
        #expect(line(try view("armed", "either")) == "  Touch the sensor, or enter the passcode.\n")
        let picks: [String: Value] = [
            "fingers": .stringArray(["left-thumb", "right-thumb"]), "finger": .string("right-thumb"),
        ]
        #expect(
            line(try view("armed", "either", picks))
                == "  Touch the sensor with the right thumb, or enter the passcode.\n")
        #expect(line(try view("gone", "passcode")).contains("comes back by itself"))
        for quiet in ["none", "off", "retry", "no-match", "changed"] { #expect(line(try view(quiet, "either")) == "") }
    }

    @Test func alone() throws {
        func alone(_ state: String) throws -> String {
            let screen = ViewScreen(style: Style(isColoured: true))
            return screen.fingerAlone("Say\u{1b} this", FingerLine(try view(state, "finger")))
        }
        #expect(try alone("armed") == "  Say this\n")
        #expect(try alone("no-match") == "  \u{1b}[31mSay this\u{1b}[0m\n")
        #expect(try alone("retry") == "  \u{1b}[33mSay this\u{1b}[0m\n")
        let failed = screen.fingerAlone("1 failed.", FingerLine(try view("armed", "finger")), failed: true)
        #expect(failed == "  1 failed.\n  Touch the fingerprint sensor again.\n")
        #expect(screen.picks([.leftThumb, .rightIndex]) == "  1  left thumb\n  2  right index finger\n")
    }

    @Test func whatAnEmptyLineDoes() throws {
        func hint(_ view: AuthView, misses: Int = 0, used: Bool = false) -> String {
            screen.hint(view, misses: misses, hasUsedButton: used)
        }
        let account: [String: Value] = ["account_password": .bool(true)]
        let picks: [String: Value] = ["fingers": .stringArray(["left-thumb", "right-thumb"])]
        #expect(hint(try view("armed", "either")) == "")
        #expect(hint(try view("off", "either", ["security_type": .string("once")])).contains("turns the sensor on"))
        #expect(hint(try view("off", "either")) == "", "it is about to be armed by itself")
        #expect(hint(try view("no-match", "either"), misses: 2) == "")
        #expect(hint(try view("off", "either"), misses: 2).contains("turns the sensor on"))
        #expect(hint(try view("armed", "either", picks)).contains("another finger"))
        #expect(hint(try view("armed", "either", picks), used: true) == "")
        #expect(
            hint(try view("armed", "finger", account)) == "  An empty line asks for the account password instead.\n")
        let both = hint(try view("armed", "finger", account.merging(picks) { $1 }))
        #expect(both.contains("another finger. A second one asks for the account password."))
        #expect(hint(try view("gone", "account", account)) == "", "it is asked for already")
    }
}
