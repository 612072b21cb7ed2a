/// The service's own errors: short names as requests and views report them, full names as the bus carries them.
///
/// The first eleven are Apple's LAError with its numbers; the rest are ours and have none.
public enum WireError: String, Error, Sendable, CaseIterable {
    /// The entry, the finger or the account password is not right, or no try is left.
    case authenticationFailed = "AuthenticationFailed"
    /// The person cancelled.
    case userCancel = "UserCancel"
    /// The person chose the fallback.
    case userFallback = "UserFallback"
    /// The system cancelled: another view, the session's background, 120 s without an entry.
    case systemCancel = "SystemCancel"
    /// No passcode is set.
    case passcodeNotSet = "PasscodeNotSet"
    /// No usable sensor.
    case biometryNotAvailable = "BiometryNotAvailable"
    /// No finger is enrolled.
    case biometryNotEnrolled = "BiometryNotEnrolled"
    /// Too many failed fingers.
    case biometryLockout = "BiometryLockout"
    /// The app cancelled, or left the bus.
    case appCancel = "AppCancel"
    /// The call does not fit what is going on.
    case invalidContext = "InvalidContext"
    /// It would have needed a person, and the caller forbade asking.
    case notInteractive = "NotInteractive"
    /// A wait of the ladder stands; details carry its end.
    case lockedOut = "LockedOut"
    /// A passcode is set already.
    case passcodeAlreadySet = "PasscodeAlreadySet"
    /// No passcode of the kind and length asked for.
    case invalidPasscode = "InvalidPasscode"
    /// The Secret Service or the disk does not answer, is locked or full.
    case storeUnavailable = "StoreUnavailable"
    /// A passcode was set, and what checks it is gone.
    case storeLost = "StoreLost"
    /// This caller may not, or not now.
    case notAuthorized = "NotAuthorized"
    /// An argument or a number of things is over its limit.
    case limitsExceeded = "LimitsExceeded"
    /// Somebody else is at it.
    case busy = "Busy"
    /// The finger is enrolled already, under this name or another.
    case fingerAlreadyEnrolled = "FingerAlreadyEnrolled"

    /// The error's name on the bus.
    public var fullName: String { Wire.errorPrefix + rawValue }

    /// The error with this name on the bus; nil for names that are not ours.
    public init?(fullName: String) {
        guard fullName.utf8.starts(with: Wire.errorPrefix.utf8) else { return nil }
        self.init(rawValue: String(fullName.dropFirst(Wire.errorPrefix.count)))
    }

    /// Apple's `LAError.Code` (LAError.h), where it has one.
    public var number: Int? {
        switch self {
        case .authenticationFailed: -1
        case .userCancel: -2
        case .userFallback: -3
        case .systemCancel: -4
        case .passcodeNotSet: -5
        case .biometryNotAvailable: -6
        case .biometryNotEnrolled: -7
        case .biometryLockout: -8
        case .appCancel: -9
        case .invalidContext: -10
        case .notInteractive: -1004
        case .lockedOut, .passcodeAlreadySet, .invalidPasscode, .storeUnavailable, .storeLost, .notAuthorized,
            .limitsExceeded, .busy, .fingerAlreadyEnrolled:
            nil
        }
    }
}
