/// A try at a passcode, in the order that leaves no free guess: wait, form, verifier, count, compare.
extension StateMachine {
    /// Tries that may wait while one is being compared, over all authenticators.
    static let verificationsWaiting = 8

    func verify(
        _ passcode: any Passcode, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        if let refusal = refusalOfScript(authenticator) { return reply(token, .refused(refusal)) }
        startTry(.verify, passcode, authenticator, caller, token)
    }

    func setPasscode(
        _ current: any Passcode, _ new: any Passcode, _ options: CallOptions, _ authenticator: Authenticator,
        _ caller: Caller, _ token: ReplyToken
    ) {
        if let refusal = refusalOfScript(authenticator, needsPasscode: false) ?? refusalOfFactors(authenticator) {
            return reply(token, .refused(refusal))
        }
        let stored = authenticator.verifier
        let kind = options.kind ?? stored?.kind ?? .digits
        var digits = authenticator.settings.passcodeDigit
        if let stored, stored.kind == .digits { digits = UInt32(stored.length) }
        guard let entry = PasscodeRules.normalised(new: new, kind: kind, digits: Int(options.digits ?? digits)) else {
            return refuse(token, .invalidPasscode, "The new passcode is none of its kind and length")
        }
        switch authenticator.store {
        case .unset:
            guard current.count == 0 else { return refuse(token, .passcodeNotSet, "No passcode is set") }
            startStoring(
                .set(new: entry.passcode, kind, length: entry.length), entry.passcode, kind, length: entry.length,
                authenticator, caller, token)
        default:
            guard current.count > 0 else { return refuse(token, .passcodeAlreadySet, "A passcode is set already") }
            startTry(
                .set(new: entry.passcode, kind, length: entry.length), current, authenticator, caller, token)
        }
    }

    func clearPasscode(
        _ current: any Passcode, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        if let refusal = refusalOfScript(authenticator) ?? refusalOfFactors(authenticator) {
            return reply(token, .refused(refusal))
        }
        startTry(.clear, current, authenticator, caller, token)
    }

    /// Why a call that does a flow without a view cannot begin.
    func refusalOfScript(_ authenticator: Authenticator, needsPasscode: Bool = true) -> Refusal? {
        guard causes.isEmpty else {
            return Refusal(.invalidContext, "Nothing opens while the session is \(sessionState)")
        }
        if authenticator.operation != nil { return Refusal(.busy, "Its passcode is in use") }
        switch authenticator.store {
        case .unavailable: return Refusal(.storeUnavailable, "The Secret Service does not answer, or is locked")
        case .lost: return Refusal(.storeLost, "The stored passcode is gone; reset with the account password")
        case .unset: return needsPasscode ? Refusal(.passcodeNotSet, "No passcode is set") : nil
        case .ready: return nil
        }
    }

    /// A script has no finger to give, so it changes nothing that a finger protects.
    private func refusalOfFactors(_ authenticator: Authenticator) -> Refusal? {
        switch authenticator.settings.factorMode {
        case .any: nil
        case .all: Refusal(.notAuthorized, "FactorMode all needs the finger too")
        case .finger: Refusal(.notAuthorized, "FactorMode finger has no passcode")
        }
    }

    // MARK: Wait, form, verifier

    func startTry(
        _ purpose: Operation.Purpose, _ passcode: any Passcode, _ authenticator: Authenticator, _ caller: Caller,
        _ token: ReplyToken
    ) {
        guard authenticator.operation == nil else { return refuse(token, .busy, "An entry is being checked") }
        if let end = authenticator.attempts.waitEnd(at: now) {
            return reply(token, .refused(lockedOut(until: end)))
        }
        if let verifier = authenticator.verifier,
            PasscodeRules.normalised(try: passcode, kind: verifier.kind, length: verifier.length) == nil
        {
            return refuse(token, .invalidPasscode, "Not a passcode of this kind and length")
        }
        let verifications = authenticators.values.count { $0.operation?.verifies ?? false }
        guard verifications <= Self.verificationsWaiting else {
            return refuse(token, .limitsExceeded, "\(Self.verificationsWaiting) entries wait to be checked already")
        }
        begin(purpose, .reading, passcode, authenticator, caller, token)
        load(authenticator)
    }

    func lockedOut(until end: UInt64) -> Refusal {
        let seconds = (end - min(end, now.boottime) + 999_999) / 1_000_000
        var refusal = Refusal(.lockedOut, "Locked out for \(seconds) s")
        refusal.lockedOutUntil = now.realtime + (end - min(end, now.boottime))
        return refusal
    }

    @discardableResult
    func begin(
        _ purpose: Operation.Purpose, _ phase: Operation.Phase, _ passcode: (any Passcode)?,
        _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken?
    ) -> UInt64 {
        let number = nextOperation
        nextOperation += 1
        var operation = Operation(
            number: number, purpose: purpose, phase: phase, passcode: passcode, caller: caller, token: token)
        // A right passcode takes over a set that its view spoke of; not one that came meanwhile or was not mentioned.
        if case .entry = purpose, let view = authenticator.view, fingerState(authenticator, view) == .changed {
            operation.fingers = domainState(authenticator)
        }
        authenticator.operation = operation
        return number
    }

