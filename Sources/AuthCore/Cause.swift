/// Why the session went to the background. `LockOn` names which of these lock an authenticator.
public enum Cause: String, Sendable, CaseIterable, Comparable {
    case idle
    case screenLock = "screen-lock"
    case away = "switch"
    case sleep

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// What the session's adapters report; the core turns it into Background and Foreground.
public enum SessionEvent: Sendable, Equatable {
    /// `source` says that `cause` holds now. Telling it twice is harmless.
    case began(Cause, source: String)
    /// `source` says that `cause` no longer holds. Only its own pair is cleared.
    case ended(Cause, source: String)
    /// `source` left the bus; all of its own pairs are cleared.
    case left(source: String)
    /// A source is there and readable (`logind`, a screen saver's bus name).
    case arrived(source: String)
    /// logind's `Session.Lock`.
    case lockRequested
    /// A suspend that nobody announced has passed: CLOCK_BOOTTIME ran ahead of CLOCK_MONOTONIC.
    case sleptUnannounced
}
