/// A finger that did not match: counted on the disk first, then told. A kill in between loses no count that was seen.
extension StateMachine {
    /// One that is being counted.
    struct Miss {
        /// The view that it was for.
        let view: UInt64
        let at: Instant
    }

    func fingerMissed(_ authenticator: Authenticator, view: UInt64) {
        authenticator.miss = Miss(view: view, at: now)
        countFinger(authenticator)
    }

    func countFinger(_ authenticator: Authenticator) {
        let number = nextOperation
        nextOperation += 1
        authenticator.fingerCount = number
        act(.writeAttempts(authenticator.id, attemptsToWrite(authenticator).fields(boot: bootID), operation: number))
    }

    /// Whether the failed finger is on disk. Where it is not it counts all the same, and none is tried until one is.
    func fingerCounted(_ authenticator: Authenticator, _ isWritten: Bool) {
        authenticator.fingerCount = nil
        authenticator.cannotCountFingers = !isWritten
        guard let miss = authenticator.miss else { return }
        authenticator.miss = nil
        fingerFailed(authenticator, miss)
    }

    /// The record as it has to be on disk: an entry that is being checked, and a finger, have been counted there
    /// already.
    func attemptsToWrite(_ authenticator: Authenticator) -> AttemptRecord {
        var record = authenticator.attempts
        if let miss = authenticator.miss {
            record = record.fingerFailed(waits: hasNoPasscode(authenticator), at: miss.at)
        }
        switch authenticator.operation?.phase {
        case .counting(let counted, _?), .comparing(let counted, _): record.takePasscodeCount(of: counted)
        default: break
        }
        return record
    }

    private func fingerFailed(_ authenticator: Authenticator, _ miss: Miss) {
        authenticator.attempts = authenticator.attempts.fingerFailed(waits: hasNoPasscode(authenticator), at: miss.at)
        noteWait(authenticator)
        distrust(authenticator)
        authenticator.lastSuccess = nil
        let count = authenticator.attempts.biometryFailures
        signal(authenticator, .authenticationFailed(count: count, .fingerprint))
        guard let view = authenticator.view, view.number == miss.view else { return }
        let noMatches = view.finger.noMatches + 1
        authenticator.view?.finger.noMatches = noMatches
        authenticator.view?.notice = .noMatch(count)
        if view.isEdit {
            authenticator.view?.remembered = false
            if authenticator.isSession {
                return lockAfterFailure(authenticator, .noMatch(count))
            }
        }
        if view.type == .policy { return evaluationMissed(authenticator, noMatches) }
        if noMatches >= Self.noMatchesInARow { authenticator.view?.finger.isDisarmed = true }
    }

    // MARK: What the sensor says meanwhile

    /// Whether an answer of the sensor's has to wait: the finger before it is not told yet.
    func waitsForCount(_ event: SensorEvent) -> Bool {
        if case .changed = event { return false }
        guard !heldAnswers.isEmpty || isCountingFinger else { return false }
        heldAnswers.append(event)
        return true
    }

    private var isCountingFinger: Bool {
        guard case .view(let id, _, _)? = sensorJob?.use else { return false }
        return authenticators[id]?.miss != nil
    }

    func settleHeldAnswers() {
        while !heldAnswers.isEmpty, !isCountingFinger { sensorAnswered(heldAnswers.removeFirst()) }
    }
}
