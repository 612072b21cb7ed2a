/// What clients ask of an authenticator.
extension StateMachine {
    func received(_ call: Call, _ id: AuthenticatorID, _ caller: Caller, _ token: ReplyToken) {
        guard let authenticator = touch(id), authenticator.isOpen else {
            let error = if case .remove = call { AuthError.invalidArguments } else { AuthError.unknownObject }
            return refuse(token, error, "No authenticator of \(id.application)")
        }
        perform(call, authenticator, caller, token, hasAsked: false)
    }

    /// - Parameter hasAsked: the store has just answered for this call.
    func perform(
        _ call: Call, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken, hasAsked: Bool,
        hasLooked: Bool = false
    ) {
        // While the store is away, what needs it asks anew before it is refused.
        if !hasAsked, needsStore(call, authenticator) {
            authenticator.deferred.append(DeferredCall(call: call, caller: caller, token: token))
            return load(authenticator)
        }
        if !hasLooked, needsLook(call), looksFirst(.call(call, authenticator.id, caller, token)) { return }
        switch call {
        case .present(let type, let options): present(type, options, authenticator, caller, token)
        case .authenticate(let reason, let options, let request):
            authenticate(reason, options, request, authenticator, caller, token)
        case .canAuthenticate: reply(token, .canAuthenticate(fingerStanding(authenticator).error))
        case .submit(let passcode): submit(passcode, authenticator, caller, token)
        case .getView: reply(token, .view(viewState(authenticator)))
        case .useFingerprint(let finger): useFingerprint(finger, authenticator, token)
        case .submitAccount(let password): submitAccount(password, authenticator, caller, token)
        case .cancel: cancel(authenticator, token)
        case .lock:
            lock(authenticator, caller)
            settleFront()
            reply(token, .done)
        case .changeAuthentication(let value): changeAuthentication(value, authenticator, caller, token)
        case .verify(let passcode): verify(passcode, authenticator, caller, token)
        case .setPasscode(let current, let new, let options):
            setPasscode(current, new, options, authenticator, caller, token)
        case .clearPasscode(let current): clearPasscode(current, authenticator, caller, token)
        case .reset(let account): reset(account, authenticator, caller, token)
        case .hold(let options): hold(options, authenticator, caller, token)
        case .release(let cookie): release(cookie, authenticator, caller, token)
        case .covered(let cookie): covered(cookie, authenticator, caller, token)
        case .set(let property, let value): set(property, value, authenticator, caller, token)
        case .remove: removeAuthenticator(authenticator, caller, token)
        case .canEvaluate(let policy): canEvaluate(policy, authenticator, token)
        case .evaluate(let policy, let reason, let options, let request):
            evaluate(policy, reason, options, request, authenticator, caller, token)
        case .fallback: fallback(authenticator, token)
        case .invalidate: invalidate(caller, authenticator, token)
        case .rememberDomainState(let identity): rememberDomainState(identity, authenticator, caller, token)
        case .domainStateChanged(let identity): domainStateChanged(identity, authenticator, caller, token)
        }
    }

    /// Where others enrol fingers behind our back, what an application decides by is read anew.
    private func needsLook(_ call: Call) -> Bool {
        switch call {
        case .canAuthenticate, .canEvaluate, .evaluate, .rememberDomainState, .domainStateChanged: true
        default: false
        }
    }

    private func needsStore(_ call: Call, _ authenticator: Authenticator) -> Bool {
        switch call {
        case .present(let type, _):
            // A lock is put up at once where the marker says that there is something to lock. What changes a passcode
            // begins with a look whether it can.
            (type ?? authenticator.settings.securityType) != .touchid || hasUnknownLock(authenticator)
        case .authenticate: hasUnknownLock(authenticator)
        // Over a passcode that is known these read the store themselves, as every try does.
        case .setPasscode, .clearPasscode, .verify, .remove: authenticator.verifier == nil
        case .changeAuthentication(let value): value && hasUnknownLock(authenticator)
        // Whether a setting weakens a lock is not known before the first answer.
        case .set(let property, _):
            ([.passcodeDigit, .factorMode].contains(property) && isAway(authenticator)) || !authenticator.isLoaded
        // A try and a reset read the store themselves; a new passcode is taken once it is known what is there.
        case .submit: isAway(authenticator) && (authenticator.view.map { $0.step != .old } ?? false)
        case .canAuthenticate, .canEvaluate, .evaluate: isAway(authenticator)
        case .submitAccount, .fallback, .invalidate, .rememberDomainState, .domainStateChanged, .getView,
            .useFingerprint, .cancel, .lock, .reset, .hold, .release, .covered:
            false
        }
    }

    private func isAway(_ authenticator: Authenticator) -> Bool {
        if case .unavailable = authenticator.store { true } else { false }
    }

    /// The store does not answer, and no marker says whether there is something to lock.
    private func hasUnknownLock(_ authenticator: Authenticator) -> Bool {
        if case .unavailable(hasMarker: false) = authenticator.store { !authenticator.isLockable } else { false }
    }

