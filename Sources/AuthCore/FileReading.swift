/// What a durable file of fields held.
public enum FileReading: Sendable, Equatable {
    case missing
    /// There, and not to be made sense of.
    case broken
    case fields([String: String])
}

/// `locked` or `open` of each authenticator, as the last run of the service in this login left it.
public enum LockRecord: Sendable, Equatable {
    /// None: the first run in this login.
    case fresh
    /// There, and not to be made sense of: everything counts as locked.
    case unreadable
    /// Whether each was locked; `slept` when the machine slept since.
    case states([AuthenticatorID: Bool], slept: Bool)
}
