extension Wire {
    /// Keys of the options that methods take as `a{sv}`. Unknown keys are ignored; a known key of another type than
    /// ``signature`` is InvalidArgs.
    public enum Option: String, Sendable, CaseIterable {
        case ui
        case kind
        case reason
        case parentWindow = "parent_window"
        case require
        case handleToken = "handle_token"
        case fallbackTitle = "fallback_title"
        case cancelTitle = "cancel_title"
        case digits
        case animated
        case interactive
        case thenPasscode = "then_passcode"
        case confirmCover = "confirm_cover"
        case reuseDuration = "reuse_duration"
        /// The finger that is meant: VerifyTest's only.
        case finger

        /// The D-Bus signature of the option's value.
        public var signature: String {
            switch self {
            case .ui, .kind, .reason, .parentWindow, .require, .handleToken, .fallbackTitle, .cancelTitle, .finger: "s"
            case .digits: "u"
            case .animated, .interactive, .thenPasscode, .confirmCover: "b"
            case .reuseDuration: "d"
            }
        }
    }

    /// Keys of what GetView answers, ViewChanged carries and SubmitPasscode returns.
    public enum ViewKey: String, Sendable, CaseIterable {
        case securityType = "security_type"
        case title
        case description
        case reason
        case kind
        case requester
        case fingerprint
        case filled
        case digits
        case failCount = "fail_count"
        case step
        case canCancel = "can_cancel"
        case verified
        case lockedOutUntil = "locked_out_until"
        /// Whether the account password opens this view now.
        case accountPassword = "account_password"
        /// What opens the step that stands: ``Demand``.
        case demand
        /// Too many fingers were not recognised.
        case biometryLockedOut = "biometry_locked_out"
        /// The fingers to pick from, where the sensor cannot tell which one it reads.
        case fingers
        /// The one that was picked.
        case finger
        /// Titles of an evaluation's buttons; no button where the title is empty.
        case fallbackTitle = "fallback_title"
        case cancelTitle = "cancel_title"

        /// The D-Bus signature of the key's value.
        public var signature: String {
            switch self {
            case .securityType, .title, .description, .reason, .kind, .requester, .fingerprint, .demand, .finger,
                .fallbackTitle, .cancelTitle:
                "s"
            case .filled, .digits, .failCount, .step: "u"
            case .canCancel, .verified, .accountPassword, .biometryLockedOut: "b"
            case .fingers: "as"
            case .lockedOutUntil: "t"
            }
        }
    }

    /// Keys of the details that a request's Completed carries.
    public enum DetailKey: String, Sendable, CaseIterable {
        case method
        case lockedOutUntil = "locked_out_until"
        case message
    }

    /// Who serves a view: the option `ui`.
    public enum UserInterface: String, Sendable, CaseIterable {
        /// The service's own prompt.
        case auto
        /// The caller, with SubmitPasscodeFd, until it leaves the bus.
        case terminal
        /// The app, with a view of its own.
        case none
    }

    /// The four flows: SecurityType, and Present's first argument.
    public enum SecurityType: String, Sendable, CaseIterable {
        /// Turn the passcode off.
        case once
        /// Turn it on.
        case twice
        /// Change it.
        case three
        /// Unlock.
        case touchid
    }

    /// What a view is for, as GetView says it: one of the four flows, or an evaluation.
    public enum ViewType: String, Sendable, CaseIterable {
        case once, twice, three, touchid, policy
    }

    public enum PasscodeKind: String, Sendable, CaseIterable {
        case digits, text, pattern
    }

    /// What SubmitPasscode and SubmitPasscodeFd say of an entry.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The flow is done.
        case accepted
        /// Right; the next step waits for its entry.
        case next
        /// Not the passcode: counted, the first step again.
        case wrong
        /// The second entry of a new passcode differs: its first entry again, nothing counted.
        case mismatch
    }

    /// A request's or a view's result that is no error.
    public static let success = "success"
}
