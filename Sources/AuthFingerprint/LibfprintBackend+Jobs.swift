internal import AuthCore
internal import AuthSecrets
internal import MainLoop

extension LibfprintBackend {
    /// Something that was told to be done once.
    @LoopActor
    final class Job {
        enum Kind: Equatable {
            case enroll(Finger)
            case delete(Finger?)
            /// Find out what is there and what is enrolled; `renews`: look for sensors, too.
            case look(renews: Bool)
        }

        let kind: Kind
        /// nil: our own idea, and nobody is answered.
        let number: UInt64?
        /// Nothing of it is answered any more, and it leaves nothing behind.
        var isStopped = false
        /// The sensor is claimed: from here on it takes the time that it takes.
        var isUnderWay = false { didSet { if isUnderWay { limit = nil } } }
        /// An enrolment: only libfprint's word is missing.
        var hasAllStages = false
        var limit: LoopSource?
        var onEnd: (() -> Void)?

        init(_ kind: Kind, number: UInt64?) {
            self.kind = kind
            self.number = number
        }

        var isEnrolment: Bool { if case .enroll = kind { true } else { false } }

        func end() {
            limit = nil
            let body = onEnd
            onEnd = nil
            body?()
        }
    }

    /// A job that is answered within 2 s, or under way by then.
    func numbered(_ kind: Job.Kind, _ number: UInt64) -> Job {
        let job = Job(kind, number: number)
        job.limit = .after(Self.patience) { [weak self, weak job] in
            guard let self, let job else { return }
            answer(job, .failed("the sensor does not answer"))
            jobs.removeAll { $0 === job }
        }
        return job
    }

    /// Once; later answers are void, and so is the job.
    func answer(_ job: Job, _ failure: SensorFailure?) {
        guard !job.isStopped else { return }
        job.isStopped = true
        if job === self.job, failure != nil { cancel(job) }
        if let number = job.number { emit(.ended(number, failure)) }
        job.end()
    }

    /// Ends the job under way.
    ///
    /// An enrolment that has all its stages is left to end by itself: cancelled now it would say so, and leave a print on
    /// the chip that nobody knows. What it brings is thrown away.
    func cancel(_ job: Job) {
        let cancellation = cancellation
        guard job.hasAllStages else { return cancellation.cancel() }
        job.limit = .after(.seconds(3)) { cancellation.cancel() }
    }

    func perform(_ job: Job) async {
        switch job.kind {
        case .enroll(let finger): await enroll(finger, job)
        case .delete(let finger): await delete(finger, job)
        case .look(let renews): await look(job, renews: renews)
        }
    }

    private func delete(_ finger: Finger?, _ job: Job) async {
        let wanted = prints.filter { finger == nil || $0.finger == finger }
        guard finger == nil || !wanted.isEmpty else { return answer(job, .notEnrolled) }
        guard let place, !wanted.isEmpty else { return answer(job, nil) }
        if wanted.contains(where: \.isOnChip) {
            if let failure = await claim(limit: Self.patience) { return answer(job, failure.sensorFailure) }
        }
        guard !job.isStopped else { return }
        job.isUnderWay = true
        for print in wanted {
            // The chip first: a file without a print on the chip is of no use to anybody, the reverse might be.
            if print.isOnChip, let failure = await removeFromChip(print) {
                return answer(job, failure.sensorFailure)
            }
            if let why = await store.remove(print.finger, from: place) {
                log("\(place.path(of: print.finger)): not deleted: \(why)")
                return answer(job, .notStored)
            }
            prints.removeAll { $0.finger == print.finger }
            report()
        }
        answer(job, nil)
    }

    /// One that is not there any more is as good as deleted.
    func removeFromChip(_ print: EnrolledPrint) async -> FprintFailure? {
        guard let device, device.isOpen else { return .gone }
        guard facts?.deletesPrints == true else { return nil }
        let failure = await device.delete(print)
        if failure == nil || failure == .notFound {
            chip?.removeAll { print.isSamePrint(as: $0.pointer) }
            return nil
        }
        return failure
    }
}
