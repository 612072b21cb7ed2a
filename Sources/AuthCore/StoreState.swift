/// What a look into the Secret Service and at the durable marker found for one authenticator.
public enum StoreReading: Sendable, Equatable {
    /// A passcode is stored, and this checks it.
    case ready(Verifier)
    /// The store answered in full: there is none.
    case unset
    /// No answer, no complete answer, or a locked one. `hasMarker` is the marker's word that a passcode was set.
    case unavailable(hasMarker: Bool)
    /// The marker says there is one, and the store, complete and open, does not have it.
    case lost
}

/// Why a change did not reach the store; the old state holds.
public enum StoreFailure: Error, Sendable, Equatable {
    /// Locked, absent, slow, full or failing.
    case unavailable
    /// What was stored is gone or foreign.
    case lost
}

/// Why a domain state was not remembered.
public enum RememberFailure: Error, Sendable, Equatable {
    case unavailable
    /// The application has remembered as many as it may.
    case full
}

/// The Secret Service as a whole, as `Manager.SecretServiceState` shows it.
public enum SecretServiceState: String, Sendable {
    case ready, locked, absent, failing
}
