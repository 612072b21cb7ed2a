/// The one sensor: who has it, and what it reports.
extension StateMachine {
    /// What the sensor is doing for whom.
    enum SensorUse: Equatable {
        /// A scan for the view with this number.
        case view(AuthenticatorID, UInt64, Finger?)
        case test(request: String, connection: String)
        case enrolment(Finger, request: String, connection: String)
        case deletion(connection: String)
    }

    struct SensorJob {
        var number: UInt64
        var use: SensorUse
        /// A finger that is put on it now is read.
        var isArmed = false
        /// Why it cannot be had now; it comes back by itself.
        var trouble: SensorFailure?
        /// When it began, or the sensor was touched last, by CLOCK_BOOTTIME in µs.
        var lastTouch: UInt64
        /// Of an enrolment: how many are done.
        var stage: UInt32 = 0
        /// Who waits for a deletion.
        var token: ReplyToken?
    }

    func sensorReported(_ event: SensorEvent) {
        if !waitsForCount(event) { sensorAnswered(event) }
    }

    func sensorAnswered(_ event: SensorEvent) {
        switch event {
        case .changed(let state): sensorChanged(state)
        case .armed(let number):
            guard let job = job(number) else { return }
            touchView(of: job)
            sensorJob?.isArmed = true
            sensorJob?.trouble = nil
        case .interrupted(let number, let failure):
            guard let job = job(number) else { return }
            touchView(of: job)
            sensorJob?.isArmed = false
            sensorJob?.trouble = failure
            if case .test = job.use { endTask(Self.refusal(of: failure)) }
        case .retry(let number, let reason): retried(number, reason)
        case .noMatch(let number): notMatched(number)
        case .match(let number, let finger): matched(number, finger)
        case .stagePassed(let number, let stage, let stages):
            guard case .enrolment? = job(number)?.use else { return }
            sensorJob?.stage = stage
            sensorJob?.lastTouch = now.boottime
            act(.enrollStatus("stage-passed", stage: stage, stages: stages))
        case .ended(let number, let failure): sensorEnded(number, failure)
        }
    }

    /// The standing order, if it has this number: an answer to any other is void.
    private func job(_ number: UInt64) -> SensorJob? { sensorJob.flatMap { $0.number == number ? $0 : nil } }

    /// The view that a job is for, to be changed, if it still stands.
    @discardableResult
    private func touchView(of job: SensorJob) -> Authenticator? {
        guard case .view(let id, let number, _) = job.use, let authenticator = touch(id),
            authenticator.view?.number == number
        else { return nil }
        return authenticator
    }

    private func sensorChanged(_ state: SensorState) {
        for authenticator in touchAll() {
            authenticator.fingersAreThere = state.isPresent && !state.fingers.isEmpty
            if state.isPresent { authenticator.view?.finger.hadSensor = true }
        }
        sensor = state
    }

    private func retried(_ number: UInt64, _ reason: RetryReason) {
        guard let job = job(number) else { return }
        sensorJob?.lastTouch = now.boottime
        switch job.use {
        case .view: touchView(of: job)?.view?.notice = .retry(reason)
        case .test: act(.enrollStatus(reason.rawValue, stage: 0, stages: 0))
        case .enrolment: act(.enrollStatus(reason.rawValue, stage: job.stage, stages: sensor.enrollStages))
        case .deletion: break
        }
    }

    private func notMatched(_ number: UInt64) {
        guard let job = job(number) else { return }
        if case .test = job.use {
            return endTask(Refusal(.authenticationFailed, "The finger was not recognised"))
        }
        guard let authenticator = touchView(of: job), let view = authenticator.view, wantsFinger(authenticator) else {
            return
        }
        fingerMissed(authenticator, view: view.number)
    }

