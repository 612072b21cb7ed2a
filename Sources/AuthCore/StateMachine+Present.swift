/// Bringing views up.
extension StateMachine {
    func present(
        _ type: SecurityType?, _ options: CallOptions, _ authenticator: Authenticator, _ caller: Caller,
        _ token: ReplyToken
    ) {
        let type = type ?? authenticator.settings.securityType
        let refusal =
            type == .touchid
            ? refusalToUnlock(options, authenticator) : refusalToEdit(type, options, authenticator, caller)
        if let refusal { return reply(token, .refused(refusal)) }
        if type == .touchid, isOpenAlready(authenticator) { return reply(token, .presented(false)) }
        bringUp(type, options, authenticator, caller)
        authenticator.view?.isAsked = true
        authenticator.view?.presenters.insert(caller.connection)
        // Nobody cancels it, so it is a lock, and a restart must find it again.
        if authenticator.isSession, type == .touchid { authenticator.isLocked = true }
        settleFront()
        reply(token, .presented(true))
    }

    func authenticate(
        _ reason: String, _ options: CallOptions, _ request: String, _ authenticator: Authenticator,
        _ caller: Caller, _ token: ReplyToken
    ) {
        var options = options
        options.reason = reason.isEmpty ? options.reason : reason
        if let refusal = refusalToUnlock(options, authenticator) { return reply(token, .refused(refusal)) }
        if options.requiresPasscode, authenticator.unlockRoute == .fingerprint {
            return refuse(token, .passcodeNotSet, "FactorMode finger has no passcode")
        }
        reply(token, .request(request))
        if !options.requiresPasscode, isOpenAlready(authenticator) {
            return act(.completed(request: request, to: caller.connection, .success(.grace)))
        }
        bringUp(.touchid, options, authenticator, caller)
        authenticator.view?.waiters.append(
            Waiter(request: request, connection: caller.connection, requiresPasscode: options.requiresPasscode))
        settleFront()
    }

    private func refusalToUnlock(_ options: CallOptions, _ authenticator: Authenticator) -> Refusal? {
        guard authenticator.isLockable else {
            return authenticator.store == .unset
                ? Refusal(.passcodeNotSet, "No passcode is set")
                : Refusal(.storeUnavailable, "The Secret Service does not answer, or is locked")
        }
        if authenticator.isSession, options.ui == .none {
            return Refusal(.notAuthorized, "The session's view is shown by the service")
        }
        return refusalOfLine(options, authenticator)
    }

    private func refusalToEdit(
        _ type: SecurityType, _ options: CallOptions, _ authenticator: Authenticator, _ caller: Caller
    ) -> Refusal? {
        if authenticator.unlockRoute == .fingerprint {
            return type == .twice
                ? Refusal(.notAuthorized, "FactorMode finger has no passcode")
                : Refusal(.passcodeNotSet, "No passcode is set")
        }
        switch (authenticator.store, type) {
        case (.lost, _): return Refusal(.storeLost, "The stored passcode is gone; reset with the account password")
        case (.unavailable, _):
            if type == .twice { askToUnlock() }
            return Refusal(.storeUnavailable, "The Secret Service does not answer, or is locked")
        case (.unset, .once), (.unset, .three): return Refusal(.passcodeNotSet, "No passcode is set")
        case (.ready, .twice): return Refusal(.passcodeAlreadySet, "A passcode is set already")
        // The view stands beside the provider's prompt; what it takes can be stored once that is answered.
        case (.unset, .twice): askToUnlock()
        default: break
        }
        if let view = authenticator.view, view.type != type, authenticator.isSession {
            return view.type == .touchid
                ? Refusal(.notAuthorized, "The session is locked")
                : Refusal(.busy, "Another view of the session stands")
        }
        if let operation = authenticator.operation, authenticator.view == nil, operation.token != nil {
            return Refusal(.busy, "Its passcode is being changed")
        }
        return refusalOfLine(options, authenticator)
    }

    /// Has the provider ask for its collection's password where that is locked; never under a cover.
    func askToUnlock() {
        if secretService == .locked, !isCovered { act(.unlockStore) }
    }

