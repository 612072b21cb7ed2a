/// "Did the enrolled fingers change?": LocalAuthentication's `evaluatedPolicyDomainState`, kept for the applications.
extension StateMachine {
    func rememberDomainState(
        _ identity: String, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        let state = shownDomainState(authenticator)
        guard !identity.isEmpty, !state.isEmpty else { return reply(token, .remembered(false)) }
        let number = expectMemory(authenticator, caller, token)
        act(.remember(authenticator.id, identity: identity, state, operation: number))
    }

    func domainStateChanged(
        _ identity: String, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        guard !identity.isEmpty else { return reply(token, .domainState(changed: false, nil)) }
        let number = expectMemory(authenticator, caller, token)
        act(.recall(authenticator.id, identity: identity, operation: number))
    }

    private func expectMemory(_ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) -> UInt64 {
        let number = nextOperation
        nextOperation += 1
        authenticator.memories[number] = (token, caller.connection)
        return number
    }

    func remembered(_ id: AuthenticatorID, _ number: UInt64, _ result: Result<Void, RememberFailure>) {
        guard let authenticator = touch(id), let asked = authenticator.memories.removeValue(forKey: number) else {
            return
        }
        switch result {
        case .success: reply(asked.token, .remembered(true))
        case .failure(.full): refuse(asked.token, .limitsExceeded, "64 identities are remembered already")
        case .failure(.unavailable): refuse(asked.token, .storeUnavailable, FingerStanding.storeAway.message)
        }
    }

    func recalled(_ id: AuthenticatorID, _ number: UInt64, _ result: Result<[UInt8]?, StoreFailure>) {
        guard let authenticator = touch(id), let asked = authenticator.memories.removeValue(forKey: number) else {
            return
        }
        guard case .success(let known) = result else {
            return refuse(asked.token, .storeUnavailable, FingerStanding.storeAway.message)
        }
        guard let known, !isBiometryLockedOut(authenticator) else {
            return reply(asked.token, .domainState(changed: false, nil))
        }
        guard sensor.isPresent, sensor.set != nil, sensorJob?.trouble == nil else {
            return reply(asked.token, .domainState(changed: false, .biometryNotAvailable))
        }
        reply(asked.token, .domainState(changed: known != shownDomainState(authenticator), nil))
    }
}
