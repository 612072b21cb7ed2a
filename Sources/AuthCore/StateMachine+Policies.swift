/// Evaluating policies: LocalAuthentication's `LAContext`.
extension StateMachine {
    func canEvaluate(_ policy: Policy, _ authenticator: Authenticator, _ token: ReplyToken) {
        reply(token, .canEvaluate(refusal(of: policy, authenticator)?.error))
    }

    func evaluate(
        _ policy: Policy, _ reason: String, _ options: CallOptions, _ request: String,
        _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        guard causes.isEmpty else {
            return refuse(token, .systemCancel, "Nothing is asked while the session is \(sessionState)")
        }
        var evaluation = Evaluation(
            policy: policy, thenPasscode: options.thenPasscode,
            fallbackTitle: options.fallbackTitle ?? authenticator.settings.localizedFallbackTitle,
            cancelTitle: options.cancelTitle ?? authenticator.settings.localizedCancelTitle)
        let problem = refusal(of: policy, authenticator)
        if let problem {
            guard problem.error == .biometryLockout, goesOnWithPasscode(evaluation, authenticator) else {
                return reply(token, .refused(problem))
            }
            evaluation.isPasscodesTurn = true
        }
        let reuse = options.reuseDuration ?? authenticator.settings.allowableReuseDuration
        if fingerStanding(authenticator) == .ready, wasUnlockedByFinger(within: reuse) {
            reply(token, .request(request))
            return act(.completed(request: request, to: caller.connection, .success(.fingerprint)))
        }
        guard options.isInteractive else {
            return refuse(token, .notInteractive, "A person would have to be asked")
        }
        if let refusal = refusalOfEvaluation(options, authenticator, caller) { return reply(token, .refused(refusal)) }
        reply(token, .request(request))
        endEvaluations(of: caller.connection, .systemCancel)
        var options = options
        options.reason = reason.isEmpty ? options.reason : reason
        bringUp(.policy, options, authenticator, caller)
        authenticator.view?.evaluation = evaluation
        authenticator.view?.waiters = [Waiter(request: request, connection: caller.connection)]
        settleFront()
    }

    /// Why a policy cannot be evaluated; nil when it can.
    private func refusal(of policy: Policy, _ authenticator: Authenticator) -> Refusal? {
        let standing = fingerStanding(authenticator)
        if policy == .biometrics {
            if standing == .waiting, let end = authenticator.attempts.waitEnd(at: now) { return lockedOut(until: end) }
            return standing.error.map { Refusal($0, standing.message) }
        }
        switch authenticator.store {
        case .unset: return Refusal(.passcodeNotSet, "No passcode is set")
        case .unavailable: return Refusal(.storeUnavailable, FingerStanding.storeAway.message)
        case .lost: return Refusal(.storeLost, FingerStanding.storeLost.message)
        case .ready: return authenticator.attempts.waitEnd(at: now).map(lockedOut)
        }
    }

    private func goesOnWithPasscode(_ evaluation: Evaluation, _ authenticator: Authenticator) -> Bool {
        evaluation.thenPasscode && authenticator.verifier != nil && !authenticator.attempts.isWaiting
    }

    /// `LAContext.touchIDAuthenticationAllowableReuseDuration`: strictly less than so many seconds ago.
    private func wasUnlockedByFinger(within seconds: Double) -> Bool {
        guard let lastFingerUnlock, now.boottime >= lastFingerUnlock, session?.isAuthenticated == true else {
            return false
        }
        return Double(now.boottime - lastFingerUnlock) < seconds * 1_000_000
    }

    private func refusalOfEvaluation(
        _ options: CallOptions, _ authenticator: Authenticator, _ caller: Caller
    ) -> Refusal? {
        if authenticator.isSession {
            if options.ui == .none {
                return Refusal(.notAuthorized, "The session's view is shown by the service")
            }
            if let view = authenticator.view, view.type != .policy {
                return view.type == .touchid
                    ? Refusal(.notAuthorized, "The session is locked")
                    : Refusal(.busy, "Another view of the session stands")
            }
        }
        if let view = authenticator.view, view.type == .policy,
            !view.waiters.contains(where: { $0.connection == caller.connection })
        {
            return Refusal(.busy, "Another evaluation stands")
        }
        if authenticator.operation?.token != nil { return Refusal(.busy, "Its passcode is in use") }
        return refusalOfLine(options, authenticator)
    }

