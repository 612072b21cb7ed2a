/// A view as anyone may see it; the texts are made of this.
public struct ViewState: Sendable, Equatable {
    /// What the description says instead of what to enter.
    public enum Notice: Sendable, Equatable {
        case none
        /// The last entry was wrong; FailCount.
        case failed(UInt32)
        case mismatch
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
}
