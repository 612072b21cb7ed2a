/// What the service is to do, in this order.
public enum Action: Sendable {
    /// Remember these states before anything is signalled. True is locked.
    case recordLocks([AuthenticatorID: Bool])
    case propertiesChanged(AuthenticatorID, [Property])
    case sessionStateChanged
    case signal(AuthenticatorID, AuthenticatorSignal)
    case completed(request: String, to: String, Completion)
    case reply(ReplyToken, Reply)

    /// Read its settings, attempts and marker: ``Event/opened(_:settings:attempts:hasMarker:)``.
    case open(AuthenticatorID)
    case objectAdded(AuthenticatorID)
    case objectRemoved(AuthenticatorID)
    /// Ask the store: ``Event/loaded(_:_:)``.
    case load(AuthenticatorID)
    /// Ask the provider to unlock its collection; it has a prompt of its own.
    case unlockStore
    /// `operation` 0: nobody waits for the answer.
    case writeAttempts(AuthenticatorID, [String: String], operation: UInt64)
    case writeAccountAttempts([String: String], for: AuthenticatorID, operation: UInt64)
    /// ``Event/settingsWritten(_:_:)`` answers where it is awaited.
    case writeSettings(AuthenticatorID, [String: String], isAwaited: Bool)
    /// Say that a settings file was not to be made sense of, and set it aside.
    case setAsideSettings(AuthenticatorID)
    case compare(AuthenticatorID, any Passcode, Verifier, operation: UInt64)
    case checkAccount(AuthenticatorID, any Passcode, operation: UInt64)
    /// Hash and store durably, in place of whatever is stored.
    case store(AuthenticatorID, any Passcode, PasscodeKind, length: Int, operation: UInt64)
    /// Take the passcode out of the store, with its record where `attempts`, and with settings and all where `everything`.
    case remove(AuthenticatorID, attempts: Bool, everything: Bool, operation: UInt64)

    case sensor(SensorOrder)
    /// The Fingerprint object's properties may have changed: ``StateMachine/fingerprint``.
    case fingerprintChanged
    /// Fingerprint.EnrollStatus: `stage-passed`, `completed`, or a ``RetryReason``.
    case enrollStatus(String, stage: UInt32, stages: UInt32)
    /// Keep a domain state under an identity of the application: ``Event/remembered(_:operation:_:)``.
    case remember(AuthenticatorID, identity: String, [UInt8], operation: UInt64)
    /// Read it back: ``Event/recalled(_:operation:_:)``.
    case recall(AuthenticatorID, identity: String, operation: UInt64)

    /// Start a prompt for the view with this number.
    case showPrompt(AuthenticatorID, view: UInt64)
    /// End it; the result where the view has ended, nil where another one came to the front.
    case hidePrompt(view: UInt64, Dismissal?)
    /// Cover every monitor and take all input, or let go.
    case cover(Bool)

    /// logind's LockedHint.
    case setLockedHint(Bool)
    /// Give the sleep inhibitor back; everything that had to be signalled is above.
    case allowSleep
}

/// An authenticator's signals, one for each call of SmileAuthenticator's delegate.
public enum AuthenticatorSignal: Sendable, Equatable {
    case authViewPresented
    case authViewShown(by: Shower)
    case viewChanged(ViewState)
    case authViewDismissed(Dismissal)
    case authenticationSucceeded(Method)
    case authenticationFailed(count: UInt32, Method)
    case passcodeTurnedOn
    case passcodeTurnedOff
    case passcodeChanged
}

/// Whose frame a person sees.
public enum Shower: String, Sendable {
    case prompt, terminal, app
}

/// How a request ended.
public enum Completion: Sendable, Equatable {
    /// The method where somebody was authenticated.
    case success(Method?)
    case failure(Refusal, lockedOutUntil: UInt64?)
}
