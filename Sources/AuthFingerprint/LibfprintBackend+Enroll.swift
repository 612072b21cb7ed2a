internal import AuthCore
internal import AuthSecrets
internal import CFprint
internal import MainLoop

extension LibfprintBackend {
    func enroll(_ finger: Finger, _ job: Job) async {
        // Under its own name it is enrolled already; under another it may be, and the sensor is asked.
        func isThere() -> Bool { prints.contains { $0.finger == finger } }
        if isThere() { return answer(job, .duplicate(finger)) }
        if let failure = await claim(limit: Self.patience) { return answer(job, failure.sensorFailure) }
        guard let device, let facts, let place, !job.isStopped else { return }
        if isThere() { return answer(job, .duplicate(finger)) }
        job.isUnderWay = true
        let asks = facts.canIdentify && !facts.findsDuplicates && !prints.isEmpty
        if asks, await isDuplicate(on: device, stages: facts.enrollStages, job) { return }
        guard !job.isStopped else { return }

        let extra: UInt32 = asks ? 1 : 0
        let stages = facts.enrollStages + extra
        let result = await device.enroll(finger, cancellation) { progress in
            if case .success(facts.enrollStages) = progress { job.hasAllStages = true }
            guard let number = job.number, !job.isStopped else { return }
            switch progress {
            case .success(let done): self.emit(.stagePassed(number, stage: done + extra, stages: stages))
            case .failure(.retry(let reason)): self.emit(.retry(number, reason))
            case .failure: break
            }
        }
        switch result {
        case .success(let object): await keep(object, as: finger, at: place, job)
        case .failure(let failure): answer(job, failure.sensorFailure)
        }
    }

    /// One touch before the first stage, on a sensor that identifies but does not look for duplicates by itself.
    ///
    /// A sensor that can only verify cannot tell: it would want a touch for each enrolled finger.
    private func isDuplicate(on device: SensorDevice, stages: UInt32, _ job: Job) async -> Bool {
        var isKnown = false
        while !isKnown, !job.isStopped {
            let start = ContinuousClock.now
            let failure = await device.scan(for: prints, cancellation) { result in
                guard let number = job.number, !job.isStopped else { return }
                switch result {
                case .match(let print):
                    isKnown = true
                    self.answer(job, .duplicate(print.finger))
                case .noMatch:
                    isKnown = true
                    self.emit(.stagePassed(number, stage: 1, stages: stages + 1))
                case .retry(let reason): self.emit(.retry(number, reason))
                }
            }
            if let failure {
                answer(job, failure.sensorFailure)
                return true
            }
            if !isKnown, start.duration(to: .now) < Self.noFinger { await pause(.milliseconds(25)) }
        }
        return job.isStopped
    }

    /// Stores what was enrolled, or leaves nothing of it: neither a file nor a print on the chip.
    private func keep(_ object: GObjectReference, as finger: Finger, at place: PrintStore.Place, _ job: Job) async {
        let print: EnrolledPrint
        let bytes: [UInt8]
        do throws(EnrolledPrint.Unusable) {
            print = try EnrolledPrint(enrolled: object, as: finger)
            bytes = try print.bytes
        } catch {
            log("a print that was enrolled cannot be kept: \(error.why)")
            return answer(job, .failed(error.why))
        }
        if job.isStopped { return await discard(print) }
        if let other = prints.first(where: { $0.isSamePrint(as: print.pointer) }) {
            // On the chip it is the other one's as well, so it stays there.
            return answer(job, .duplicate(other.finger))
        }
        let why = await store.write(bytes, of: finger, to: place, settingAside: unusable[finger] != nil)
        if let why {
            log("\(place.path(of: finger)): not written: \(why)")
            await discard(print)
            return answer(job, .notStored)
        }
        if job.isStopped {
            _ = await store.remove(finger, from: place)
            return await discard(print)
        }
        unusable[finger] = nil
        prints = (prints + [print]).sorted { $0.finger < $1.finger }
        if print.isOnChip { chip?.append(print.object) }
        report()
        answer(job, nil)
    }

    private func discard(_ print: EnrolledPrint) async {
        guard print.isOnChip else { return }
        if let failure = await removeFromChip(print) {
            log("a print that was not kept is still in the sensor: \(failure.sensorFailure)")
        }
    }
}
