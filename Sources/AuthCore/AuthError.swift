/// What a call or a request is refused with: LocalAuthentication's errors (`LAError.Code`) and this service's own.
public enum AuthError: String, Error, Sendable, CaseIterable {
    case authenticationFailed = "AuthenticationFailed"
    case userCancel = "UserCancel"
    case userFallback = "UserFallback"
    case systemCancel = "SystemCancel"
    case passcodeNotSet = "PasscodeNotSet"
    case biometryNotAvailable = "BiometryNotAvailable"
    case biometryNotEnrolled = "BiometryNotEnrolled"
    case biometryLockout = "BiometryLockout"
    case appCancel = "AppCancel"
    case invalidContext = "InvalidContext"
    case notInteractive = "NotInteractive"

    case lockedOut = "LockedOut"
    case passcodeAlreadySet = "PasscodeAlreadySet"
    case invalidPasscode = "InvalidPasscode"
    case storeUnavailable = "StoreUnavailable"
    case storeLost = "StoreLost"
    case notAuthorized = "NotAuthorized"
    case limitsExceeded = "LimitsExceeded"
    case busy = "Busy"
    case fingerAlreadyEnrolled = "FingerAlreadyEnrolled"

    /// Not an error of the product: `org.freedesktop.DBus.Error.InvalidArgs`.
    case invalidArguments = "InvalidArgs"
    /// `org.freedesktop.DBus.Error.UnknownObject`: for this caller it is not there.
    case unknownObject = "UnknownObject"
}

/// An error with what there is to say about it.
public struct Refusal: Error, Sendable, Equatable {
    public var error: AuthError
    public var message: String
    /// With `lockedOut`: the end of the wait in µs of CLOCK_REALTIME.
    public var lockedOutUntil: UInt64?

    public init(_ error: AuthError, _ message: String) {
        self.error = error
        self.message = message
    }
}