    /// The store has been read for the operation under way.
    func verifierRead(_ authenticator: Authenticator) {
        guard let operation = authenticator.operation else { return }
        switch operation.purpose {
        case .reset, .account: return accountRead(operation, authenticator)
        default: break
        }
        guard !operation.isVoid else { return end(operation, authenticator, .systemCancel, "Overtaken") }
        switch authenticator.store {
        case .ready(let verifier):
            guard let entry = operation.passcode,
                let entered = PasscodeRules.normalised(try: entry, kind: verifier.kind, length: verifier.length)
            else {
                return end(operation, authenticator, .invalidPasscode, "Not a passcode of this kind and length")
            }
            if let end = authenticator.attempts.waitEnd(at: now) {
                authenticator.operation = nil
                return reply(operation.token, .refused(lockedOut(until: end)))
            }
            let record = authenticator.attempts.failed(at: now)
            authenticator.operation?.passcode = entered
            authenticator.operation?.phase = .counting(record, verifier)
            act(
                .writeAttempts(
                    authenticator.id, attemptsToWrite(authenticator).fields(boot: bootID),
                    operation: operation.number))
        case .unavailable:
            end(operation, authenticator, .storeUnavailable, "The Secret Service does not answer, or is locked")
        case .lost: end(operation, authenticator, .storeLost, "The stored passcode is gone")
        case .unset: end(operation, authenticator, .passcodeNotSet, "No passcode is set")
        }
    }

    // MARK: Count, compare

    func attemptsWritten(_ id: AuthenticatorID, _ number: UInt64, _ isWritten: Bool) {
        if let authenticator = touch(id), authenticator.fingerCount == number {
            fingerCounted(authenticator, isWritten)
        } else {
            counted(id, number, isWritten)
        }
    }

    private func counted(_ id: AuthenticatorID, _ number: UInt64, _ isWritten: Bool) {
        guard let authenticator = touch(id), let operation = current(number, authenticator),
            case .counting(let record, let verifier?) = operation.phase, let passcode = operation.passcode
        else { return }
        guard isWritten else {
            return end(operation, authenticator, .storeUnavailable, "The attempt cannot be recorded")
        }
        authenticator.operation?.phase = .comparing(record, verifier)
        act(.compare(id, passcode, verifier, operation: number))
    }

    func compared(_ id: AuthenticatorID, _ number: UInt64, _ comparison: Comparison) {
        guard let authenticator = touch(id), let operation = current(number, authenticator),
            case .comparing(let record, let verifier) = operation.phase
        else { return }
        guard !operation.isVoid else {
            adopt(record, authenticator)
            return end(operation, authenticator, .systemCancel, "Overtaken by a lock or the end of its view")
        }
        switch comparison {
        case .same(let needsRehash):
            authenticator.operation = nil
            authenticator.attempts = authenticator.attempts.succeeded(fingers: operation.fingers)
            authenticator.miss = nil
            authenticator.lockedOutUntil = 0
            authenticator.cannotCountFingers = false
            writeAttempts(authenticator)
            accepted(operation, authenticator)
            // The old passcode of `three` is about to go; its view is not kept waiting for a better verifier.
            if needsRehash, authenticator.operation == nil, authenticator.view?.type != .three,
                authenticator.store == .ready(verifier)
            {
                rehash(operation, verifier, authenticator)
            }
        case .different:
            adopt(record, authenticator)
            failed(operation, authenticator)
        case .failed:
            // Nothing was compared, so nothing is counted.
            end(operation, authenticator, .storeUnavailable, "The passcode cannot be checked")
            writeAttempts(authenticator)
        }
    }

    private func adopt(_ record: AttemptRecord, _ authenticator: Authenticator) {
        authenticator.attempts.takePasscodeCount(of: record)
        noteWait(authenticator)
        distrust(authenticator)
    }

    /// Whoever holds it may no longer say that it is authenticated.
    func distrust(_ authenticator: Authenticator) {
        for index in authenticator.holds.indices { authenticator.holds[index].isTrusted = false }
    }

    private func accepted(_ operation: Operation, _ authenticator: Authenticator) {
        switch operation.purpose {
        case .entry: entryAccepted(operation, authenticator)
        case .verify:
            if authenticator.isAuthenticated { credit(operation, authenticator) }
            reply(operation.token, .verified(true))
        case .set(let new, let kind, let length):
            startStoring(operation.purpose, new, kind, length: length, authenticator, operation.caller, operation.token)
        case .clear: startRemoving(operation, authenticator)
        case .reset, .account, .remove, .rehash: break
        }
    }

    private func failed(_ operation: Operation, _ authenticator: Authenticator) {
        authenticator.operation = nil
        // VerifyPasscode moves counters only: no delegate hears of it.
        if case .verify = operation.purpose { return reply(operation.token, .verified(false)) }
        signal(authenticator, .authenticationFailed(count: authenticator.attempts.failures, .passcode))
        switch operation.purpose {
        case .entry:
            entryFailed(authenticator)
            reply(operation.token, .outcome(.wrong, viewState(authenticator)))
        default:
            entryFailed(authenticator)
            refuse(operation.token, .authenticationFailed, "The passcode is wrong")
        }
    }

    // MARK: Ending

    /// Ends a try that something else has answered before it was compared: its count stays.
    func endTry(_ authenticator: Authenticator) {
        guard let operation = authenticator.operation else { return }
        switch operation.phase {
        case .counting(let record, _?), .comparing(let record, _): adopt(record, authenticator)
        case .counting(let record, nil), .checkingAccount(let record): account = record
        case .reading, .storing, .removing: break
        }
        end(operation, authenticator, .systemCancel, "Overtaken")
    }

    /// The operation with this number, if it is still the one under way.
    func current(_ number: UInt64, _ authenticator: Authenticator) -> Operation? {
        authenticator.operation.flatMap { $0.number == number ? $0 : nil }
    }

    /// Ends the operation with an error; whatever stood before it stands.
    func end(_ operation: Operation, _ authenticator: Authenticator, _ error: AuthError, _ message: String) {
        authenticator.operation = nil
        refuse(operation.token, error, message)
    }
}
