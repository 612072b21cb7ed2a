public import AuthCore

/// What the adapters do.
extension Bench {
    /// Does what an action asks for, and answers with the events that tell of it.
    func apply(_ action: Action) -> [Event] {
        if case .sensor(let order) = action { return answer(order) }
        return answer(action).map { [$0] } ?? []
    }

    private func answer(_ action: Action) -> Event? {
        switch action {
        case .open(let id):
            return .opened(
                id, settings: disk.settings[id] ?? .missing, attempts: disk.attempts[id] ?? .missing,
                hasMarker: disk.markers.contains(id))
        case .load(let id): return .loaded(id, reading(id))
        case .writeAttempts(let id, let fields, let operation):
            if !diskIsFull { disk.attempts[id] = .fields(fields) }
            return operation == 0 ? nil : .attemptsWritten(id, operation: operation, !diskIsFull)
        case .writeAccountAttempts(let fields, let id, let operation):
            if !diskIsFull { disk.account = .fields(fields) }
            return operation == 0 ? nil : .accountAttemptsWritten(id, operation: operation, !diskIsFull)
        case .writeSettings(let id, let fields, let isAwaited):
            if !diskIsFull { disk.settings[id] = .fields(fields) }
            return isAwaited ? .settingsWritten(id, !diskIsFull) : nil
        case .setAsideSettings(let id):
            disk.settings[id] = nil
            return nil
        case .compare(let id, let passcode, let verifier, let operation):
            return .compared(id, operation: operation, compare(passcode, verifier))
        case .checkAccount(let id, let password, let operation):
            return .accountChecked(id, operation: operation, check(password))
        case .store(let id, let passcode, let kind, let length, let operation):
            return .stored(id, operation: operation, store(id, passcode, kind, length))
        case .remove(let id, let attempts, let everything, let operation):
            return .removed(id, operation: operation, remove(id, attempts: attempts, everything: everything))
        case .remember(let id, let identity, let state, let operation):
            return .remembered(id, operation: operation, remember(id, identity, state))
        case .recall(let id, let identity, let operation):
            return .recalled(
                id, operation: operation, storeIsAway ? .failure(.unavailable) : .success(disk.states[id]?[identity]))
        case .recordLocks, .propertiesChanged, .sessionStateChanged, .signal, .completed, .reply, .objectAdded,
            .objectRemoved, .unlockStore, .setLockedHint, .allowSleep, .sensor, .showPrompt, .hidePrompt, .cover,
            .fingerprintChanged, .enrollStatus:
            return nil
        }
    }

    public func reading(_ id: AuthenticatorID) -> StoreReading {
        let hasMarker = disk.markers.contains(id)
        if storeIsAway { return .unavailable(hasMarker: hasMarker) }
        if let item = disk.items[id] { return .ready(item.verifier) }
        return hasMarker ? .lost : .unset
    }

    private func compare(_ passcode: any Passcode, _ verifier: Verifier) -> Comparison {
        if comparisonsFail { return .failed }
        let isSame = passcode.withBytes { $0.elementsEqual(verifier.hash.utf8) }
        return isSame ? .same(needsRehash: needsRehash) : .different
    }

    private func check(_ password: any Passcode) -> AccountAnswer {
        if accountIsAway { return .unavailable("no PAM") }
        return password.withBytes { $0.elementsEqual(accountPassword) } ? .right : .wrong
    }

    private func store(
        _ id: AuthenticatorID, _ passcode: any Passcode, _ kind: PasscodeKind, _ length: Int
    ) -> Result<Verifier, StoreFailure> {
        guard !storeIsAway, !diskIsFull else { return .failure(.unavailable) }
        if disk.items[id] == nil, disk.markers.contains(id) { return .failure(.lost) }
        let item = Disk.Item(
            bytes: passcode.withBytes { Array($0) }, kind: kind, length: length, id: itemID())
        disk.items[id] = item
        disk.markers.insert(id)
        return storeFailsAfterwards ? .failure(.unavailable) : .success(item.verifier)
    }

    private func remember(
        _ id: AuthenticatorID, _ identity: String, _ state: [UInt8]
    ) -> Result<Void, RememberFailure> {
        guard !storeIsAway, !diskIsFull else { return .failure(.unavailable) }
        var states = disk.states[id] ?? [:]
        guard states.count < 64 || states[identity] != nil else { return .failure(.full) }
        states[identity] = state
        disk.states[id] = states
        return .success(())
    }

    private func remove(
        _ id: AuthenticatorID, attempts: Bool, everything: Bool
    ) -> Result<Void, StoreFailure> {
        guard !storeIsAway, !diskIsFull else { return .failure(.unavailable) }
        disk.items[id] = nil
        disk.markers.remove(id)
        if attempts { disk.attempts[id] = nil }
        if everything {
            disk.settings[id] = nil
            disk.states[id] = nil
        }
        return storeFailsAfterwards ? .failure(.unavailable) : .success(())
    }
}
