/// Everything that can happen, as the adapters report it.
public enum Event: Sendable {
    /// The first event: which authenticators have something stored, and how the last run left them.
    case started(stored: [AuthenticatorID], LockRecord, account: FileReading)
    /// The store has passcodes of these; those without files of their own are new.
    case discovered([AuthenticatorID])
    /// Their files were read; `hasMarker` is the durable marker's word that a passcode is set.
    case opened(AuthenticatorID, settings: FileReading, attempts: FileReading, hasMarker: Bool)
    /// The store has answered a ``Action/load(_:)``.
    case loaded(AuthenticatorID, StoreReading)
    /// The Secret Service came, went, locked or opened.
    case secretServiceChanged(SecretServiceState)

    case session(SessionEvent)
    case sensor(SensorEvent)
    case prompt(PromptEvent, view: UInt64)
    case display(DisplayEvent)
    /// `Manager.ReportIdle`.
    case reportIdle(Bool)
    /// Time has passed ``StateMachine/nextDeadline``.
    case deadlinePassed

    case call(Call, AuthenticatorID, Caller, ReplyToken)
    /// What is asked of the Fingerprint object.
    case fingerprint(FingerprintCall, Caller, ReplyToken)
    /// `Manager.GetAuthenticator`.
    case name(AuthenticatorID, Caller, ReplyToken)
    case cancelRequest(String, Caller, ReplyToken)
    /// A connection left the bus.
    case callerLeft(String)

    /// Answers to actions; `operation` is the number that the action carried.
    case attemptsWritten(AuthenticatorID, operation: UInt64, Bool)
    case accountAttemptsWritten(AuthenticatorID, operation: UInt64, Bool)
    case settingsWritten(AuthenticatorID, Bool)
    case compared(AuthenticatorID, operation: UInt64, Comparison)
    case accountChecked(AuthenticatorID, operation: UInt64, AccountAnswer)
    case stored(AuthenticatorID, operation: UInt64, Result<Verifier, StoreFailure>)
    case removed(AuthenticatorID, operation: UInt64, Result<Void, StoreFailure>)
    case remembered(AuthenticatorID, operation: UInt64, Result<Void, RememberFailure>)
    /// Nil: nothing was ever remembered under the identity.
    case recalled(AuthenticatorID, operation: UInt64, Result<[UInt8]?, StoreFailure>)
}

/// What comparing an entry with a verifier gave.
public enum Comparison: Sendable, Equatable {
    case same(needsRehash: Bool)
    case different
    /// Out of memory, or a verifier that cannot be computed.
    case failed
}

/// What the account's authority said of a password.
public enum AccountAnswer: Sendable, Equatable {
    case right, wrong
    /// It could not be asked.
    case unavailable(String)
}
