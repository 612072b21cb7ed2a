internal import AuthCore
internal import MainLoop

/// An enrolment: claims, scans until fprintd has enough, and tells what is enrolled then.
@LoopActor
final class FprintdEnrolment: FprintdJob {
    private let finger: Finger
    private var stage: UInt32 = 0

    init(_ number: UInt64, _ finger: Finger, _ service: FprintdService, _ send: @escaping (SensorEvent) -> Void) {
        self.finger = finger
        super.init(number, service, send)
    }

    override func run() async {
        await super.run()
        guard !isOver else { return }
        do throws(SensorFailure) {
            let claim = try await service.claimDevice()
            let failure = await enroll(claim)
            await service.release(claim)
            guard let failure else { return conclude(nil) }
            end(.ended(number, await service.reason(for: failure)))
        } catch { conclude(error) }
    }

    /// - Returns: why it failed; nil where it is done, or the order is over.
    private func enroll(_ claim: FprintdClaim) async -> SensorFailure? {
        guard !isOver else { return nil }
        // EnrollStart would delete the print that has this name.
        guard !service.names.contains(finger.rawValue) else { return .duplicate(finger) }
        claim.onStatus = { [weak self] in self?.status($0, isDone: $1) }
        FprintdPatience.call(self) { [finger] in
            let failure = await claim.start("EnrollStart", finger.rawValue, timeout: FprintdPatience.limit)
            guard failure == nil, self.isOver else { return failure.map(Outcome.failed) }
            // The password came after the order had been stopped.
            await claim.stop("EnrollStop")
            return .stopped
        }
        let outcome = await finished()
        watch()
        if outcome == .done {
            // The end is told with the set that it made.
            try? await service.readFingers(
                of: claim.device, service.description, by: ContinuousClock.now + FprintdService.deadline)
        }
        await claim.stop("EnrollStop")
        guard case .failed(let failure) = outcome else { return nil }
        return failure
    }

    private func status(_ word: Substring, isDone: Bool) {
        guard outcome == nil else { return }
        let stages = service.state.enrollStages
        switch word {
        case "stage-passed":
            stage += 1
            report(.stagePassed(number, stage: min(stage, stages), stages: stages))
        case "completed":
            // The last stage is not signalled by itself.
            if stage < stages { report(.stagePassed(number, stage: stages, stages: stages)) }
            finish(.done)
        case "duplicate": finish(.failed(.duplicate(nil)))
        case "data-full": finish(.failed(.deviceFull))
        case "disconnected": finish(.failed(.gone))
        // Its word also for a print that could not be written; a cancelled enrolment is not listened to any more.
        case "failed": finish(.failed(.notStored))
        default:
            if let reason = Fprintd.retry(word) ?? (isDone ? nil : .general) {
                report(.retry(number, reason))
            } else {
                finish(.failed(.failed("enroll-\(word)")))
            }
        }
    }
}
