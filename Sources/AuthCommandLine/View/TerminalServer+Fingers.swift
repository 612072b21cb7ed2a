import AuthWire
import DBus
import MainLoop

/// The finger button of a terminal is an empty line.
extension TerminalServer {
    /// In turn: choose a finger where the sensor cannot tell, read one, ask for the account password, and back.
    func takeEmptyLine() async throws {
        guard let view else { return }
        if phase == .account {
            if view.demand != .account { wantsAccount = false }
            hasUsedButton = false
        } else if case .pick = phase {
            isPicking = false
            hasUsedButton = true
            if view.takesAccountPassword { wantsAccount = true }
        } else if view.takesFinger, !view.fingersToPick.isEmpty, !hasUsedButton {
            isPicking = true
        } else if view.takesFinger, view.finger == .off || view.finger == .noMatch, !hasUsedButton {
            try await useFinger(nil)
        } else if view.takesAccountPassword {
            wantsAccount = true
        } else {
            hasUsedButton = false
        }
    }

    /// A number of the menu. What else is typed may be a passcode in the wrong place: it is looked at as bytes only.
    func pick(_ entry: SecretBuffer, of fingers: [Wire.Finger]) async throws {
        let number = entry.withBytes { bytes in
            bytes.count > 2 ? 0 : bytes.reduce(0) { (0x30...0x39).contains($1) ? $0 * 10 + Int($1) - 0x30 : -1000 }
        }
        guard fingers.indices.contains(number - 1) else {
            return terminal.write(screen.note("That is none of the numbers."))
        }
        isPicking = false
        try await useFinger(fingers[number - 1])
    }

    private func useFinger(_ finger: Wire.Finger?) async throws {
        hasUsedButton = true
        misses = 0
        lastFailed = false
        do throws(DBusFailure) {
            try await client.useFingerprint(finger)
        } catch {
            return try await tell(error)
        }
        try await refresh()
    }
}

/// How the finger stands, as far as a line on the screen depends on it.
struct FingerLine: Equatable {
    let state: Wire.FingerState
    let picked: Wire.Finger?
    let demand: Wire.Demand

    init(_ view: AuthView) {
        state = view.finger
        picked = view.fingersToPick.isEmpty ? nil : view.pickedFinger
        demand = view.demand
    }
}

extension AuthView {
    /// Whether a finger opens this step now.
    var takesFinger: Bool { demand == .finger || demand == .either }
}
