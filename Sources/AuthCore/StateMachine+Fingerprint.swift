// Until the state machine knows fingers: what the Fingerprint and Policy objects read.
extension StateMachine {
    /// What the Fingerprint object shows.
    public var fingerprint: FingerprintState { FingerprintState() }

    /// An authenticator's LocalizedFallbackTitle; nil: the default.
    public func fallbackTitle(_ id: AuthenticatorID) -> String? { nil }
}
