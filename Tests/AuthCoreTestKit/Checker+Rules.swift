import AuthCore

extension Checker {
    /// Rule 1: what opens an authenticator, and what keeps it shut.
    func checkAuthentication(
        _ event: Event, _ actions: [Action], _ id: AuthenticatorID, _ state: inout Seen, hadCauses: Bool
    ) {
        let isNow = bench.isAuthenticated(id)
        let mayOpen = proves(event, id, state)
        if mayOpen {
            state.isBarred = false
            if state.secret != nil || state.isFingersSecret {
                fail("rule 2: a stranger opens \(bench.name(id))")
            }
        }
        defer {
            let type = bench.view(id)?.type
            if isNow || type == nil || type == .touchid { state.isRemembered = false }
        }
        let hasGrace =
            state.graceFrom.map { causes.isEmpty && Double(bench.now.boottime - $0) < state.timeout * 1_000_000 }
            ?? false
        if isNow, state.isAuthenticated, state.isBarred {
            // It fell and came back within the event.
            if !hasGrace { fail("rule 1: \(bench.name(id)) stays open") }
            state.isBarred = false
        }
        guard isNow != state.isAuthenticated else { return }
        guard isNow else {
            if let type = bench.view(id)?.type, type != .touchid, !state.isBarred { state.isRemembered = true }
            if !isBackground { state.graceFrom = nil }
            return
        }
        if mayOpen {
            if !causes.isEmpty { fail("rule 1: \(bench.name(id)) opened while \(causes) stand") }
            return
        }
        if state.isRemembered, !state.isBarred { return }
        if case .call(.changeAuthentication(true), id, _, _) = event, id != .session, !hadCauses, !state.isBarred,
            state.viewType == nil
        {
            return
        }
        if hasGrace {
            state.isBarred = false
            return
        }
        fail("rule 1: \(bench.name(id)) opened by nothing that opens it")
    }

    /// A right passcode, finger or account password, or one that was just turned on; under `all` two of them.
    private func proves(_ event: Event, _ id: AuthenticatorID, _ state: Seen) -> Bool {
        switch event {
        case .compared(id, _, .same): state.route != "fingerprint+passcode" || hasBoth(state)
        case .sensor(.match), .attemptsWritten:
            state.fingerEvent == events && (state.route != "fingerprint+passcode" || hasBoth(state))
        // A setting that leaves `login` leaves it open.
        case .settingsWritten(id, true): state.route == "login"
        case .accountChecked(id, _, .right): true
        case .stored(id, _, .success): true
        case .removed(id, _, .success): true
        default: false
        }
    }

    /// Notes a Background or Lock that shuts it.
    func noteBarring(_ event: Event, _ actions: [Action], _ id: AuthenticatorID, _ state: inout Seen) {
        let hasPasscode = bench.isTrue(.hasPasscode, id)
        func background(_ cause: Cause) {
            if isBackground, hasPasscode, state.lockOn.contains(cause.rawValue) { state.isBarred = true }
        }
        switch event {
        case .session(.began(let cause, _)): background(cause)
        case .reportIdle(true): background(.idle)
        case .session(.sleptUnannounced): background(.sleep)
        case .session(.lockRequested):
            if hasPasscode, id == .session || state.lockOn.contains(Cause.screenLock.rawValue) {
                state.isBarred = true
                state.graceFrom = nil
            }
        case .call(.lock, id, _, let token), .call(.changeAuthentication(false), id, _, let token):
            guard bench.replies[token] == .done else { return }
            state.graceFrom = nil
            if case .call(.lock, _, _, _) = event, hasPasscode { state.isBarred = true }
            if id == .session, hasPasscode { state.isBarred = true }
        default: break
        }
        for case .reply(_, .outcome(.wrong, _)) in actions {
            if case .compared(id, _, _) = event {
                state.graceFrom = nil
                if state.viewType != .touchid { state.isRemembered = false }
            }
        }
    }

