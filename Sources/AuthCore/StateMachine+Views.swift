/// A view as anyone may see it.
extension StateMachine {
    func viewState(_ authenticator: Authenticator) -> ViewState? {
        guard let view = authenticator.view else { return nil }
        let stored = authenticator.verifier
        let (kind, length) =
            view.step == .old
            ? (stored?.kind ?? .digits, stored?.length ?? Int(authenticator.settings.passcodeDigit))
            : (view.kind, view.digits)
        let asksPasscode = view.step != .old || authenticator.unlockRoute != .fingerprint
        let trouble: ViewState.Trouble =
            switch authenticator.store {
            case .ready, .unset: .none
            case .unavailable: view.step == .old && asksPasscode ? .storeUnavailable : .none
            case .lost: asksPasscode ? .storeLost : .none
            }
        var state = ViewState(
            type: view.type, step: view.step, stepNumber: view.type.number(of: view.step), kind: kind,
            digits: kind == .digits && asksPasscode ? UInt32(length) : 0, notice: view.notice, trouble: trouble,
            failCount: authenticator.attempts.failures,
            lockedOutUntil: authenticator.attempts.wait > 0 ? authenticator.lockedOutUntil : 0,
            reason: view.reason.isEmpty ? authenticator.settings.localizedReason : view.reason,
            requester: view.requester?.displayName ?? "", isVerified: view.requester?.sandboxed != nil,
            canCancel: canCancel(authenticator, view),
            takesAccountPassword: takesAccountPassword(authenticator, view))
        showFinger(authenticator, view, &state)
        return state
    }

    private func showFinger(_ authenticator: Authenticator, _ view: View, _ state: inout ViewState) {
        state.filled = view.filled
        state.finger = fingerState(authenticator, view)
        state.demand = demand(authenticator, view)
        state.isBiometryLockedOut = hasFingerStep(authenticator, view) && isBiometryLockedOut(authenticator)
        let standing = fingerStanding(authenticator)
        if hasFingerStep(authenticator, view), !sensor.canIdentify, sensor.fingers.count > 1,
            standing != .storeAway, standing != .storeLost
        {
            state.fingersToPick = sensor.fingers.sorted()
            state.pickedFinger = fingerToRead(view)
        }
        if let evaluation = view.evaluation {
            state.fallbackTitle = hasFallback(view) ? evaluation.fallbackTitle : ""
            state.cancelTitle = evaluation.cancelTitle
        }
    }

    func fingerState(_ authenticator: Authenticator, _ view: View) -> ViewState.FingerState {
        guard hasFingerStep(authenticator, view), view.finger.half.map({ $0.method == .passcode }) ?? true else {
            return .none
        }
        // Where nothing but a finger will do, one that cannot come is missed; else only one that was there.
        let isMissed = view.finger.hadSensor || authenticator.settings.factorMode != .any
        switch fingerStanding(authenticator) {
        case .disabled: return .none
        case .absent: return isMissed || view.evaluation?.policy == .biometrics ? .gone : .none
        case .notEnrolled: return authenticator.settings.factorMode != .any ? .gone : .none
        case .changed: return .changed
        // The passcode that ends a lockout takes the fingers over as well, so it is said what they are.
        case .lockedOut, .waiting:
            return !hasNoPasscode(authenticator) && haveFingersChanged(authenticator) ? .changed : .off
        // Nothing that the person could do there would have a finger count, so there is no button.
        case .storeAway, .storeLost: return .none
        case .ready: break
        }
        if sensorJob(for: authenticator)?.trouble != nil { return .gone }
        switch view.notice {
        case .noMatch: return view.finger.isDisarmed ? .off : .noMatch
        case .retry: return .retry
        case .none, .failed, .mismatch: return sensorJob(for: authenticator)?.isArmed == true ? .armed : .off
        }
    }

    /// Whether a finger can be read for its view, be it armed or not.
    func canReadFinger(_ authenticator: Authenticator) -> Bool {
        fingerStanding(authenticator) == .ready && sensorJob(for: authenticator)?.trouble == nil
    }

    private func demand(_ authenticator: Authenticator, _ view: View) -> ViewState.Demand {
        guard view.step == .old else { return .passcode }
        let canRead = canReadFinger(authenticator)
        if let evaluation = view.evaluation {
            guard hasFingerStep(authenticator, view) else { return .passcode }
            return evaluation.policy == .biometrics ? .finger : canRead ? .either : .passcode
        }
        switch authenticator.unlockRoute {
        case .passcode, .login: return .passcode
        case .fingerprintOrPasscode: return canRead && hasFingerStep(authenticator, view) ? .either : .passcode
        // Waiting helps where a finger is locked out, not where none is enrolled.
        case .fingerprint: return canRead || fingerStanding(authenticator) == .lockedOut ? .finger : .account
        case .fingerprintAndPasscode:
            switch view.finger.half?.method {
            case .passcode: return canRead ? .finger : .account
            case nil: return canRead ? .finger : .passcode
            default: return .passcode
            }
        }
    }

    /// A lock is not cancelled; a question put to an open session is.
    func canCancel(_ authenticator: Authenticator, _ view: View) -> Bool {
        !(authenticator.isSession && view.type == .touchid && !authenticator.isAuthenticated)
    }

    func takesAccountPassword(_ authenticator: Authenticator, _ view: View) -> Bool {
        guard view.type == .touchid else { return false }
        if authenticator.unlockRoute == .fingerprint { return true }
        if authenticator.unlockRoute == .fingerprintAndPasscode {
            // It stands for the finger; with the finger given, it is the passcode's turn.
            if view.finger.half.map({ $0.method == .passcode }) ?? true { return true }
        }
        return switch authenticator.store {
        case .lost: true
        case .unavailable: authenticator.isLongAway
        case .ready, .unset: false
        }
    }
}
