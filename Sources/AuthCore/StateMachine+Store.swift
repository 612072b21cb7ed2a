/// Opening authenticators and what the store says of them.
extension StateMachine {
    func started(_ stored: [AuthenticatorID], _ record: LockRecord, _ accountFile: FileReading) {
        lockRecord = record
        hasStarted = true
        switch accountFile {
        case .missing: break
        case .broken: account = .longest(at: now)
        case .fields(let fields): account = AttemptRecord(fields: fields, boot: bootID, at: now) ?? .longest(at: now)
        }
        if account.waitEnd(at: now) == nil { account.endWait() }
        if accountFile != .missing, accountFile != .fields(account.fields(boot: bootID)), let session {
            // A wait that starts anew, or is over, does so once and not at every start.
            writeAccount(session)
        }
        for id in Set(stored).union([.session]).sorted() { create(id, isStored: true) }
    }

    /// - Parameter isStored: it had a file when the service started.
    @discardableResult
    func create(_ id: AuthenticatorID, isStored: Bool = false) -> Authenticator {
        let authenticator = authenticators[id] ?? Authenticator(id)
        authenticators[id] = authenticator
        authenticator.isLocked =
            switch lockRecord {
            case .fresh: false
            case .unreadable: true
            // The record names all that had a file; one that it does not name is not taken to have been open.
            case .states(let states, let slept): states[id].map { $0 || slept } ?? isStored
            }
        _ = touch(id)
        act(.open(id))
        return authenticator
    }

    func opened(
        _ id: AuthenticatorID, _ settings: FileReading, _ attempts: FileReading, hasMarker: Bool
    ) {
        guard let authenticator = authenticators[id], !authenticator.isOpen, let authenticator = touch(id) else {
            return
        }
        switch settings {
        case .missing: break
        case .broken: act(.setAsideSettings(id))
        case .fields(let fields):
            if let settings = Settings(fields: fields) {
                authenticator.settings = settings
                authenticator.hasStoredSettings = true
            } else {
                act(.setAsideSettings(id))
            }
        }
        switch attempts {
        case .fields(let fields):
            if let record = AttemptRecord(fields: fields, boot: bootID, at: now) {
                authenticator.attempts = record
                noteWait(authenticator)
                // A wait that starts anew, or is over, does so once and not at every start.
                if authenticator.attempts.fields(boot: bootID) != fields { writeAttempts(authenticator) }
            } else {
                authenticator.attemptsAreMissing = true
            }
        case .missing, .broken: authenticator.attemptsAreMissing = true
        }
        authenticator.isOpen = true
        authenticator.store = .unavailable(hasMarker: hasMarker)
        authenticator.fingersAreThere = sensor.isPresent && !sensor.fingers.isEmpty
        if hasMarker || authenticator.unlockRoute == .fingerprint { punishMissingAttempts(authenticator) }
        act(.objectAdded(id))
        load(authenticator)
    }

    /// A missing or broken record beside a stored passcode is the longest wait.
    private func punishMissingAttempts(_ authenticator: Authenticator) {
        guard authenticator.attemptsAreMissing else { return }
        authenticator.attemptsAreMissing = false
        authenticator.attempts = .longest(at: now)
        noteWait(authenticator)
        writeAttempts(authenticator)
    }

    /// Asks the store; one question at a time.
    func load(_ authenticator: Authenticator) {
        if authenticator.isLoading {
            authenticator.mustLoadAgain = true
        } else {
            authenticator.isLoading = true
            authenticator.loadBegan = now.boottime
            act(.load(authenticator.id))
        }
    }

    /// A store that answered within this can be asked once more for the same call: 6 s in all.
    private static let quickAnswer = UInt64.seconds(1)

