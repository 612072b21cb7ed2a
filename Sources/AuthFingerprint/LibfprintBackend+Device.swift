internal import AuthCore
internal import AuthSecrets
internal import MainLoop

extension LibfprintBackend {
    /// How often a lost sensor is looked for while nobody wants it. One on USB reports itself anyway.
    private static let searchesAfterLoss = OpenBudget.perMinute

    /// Opens the sensor, unless it is open; looks for one where there is none.
    ///
    /// - Returns: nil when it is open and its prints are known.
    func claim(limit: Duration) async -> FprintFailure? {
        if device == nil { await find() }
        guard let device else {
            if case .denied(let why) = access { return .denied(why) }
            return .gone
        }
        if device.isStuck { return .stuck }
        if device.isOpen { return nil }
        let failure = await device.open(cancellation, limit: limit)
        if device !== self.device || device.isRemoved { return .gone }
        if case .denied(let why) = failure { lose(device, access: .denied(why)) }
        return failure
    }

    /// Also what was unplugged: libfprint wants that.
    func close() async {
        for open in lost + [device].compactMap(\.self) where open.canClose {
            if let failure = await open.close(), failure != .gone, !open.isRemoved {
                log("\(open.facts.name): not closed: \(failure.sensorFailure)")
            }
        }
        lost.removeAll { !$0.canClose && !$0.isStuck }
    }

    /// Finds out what is there and what is enrolled.
    func look(_ job: Job, renews: Bool) async {
        let known = facts
        if renews { await find() }
        // A sensor that was not known before was asked when it was found.
        if let facts, facts.listsPrints, facts == known {
            if let failure = await claim(limit: Self.patience) { return answer(job, failure.sensorFailure) }
            await readChip()
        }
        await readPrints()
        report()
        answer(job, nil)
    }

    /// Chooses the first sensor that opens, or that only another program keeps from opening. One that fails otherwise is
    /// tried again a few times; fprintd may do better.
    private func find() async {
        await close()
        if device == nil || context.devices.allSatisfy(\.isRemoved) { await context.renew() }
        var denial: String?
        var mayOpenLater = false
        for candidate in context.devices where !candidate.isRemoved {
            let failure = await candidate.open(cancellation, limit: .seconds(10))
            guard !candidate.isRemoved else { continue }
            switch failure {
            case nil, .busy: return await choose(candidate)
            case .denied(let why): denial = why
            case .cancelled: return
            case let failure?:
                denial = denial ?? "\(failure)"
                mayOpenLater = true
            }
        }
        vanish(denial.map { .denied($0) } ?? .none)
        // Once, until something is plugged in or a sensor opens.
        if mayOpenLater, search == nil {
            searches = Self.searchesAfterLoss
            searchLater(.milliseconds(250))
        }
    }

    private func choose(_ candidate: SensorDevice) async {
        device = candidate
        candidate.onRemoved = { [weak self, weak candidate] in
            if let candidate { self?.lose(candidate, access: .none) }
        }
        (searches, search) = (0, nil)
        let found = candidate.facts
        if facts != found {
            facts = found
            place = store.place(driver: found.driver, deviceID: found.deviceID)
            chip = nil
            if candidate.isOpen { await readChip() }
            await readPrints()
            guard device === candidate else { return }
        }
        setAccess(.open)
        report()
    }

    /// At once, while a call that runs still has to fail.
    private func lose(_ lost: SensorDevice, access: Access) {
        guard device === lost else { return }
        device = nil
        self.lost.append(lost)
        vanish(access)
        budget.lost()
        if access == .none {
            searches = Self.searchesAfterLoss
            searchLater(.milliseconds(250))
        }
    }

    private func vanish(_ access: Access) {
        device = nil
        let wasThere = facts != nil
        facts = nil
        setAccess(access)
        report()
        if wasThere { interrupted(.gone) }
    }

    /// libfprint costs wake-ups for as long as it is there.
    func letGo() {
        guard device?.isStuck != true, facts?.isMadeUp != true, lost.isEmpty else { return }
        device = nil
        context.drop()
    }

    private func searchLater(_ delay: Duration) {
        search = .after(delay) { [weak self] in
            guard let self, facts == nil, searches > 0 else { return }
            searches -= 1
            // A scan that stands looks for it as well.
            if scan == nil, jobs.isEmpty, job == nil { add(Job(.look(renews: true), number: nil)) }
            searchLater(delay * 2)
        }
    }

    /// Something was plugged in or unplugged, or may be opened by others than before.
    func plugged() {
        // One that is in use tells by itself when it goes.
        guard facts == nil || device == nil else { return }
        budget.hurry()
        search = nil
        add(Job(.look(renews: true), number: nil))
    }

    private func readChip() async {
        guard let device, let facts, facts.listsPrints else { return }
        switch await device.list(cancellation) {
        case .success(let found): chip = found
        case .failure(.cancelled): break
        case .failure(let failure):
            chip = nil
            log("\(facts.name): its prints are not listed: \(failure.sensorFailure)")
        }
    }

    /// Every file that is a print of this sensor's, and is on its chip where it has to be.
    private func readPrints() async {
        guard let facts, let place else { return }
        let readings = await store.read(place)
        guard self.facts == facts else { return }
        var found: [EnrolledPrint] = []
        var broken: [Finger: String] = [:]
        for (finger, reading) in readings {
            switch reading {
            case .unusable(let why): broken[finger] = why
            case .bytes(let bytes):
                do throws(EnrolledPrint.Unusable) {
                    let print = try EnrolledPrint(bytes, of: finger, for: facts)
                    if print.isOnChip, let chip, !chip.contains(where: { print.isSamePrint(as: $0.pointer) }) {
                        throw EnrolledPrint.Unusable("no longer in the sensor")
                    }
                    found.append(print)
                } catch {
                    broken[finger] = error.why
                }
            }
        }
        for (finger, why) in broken.sorted(by: { $0.key < $1.key }) where unusable[finger] != why {
            log("\(place.path(of: finger)): not a print that counts: \(why)")
        }
        unusable = broken
        prints = found.sorted { $0.finger < $1.finger }
    }

    private func setAccess(_ access: Access) {
        guard self.access != access else { return }
        self.access = access
        if case .denied(let why) = access { log("a fingerprint sensor is not this user's to open: \(why)") }
        onAccess?()
    }

    /// Tells the state where it has changed.
    func report() {
        var fresh = SensorState()
        fresh.backend = .libfprint
        if let facts {
            fresh.isPresent = true
            fresh.deviceName = facts.name
            fresh.scanType = facts.isPress ? "press" : "swipe"
            fresh.enrollStages = facts.enrollStages
            fresh.canIdentify = facts.canIdentify
        }
        fresh.fingers = prints.map(\.finger)
        // Without a sensor ever seen nobody knows which files are its prints.
        fresh.set = place == nil ? nil : FingerSet(of: prints.map(\.hash), basis: .prints)
        guard fresh != state else { return }
        state = fresh
        emit(.changed(fresh))
    }
}