    private func matched(_ number: UInt64, _ finger: Finger?) {
        guard let job = job(number) else { return }
        // The scan is over, whatever becomes of the view.
        sensorJob = nil
        switch job.use {
        case .test(let request, let connection):
            act(.completed(request: request, to: connection, .success(.fingerprint)))
        case .view(let id, let view, _):
            guard let authenticator = touch(id), authenticator.view?.number == view, wantsFinger(authenticator) else {
                return
            }
            if let finger { lastFinger = finger }
            fingerMatched(authenticator)
        case .enrolment, .deletion: break
        }
    }

    // MARK: Who gets it

    /// Gives the sensor to whoever is to have it now; takes it from whoever is not.
    func settleSensor() {
        if !causes.isEmpty || isCovered { endTask(Refusal(.systemCancel, "The session is locked")) }
        switch sensorJob?.use {
        case .test, .enrolment, .deletion: return
        case .view, nil: break
        }
        let wanted = wantedUse
        guard wanted != sensorJob?.use else { return }
        if let job = sensorJob {
            touchView(of: job)
            act(.sensor(.stop(job.number)))
        }
        sensorJob = nil
        guard case .view(_, _, let finger)? = wanted, let use = wanted else { return }
        order(use) { .scan($0, finger) }
    }

    @discardableResult
    func order(_ use: SensorUse, token: ReplyToken? = nil, _ order: (UInt64) -> SensorOrder) -> UInt64 {
        let number = nextOperation
        nextOperation += 1
        sensorJob = SensorJob(number: number, use: use, lastTouch: now.boottime, token: token)
        act(.sensor(order(number)))
        return number
    }

    /// The view in front; one that an app shows itself only when none is.
    private var wantedUse: SensorUse? {
        guard causes.isEmpty, sensor.isPresent else { return nil }
        if let front = line.first {
            return authenticators[front].flatMap { wantsFinger($0) ? use(for: $0) : nil }
        }
        let shown = headless.compactMap { authenticators[$0] }.filter { wantsFinger($0) }
        let first = shown.min { ($0.view?.number ?? 0) < ($1.view?.number ?? 0) }
        return first.flatMap { use(for: $0) }
    }

    private func use(for authenticator: Authenticator) -> SensorUse? {
        authenticator.view.map { .view(authenticator.id, $0.number, fingerToRead($0)) }
    }

    /// Nil: any; the device tells which one it was.
    func fingerToRead(_ view: View) -> Finger? {
        guard !sensor.canIdentify, sensor.fingers.count > 1 else { return nil }
        let likely = [view.finger.picked, lastFinger, .rightIndex]
        return likely.compactMap(\.self).first(where: sensor.fingers.contains) ?? sensor.fingers.min()
    }

    /// The job that is done for a view of this authenticator.
    func sensorJob(for authenticator: Authenticator) -> SensorJob? {
        guard let job = sensorJob, case .view(authenticator.id, let number, _) = job.use,
            number == authenticator.view?.number
        else { return nil }
        return job
    }

    // MARK: What the Fingerprint object shows

    public var fingerprint: FingerprintState {
        var state = FingerprintState()
        state.sensor = sensor
        state.isBusy = sensorJob != nil
        return state
    }

    static func refusal(of failure: SensorFailure) -> Refusal {
        switch failure {
        case .gone: Refusal(.biometryNotAvailable, "There is no fingerprint sensor")
        case .busy: Refusal(.busy, "Another program has the sensor")
        case .duplicate(let finger?):
            Refusal(.fingerAlreadyEnrolled, "This finger is enrolled already, as \(finger.rawValue)")
        case .duplicate(nil): Refusal(.fingerAlreadyEnrolled, "This finger is enrolled already")
        case .notStored: Refusal(.storeUnavailable, "The print cannot be written")
        case .deviceFull: Refusal(.limitsExceeded, "The sensor takes no more prints")
        case .notEnrolled: Refusal(.biometryNotEnrolled, "This finger is not enrolled")
        case .denied(let reason): Refusal(.notAuthorized, "The sensor may not be used: \(reason)")
        case .failed(let reason): Refusal(.biometryNotAvailable, "The sensor failed: \(reason)")
        }
    }
}
