public import DBus

/// What stands in front of the person: GetView's answer, typed.
public struct AuthView: Sendable, Equatable {
    public var type: Wire.ViewType?
    public var title = ""
    /// The step's text, or what went wrong with the last entry.
    public var description = ""
    /// The caller's words: untrusted.
    public var reason = ""
    public var kind: Wire.PasscodeKind = .digits
    /// Who asked: untrusted unless ``isVerified``.
    public var requester = ""
    public var isVerified = false
    /// Length of the entry; 0 where it is open.
    public var digits: UInt32 = 0
    public var failCount: UInt32 = 0
    /// From 1.
    public var step: UInt32 = 1
    public var canCancel = false
    /// End of the running wait in µs of CLOCK_REALTIME; 0 for none.
    public var lockedOutUntil: UInt64 = 0
    /// Whether the account password opens this view now.
    public var takesAccountPassword = false
    /// How the finger stands in this view.
    public var finger: Wire.FingerState = .none
    public var demand: Wire.Demand = .passcode
    /// Too many fingers were not recognised: the passcode brings the finger back.
    public var isBiometryLockedOut = false
    /// Where the sensor cannot tell which finger it reads: those to pick from; else empty.
    public var fingersToPick: [Wire.Finger] = []
    /// The one that was picked.
    public var pickedFinger: Wire.Finger?
    /// Circles that are filled, 0 to ``digits``.
    public var filled: UInt32 = 0
    /// Title of an evaluation's fallback button; empty for no such button.
    public var fallbackTitle = ""
    public var cancelTitle = ""

    /// - Returns: nil for an empty dictionary: there is no view.
    public init?(_ dictionary: [String: Value]) {
        guard !dictionary.isEmpty else { return nil }
        func value(_ key: Wire.ViewKey) -> Value? { dictionary[key.rawValue] }
        func text(_ key: Wire.ViewKey) -> String { value(key)?.asString ?? "" }
        type = Wire.ViewType(rawValue: text(.securityType))
        title = text(.title)
        description = text(.description)
        reason = text(.reason)
        kind = Wire.PasscodeKind(rawValue: text(.kind)) ?? .digits
        requester = text(.requester)
        isVerified = value(.verified)?.asBool ?? false
        digits = value(.digits)?.asUInt32 ?? 0
        failCount = value(.failCount)?.asUInt32 ?? 0
        step = value(.step)?.asUInt32 ?? 1
        canCancel = value(.canCancel)?.asBool ?? false
        lockedOutUntil = value(.lockedOutUntil)?.asUInt64 ?? 0
        takesAccountPassword = value(.accountPassword)?.asBool ?? false
        finger = Wire.FingerState(rawValue: text(.fingerprint)) ?? .none
        demand = Wire.Demand(rawValue: text(.demand)) ?? .passcode
        isBiometryLockedOut = value(.biometryLockedOut)?.asBool ?? false
        fingersToPick = (value(.fingers)?.asStringArray ?? []).compactMap(Wire.Finger.init(rawValue:))
        pickedFinger = Wire.Finger(rawValue: text(.finger))
        filled = value(.filled)?.asUInt32 ?? 0
        fallbackTitle = text(.fallbackTitle)
        cancelTitle = text(.cancelTitle)
    }
}
