/// Setting properties: checked, written durably, and only then in force.
extension StateMachine {
    func set(
        _ property: Property, _ value: PropertyValue, _ authenticator: Authenticator, _ caller: Caller,
        _ token: ReplyToken
    ) {
        if property == .presentedContext {
            guard case .string(let context) = value else {
                return refuse(token, .invalidArguments, "PresentedContext is a string")
            }
            authenticator.presentedContext = context
            return reply(token, .done)
        }
        authenticator.settingChanges.append(
            SettingChange(property: property, value: value, caller: caller, token: token, settings: nil))
        if authenticator.settingChanges.count == 1 { startChanges(authenticator) }
    }

    /// Writes the first change that may be made; refuses those before it.
    private func startChanges(_ authenticator: Authenticator) {
        while let change = authenticator.settingChanges.first {
            switch settings(after: change, authenticator) {
            case .success(let settings) where settings == authenticator.settings:
                // Writing the same value is always allowed, and changes nothing.
                authenticator.settingChanges.removeFirst()
                reply(change.token, .done)
            case .success(let settings):
                authenticator.settingChanges[0].settings = settings
                // A record with a lock to come: one without a record would be the longest wait.
                if settings.factorMode == .finger, !authenticator.isLockable { writeAttempts(authenticator) }
                return act(.writeSettings(authenticator.id, settings.fields, isAwaited: true))
            case .failure(let refusal):
                authenticator.settingChanges.removeFirst()
                reply(change.token, .refused(refusal))
            }
        }
    }

    private func settings(
        after change: SettingChange, _ authenticator: Authenticator
    ) -> Result<Settings, Refusal> {
        var settings = authenticator.settings
        if change.property == .passcodeDigit, let stored = authenticator.verifier {
            let length = stored.kind == .digits ? UInt32(stored.length) : 0
            return change.value == .uint32(length)
                ? .success(settings)
                : .failure(Refusal(.passcodeAlreadySet, "The length of a stored passcode is changed with it"))
        }
        guard settings.set(change.property, to: change.value) else {
            return .failure(Refusal(.invalidArguments, "\(change.property.rawValue) cannot have this value"))
        }
        if change.property == .passcodeDigit, case .unavailable = authenticator.store {
            return .failure(Refusal(.storeUnavailable, "The Secret Service does not say whether a passcode is set"))
        }
        if change.property == .passcodeDigit, authenticator.store != .unset {
            return settings == authenticator.settings
                ? .success(settings)
                : .failure(Refusal(.passcodeAlreadySet, "A passcode may be set; the store does not say"))
        }
        if settings != authenticator.settings, let refusal = refusalOfFactors(settings, authenticator) {
            return .failure(refusal)
        }
        if settings.isWeaker(than: authenticator.settings), authenticator.isLockable,
            !hasRecentProof(authenticator, change.caller)
        {
            return .failure(
                Refusal(.notAuthorized, "Weakening a lock needs its passcode given within 5 minutes, and the lock open")
            )
        }
        return .success(settings)
    }

    /// Which factors there must be, and which there must not.
    private func refusalOfFactors(_ settings: Settings, _ authenticator: Authenticator) -> Refusal? {
        let needsFinger = settings.factorMode != .any
        if needsFinger, !settings.fingerprintEnabled {
            return settings.factorMode == authenticator.settings.factorMode
                ? Refusal(.notAuthorized, "FactorMode \(settings.factorMode.rawValue) needs the finger")
                : Refusal(.biometryNotAvailable, FingerStanding.disabled.message)
        }
        guard needsFinger, settings.factorMode != authenticator.settings.factorMode else { return nil }
        guard sensor.isPresent, sensor.set != nil else {
            return Refusal(.biometryNotAvailable, FingerStanding.absent.message)
        }
        guard !sensor.fingers.isEmpty else { return Refusal(.biometryNotEnrolled, FingerStanding.notEnrolled.message) }
        switch (authenticator.store, settings.factorMode) {
        case (.unavailable, _): return Refusal(.storeUnavailable, FingerStanding.storeAway.message)
        case (.lost, .all): return Refusal(.storeLost, FingerStanding.storeLost.message)
        case (.unset, .all): return Refusal(.passcodeNotSet, "No passcode is set")
        case (.ready, .finger), (.lost, .finger): return Refusal(.passcodeAlreadySet, "A passcode is set already")
        case (.unset, _), (.ready, _), (.lost, _): return nil
        }
    }

    func settingsWritten(_ id: AuthenticatorID, _ isWritten: Bool) {
        guard let authenticator = touch(id), let change = authenticator.settingChanges.first,
            change.settings != nil
        else { return }
        authenticator.settingChanges.removeFirst()
        if isWritten {
            let wasLockable = authenticator.isLockable
            _ = authenticator.settings.set(change.property, to: change.value)
            authenticator.hasStoredSettings = true
            if !wasLockable, authenticator.isLockable { leftLogin(authenticator) }
            reply(change.token, .done)
        } else {
            refuse(change.token, .storeUnavailable, "The settings cannot be written; the old ones hold")
        }
        // A turn-off that came in between changed the length.
        let written = isWritten ? change.settings?.passcodeDigit : nil
        if let written, written != authenticator.settings.passcodeDigit { writeSettings(authenticator) }
        startChanges(authenticator)
    }

    /// A lock that a setting makes is left open; nobody has been kept out by it yet.
    private func leftLogin(_ authenticator: Authenticator) {
        if causes.isEmpty {
            reopen(authenticator)
        } else {
            authenticator.isLocked = true
            authenticator.returns = true
        }
    }

    /// Writes what holds already; nobody waits for it.
    func writeSettings(_ authenticator: Authenticator) {
        act(.writeSettings(authenticator.id, authenticator.settings.fields, isAwaited: false))
    }
}
