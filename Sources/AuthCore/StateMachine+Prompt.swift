/// The service's own prompt, and the cover over the session.
extension StateMachine {
    func promptReported(_ event: PromptEvent, _ number: UInt64) {
        guard let shown = prompt, shown.view == number, let authenticator = touch(shown.id),
            authenticator.view?.number == number
        else {
            // An entry is answered even when its view has just gone.
            switch event {
            case .entry(_, let token), .account(_, let token):
                return refuse(token, .systemCancel, "The view ended")
            default: return
            }
        }
        switch event {
        case .shown:
            guard authenticator.view?.isPromptShown == false else { return }
            authenticator.view?.isPromptShown = true
            signal(authenticator, .authViewShown(by: .prompt))
        case .gone:
            authenticator.view?.isPromptShown = false
            authenticator.view?.filled = 0
        case .entry(let passcode, let token):
            authenticator.view?.filled = 0
            submit(passcode, authenticator, .prompt, token)
        case .account(let password, let token): submitAccount(password, authenticator, .prompt, token)
        case .filled(let count): authenticator.view?.filled = min(count, 64)
        case .fingerButton(let finger): useFingerprint(finger, authenticator, nil)
        case .fallback: fallback(authenticator, nil)
        case .cancel: cancel(authenticator, nil)
        case .activity:
            if causes.allSatisfy({ $0.cause == .idle }) { clear { $0.cause == .idle } }
        }
    }

    func displayChanged(_ event: DisplayEvent) {
        switch event {
        case .prompts(let canCome): canPrompt = canCome
        case .promptsFail(let doFail): promptsFail = doFail
        case .covers(let canCome): canCover = canCome
        case .covered(let isUp): isCoverUp = isUp
        }
    }

    /// One prompt, for the view in front; none where a terminal or the app shows it.
    func settlePrompt() {
        let wanted = promptWanted
        guard wanted?.view != prompt?.view else { return }
        if let former = prompt { act(.hidePrompt(view: former.view, former.result)) }
        prompt = wanted
        if let wanted { act(.showPrompt(wanted.id, view: wanted.view)) }
    }

    private var promptWanted: ShownPrompt? {
        guard canPrompt, let front = line.first, let view = authenticators[front]?.view, view.isPresented,
            // A terminal that is asked for the session's lock may itself lie under the cover.
            view.isForPrompt || view.terminals.isEmpty || (front == .session && isSessionCovered)
        else { return nil }
        return ShownPrompt(id: front, view: view.number)
    }

    /// The session is covered for as long as it is locked.
    func settleCover() {
        guard authenticators[.session]?.isOpen == true else { return }
        let isWanted = isSessionCovered
        guard isWanted != wantsCover else { return }
        wantsCover = isWanted
        act(.cover(isWanted))
    }

    /// Whether the session is locked, so that nothing but its view is to be seen or reached.
    public var isSessionCovered: Bool {
        guard let session = authenticators[.session], session.isOpen else { return false }
        return session.isLocked && session.isLockable && !session.isAuthenticated
    }

    /// Whether the session is known to be open: what decides about it has been read.
    public var isSessionOpen: Bool {
        guard let session = authenticators[.session], session.isOpen, session.isLoaded else { return false }
        return !isSessionCovered
    }

    /// Whether the session's lock is on screen, as far as it can be.
    var isLockShown: Bool {
        guard let session = authenticators[.session], session.isLockable, !session.isAuthenticated else { return true }
        let isPromptUp = !canPrompt || promptsFail || session.view?.isPromptShown == true
        return isPromptUp && (!canCover || isCoverUp)
    }

    public func promptState(_ id: AuthenticatorID) -> PromptState? {
        guard let authenticator = authenticators[id], let view = authenticator.view,
            let state = viewState(authenticator)
        else { return nil }
        return PromptState(
            view: state, takesKeys: causes.isEmpty, isBusy: authenticator.operation != nil,
            isAnimated: view.isAnimated, parentWindow: view.parentWindow,
            covers: id == .session && isSessionCovered)
    }
}

/// The view that the prompt shows.
struct ShownPrompt {
    var id: AuthenticatorID
    var view: UInt64
    /// How the view ended, where it has.
    var result: Dismissal?
}
