import AuthWire
import DBus

/// An authenticator's properties, as people want to hear them.
struct AuthenticatorSummary {
    private let properties: [String: Value]

    init(_ properties: [String: Value]) { self.properties = properties }

    private func value(_ property: Wire.Authenticator.Property) -> Value? { properties[property.rawValue] }
    private func text(_ property: Wire.Authenticator.Property) -> String {
        PlainText.strip(value(property)?.asString ?? "")
    }
    private func flag(_ property: Wire.Authenticator.Property) -> Bool { value(property)?.asBool ?? false }

    /// What is stored, in a few words.
    var passcode: String {
        switch text(.storeState) {
        case "unset": "none"
        case "unavailable": "unknown: the store does not answer"
        case "lost": "lost from the store"
        default:
            switch text(.passcodeKind) {
            case "digits": "\(value(.passcodeDigit)?.asUInt32 ?? 0) digits"
            case "": "set"
            case let kind: kind
            }
        }
    }

    /// Open, locked, or nothing to lock.
    ///
    /// A session that is locked has its view up. Without one nobody has locked it, and nobody was asked: so it is after
    /// the service's start.
    func lock(_ style: Style) -> String {
        let shows = flag(.isShowingAuth) ? ", asking" : ""
        if flag(.isAuthenticated) { return style.green("open") + shows }
        if text(.unlockRoute) == "login" { return style.dim("no lock") + shows }
        if text(.applicationId).isEmpty, shows.isEmpty { return style.yellow("not asked yet") }
        return style.red("locked") + shows
    }

    /// How it opens.
    var route: String {
        switch text(.unlockRoute) {
        case "passcode": "passcode"
        case "fingerprint-or-passcode": "fingerprint or passcode"
        case "fingerprint+passcode": "fingerprint, then passcode"
        case "fingerprint": "fingerprint"
        case "login": "nothing here; the application's own login"
        case let other: other
        }
    }

    /// Whether a finger counts here, and how many were not recognised. There is a sensor.
    ///
    /// - Parameter refusal: why CanAuthenticate says that it is not usable.
    func finger(_ refusal: WireError?, _ style: Style) -> String {
        guard flag(.fingerprintEnabled) else { return "off (fingerprint-enabled)" }
        let count = value(.biometryFailCount)?.asUInt32 ?? 0
        if count >= 5 { return style.yellow("locked out: \(count) were not recognised") }
        switch refusal {
        case .biometryNotEnrolled: return "on, and none is enrolled"
        case .biometryNotAvailable: return style.yellow("asks for the passcode once: the enrolled fingers changed")
        default: return count == 0 ? "on" : "on, \(count) not recognised"
        }
    }

    var lockOn: String {
        let causes = value(.lockOn)?.asStringArray ?? []
        return causes.isEmpty ? "nothing" : PlainText.strip(causes.joined(separator: ", "))
    }

    var grace: String {
        let seconds = value(.timeoutInterval)?.asDouble ?? 0
        return seconds > 0 ? "\(Span.seconds(seconds)) after an unlock" : "none"
    }

    var failures: String { "\(value(.failCount)?.asUInt32 ?? 0)" }

    /// The running wait by CLOCK_BOOTTIME, which is what counts; nil for none.
    func wait(now: UInt64) -> String? {
        guard let end = value(.lockedOutUntilBoottime)?.asUInt64, end > now else { return nil }
        return Span.clock(microseconds: end - now)
    }
}