    /// The session is covered: nothing else may ask the person for anything.
    var isCovered: Bool { authenticators[.session].map { $0.isLockable && $0.isLocked } ?? false }

    /// Whether an unlock has nothing to ask: it is authenticated, or the grace makes it so.
    private func isOpenAlready(_ authenticator: Authenticator) -> Bool {
        if let view = authenticator.view, view.type != .touchid { endView(authenticator, .systemCancel) }
        if authenticator.isAuthenticated { return true }
        guard causes.isEmpty, authenticator.hasGrace(at: now) else { return false }
        reopen(authenticator)
        if authenticator.view != nil { endView(authenticator, .success, method: .grace) }
        return true
    }

    /// Puts a view up, or joins the one of its type that stands.
    func bringUp(
        _ type: SecurityType, _ options: CallOptions, _ authenticator: Authenticator, _ caller: Caller?
    ) {
        if authenticator.view?.type == type {
            join(options, authenticator, caller)
            return
        }
        if authenticator.view != nil { endView(authenticator, .systemCancel) }
        let stored = authenticator.verifier
        let kind = options.kind ?? (type == .three ? stored?.kind : nil) ?? .digits
        var digits = authenticator.settings.passcodeDigit
        if let stored, stored.kind == .digits { digits = UInt32(stored.length) }
        var view = View(
            number: nextView, type: type, step: type.firstStep, kind: kind, digits: Int(options.digits ?? digits),
            reason: options.reason, requester: caller, lastEntry: now.boottime)
        view.finger.hadSensor = sensor.isPresent
        if view.isEdit {
            view.remembered = authenticator.isAuthenticated
            fall(authenticator)
        }
        nextView += 1
        view.isHeadless = options.ui == .none
        view.isForPrompt = options.ui == .auto
        view.isTerminalsOnly = view.isEdit && options.ui == .terminal
        view.isAnimated = options.isAnimated
        view.parentWindow = options.parentWindow
        if options.ui == .terminal, let caller { view.terminals.insert(caller.connection) }
        authenticator.view = view
        if view.isHeadless { headless.insert(authenticator.id) } else { enterLine(authenticator) }
    }

    /// Joining widens a view that only the app shows, never the reverse.
    private func join(_ options: CallOptions, _ authenticator: Authenticator, _ caller: Caller?) {
        if options.ui != .terminal { authenticator.view?.isTerminalsOnly = false }
        guard options.ui != .none else { return }
        if options.ui == .auto { authenticator.view?.isForPrompt = true }
        if authenticator.view?.isHeadless == true {
            authenticator.view?.isHeadless = false
            headless.remove(authenticator.id)
            authenticator.view?.isPresented = false
            enterLine(authenticator)
        }
        if options.ui == .terminal, let caller, let view = authenticator.view,
            !view.terminals.contains(caller.connection)
        {
            authenticator.view?.terminals.insert(caller.connection)
            if view.isPresented { signal(authenticator, .authViewShown(by: .terminal)) }
        }
    }

    // MARK: By the lifecycle

    /// Brings the unlock view up for nobody in particular: Lock, Background, Foreground.
    func presentLock(_ authenticator: Authenticator, _ caller: Caller? = nil) {
        var options = CallOptions()
        options.isAnimated = false
        if !authenticator.isSession, authenticator.holds.contains(where: \.isHeadless) { options.ui = .none }
        bringUp(.touchid, options, authenticator, caller)
        authenticator.view?.isAsked = true
    }

    /// Unauthenticated, no grace, and the view up.
    func lock(_ authenticator: Authenticator, _ caller: Caller? = nil) {
        if let view = authenticator.view, view.type != .touchid { endAsFallen(authenticator) }
        fall(authenticator)
        overtake(authenticator)
        authenticator.isLocked = authenticator.mayBeLockable
        guard authenticator.isLockable else { return }
        // The session's lock is for whoever comes back to it: nobody asks.
        presentLock(authenticator, authenticator.isSession ? nil : caller)
    }

    /// Ends `once`, `twice` or `three` so that what it remembered does not come back.
    func endAsFallen(_ authenticator: Authenticator) {
        authenticator.view?.remembered = false
        endView(authenticator, .systemCancel)
    }
}
