/// The account password: the way back from a lost or forgotten passcode. It has a ladder of its own.
extension StateMachine {
    func reset(_ password: any Passcode, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) {
        guard causes.isEmpty else {
            return refuse(token, .invalidContext, "Nothing opens while the session is \(sessionState)")
        }
        if authenticator.store == .unset { return refuse(token, .passcodeNotSet, "No passcode is set") }
        // One account, one ladder: nobody tries it through two authenticators at once.
        let isBusy = authenticators.values.contains { if case .reset = $0.operation?.purpose { true } else { false } }
        if isBusy || authenticator.operation != nil { return refuse(token, .busy, "A password is being checked") }
        if let end = account.waitEnd(at: now) { return reply(token, .refused(lockedOut(until: end))) }
        begin(.reset, .reading, password, authenticator, caller, token)
        load(authenticator)
    }

    func resetRead(_ operation: Operation, _ authenticator: Authenticator) {
        guard !operation.isVoid else { return end(operation, authenticator, .systemCancel, "Overtaken") }
        switch authenticator.store {
        case .unset: return end(operation, authenticator, .passcodeNotSet, "No passcode is set")
        case .unavailable where !opensByAccount(authenticator):
            return end(operation, authenticator, .storeUnavailable, "The Secret Service does not answer, or is locked")
        default: break
        }
        let record = account.failed(at: now)
        authenticator.operation?.phase = .counting(record, nil)
        act(
            .writeAccountAttempts(
                record.fields(boot: bootID), for: authenticator.id, operation: operation.number))
    }

    /// With the store away for a minute, the account password opens the view that stands in front.
    private func opensByAccount(_ authenticator: Authenticator) -> Bool {
        guard let view = authenticator.view, isShowing(authenticator) else { return false }
        return takesAccountPassword(authenticator, view)
    }

    func accountCounted(_ id: AuthenticatorID, _ number: UInt64, _ isWritten: Bool) {
        guard let authenticator = touch(id), let operation = current(number, authenticator),
            case .counting(let record, nil) = operation.phase, let password = operation.passcode
        else { return }
        guard isWritten else {
            return end(operation, authenticator, .storeUnavailable, "The attempt cannot be recorded")
        }
        authenticator.operation?.phase = .checkingAccount(record)
        act(.checkAccount(id, password, operation: number))
    }

    func accountChecked(_ id: AuthenticatorID, _ number: UInt64, _ answer: AccountAnswer) {
        guard let authenticator = touch(id), let operation = current(number, authenticator),
            case .checkingAccount(let record) = operation.phase
        else { return }
        if operation.isVoid {
            account = record
            return end(operation, authenticator, .systemCancel, "Overtaken by a lock or the end of its view")
        }
        switch answer {
        case .right:
            account = AttemptRecord()
            writeAccount(authenticator)
            if case .unavailable = authenticator.store {
                openByAccount(operation, authenticator)
            } else {
                startRemoving(operation, authenticator)
            }
        case .wrong:
            account = record
            distrust(authenticator)
            signal(authenticator, .authenticationFailed(count: account.failures, .account))
            end(operation, authenticator, .authenticationFailed, "The account password is wrong")
        case .unavailable(let reason):
            writeAccount(authenticator)
            end(operation, authenticator, .notAuthorized, "The account password cannot be checked: \(reason)")
        }
    }

    private func openByAccount(_ operation: Operation, _ authenticator: Authenticator) {
        authenticator.operation = nil
        guard opensByAccount(authenticator) else {
            return refuse(operation.token, .storeUnavailable, "The Secret Service does not answer, or is locked")
        }
        succeed(authenticator, startsGrace: true)
        signal(authenticator, .authenticationSucceeded(.account))
        endView(authenticator, .success, method: .account)
        reply(operation.token, .done)
    }

    func writeAccount(_ authenticator: Authenticator) {
        act(.writeAccountAttempts(account.fields(boot: bootID), for: authenticator.id, operation: 0))
    }
}
