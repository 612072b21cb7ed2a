/// The Fingerprint object: enrolled fingers, enrolling, deleting and testing them.
extension StateMachine {
    func fingerprintCall(_ call: FingerprintCall, _ caller: Caller, _ token: ReplyToken) {
        switch call {
        case .list:
            guard sensor.isPresent else { return refuseSensor(token) }
            reply(token, .fingers(sensor.fingers.sorted()))
        case .enroll(let finger, let request):
            if let refusal = refusalOfSensor(caller) { return reply(token, .refused(refusal)) }
            guard !sensor.fingers.contains(finger) else {
                return refuse(token, .fingerAlreadyEnrolled, "\(finger.rawValue) is enrolled already")
            }
            reply(token, .request(request))
            order(.enrolment(finger, request: request, connection: caller.connection)) { .enroll($0, finger) }
        case .verifyTest(let options, let request):
            if let refusal = refusalOfTest(options.finger) { return reply(token, .refused(refusal)) }
            reply(token, .request(request))
            let finger = options.finger ?? (sensor.canIdentify ? nil : sensor.fingers.min())
            order(.test(request: request, connection: caller.connection)) { .scan($0, finger) }
        case .delete(let finger):
            if let refusal = refusalOfSensor(caller) { return reply(token, .refused(refusal)) }
            guard sensor.fingers.contains(finger) else {
                return refuse(token, .biometryNotEnrolled, "\(finger.rawValue) is not enrolled")
            }
            order(.deletion(connection: caller.connection), token: token) { .delete($0, finger) }
        case .deleteAll:
            if let refusal = refusalOfSensor(caller) { return reply(token, .refused(refusal)) }
            guard !sensor.fingers.isEmpty else { return reply(token, .done) }
            order(.deletion(connection: caller.connection), token: token) { .delete($0, nil) }
        }
    }

    private func refuseSensor(_ token: ReplyToken) {
        refuse(token, .biometryNotAvailable, FingerStanding.absent.message)
    }

    /// Changing what is enrolled weakens every lock that takes a finger.
    private func refusalOfSensor(_ caller: Caller) -> Refusal? {
        guard causes.isEmpty, !isCovered else { return Refusal(.notAuthorized, "The session is locked") }
        // Whether there is a lock is not known before its files are read.
        guard authenticators.values.allSatisfy(\.isOpen) else {
            return Refusal(.busy, "An authenticator is being read")
        }
        let isSessionLockable = authenticators[.session]?.isLockable ?? false
        let isProven = authenticators.values.allSatisfy { authenticator in
            // Whoever finds an open session can give it a passcode of his own: that proves nothing to a lock that takes
            // whatever finger is enrolled, or that no passcode opens without one.
            let needsProof = authenticator.isSession || !isSessionLockable || authenticator.settings.factorMode != .any
            return !authenticator.isLockable || !needsProof || hasRecentProof(authenticator, caller)
        }
        return isProven ? refusalOfUse() : Self.unproven
    }

    /// An enrolment that was free to begin is not when there is a lock meanwhile that takes whatever finger is enrolled.
    func settleEnrolment(_ authenticator: Authenticator) {
        guard case .enrolment(_, _, let connection)? = sensorJob?.use, route(before: authenticator.id) == .login,
            authenticator.unlockRoute == .fingerprint
        else { return }
        let caller = Caller(connection: connection, sandboxed: nil, displayName: "")
        guard !hasRecentProof(authenticator, caller) else { return }
        endTask(Refusal(.systemCancel, "A lock was turned on meanwhile that any enrolled finger opens"))
    }

    private static let unproven = Refusal(
        .notAuthorized, "Changing enrolled fingers needs the session's passcode given within 5 minutes")

    private func refusalOfTest(_ finger: Finger?) -> Refusal? {
        guard causes.isEmpty, !isCovered else { return Refusal(.notAuthorized, "The session is locked") }
        if let refusal = refusalOfUse() { return refusal }
        guard !sensor.fingers.isEmpty, finger.map(sensor.fingers.contains) ?? true else {
            return Refusal(.biometryNotEnrolled, "This finger is not enrolled")
        }
        return nil
    }

    private func refusalOfUse() -> Refusal? {
        guard sensor.isPresent, sensor.set != nil else {
            return Refusal(.biometryNotAvailable, FingerStanding.absent.message)
        }
        return sensorJob == nil ? nil : Refusal(.busy, "The sensor is in use")
    }

    // MARK: Ends

    /// The adapter's last word on an enrolment or a deletion.
    func sensorEnded(_ number: UInt64, _ failure: SensorFailure?) {
        if let look = looks.removeValue(forKey: number) { return looked(look) }
        guard let job = sensorJob, job.number == number else { return }
        switch job.use {
        case .enrolment(_, let request, let connection):
            sensorJob = nil
            if let failure {
                complete(request, connection, .failure(Self.refusal(of: failure)))
            } else {
                act(.enrollStatus("completed", stage: sensor.enrollStages, stages: sensor.enrollStages))
                complete(request, connection, .success(nil))
            }
        case .deletion:
            sensorJob = nil
            reply(job.token, failure.map { .refused(Self.refusal(of: $0)) } ?? .done)
        case .view, .test: break
        }
    }

    /// Ends a test or an enrolment that stands; a deletion is not interrupted.
    func endTask(_ refusal: Refusal) {
        guard let job = sensorJob else { return }
        switch job.use {
        case .test(let request, let connection), .enrolment(_, let request, let connection):
            act(.sensor(.stop(job.number)))
            sensorJob = nil
            complete(request, connection, .failure(refusal))
        case .view, .deletion: break
        }
    }

    private func complete(_ request: String, _ connection: String, _ result: Result<Method?, Refusal>) {
        let completion: Completion =
            switch result {
            case .success(let method): .success(method)
            case .failure(let refusal): .failure(refusal, lockedOutUntil: nil)
            }
        act(.completed(request: request, to: connection, completion))
    }

    /// Whose task has this request; nil where none has.
    func taskOwner(of path: String) -> String? {
        switch sensorJob?.use {
        case .test(path, let connection), .enrolment(_, path, let connection): connection
        default: nil
        }
    }

    func taskCallerLeft(_ connection: String) {
        looks = looks.filter { $0.value.connection != connection }
        switch sensorJob?.use {
        case .test(_, connection), .enrolment(_, _, connection):
            endTask(Refusal(.appCancel, "Its caller left"))
        case .deletion(connection): sensorJob?.token = nil
        default: break
        }
    }

    // MARK: Looking anew

    /// A call that waits for a fresh look at what is enrolled.
    enum Look {
        case call(Call, AuthenticatorID, Caller, ReplyToken)
        case fingerprint(FingerprintCall, Caller, ReplyToken)

        var connection: String {
            switch self {
            case .call(_, _, let caller, _), .fingerprint(_, let caller, _): caller.connection
            }
        }
    }

    /// With fprintd others enrol and delete behind our back. Answers whether the call waits.
    func looksFirst(_ look: Look) -> Bool {
        guard sensor.backend == .fprintd else { return false }
        let number = nextOperation
        nextOperation += 1
        looks[number] = look
        act(.sensor(.look(number)))
        return true
    }

    private func looked(_ look: Look) {
        switch look {
        case .call(let call, let id, let caller, let token):
            guard let authenticator = touch(id) else {
                return refuse(token, .unknownObject, "No authenticator of \(id.application)")
            }
            perform(call, authenticator, caller, token, hasAsked: true, hasLooked: true)
        case .fingerprint(let call, let caller, let token): fingerprintCall(call, caller, token)
        }
    }
}
