/// A view as anyone may see it; the texts are made of this.
public struct ViewState: Sendable, Equatable {
    /// What the description says instead of what to enter.
    public enum Notice: Sendable, Equatable {
        case none
        /// The last entry was wrong; FailCount.
        case failed(UInt32)
        case mismatch
        /// The finger has to be put on once more; nothing was counted.
        case retry(RetryReason)
        /// The finger was not recognised; BiometryFailCount.
        case noMatch(UInt32)
    }

    /// How the finger stands in this view, as GetView's `fingerprint` says it.
    public enum FingerState: String, Sendable {
        /// No finger is asked for in this step, or none counts while the store does not say what the passcode is.
        case none
        /// The button is there, and nothing is read: not asked for yet, or not for now.
        case off
        case armed
        case retry
        case noMatch = "no-match"
        /// The enrolled fingers are not those of the last right passcode; they count once it is given.
        case changed
        /// There is no sensor, or another program has it.
        case gone
    }

    /// What opens the step that stands.
    public enum Demand: Sendable, Equatable {
        case passcode, finger, either
        /// Nothing but the account password: a finger is asked for that cannot come.
        case account
    }

    /// Why no entry can be checked.
    public enum Trouble: Sendable, Equatable {
        case none, storeUnavailable, storeLost
    }

    public var type: SecurityType
    public var step: Step
    public var stepNumber: UInt32
    /// Of the passcode that this step takes.
    public var kind: PasscodeKind
    /// Circles in the row: the number of digits; 0 for `text` and `pattern`.
    public var digits: UInt32
    public var notice: Notice
    public var trouble: Trouble
    public var failCount: UInt32
    /// CLOCK_REALTIME in µs, 0 for none.
    public var lockedOutUntil: UInt64
    /// The caller's reason, or LocalizedReason; empty for the default.
    public var reason: String
    public var requester: String
    /// Whether the requester's name is vouched for by its sandbox.
    public var isVerified: Bool
    public var canCancel: Bool
    /// Whether the account password opens it now.
    public var takesAccountPassword: Bool
    public var finger = FingerState.none
    public var demand = Demand.passcode
    /// The finger is locked out after too many that were not recognised.
    public var isBiometryLockedOut = false
    /// Where the device cannot tell which finger it reads: those to pick from, and the one that is asked for.
    public var fingersToPick: [Finger] = []
    public var pickedFinger: Finger?
    /// Circles that are filled.
    public var filled: UInt32 = 0
    /// An evaluation's buttons: nil is the default title, empty is none.
    public var fallbackTitle: String? = ""
    public var cancelTitle: String?
}