    // MARK: ChangeAuthentication

    func changeAuthentication(
        _ value: Bool, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        guard value else {
            if authenticator.isSession {
                lock(authenticator, caller)
                settleFront()
            } else {
                if authenticator.view?.isEdit == true { endAsFallen(authenticator) }
                fall(authenticator, keepsTrustOf: caller.connection)
                overtake(authenticator)
            }
            return reply(token, .done)
        }
        guard !authenticator.isSession else {
            return refuse(token, .notAuthorized, "The session is opened by its passcode only")
        }
        guard authenticator.isLockable else {
            return authenticator.store == .unset
                ? refuse(token, .passcodeNotSet, "Nothing is locked without a passcode")
                : refuse(token, .storeUnavailable, "The Secret Service does not answer, or is locked")
        }
        guard causes.isEmpty else {
            return refuse(token, .notAuthorized, "Nothing opens while the session is \(sessionState)")
        }
        guard authenticator.view == nil else { return refuse(token, .notAuthorized, "A view stands") }
        let isTrusted = authenticator.holds.contains { $0.connection == caller.connection && $0.isTrusted }
        guard isTrusted || (caller.sandboxed == authenticator.id && !authenticator.isLocked) else {
            return refuse(
                token, .notAuthorized, "Only a connection that has held it since its last success may set this")
        }
        reopen(authenticator)
        reply(token, .done)
    }

    // MARK: Cancel

    func cancel(_ authenticator: Authenticator, _ token: ReplyToken?) {
        guard let view = authenticator.view else { return reply(token, .done) }
        guard canCancel(authenticator, view) else {
            return refuse(token, .notAuthorized, "A lock is not cancelled")
        }
        if view.type == .touchid { authenticator.returns = false }
        endView(authenticator, .userCancel)
        reply(token, .done)
    }

    // MARK: What makes and unmakes an authentication

    /// Becomes unauthenticated, and whatever rested on it goes.
    ///
    /// - Parameters:
    ///   - keepsGrace: true for Background alone.
    ///   - keepsTrustOf: the connection whose own ChangeAuthentication(false) this is.
    func fall(_ authenticator: Authenticator, keepsGrace: Bool = false, keepsTrustOf trusted: String? = nil) {
        authenticator.isAuthenticated = false
        authenticator.credits = [:]
        authenticator.fingerCredits = [:]
        if authenticator.isSession { lastFingerUnlock = nil }
        for index in authenticator.holds.indices where authenticator.holds[index].connection != trusted {
            authenticator.holds[index].isTrusted = false
        }
        if !keepsGrace { authenticator.lastSuccess = nil }
    }

    /// Becomes authenticated.
    ///
    /// - Parameter startsGrace: true where the authenticator was opened, false where its passcode was set or changed.
    func succeed(_ authenticator: Authenticator, startsGrace: Bool) {
        authenticator.isAuthenticated = true
        authenticator.returns = false
        authenticator.isLocked = false
        if startsGrace { authenticator.lastSuccess = now.boottime }
        for index in authenticator.holds.indices {
            authenticator.holds[index].isTrusted = true
            authenticator.holds[index].hasCovered = false
        }
    }

    /// Becomes authenticated without a factor's success, by grace or by its holder's word: no grace is renewed.
    func reopen(_ authenticator: Authenticator) {
        authenticator.isAuthenticated = true
        authenticator.returns = false
        authenticator.isLocked = false
        for index in authenticator.holds.indices { authenticator.holds[index].hasCovered = false }
    }

    /// Marks what is under way as overtaken; what was given of two factors is forgotten.
    func overtake(_ authenticator: Authenticator) {
        authenticator.operation?.isVoid = true
        authenticator.view?.finger.half = nil
    }

    /// A right passcode given by these connections lets them weaken the authenticator for 5 minutes.
    func credit(_ authenticator: Authenticator, _ connections: some Sequence<String>) {
        for connection in connections { authenticator.credits[connection] = now.boottime }
    }

    /// The same for the connection that made the try, if it is still there.
    func credit(_ operation: Operation, _ authenticator: Authenticator) {
        if operation.token != nil { credit(authenticator, [operation.caller.connection]) }
    }

    /// Whether the caller gave what its route asks for, within 5 minutes and with no fall since.
    func hasRecentProof(_ authenticator: Authenticator, _ caller: Caller) -> Bool {
        guard authenticator.isAuthenticated else { return false }
        let hasPasscode = isRecent(authenticator.credits[caller.connection])
        let hasFinger = isRecent(authenticator.fingerCredits[caller.connection])
        return switch authenticator.unlockRoute {
        case .passcode, .fingerprintOrPasscode: hasPasscode
        case .fingerprint: hasFinger
        case .fingerprintAndPasscode: hasPasscode && hasFinger
        case .login: true
        }
    }

    private func isRecent(_ given: UInt64?) -> Bool {
        guard let given else { return false }
        return now.boottime >= given && now.boottime - given <= .seconds(5 * 60)
    }
}
