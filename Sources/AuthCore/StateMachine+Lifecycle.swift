/// Background, Foreground, sleep, and what holds after every event.
extension StateMachine {
    func session(_ event: SessionEvent) {
        switch event {
        case .began(let cause, let source):
            if causes.insert(CausePair(cause: cause, source: source)).inserted { background(cause) }
            if cause == .sleep { sleepDeadline = now.boottime + coverPatience }
        case .ended(let cause, let source):
            if cause == .sleep { sleepDeadline = nil }
            clear { $0 == CausePair(cause: cause, source: source) }
        case .left(let source):
            sources.removeAll { $0 == source }
            clear { $0.source == source }
        case .arrived(let source):
            if !sources.contains(source) { sources.append(source) }
        case .lockRequested: lockRequested()
        case .sleptUnannounced:
            let pair = CausePair(cause: .sleep, source: "clock")
            causes.insert(pair)
            background(.sleep)
            clear { $0 == pair }
        }
    }

    func reportIdle(_ isIdle: Bool) {
        let source = "report"
        if !sources.contains(source) { sources.append(source) }
        session(isIdle ? .began(.idle, source: source) : .ended(.idle, source: source))
    }

    /// Takes pairs out of the set; Foreground when the last one goes.
    func clear(where isCleared: (CausePair) -> Bool) {
        guard causes.contains(where: isCleared) else { return }
        causes = causes.filter { !isCleared($0) }
        if causes.isEmpty { foreground() }
    }

    // MARK: Background

    private func background(_ cause: Cause) {
        returning = []
        for authenticator in touchAll() where authenticator.isOpen {
            overtake(authenticator)
            let isNamed = authenticator.settings.lockOn.contains(cause)
            if isNamed, let view = authenticator.view, view.type != .touchid {
                if view.remembered { authenticator.returns = true }
                endAsFallen(authenticator)
            }
            guard authenticator.isLockable else {
                // Without a lock it was authenticated by a turn-off at most.
                fall(authenticator, keepsGrace: true)
                if isNamed, !authenticator.isLoaded { authenticator.isLocked = true }
                continue
            }
            guard isNamed else { continue }
            if authenticator.isAuthenticated { authenticator.returns = true }
            fall(authenticator, keepsGrace: true)
            authenticator.isLocked = true
        }
    }

    // MARK: Foreground

    private func foreground() {
        if let session, session.isLockable, !session.isAuthenticated, session.isLocked, session.hasGrace(at: now) {
            reopen(session)
            endView(session, .success, method: .grace)
        }
        returning = authenticators.values
            .filter { !$0.isSession && $0.isOpen && $0.returns && ($0.view != nil || !$0.holds.isEmpty) }
            .map(\.id).sorted()
    }

    /// Brings applications back, one at a time, after the session.
    private func bringBack() {
        guard causes.isEmpty, !returning.isEmpty else { return }
        if let session = authenticators[.session], session.isLockable, session.isLocked { return }
        var waiting: [AuthenticatorID] = []
        for id in returning {
            guard let authenticator = authenticators[id], authenticator.isLockable, !authenticator.isAuthenticated,
                authenticator.returns, authenticator.view.map({ $0.type == .touchid }) ?? true
            else { continue }
            if authenticator.hasGrace(at: now) {
                guard let authenticator = touch(id) else { continue }
                reopen(authenticator)
                endView(authenticator, .success, method: .grace)
            } else if authenticator.view != nil || authenticator.holds.isEmpty {
                continue
            } else if line.isEmpty || authenticator.holds.contains(where: \.isHeadless) {
                if let authenticator = touch(id) { presentLock(authenticator) }
            } else {
                waiting.append(id)
            }
        }
        returning = waiting
    }

    // MARK: Lock

    /// logind's Session.Lock: Lock() on the session, and a fall without grace for the applications that name it.
    private func lockRequested() {
        guard let session else { return }
        if session.isLockable, session.isLocked, session.view?.type == .touchid { return }
        lock(session)
        for authenticator in touchAll()
        where !authenticator.isSession && authenticator.isLockable
            && authenticator.settings.lockOn.contains(.screenLock)
        {
            if authenticator.wasAuthenticated {
                authenticator.returns = true
                if !returning.contains(authenticator.id) { returning.append(authenticator.id) }
            }
            if let view = authenticator.view, view.type != .touchid { endAsFallen(authenticator) }
            overtake(authenticator)
            fall(authenticator)
            authenticator.isLocked = true
        }
    }

    // MARK: Sleep

    /// Nobody is waited for any longer.
    func releaseSleep() {
        sleepDeadline = nil
        act(.allowSleep)
    }

    private var coversAreUp: Bool {
        authenticators.values.allSatisfy { authenticator in
            !authenticator.shouldCover
                || authenticator.holds.allSatisfy { !$0.confirmsCover || $0.hasCovered }
        }
    }

    // MARK: What holds after every event

    func settle() {
        for id in touched {
            guard let authenticator = authenticators[id], authenticator.isOpen else { continue }
            settleRoute(authenticator)
        }
        // SPEC 13, 3: whenever the session is locked, its view is in front.
        if let session = authenticators[.session], session.isOpen, session.isLocked, session.isLockable,
            !session.isAuthenticated, session.view?.type != .touchid, let session = touch(.session)
        {
            presentLock(session)
        }
        bringBack()
        settleFront()
        settleLockedHint()
        if sleepDeadline != nil, coversAreUp { releaseSleep() }
    }

    /// A route that changed under a view takes the view away; a lock that is no more stands no longer.
    private func settleRoute(_ authenticator: Authenticator) {
        guard let old = route(before: authenticator.id), old != authenticator.unlockRoute else { return }
        if authenticator.isLockable {
            guard let view = authenticator.view, view.type != .touchid else { return }
            endAsFallen(authenticator)
        } else {
            if let view = authenticator.view, view.type == .touchid { endView(authenticator, .systemCancel) }
        }
    }

    private func settleLockedHint() {
        guard let session = authenticators[.session], session.isOpen else { return }
        let isLocked = session.isLocked && session.isLockable && !session.isAuthenticated
        guard isLocked != lockedHint else { return }
        lockedHint = isLocked
        act(.setLockedHint(isLocked))
    }
}