    func loaded(_ id: AuthenticatorID, _ reading: StoreReading) {
        guard let authenticator = touch(id), authenticator.isOpen else { return }
        authenticator.isLoading = false
        authenticator.isLoaded = true
        // What an operation of ours is changing is for that operation to say.
        let isChanging =
            switch authenticator.operation?.phase {
            case .storing, .removing: true
            default: false
            }
        if !isChanging { adopt(reading, authenticator) }
        if authenticator.mustLoadAgain {
            authenticator.mustLoadAgain = false
            let wasQuick = now.boottime < authenticator.loadBegan + Self.quickAnswer
            load(authenticator)
            // The question was put before what happened since; the newer answer is worth waiting for. Not so where the
            // store hangs: a call would be kept twice its time.
            if wasQuick, !authenticator.hasWaitedLonger, case .unavailable = authenticator.store {
                authenticator.hasWaitedLonger = true
                return
            }
        }
        authenticator.hasWaitedLonger = false
        for call in authenticator.naming { reply(call.token, .authenticator(id)) }
        authenticator.naming = []
        if case .reading = authenticator.operation?.phase { verifierRead(authenticator) }
        let deferred = authenticator.deferred
        authenticator.deferred = []
        for call in deferred { perform(call.call, authenticator, call.caller, call.token, hasAsked: true) }
    }

    /// Takes the store's answer. Only this service takes a passcode away, and it says so itself: one that was there in
    /// this run and vanished is lost, not off. Before that the marker may have had a turn-off that was cut short.
    private func adopt(_ reading: StoreReading, _ authenticator: Authenticator) {
        var reading = reading
        switch reading {
        case .unset where authenticator.removalIsUncertain:
            settleSettings(authenticator)
            forgetPasscode(authenticator)
            return signal(authenticator, .passcodeTurnedOff)
        case .unset where authenticator.hasSeenPasscode: reading = .lost
        case .unset:
            if authenticator.settings.factorMode == .all { settleSettings(authenticator) }
            if !authenticator.isLockable {
                authenticator.attemptsAreMissing = false
                authenticator.isLocked = false
            }
        case .unavailable where authenticator.isLockable: reading = .unavailable(hasMarker: true)
        default: break
        }
        setStore(reading, authenticator)
        if authenticator.isLockable { punishMissingAttempts(authenticator) }
    }

    /// Takes the store's word, and what follows from it for the wait of the account password.
    func setStore(_ reading: StoreReading, _ authenticator: Authenticator) {
        authenticator.store = reading
        switch reading {
        case .unavailable: authenticator.unavailableSince = authenticator.unavailableSince ?? now.boottime
        case .ready, .lost, .unset:
            authenticator.unavailableSince = nil
            authenticator.isLongAway = false
            authenticator.removalIsUncertain = false
            authenticator.hasSeenPasscode = reading != .unset
        }
    }

    func secretServiceChanged(_ state: SecretServiceState) {
        let former = secretService
        secretService = state
        // The first start with a locked collection asks for it to be opened, unless somebody is kept out.
        if hasStarted, state == .locked, !hasAskedToUnlock, let session, !session.isLocked, causes.isEmpty {
            act(.unlockStore)
        }
        if state != .absent { hasAskedToUnlock = true }
        switch (former, state) {
        // Our own questions found it failing: asking again would go round in circles.
        case (_, .failing): break
        // One of our questions was answered after all: the others are worth asking, those on their way aside.
        case (.failing, .ready):
            for authenticator in touchAll() where authenticator.isOpen && !authenticator.isLoading {
                if case .unavailable = authenticator.store { load(authenticator) }
            }
        default:
            for authenticator in touchAll() where authenticator.isOpen { load(authenticator) }
        }
    }

    // MARK: Attempts

    func writeAttempts(_ authenticator: Authenticator) {
        act(.writeAttempts(authenticator.id, attemptsToWrite(authenticator).fields(boot: bootID), operation: 0))
    }

    /// Fixes the end of the wait in people's time.
    func noteWait(_ authenticator: Authenticator) {
        guard let end = authenticator.attempts.waitEnd(at: now) else {
            authenticator.attempts.endWait()
            authenticator.lockedOutUntil = 0
            return
        }
        authenticator.lockedOutUntil = now.realtime + (end - now.boottime)
    }
}
