import AuthWire
import DBus

/// One authenticator's properties, as the service has said them. What it has not said reads as the default.
struct LockState: Equatable, Sendable {
    enum Store: String, Sendable { case ready, unset, unavailable, lost }

    enum Route: String, Sendable {
        case passcode, fingerprint, login
        case either = "fingerprint-or-passcode"
        case both = "fingerprint+passcode"
    }

    /// What opens the lock: FactorMode.
    enum Factors: String, Sendable, CaseIterable { case any, all, finger }

    /// What locks it: LockOn.
    enum Cause: String, Sendable, CaseIterable {
        case idle, sleep
        case screenLock = "screen-lock"
        case seat = "switch"
    }

    /// By name; of the Authenticator and of the Policy.
    var values: [String: Value] = [:]

    init(_ values: [String: Value] = [:]) { self.values = values }

    subscript(property: Wire.Authenticator.Property) -> Value? { values[property.rawValue] }

    private func flag(_ property: Wire.Authenticator.Property, _ standard: Bool = false) -> Bool {
        self[property]?.asBool ?? standard
    }
    private func text(_ property: Wire.Authenticator.Property) -> String { self[property]?.asString ?? "" }

    var application: String { text(.applicationId) }
    var store: Store { Store(rawValue: text(.storeState)) ?? .unavailable }
    var hasPasscode: Bool { flag(.hasPasscode) }
    var isAuthenticated: Bool { flag(.isAuthenticated) }
    var isShowingAuth: Bool { flag(.isShowingAuth) }
    var kind: Wire.PasscodeKind? { Wire.PasscodeKind(rawValue: text(.passcodeKind)) }
    /// Digits of the passcode, or of the next one; 0 for other kinds.
    var digits: UInt32 { self[.passcodeDigit]?.asUInt32 ?? 4 }
    /// Seconds.
    var grace: Double { self[.timeoutInterval]?.asDouble ?? 0 }
    var isFingerEnabled: Bool { flag(.fingerprintEnabled, true) }
    var factors: Factors { Factors(rawValue: text(.factorMode)) ?? .any }
    var route: Route { Route(rawValue: text(.unlockRoute)) ?? .login }
    var requiresPasscodeForChanges: Bool { flag(.requirePasscodeForChanges) }
    var lockOn: Set<Cause> {
        guard let names = self[.lockOn]?.asStringArray else { return Set(Cause.allCases) }
        return Set(names.compactMap(Cause.init(rawValue:)))
    }
    var failCount: UInt32 { self[.failCount]?.asUInt32 ?? 0 }
    /// End of a wait in µs of CLOCK_BOOTTIME; 0 for none.
    var lockedOutUntil: UInt64 { self[.lockedOutUntilBoottime]?.asUInt64 ?? 0 }
    /// Seconds; the Policy's.
    var reuse: Double { values[Wire.Policy.Property.allowableReuseDuration.rawValue]?.asDouble ?? 0 }

    /// Whether there is a lock to open (section 7 of the contract).
    var isLockable: Bool { route != .login }
    var isLocked: Bool { isLockable && !isAuthenticated }
}

/// The sensor, as the service has said it.
struct SensorState: Equatable, Sendable {
    var values: [String: Value] = [:]

    init(_ values: [String: Value] = [:]) { self.values = values }

    private func text(_ property: Wire.Fingerprint.Property) -> String { values[property.rawValue]?.asString ?? "" }
    private func flag(_ property: Wire.Fingerprint.Property) -> Bool { values[property.rawValue]?.asBool ?? false }

    var name: String { text(.deviceName) }
    var isSwiped: Bool { text(.scanType) == "swipe" }
    var isAvailable: Bool { flag(.available) }
    var isBusy: Bool { flag(.busy) }
    /// Whether only the fingers' names tell one set from another.
    var knowsNamesOnly: Bool { isAvailable && text(.domainStateBasis) == "names" }
    var stages: UInt32 { values[Wire.Fingerprint.Property.enrollStages.rawValue]?.asUInt32 ?? 0 }
}
