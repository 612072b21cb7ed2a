/// Background, Foreground, sleep, and what holds after every event.
extension StateMachine {
    /// The source's name in SessionSources.
    static let logind = "logind"

    func session(_ event: SessionEvent) {
        switch event {
        case .began(let cause, let source):
            guard causes.insert(CausePair(cause: cause, source: source)).inserted else { return }
            background(cause)
            if cause == .sleep { sleepDeadline = now.boottime + coverPatience }
        case .ended(let cause, let source): clear { $0 == CausePair(cause: cause, source: source) }
        case .left(let source):
            sources.removeAll { $0 == source }
            clear { $0.source == source }
        case .arrived(let source):
            if !sources.contains(source) { sources.append(source) }
            // logind may have been started anew, and knows nothing of the hint.
            if source == Self.logind, let lockedHint { act(.setLockedHint(lockedHint)) }
        case .lockRequested: lockRequested()
        case .sleptUnannounced:
            let pair = CausePair(cause: .sleep, source: "clock")
            causes.insert(pair)
            background(.sleep)
            clear { $0 == pair }
        }
    }

    func reportIdle(_ isIdle: Bool) {
        session(isIdle ? .began(.idle, source: Self.report) : .ended(.idle, source: Self.report))
    }

    /// Takes pairs out of the set; Foreground when the last one goes.
    func clear(where isCleared: (CausePair) -> Bool) {
        guard causes.contains(where: isCleared) else { return }
        causes = causes.filter { !isCleared($0) }
        if !causes.contains(where: { $0.cause == .sleep }) { sleepDeadline = nil }
        if causes.isEmpty { foreground() }
    }

    // MARK: Background

    private func background(_ cause: Cause) {
        returning = []
        for authenticator in touchAll() where authenticator.isOpen {
            overtake(authenticator)
            let isNamed = authenticator.settings.lockOn.contains(cause)
            if let view = authenticator.view, view.type == .policy || (isNamed && view.isEdit) {
                if view.remembered { authenticator.returns = true }
                endAsFallen(authenticator)
            }
            guard authenticator.isLockable else {
                // Without a lock it was authenticated by a turn-off at most.
                fall(authenticator, keepsGrace: true)
                if isNamed, authenticator.mayBeLockable { authenticator.isLocked = true }
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
        // Others may have enrolled meanwhile, and polkit may have said nothing to an inactive session.
        if sensor.backend == .fprintd {
            act(.sensor(.look(nextOperation)))
            nextOperation += 1
        }
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

    /// logind's Session.Lock: Lock() on the session, and a fall without grace for the applications that name it. What
    /// is locked already shows nothing of it, but loses the grace and the try under way.
    private func lockRequested() {
        guard let session else { return }
        if session.isLocked, session.isLockable, session.view?.type == .touchid {
            session.lastSuccess = nil
            overtake(session)
        } else {
            lock(session)
        }
        for authenticator in touchAll()
        where !authenticator.isSession && authenticator.isOpen
            && authenticator.settings.lockOn.contains(.screenLock)
        {
            if authenticator.isLockable, authenticator.wasAuthenticated {
                authenticator.returns = true
                if !returning.contains(authenticator.id) { returning.append(authenticator.id) }
            }
            if let view = authenticator.view, view.type != .touchid { endAsFallen(authenticator) }
            overtake(authenticator)
            // Without a lock it was authenticated by a turn-off or a reset at most, and falls all the same.
            fall(authenticator)
            if authenticator.isLockable || !authenticator.isLoaded { authenticator.isLocked = true }
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
            settleEvaluation(authenticator)
            settleEnrolment(authenticator)
        }
        settleLock()
        bringBack()
        settleFront()
        // The cover first: what is seen and typed meanwhile is what matters.
        settleCover()
        settlePrompt()
        settleSensor()
        settleLockedHint()
        if sleepDeadline != nil, coversAreUp, isLockShown { releaseSleep() }
    }

    /// SPEC 13, 3: whenever the session is locked, its view is in front, and no caller's going takes it down.
    func settleLock() {
        guard let session = authenticators[.session], session.isOpen, session.isLocked, session.isLockable,
            !session.isAuthenticated, session.view?.type != .touchid || session.view?.isAsked == false
        else { return }
        if let session = touch(.session) { presentLock(session) }
    }

    /// A route that changed under a view takes the view away; a lock that is no more stands no longer.
    private func settleRoute(_ authenticator: Authenticator) {
        guard let old = route(before: authenticator.id), old != authenticator.unlockRoute,
            let view = authenticator.view
        else { return }
        if view.isEdit {
            // A sensor that comes and goes changes the way in, not what there is to open.
            if old.isByPasscode, authenticator.unlockRoute.isByPasscode { return }
            endAsFallen(authenticator)
        } else if view.type == .touchid, !authenticator.isLockable {
            endView(authenticator, .systemCancel)
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
