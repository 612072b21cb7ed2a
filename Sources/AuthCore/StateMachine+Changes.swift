/// Storing, changing and removing a passcode.
extension StateMachine {
    /// Hashes and stores; the delegate hears of it once it is durable.
    func startStoring(
        _ purpose: Operation.Purpose, _ passcode: any Passcode, _ kind: PasscodeKind, length: Int,
        _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken?
    ) {
        let number = begin(purpose, .storing, nil, authenticator, caller, token)
        // A record with a passcode to come: one without a record would be the longest wait.
        if authenticator.store == .unset {
            // Fingers that failed have failed: a new passcode is no right one.
            var record = AttemptRecord()
            record.biometryFailures = authenticator.attempts.biometryFailures
            record.fingers = domainState(authenticator)
            authenticator.attempts = record
            authenticator.miss = nil
            authenticator.lockedOutUntil = 0
            writeAttempts(authenticator)
        }
        act(.store(authenticator.id, passcode, kind, length: length, operation: number))
    }

    func startRemoving(_ operation: Operation, _ authenticator: Authenticator) {
        let number = begin(
            operation.purpose, .removing, nil, authenticator, operation.caller, operation.token)
        act(.remove(authenticator.id, attempts: true, everything: false, operation: number))
    }

    func rehash(_ operation: Operation, _ verifier: Verifier, _ authenticator: Authenticator) {
        guard let passcode = operation.passcode else { return }
        let number = begin(.rehash, .storing, nil, authenticator, operation.caller, nil)
        act(.store(authenticator.id, passcode, verifier.kind, length: verifier.length, operation: number))
    }

    // MARK: Stored

    func stored(_ id: AuthenticatorID, _ number: UInt64, _ result: Result<Verifier, StoreFailure>) {
        guard let authenticator = touch(id), let operation = current(number, authenticator) else { return }
        authenticator.operation = nil
        if case .rehash = operation.purpose {
            if case .success(let verifier) = result {
                setStore(.ready(verifier), authenticator)
            } else {
                load(authenticator)
            }
            return
        }
        let isNew = authenticator.store == .unset
        let verifier: Verifier
        switch result {
        case .success(let stored): verifier = stored
        case .failure(let failure): return notStored(failure, operation, authenticator)
        }
        setStore(.ready(verifier), authenticator)
        let signal = isNew ? AuthenticatorSignal.passcodeTurnedOn : .passcodeChanged
        guard !operation.isVoid else {
            // A lock or a cancel came while it was being stored: the passcode holds, but it opens nothing.
            if isNew {
                authenticator.isAuthenticated = false
                authenticator.isLocked = authenticator.isSession || !causes.isEmpty
                authenticator.returns = true
            }
            self.signal(authenticator, signal)
            return refuse(operation.token, .systemCancel, "Stored, and overtaken by a lock")
        }
        let view = authenticator.view
        succeed(authenticator, startsGrace: false)
        credit(operation, authenticator)
        self.signal(authenticator, signal)
        endEdit(authenticator, .passcode)
        if case .entry = operation.purpose {
            if let view { credit(authenticator, view.presenters) }
            reply(operation.token, .outcome(.accepted, nil))
        } else {
            reply(operation.token, .done)
        }
    }

    private func notStored(_ failure: StoreFailure, _ operation: Operation, _ authenticator: Authenticator) {
        load(authenticator)
        if case .set = operation.purpose { askToUnlock() }
        refuse(operation.token, failure)
    }

    private func refuse(_ token: ReplyToken?, _ failure: StoreFailure) {
        switch failure {
        case .unavailable: refuse(token, .storeUnavailable, "The store did not take it; the old state holds")
        case .lost: refuse(token, .storeLost, "What is stored is not this service's")
        }
    }

    // MARK: Removed

    func removed(_ id: AuthenticatorID, _ number: UInt64, _ result: Result<Void, StoreFailure>) {
        guard let authenticator = touch(id), let operation = current(number, authenticator) else { return }
        authenticator.operation = nil
        if case .failure(let failure) = result {
            authenticator.removalIsUncertain = true
            load(authenticator)
            return refuse(operation.token, failure)
        }
        if case .remove = operation.purpose { return removedEverything(operation, authenticator) }
        let isReset = operation.asksAccount
        let hadPasscode = authenticator.store != .unset
        settleSettings(authenticator)
        forgetPasscode(authenticator)
        if operation.isVoid {
            // Overtaken: it is off all the same, and nothing is granted for it.
            if hadPasscode { signal(authenticator, .passcodeTurnedOff) }
            endView(authenticator, .systemCancel)
            return isReset
                ? reply(operation.token, .done)
                : refuse(operation.token, .systemCancel, "Turned off, and overtaken by a lock or the end of its view")
        }
        succeed(authenticator, startsGrace: false)
        if isReset { signal(authenticator, .authenticationSucceeded(.account)) }
        if hadPasscode { signal(authenticator, .passcodeTurnedOff) }
        endEdit(authenticator, isReset ? .account : .passcode)
        switch operation.purpose {
        case .entry, .account: reply(operation.token, .outcome(.accepted, nil))
        default: reply(operation.token, .done)
        }
    }

    /// There is no lock any more, and nothing is left of it.
    func forgetPasscode(_ authenticator: Authenticator) {
        setStore(.unset, authenticator)
        authenticator.attempts = AttemptRecord()
        authenticator.miss = nil
        authenticator.lockedOutUntil = 0
        authenticator.returns = false
        authenticator.isLocked = false
        authenticator.view?.remembered = false
        fall(authenticator)
    }

    /// A view that stands by ends with the change; an evaluation was not answered by it.
    private func endEdit(_ authenticator: Authenticator, _ method: Method) {
        if authenticator.view?.type == .policy {
            endView(authenticator, .systemCancel)
        } else {
            endView(authenticator, .success, method: method)
        }
    }

    /// PasscodeDigit keeps the length after a turn-off, and FactorMode goes back to `any`.
    func settleSettings(_ authenticator: Authenticator) {
        var settings = authenticator.settings
        settings.factorMode = .any
        if let verifier = authenticator.verifier, verifier.kind == .digits {
            settings.passcodeDigit = UInt32(verifier.length)
        }
        guard settings != authenticator.settings else { return }
        authenticator.settings = settings
        authenticator.hasStoredSettings = true
        // A change that is being written does not have the length; what follows it writes both.
        if authenticator.settingChanges.first?.settings == nil { writeSettings(authenticator) }
    }

    // MARK: RemoveAuthenticator

    func removeAuthenticator(_ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) {
        guard !authenticator.isSession else {
            return refuse(token, .invalidArguments, "The session's own authenticator is not removed")
        }
        if authenticator.operation != nil { return refuse(token, .busy, "Its passcode is in use") }
        if case .unavailable = authenticator.store {
            return refuse(token, .storeUnavailable, "The Secret Service does not answer, or is locked")
        }
        if authenticator.isLockable {
            guard causes.isEmpty, hasRecentProof(authenticator, caller) else {
                return refuse(token, .notAuthorized, "Removing it needs a passcode given within 5 minutes")
            }
        }
        let number = begin(.remove, .removing, nil, authenticator, caller, token)
        act(.remove(authenticator.id, attempts: true, everything: true, operation: number))
    }

    private func removedEverything(_ operation: Operation, _ authenticator: Authenticator) {
        forgetPasscode(authenticator)
        authenticator.settings = Settings()
        authenticator.hasStoredSettings = false
        authenticator.presentedContext = ""
        endView(authenticator, .appCancel)
        reply(operation.token, .done)
    }
}