    // MARK: Its ends

    func invalidate(_ caller: Caller, _ authenticator: Authenticator, _ token: ReplyToken) {
        if let view = authenticator.view, view.type == .policy,
            view.waiters.contains(where: { $0.connection == caller.connection })
        {
            endView(authenticator, .appCancel)
        }
        reply(token, .done)
    }

    private func endEvaluations(of connection: String, _ result: Dismissal) {
        for (id, known) in authenticators.sorted(by: { $0.key < $1.key }) {
            guard let view = known.view, view.type == .policy,
                view.waiters.contains(where: { $0.connection == connection }), let authenticator = touch(id)
            else { continue }
            endView(authenticator, result)
        }
    }

    /// The button for those who would rather not use a finger.
    func fallback(_ authenticator: Authenticator, _ token: ReplyToken?) {
        guard let view = authenticator.view, isShowing(authenticator), causes.isEmpty, hasFallback(view),
            let evaluation = view.evaluation
        else { return refuse(token, .invalidContext, "No view has a fallback button now") }
        switch evaluation.policy {
        case .biometrics: endView(authenticator, .userFallback)
        case .deviceOwner:
            authenticator.view?.evaluation?.isPasscodesTurn = true
            authenticator.view?.notice = .none
        }
        reply(token, .done)
    }

    func hasFallback(_ view: View) -> Bool {
        guard let evaluation = view.evaluation else { return false }
        return evaluation.hasFailed && !evaluation.isPasscodesTurn && evaluation.fallbackTitle != ""
    }

    /// Whether an entry is taken now.
    func takesPasscode(_ view: View) -> Bool {
        guard let evaluation = view.evaluation else { return true }
        return evaluation.policy == .deviceOwner || evaluation.isPasscodesTurn
    }

    /// A finger did not match in its view.
    func evaluationMissed(_ authenticator: Authenticator, _ noMatches: Int) {
        guard let evaluation = authenticator.view?.evaluation else { return }
        authenticator.view?.evaluation?.hasFailed = true
        if isBiometryLockedOut(authenticator) {
            let goesOn = evaluation.policy == .deviceOwner || goesOnWithPasscode(evaluation, authenticator)
            guard goesOn else { return endView(authenticator, .biometryLockout) }
            authenticator.view?.evaluation?.isPasscodesTurn = true
        } else if noMatches >= Self.noMatchesInARow {
            endView(authenticator, .authenticationFailed)
        }
    }

    /// A passcode was wrong in its view: a wait ends it.
    func evaluationFailed(_ authenticator: Authenticator) {
        authenticator.view?.evaluation?.hasFailed = true
        authenticator.view?.notice = .failed(authenticator.attempts.failures)
        if authenticator.attempts.isWaiting { endView(authenticator, .lockedOut) }
    }

    /// An evaluation that cannot succeed any more ends with the reason; a sensor that went may come back.
    func settleEvaluation(_ authenticator: Authenticator) {
        guard let view = authenticator.view, let evaluation = view.evaluation, authenticator.operation == nil else {
            return
        }
        let problem: AuthError?
        if takesPasscode(view) {
            switch authenticator.store {
            case .ready: problem = authenticator.attempts.isWaiting ? .lockedOut : nil
            case .unset: problem = .passcodeNotSet
            case .unavailable: problem = nil
            case .lost: problem = .storeLost
            }
        } else {
            let standing = fingerStanding(authenticator)
            problem = standing == .absent || standing == .storeAway ? nil : standing.error
        }
        guard let problem else { return }
        if problem == .biometryLockout, goesOnWithPasscode(evaluation, authenticator) {
            authenticator.view?.evaluation?.isPasscodesTurn = true
            return
        }
        endView(authenticator, Dismissal(problem))
    }
}
