/// The four flows of SmileAuthenticator.
public enum SecurityType: String, Sendable, CaseIterable {
    /// Turns the passcode off: old.
    case once
    /// Turns it on: new, re-enter.
    case twice
    /// Changes it: old, new, re-enter.
    case three
    /// Unlocks.
    case touchid
    /// An evaluation's view; no flow, and nothing that a property or Present may name.
    case policy

    /// One of the four flows by its name.
    public init?(flow name: String) {
        guard let type = SecurityType(rawValue: name), type != .policy else { return nil }
        self = type
    }

    var firstStep: Step { self == .twice ? .new : .old }
    /// How many entries lie before `step`, plus one.
    func number(of step: Step) -> UInt32 {
        switch (self, step) {
        case (.three, .new), (.twice, .again): 2
        case (.three, .again): 3
        default: 1
        }
    }
}

/// What the next entry is for.
public enum Step: Sendable, Equatable {
    /// The passcode that is set.
    case old
    /// The one to be set.
    case new
    /// The one to be set, once more.
    case again
}

/// Which factors open an authenticator.
public enum FactorMode: String, Sendable, CaseIterable {
    /// Finger or passcode, as SmileTouchID.
    case any
    /// Finger, then passcode.
    case all
    /// Finger; no passcode.
    case finger
}

/// The way back in.
public enum UnlockRoute: String, Sendable {
    case passcode
    case fingerprintOrPasscode = "fingerprint-or-passcode"
    /// Finger first, then the passcode.
    case fingerprintAndPasscode = "fingerprint+passcode"
    case fingerprint
    /// No lock of ours: the app's own login.
    case login

    /// A passcode alone opens it, whether a finger does or not.
    var isByPasscode: Bool { self == .passcode || self == .fingerprintOrPasscode }
}

/// Who may be shown a view, and who serves it.
public enum ViewUI: String, Sendable {
    /// The prompt, or a terminal that joins.
    case auto
    /// The caller, with SubmitPasscodeFd.
    case terminal
    /// The app itself.
    case none
}

/// How a view ended, as AuthViewDismissed says it.
public enum Dismissal: String, Sendable {
    case success
    case userCancel = "UserCancel"
    case systemCancel = "SystemCancel"
    case appCancel = "AppCancel"
    // An evaluation's ends.
    case authenticationFailed = "AuthenticationFailed"
    case userFallback = "UserFallback"
    case passcodeNotSet = "PasscodeNotSet"
    case biometryNotAvailable = "BiometryNotAvailable"
    case biometryNotEnrolled = "BiometryNotEnrolled"
    case biometryLockout = "BiometryLockout"
    case lockedOut = "LockedOut"
    case storeUnavailable = "StoreUnavailable"
    case storeLost = "StoreLost"

    init(_ error: AuthError) { self = Dismissal(rawValue: error.rawValue) ?? .systemCancel }

    var error: AuthError? { AuthError(rawValue: rawValue) }

    /// For those who waited.
    var words: String {
        switch self {
        case .success: "Opened"
        case .userCancel: "Cancelled"
        case .systemCancel: "Interrupted: by a lock, by another view, or after two minutes without an entry"
        case .appCancel: "Withdrawn by the application"
        case .authenticationFailed: "Three fingers were not recognised"
        case .userFallback: "The fallback was chosen"
        case .passcodeNotSet: "No passcode is set"
        case .biometryNotAvailable: "The finger cannot be used"
        case .biometryNotEnrolled: "No finger is enrolled"
        case .biometryLockout: "Too many fingers were not recognised"
        case .lockedOut: "The next try has to wait"
        case .storeUnavailable: "The passcode cannot be checked"
        case .storeLost: "The passcode is gone from the store"
        }
    }
}

/// What answered, as AuthenticationSucceeded and Completed say it.
public enum Method: String, Sendable {
    case passcode
    case fingerprint
    case both = "fingerprint+passcode"
    case account
    case grace
}

/// What an evaluation asks for (`LAPolicy`).
public enum Policy: String, Sendable, CaseIterable {
    /// A finger.
    case biometrics
    /// A finger or the passcode.
    case deviceOwner = "device-owner"
}

/// What SubmitPasscode answers.
public enum Outcome: String, Sendable {
    case accepted, next, wrong, mismatch
}
