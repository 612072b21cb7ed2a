/// What clients see of an authenticator, to tell them once of what an event changed.
struct Snapshot {
    var visible: Visible
    var view: ViewState?
    /// Tells a view from its successor.
    var viewNumber: UInt64
    var wasOpen: Bool
}

/// What the properties of an authenticator are made of.
struct Visible: Equatable {
    var isAuthenticated: Bool
    var isShowing: Bool
    var shouldCover: Bool
    var route: UnlockRoute
    var attempts: AttemptRecord
    var lockedOutUntil: UInt64
    var store: StoreReading
    var settings: Settings
    var hasSensor: Bool
    var domainState: [UInt8]
}

/// What `Manager` shows of the session.
struct SessionSnapshot: Equatable {
    var state = ""
    var sources: [String] = []
    var secretService = SecretServiceState.absent
    var biometryType = "none"
}

extension StateMachine {
    var sessionSnapshot: SessionSnapshot {
        SessionSnapshot(
            state: sessionState, sources: sources, secretService: secretService, biometryType: biometryType)
    }

    func snapshot(_ authenticator: Authenticator) -> Snapshot {
        Snapshot(
            visible: visible(authenticator), view: viewState(authenticator),
            viewNumber: authenticator.view?.number ?? 0, wasOpen: authenticator.isOpen)
    }

    func visible(_ authenticator: Authenticator) -> Visible {
        Visible(
            isAuthenticated: authenticator.isAuthenticated, isShowing: isShowing(authenticator),
            shouldCover: authenticator.shouldCover, route: authenticator.unlockRoute,
            attempts: authenticator.attempts, lockedOutUntil: authenticator.lockedOutUntil,
            store: authenticator.store, settings: authenticator.settings, hasSensor: sensor.isPresent,
            domainState: shownDomainState(authenticator))
    }

    func route(before id: AuthenticatorID) -> UnlockRoute? { before[id]?.visible.route }
    var touched: [AuthenticatorID] { before.count == 1 ? Array(before.keys) : before.keys.sorted() }

    func collectChanges() -> [Action] {
        var changes: [Action] = []
        var views: [Action] = []
        for id in touched {
            guard let authenticator = authenticators[id], let old = before[id] else { continue }
            if deadline(authenticator) == .max { timed.remove(id) } else { timed.insert(id) }
            // A new object comes with its properties.
            guard authenticator.isOpen, old.wasOpen else { continue }
            let new = visible(authenticator)
            if new != old.visible {
                var changed = Property.allCases.filter {
                    $0 != .presentedContext && value(of: $0, new, id) != value(of: $0, old.visible, id)
                }
                if new.hasSensor != old.visible.hasSensor { changed.append(.biometryType) }
                if !changed.isEmpty { changes.append(.propertiesChanged(id, changed)) }
            }
            if let former = old.view, old.viewNumber == authenticator.view?.number,
                let view = viewState(authenticator), view != former
            {
                views.append(.signal(id, .viewChanged(view)))
            }
        }
        if sessionBefore != sessionSnapshot { changes.append(.sessionStateChanged) }
        if fingerprintBefore != fingerprint { changes.append(.fingerprintChanged) }
        // A lock is remembered before anybody hears of it.
        if noteLocks() { changes.insert(.recordLocks(recordedLocks), at: 0) }
        return changes + views
    }

    /// Brings the record of locks up to date; answers whether it has to be written.
    private func noteLocks() -> Bool {
        guard hasStarted else { return false }
        var isNew = false
        for id in touched {
            guard let authenticator = authenticators[id] else { continue }
            let isLocked = countsAsLocked(authenticator)
            if recordedLocks[id] != isLocked {
                recordedLocks[id] = isLocked
                isNew = true
            }
        }
        return isNew
    }

    /// While the store has not said whether there is something to lock, what is locked stays so on record.
    private func countsAsLocked(_ authenticator: Authenticator) -> Bool {
        guard authenticator.isLocked else { return false }
        return switch authenticator.store {
        case .unavailable: true
        case .ready, .lost, .unset: authenticator.isLockable
        }
    }

    /// An application's authenticator exists while something holds it.
    func removeUnused() {
        for id in touched where id != .session {
            guard let authenticator = authenticators[id], !isUsed(authenticator) else { continue }
            authenticators[id] = nil
            recordedLocks[id] = nil
            timed.remove(id)
            act(.objectRemoved(id))
        }
    }

    private func isUsed(_ authenticator: Authenticator) -> Bool {
        if !authenticator.isOpen || !authenticator.isLoaded || authenticator.isLoading { return true }
        switch authenticator.store {
        case .ready, .lost, .unavailable(hasMarker: true): return true
        case .unset, .unavailable(hasMarker: false): break
        }
        return authenticator.hasStoredSettings || authenticator.view != nil || !authenticator.holds.isEmpty
            || !authenticator.namedBy.isEmpty || authenticator.operation != nil
            || !authenticator.settingChanges.isEmpty || !authenticator.deferred.isEmpty
            || !authenticator.memories.isEmpty
    }
}
