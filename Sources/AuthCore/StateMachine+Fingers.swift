/// What a finger is worth to an authenticator, and what it does in a view.
extension StateMachine {
    /// Fingers that do not match before an evaluation ends, or a view of ours reads no more.
    static let noMatchesInARow = 3
    /// Without a success between them: the finger is locked out.
    static let noMatchesToLockout: UInt32 = 5
    /// How long one of two factors waits for the other.
    static let halfPatience = UInt64.seconds(60)

    enum FingerStanding: Equatable {
        case ready
        case disabled
        /// No sensor, or it is not known what is enrolled.
        case absent
        case notEnrolled
        /// Not the set of the last right passcode.
        case changed
        case lockedOut
        /// A wait of the passcode's runs.
        case waiting
        case storeAway, storeLost

        var error: AuthError? {
            switch self {
            case .ready: nil
            case .disabled, .absent, .changed: .biometryNotAvailable
            case .notEnrolled: .biometryNotEnrolled
            case .lockedOut: .biometryLockout
            case .waiting: .lockedOut
            case .storeAway: .storeUnavailable
            case .storeLost: .storeLost
            }
        }

        var message: String {
            switch self {
            case .ready: ""
            case .disabled: "The finger is turned off for this authenticator"
            case .absent: "There is no usable fingerprint sensor"
            case .notEnrolled: "No finger is enrolled"
            case .changed: "The enrolled fingers have changed; the passcode is asked for first"
            case .lockedOut: "Too many fingers were not recognised"
            case .waiting: "Locked out"
            case .storeAway: "The Secret Service does not answer, or is locked"
            case .storeLost: "The stored passcode is gone"
            }
        }
    }

    /// Whether a finger counts for it now.
    func fingerStanding(_ authenticator: Authenticator) -> FingerStanding {
        guard authenticator.settings.fingerprintEnabled else { return .disabled }
        guard sensor.isPresent, sensor.set != nil, !authenticator.cannotCountFingers else { return .absent }
        guard !sensor.fingers.isEmpty else { return .notEnrolled }
        if hasNoPasscode(authenticator) { return authenticator.attempts.isWaiting ? .lockedOut : .ready }
        switch authenticator.store {
        case .unavailable: return .storeAway
        case .lost: return .storeLost
        case .ready, .unset: break
        }
        if authenticator.attempts.isWaiting { return .waiting }
        if authenticator.attempts.biometryFailures >= Self.noMatchesToLockout { return .lockedOut }
        return haveFingersChanged(authenticator) ? .changed : .ready
    }

    /// Another set than that of the last right passcode.
    func haveFingersChanged(_ authenticator: Authenticator) -> Bool {
        guard let state = domainState(authenticator) else { return true }
        return state != authenticator.attempts.fingers
    }

    /// Any enrolled finger counts, and the ladder's waits end a lockout: there is no passcode to do it.
    func hasNoPasscode(_ authenticator: Authenticator) -> Bool {
        authenticator.unlockRoute == .fingerprint || authenticator.store == .unset
    }

    /// Whether the step that stands has a finger at all, be there a sensor or not.
    func hasFingerStep(_ authenticator: Authenticator, _ view: View) -> Bool {
        guard view.step == .old, authenticator.settings.fingerprintEnabled else { return false }
        switch view.type {
        case .touchid:
            return authenticator.unlockRoute == .fingerprintAndPasscode
                || !(authenticator.isAuthenticated && view.waiters.contains(where: \.requiresPasscode))
        case .once, .three:
            return authenticator.unlockRoute == .fingerprintAndPasscode
                || !authenticator.settings.requirePasscodeForChanges
        case .twice: return false
        case .policy: return view.evaluation.map { !$0.isPasscodesTurn } ?? false
        }
    }

    /// Whether the sensor is to read a finger for its view now, were it alone in the world.
    func wantsFinger(_ authenticator: Authenticator) -> Bool {
        guard let view = authenticator.view, view.isPresented, isShowing(authenticator), view.isShown,
            hasFingerStep(authenticator, view), view.finger.half.map({ $0.method == .passcode }) ?? true,
            !view.isEdit || view.finger.isAsked, !view.finger.isDisarmed
        else { return false }
        switch authenticator.operation?.phase {
        case .storing, .removing: return false
        default: return fingerStanding(authenticator) == .ready
        }
    }

    // MARK: UseFingerprint