    /// Rule 5: counted before it is compared, not compared during a wait, and never less without a success; and rule 7
    /// for the ladder.
    func checkAttempts(_ event: Event, _ actions: [Action], _ id: AuthenticatorID, _ state: inout Seen) {
        let failures = bench.number(.failCount, id)
        let waitEnd = bench.number(.lockedOutUntilBoottime, id)
        for case .compare(id, _, _, _) in actions {
            if (bench.disk.failures(id) ?? 0) < failures + 1 { fail("rule 5: \(bench.name(id)) compares uncounted") }
            if waitEnd > bench.now.boottime { fail("rule 5: \(bench.name(id)) compares during a wait") }
        }
        for case .checkAccount(id, _, _) in actions where (bench.disk.accountFailures ?? 0) < 1 {
            fail("rule 5: the account password is checked uncounted")
        }
        if let death = state.atDeath {
            state.atDeath = nil
            if failures < death.failures { fail("rule 7: a restart takes failures of \(bench.name(id)) back") }
            if death.waitEnd > bench.now.boottime, waitEnd < death.waitEnd {
                fail("rule 7: a restart shortens the wait of \(bench.name(id))")
            }
            return
        }
        if failures < state.failures {
            switch event {
            case .compared(id, _, .same), .removed(id, _, .success), .stored(id, _, .success): break
            default:
                // A new passcode, or one that was there no more after a removal that seemed to fail.
                if state.route != "login", bench.value(.unlockRoute, id) != .string("login") {
                    fail("rule 5: failures of \(bench.name(id)) go from \(state.failures) to \(failures)")
                }
            }
        }
    }

    /// Rules 3 and 6: the lock is shown, and what is behind it is covered.
    func checkShown(_ id: AuthenticatorID, _ state: inout Seen) {
        let isLockable = bench.value(.unlockRoute, id) != .string("login")
        let isAuthenticated = bench.isAuthenticated(id)
        let shouldCover = bench.isTrue(.shouldCover, id)
        let type = bench.view(id)?.type
        if !isLockable || isAuthenticated {
            if shouldCover { fail("rule 6: \(bench.name(id)) covers what is open") }
        } else if type == nil || type == .touchid, !shouldCover {
            fail("rule 6: \(bench.name(id)) does not cover")
        }
        if id == .session, bench.isCoverWanted, !isLockable || isAuthenticated {
            fail("rule 6: the screen of an open session is covered")
        }
        if id == .session, bench.isCoverWanted, bench.canPrompt, bench.shownPrompt?.id != .session {
            fail("rule 4: the screen is covered and no prompt asks for what opens it")
        }
        guard id == .session, isLockable, shouldCover, state.mustShow || state.isAuthenticated, causes.isEmpty else {
            return
        }
        if type != .touchid || !bench.isTrue(.isShowingAuth, id) {
            fail("rule 3: the session is locked and its view is not in front")
        }
        if !bench.isCoverWanted { fail("rule 3: the session is locked and its screen is not covered") }
    }

    /// Rule 2: who knows no passcode changes nothing that a secret protects.
    func checkSecret(_ id: AuthenticatorID, _ state: inout Seen) {
        if !bench.isTrue(.hasPasscode, id) { fail("rule 2: the passcode of \(bench.name(id)) is off") }
        if let item = bench.disk.items[id], item.bytes != state.secret?.bytes {
            fail("rule 2: the passcode of \(bench.name(id)) was changed")
        }
        if bench.disk.items[id] == nil { fail("rule 2: the passcode of \(bench.name(id)) was removed") }
        guard state.atDeath == nil, !state.lockOn.isEmpty || state.timeout > 0 || state.requiresPasscode else { return }
        if case .double(let timeout) = bench.value(.timeoutInterval, id), timeout > state.timeout {
            fail("rule 2: the grace of \(bench.name(id)) is longer")
        }
        if case .strings(let causes) = bench.value(.lockOn, id), !Set(causes).isSuperset(of: state.lockOn) {
            fail("rule 2: \(bench.name(id)) locks on less")
        }
        if state.requiresPasscode, !bench.isTrue(.requirePasscodeForChanges, id) {
            fail("rule 2: \(bench.name(id)) lets a finger stand in again")
        }
        if !state.fingerprint, bench.isTrue(.fingerprintEnabled, id) {
            fail("rule 2: a finger opens \(bench.name(id))")
        }
    }

