/// The account password: the way back from a lost or forgotten passcode. It has a ladder of its own.
extension StateMachine {
    func reset(_ password: any Passcode, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) {
        guard causes.isEmpty else {
            return refuse(token, .invalidContext, "Nothing opens while the session is \(sessionState)")
        }
        if authenticator.store == .unset, !authenticator.isLockable {
            return refuse(token, .passcodeNotSet, "No passcode is set")
        }
        startAccount(.reset, password, authenticator, caller, token)
    }

    /// The account password, into the view that stands.
    func submitAccount(
        _ password: any Passcode, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken
    ) {
        clearIdle(byTerminal: caller, of: authenticator)
        guard opensByAccount(authenticator), causes.isEmpty else {
            return refuse(token, .invalidContext, "No view takes the account password now")
        }
        authenticator.view?.lastEntry = now.boottime
        startAccount(.account, password, authenticator, caller, token)
    }

    private func startAccount(
        _ purpose: Operation.Purpose, _ password: any Passcode, _ authenticator: Authenticator, _ caller: Caller,
        _ token: ReplyToken
    ) {
        // One account, one ladder: nobody tries it through two authenticators at once.
        let isBusy = authenticators.values.contains { $0.operation?.asksAccount ?? false }
        if isBusy || authenticator.operation != nil { return refuse(token, .busy, "A password is being checked") }
        if let end = account.waitEnd(at: now) { return reply(token, .refused(lockedOut(until: end))) }
        begin(purpose, .reading, password, authenticator, caller, token)
        load(authenticator)
    }

    /// The store has been asked anew.
    func accountRead(_ operation: Operation, _ authenticator: Authenticator) {
        guard !operation.isVoid else { return end(operation, authenticator, .systemCancel, "Overtaken") }
        if case .reset = operation.purpose {
            switch authenticator.store {
            case .unset where !authenticator.isLockable:
                return end(operation, authenticator, .passcodeNotSet, "No passcode is set")
            case .unavailable: return end(operation, authenticator, .storeUnavailable, FingerStanding.storeAway.message)
            default: break
            }
        } else if !opensByAccount(authenticator) {
            return end(operation, authenticator, .invalidContext, "No view takes the account password now")
        }
        let record = account.failed(at: now)
        authenticator.operation?.phase = .counting(record, nil)
        act(
            .writeAccountAttempts(
                record.fields(boot: bootID), for: authenticator.id, operation: operation.number))
    }

    /// A view that stands in front and takes it.
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
            if case .account = operation.purpose, authenticator.store != .lost {
                openByAccount(operation, authenticator)
            } else {
                startRemoving(operation, authenticator)
            }
        case .wrong:
            account = record
            distrust(authenticator)
            signal(authenticator, .authenticationFailed(count: account.failures, .account))
            if case .account = operation.purpose {
                authenticator.operation = nil
                reply(operation.token, .outcome(.wrong, viewState(authenticator)))
            } else {
                end(operation, authenticator, .authenticationFailed, "The account password is wrong")
            }
        case .unavailable(let reason):
            writeAccount(authenticator)
            end(operation, authenticator, .notAuthorized, "The account password cannot be checked: \(reason)")
        }
    }

    /// Under `all` it stands for the finger, where the passcode can be asked for.
    private func openByAccount(_ operation: Operation, _ authenticator: Authenticator) {
        authenticator.operation = nil
        guard opensByAccount(authenticator), let view = authenticator.view else {
            return refuse(operation.token, .invalidContext, "No view takes the account password now")
        }
        if authenticator.unlockRoute == .fingerprintAndPasscode, view.finger.half == nil,
            authenticator.verifier != nil
        {
            authenticator.view?.finger.half = (now.boottime, .account)
            authenticator.view?.notice = .none
            return reply(operation.token, .outcome(.next, viewState(authenticator)))
        }
        succeed(authenticator, startsGrace: true)
        signal(authenticator, .authenticationSucceeded(.account))
        endView(authenticator, .success, method: .account)
        reply(operation.token, .outcome(.accepted, nil))
    }

    func writeAccount(_ authenticator: Authenticator) {
        act(.writeAccountAttempts(account.fields(boot: bootID), for: authenticator.id, operation: 0))
    }
}