    func useFingerprint(_ finger: Finger?, _ authenticator: Authenticator, _ token: ReplyToken?) {
        guard let view = authenticator.view, isShowing(authenticator), causes.isEmpty,
            hasFingerStep(authenticator, view), view.finger.half.map({ $0.method == .passcode }) ?? true
        else { return refuse(token, .invalidContext, "No view asks for a finger now") }
        // The disk may have room again.
        if authenticator.cannotCountFingers, authenticator.fingerCount == nil { countFinger(authenticator) }
        let standing = fingerStanding(authenticator)
        if standing == .waiting, let end = authenticator.attempts.waitEnd(at: now) {
            return reply(token, .refused(lockedOut(until: end)))
        }
        if let error = standing.error { return refuse(token, error, standing.message) }
        if let finger {
            guard sensor.fingers.contains(finger) else {
                return refuse(token, .biometryNotEnrolled, "\(finger.rawValue) is not enrolled")
            }
            authenticator.view?.finger.picked = finger
        }
        authenticator.view?.finger.isAsked = true
        authenticator.view?.finger.isDisarmed = false
        switch view.notice {
        case .noMatch, .retry: authenticator.view?.notice = .none
        case .none, .failed, .mismatch: break
        }
        // An evaluation has three in all.
        if view.type != .policy { authenticator.view?.finger.noMatches = 0 }
        authenticator.view?.lastEntry = now.boottime
        reply(token, .done)
    }

    // MARK: A finger that matched

    func fingerMatched(_ authenticator: Authenticator) {
        guard let view = authenticator.view else { return }
        if authenticator.attempts.biometryFailures > 0 {
            authenticator.attempts.biometryFailures = 0
            writeAttempts(authenticator)
        }
        authenticator.view?.notice = .none
        authenticator.view?.lastEntry = now.boottime
        if view.type == .policy { return endView(authenticator, .success, method: .fingerprint) }
        if authenticator.unlockRoute == .fingerprintAndPasscode, view.finger.half == nil {
            authenticator.view?.finger.half = (now.boottime, .fingerprint)
            return
        }
        let isSecondOfTwo = view.finger.half != nil
        switch view.type {
        case .touchid: opened(authenticator, view, by: isSecondOfTwo ? .both : .fingerprint)
        case .three:
            authenticator.view?.finger = FingerProgress()
            authenticator.view?.step = .new
            authenticator.view?.channel = view.channelOfFinger
        case .once:
            endTry(authenticator)
            let caller = view.requester ?? Caller(connection: "", sandboxed: nil, displayName: "")
            let number = begin(.entry, .removing, nil, authenticator, caller, nil)
            act(.remove(authenticator.id, attempts: true, everything: false, operation: number))
        case .twice, .policy: break
        }
    }

    /// An unlock view was answered: authenticated, told, and gone.
    ///
    /// - Parameter caller: the connection that gave the passcode, if it is still there.
    func opened(_ authenticator: Authenticator, _ view: View, by method: Method, caller: Caller? = nil) {
        succeed(authenticator, startsGrace: true)
        let connections = view.waiters.map(\.connection) + view.presenters + [caller?.connection].compactMap(\.self)
        if method != .fingerprint { credit(authenticator, connections) }
        if method == .fingerprint || method == .both {
            for connection in connections { authenticator.fingerCredits[connection] = now.boottime }
            if authenticator.isSession { lastFingerUnlock = now.boottime }
        }
        signal(authenticator, .authenticationSucceeded(method))
        endView(authenticator, .success, method: method)
    }

    // MARK: The set of enrolled fingers

    /// What the present set is called for this authenticator; nil while it is not known.
    func domainState(_ authenticator: Authenticator) -> [UInt8]? {
        guard sensor.isPresent, let set = sensor.set else { return nil }
        if let known = authenticator.domainState, known.set == set { return known.bytes }
        let bytes = domainStateOf(set, authenticator.id)
        authenticator.domainState = (set, bytes)
        return bytes
    }

    /// As `EvaluatedPolicyDomainState` shows it: empty where there is nothing to tell apart.
    func shownDomainState(_ authenticator: Authenticator) -> [UInt8] {
        guard !sensor.fingers.isEmpty, !isBiometryLockedOut(authenticator) else { return [] }
        return domainState(authenticator) ?? []
    }

    func isBiometryLockedOut(_ authenticator: Authenticator) -> Bool {
        hasNoPasscode(authenticator)
            ? authenticator.attempts.biometryFailures >= Self.noMatchesToLockout
                && authenticator.attempts.isWaiting
            : authenticator.attempts.biometryFailures >= Self.noMatchesToLockout
    }
}

extension View {
    /// Who goes on after a finger answered the first step: the prompt or terminal that showed it, or the app.
    var channelOfFinger: String? {
        isPromptShown ? Caller.prompt.connection : terminals.min() ?? (isHeadless ? presenters.min() : nil)
    }
}

extension AttemptRecord {
    /// A wait runs, or its end has not been noticed yet; either way it changes with an event only.
    var isWaiting: Bool { wait > 0 }

    /// The passcode's failures and wait from a record that counts one more; the fingers' stay.
    mutating func takePasscodeCount(of record: AttemptRecord) {
        failures = record.failures
        wait = record.wait
        until = record.until
    }
}
