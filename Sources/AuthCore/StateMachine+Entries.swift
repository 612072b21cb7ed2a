/// Entries into a view.
extension StateMachine {
    func submit(
        _ passcode: any Passcode, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        clearIdle(byTerminal: caller, of: authenticator)
        guard let view = authenticator.view, isShowing(authenticator), causes.isEmpty else {
            return refuse(token, .invalidContext, "No view takes an entry now")
        }
        guard takesPasscode(view) else { return refuse(token, .invalidContext, "A finger is asked for") }
        if view.isEdit {
            // Whoever answered the first step answers the rest: an entry is not pieced together by two.
            let isChannel =
                view.channel.map { $0 == caller.connection }
                ?? (caller == .prompt || view.presenters.contains(caller.connection))
            guard isChannel else { return refuse(token, .busy, "The view is answered by whoever brought it up") }
        }
        guard authenticator.operation == nil else { return refuse(token, .busy, "An entry is being checked") }
        if let refusal = refusalOfOrder(authenticator, view) { return reply(token, .refused(refusal)) }
        authenticator.view?.lastEntry = now.boottime
        if view.step != .old, let refusal = refusalToStore(authenticator) { return reply(token, .refused(refusal)) }
        switch view.step {
        case .old: startTry(.entry, passcode, authenticator, caller, token)
        case .new: takeNew(passcode, view, authenticator, caller, token)
        case .again: takeAgain(passcode, view, authenticator, caller, token)
        }
    }

    /// SPEC 6: under `all` the finger comes first, where one can come.
    private func refusalOfOrder(_ authenticator: Authenticator, _ view: View) -> Refusal? {
        guard view.step == .old, view.type != .policy else { return nil }
        switch authenticator.unlockRoute {
        case .fingerprint: return Refusal(.invalidContext, "A finger is asked for; there is no passcode")
        case .fingerprintAndPasscode:
            if view.finger.half?.method == .passcode {
                return Refusal(.invalidContext, "The passcode was given; a finger is asked for")
            }
            return view.finger.half == nil && canReadFinger(authenticator)
                ? Refusal(.invalidContext, "The finger comes first") : nil
        case .fingerprintOrPasscode, .passcode, .login: return nil
        }
    }

    /// An entry from a terminal is somebody at the desk: it clears `idle`, and counts as an entry all the same.
    func clearIdle(byTerminal caller: Caller, of authenticator: Authenticator) {
        guard authenticator.view?.terminals.contains(caller.connection) == true, isShowing(authenticator),
            causes.allSatisfy({ $0.cause == .idle })
        else { return }
        clear { $0.cause == .idle }
    }

    /// A new passcode is not taken while the store does not say what is there now.
    private func refusalToStore(_ authenticator: Authenticator) -> Refusal? {
        switch authenticator.store {
        case .ready, .unset: nil
        case .unavailable: Refusal(.storeUnavailable, "The Secret Service does not answer, or is locked")
        case .lost: Refusal(.storeLost, "The stored passcode is gone; reset with the account password")
        }
    }

    private func takeNew(
        _ passcode: any Passcode, _ view: View, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        guard let new = PasscodeRules.normalised(new: passcode, kind: view.kind, digits: view.digits) else {
            return refuse(token, .invalidPasscode, "Not a passcode of this kind and length")
        }
        authenticator.view?.first = new.passcode
        authenticator.view?.step = .again
        authenticator.view?.notice = .none
        authenticator.view?.channel = caller.connection
        reply(token, .outcome(.next, viewState(authenticator)))
    }

    private func takeAgain(
        _ passcode: any Passcode, _ view: View, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        // Brought into the stored form first, so that a pattern or a text entered another way is the same.
        guard let entered = PasscodeRules.normalised(new: passcode, kind: view.kind, digits: view.digits) else {
            return refuse(token, .invalidPasscode, "Not a passcode of this kind and length")
        }
        guard let first = view.first, entered.passcode.isEqual(to: first) else {
            authenticator.view?.first = nil
            authenticator.view?.step = .new
            authenticator.view?.notice = .mismatch
            return reply(token, .outcome(.mismatch, viewState(authenticator)))
        }
        startStoring(.entry, first, view.kind, length: entered.length, authenticator, caller, token)
    }

    // MARK: How a try in a view ended

    /// The old passcode was right.
    func entryAccepted(_ operation: Operation, _ authenticator: Authenticator) {
        guard let view = authenticator.view else {
            return refuse(operation.token, .systemCancel, "The view ended")
        }
        switch view.type {
        case .touchid, .once, .three:
            if authenticator.unlockRoute == .fingerprintAndPasscode, view.finger.half == nil {
                authenticator.view?.finger.half = (now.boottime, .passcode)
                authenticator.view?.notice = .none
                return reply(operation.token, .outcome(.next, viewState(authenticator)))
            }
            stepAccepted(operation, authenticator, view)
        case .policy:
            if authenticator.isAuthenticated { credit(operation, authenticator) }
            endView(authenticator, .success, method: .passcode)
            reply(operation.token, .outcome(.accepted, nil))
        case .twice: refuse(operation.token, .invalidContext, "No passcode is asked for")
        }
    }

    /// Everything was given that the first step asks for; the passcode came last.
    private func stepAccepted(_ operation: Operation, _ authenticator: Authenticator, _ view: View) {
        switch view.type {
        case .touchid:
            opened(
                authenticator, view, by: method(with: view.finger.half?.method),
                caller: operation.token == nil ? nil : operation.caller)
            reply(operation.token, .outcome(.accepted, viewState(authenticator)))
        case .three:
            authenticator.view?.step = .new
            authenticator.view?.notice = .none
            authenticator.view?.channel = operation.caller.connection
            reply(operation.token, .outcome(.next, viewState(authenticator)))
        case .once: startRemoving(operation, authenticator)
        case .twice, .policy: break
        }
    }

    /// What a passcode makes together with what was given before it.
    private func method(with half: Method?) -> Method {
        switch half {
        case .fingerprint: .both
        case .account: .account
        default: .passcode
        }
    }

    /// A counted failure in a view, SetPasscode or ClearPasscode.
    func entryFailed(_ authenticator: Authenticator) {
        authenticator.lastSuccess = nil
        guard let view = authenticator.view else { return }
        if view.type == .policy {
            evaluationFailed(authenticator)
        } else if view.type == .touchid {
            authenticator.view?.finger.half = nil
            authenticator.view?.notice = .failed(authenticator.attempts.failures)
        } else if authenticator.isSession {
            lockAfterFailure(authenticator, .failed(authenticator.attempts.failures))
        } else {
            authenticator.view?.remembered = false
            if view.step == .old { authenticator.view?.restart(.failed(authenticator.attempts.failures)) }
        }
    }

    /// On the session a counted failure ends a view that turns a passcode on or off, or changes it. The lock's view that
    /// comes instead tells of it, as after a failure of its own.
    func lockAfterFailure(_ session: Authenticator, _ notice: ViewState.Notice) {
        endAsFallen(session)
        settleLock()
        if session.view?.type == .touchid { session.view?.notice = notice }
        settleFront()
    }
}