    private func hasBoth(_ state: Seen) -> Bool {
        func isRecent(_ at: UInt64?) -> Bool { at.map { bench.now.boottime - $0 <= 60_000_000 } ?? false }
        return isRecent(state.passcodeAt) && (isRecent(state.fingerAt) || isRecent(state.accountAt))
    }

    /// Which factor was right when, in a view of this authenticator's.
    func noteFactors(_ event: Event, _ actions: [Action], _ id: AuthenticatorID, _ state: inout Seen) {
        switch event {
        case .compared(id, _, .same):
            state.passcodeAt = bench.now.boottime
            state.knownPrints.formUnion(bench.sensor.enrolled.values)
        case .stored(id, _, .success): state.knownPrints.formUnion(bench.sensor.enrolled.values)
        case .accountChecked(id, _, .right): state.accountAt = bench.now.boottime
        case .sensor(.match) where hasMatched, .attemptsWritten where hasMatched:
            let isStranger = !(bench.lastTouch?.hasPrefix("owner") ?? false)
            if !isStranger || (state.secret == nil && !state.isFingersSecret),
                actions.contains(where: { isAnswer($0, of: id) })
            {
                state.fingerEvent = events
                state.fingerAt = bench.now.boottime
            }
        default: break
        }
        // What was given before does not count after.
        if isBackground { (state.passcodeAt, state.fingerAt, state.accountAt) = (nil, nil, nil) }
    }

    /// Its view was answered: that it is open, or that it asks for what is left.
    private func isAnswer(_ action: Action, of id: AuthenticatorID) -> Bool {
        switch action {
        case .signal(id, .authenticationSucceeded), .signal(id, .viewChanged): true
        default: false
        }
    }

    /// Who has the sensor, and what fingers count.
    func checkSensor(_ event: Event, _ actions: [Action]) {
        let isSessionLockable = seen[.session]?.route != "login"
        let secrets = seen.contains { id, state in
            state.isFingersSecret
                || (state.secret != nil && (id == .session || !isSessionLockable || state.mode != "any"))
        }
        for case .sensor(let order) in actions {
            switch order {
            case .scan: if !causes.isEmpty { fail("a finger is read while \(causes) stand") }
            case .enroll, .delete: if secrets { fail("rule 2: a stranger changes what is enrolled") }
            case .stop, .look: break
            }
        }
    }

    /// Rule 5 for the finger: one scan is at most one failure, and only a success takes the count down.
    func checkFingers(_ event: Event, _ actions: [Action], _ id: AuthenticatorID, _ state: inout Seen) {
        for case .signal(id, .authenticationSucceeded(let method)) in actions
        where method == .fingerprint && state.route != "fingerprint" {
            if let print = bench.lastTouch, !state.knownPrints.contains(print) {
                fail("\(print) opens \(bench.name(id)) before a passcode was given")
            }
        }
        let failures = bench.number(.biometryFailCount, id)
        if failures > state.biometryFailures, state.atDeath == nil, state.isKnown {
            if case .attemptsWritten(id, _, let isWritten) = event, failures == state.biometryFailures + 1, misses > 0 {
                misses -= 1
                if isWritten, (bench.disk.biometryFailures(id) ?? 0) < failures {
                    fail("rule 5: a finger of \(bench.name(id)) is told uncounted")
                }
                return
            }
            fail("rule 5: fingers of \(bench.name(id)) fail from \(state.biometryFailures) to \(failures)")
        }
        if failures < state.biometryFailures {
            switch event {
            case .sensor(.match), .compared(id, _, .same), .removed(id, _, _), .stored(id, _, _), .loaded(id, _),
                .attemptsWritten(id, _, _), .call(_, id, _, _):
                break
            default: fail("rule 5: fingers of \(bench.name(id)) go from \(state.biometryFailures) to \(failures)")
            }
        }
    }
}
