internal import AuthCore
internal import DBus
internal import MainLoop

extension FprintdService {
    /// Within which a look answers.
    static let deadline: Duration = .milliseconds(1900)
    /// After an answer that did not come, or a refusal (polkit's, while our session is not active).
    private static let retryWaits: [Duration] = [.seconds(2), .seconds(10), .seconds(60)]

    /// Soon, once for many reasons.
    func lookLater(_ wait: Duration = .milliseconds(300)) {
        later = .after(wait) { [weak self] in
            onLoop { [weak self] in _ = await self?.look() }
        }
    }

    /// Reads everything anew, within 2 s once a look under way has ended; starts fprintd where the bus can.
    ///
    /// - Returns: why it could not.
    func look() async -> SensorFailure? {
        later = nil
        if quiet != nil { return refusal }
        // The one under way may have read too early for us. The next one serves all who wait for it.
        if isLooking { return await withCheckedContinuation { waiting.append($0) } }
        return await lookOnce()
    }

    private func lookOnce() async -> SensorFailure? {
        isLooking = true
        var failure: SensorFailure?
        do throws(SensorFailure) {
            try await lookNow()
            retries = 0
            said = nil
        } catch {
            failed(error)
            failure = error
        }
        isLooking = false
        if mayBeFree { onChance?(false) }
        mayBeFree = false
        lookForThoseWhoWait()
        return failure
    }

    private func lookForThoseWhoWait() {
        guard !waiting.isEmpty, !isLooking else { return }
        let others = waiting
        waiting = []
        isLooking = true
        onLoop { [self] in
            let failure = await lookOnce()
            for other in others { other.resume(returning: failure) }
        }
    }

    private func failed(_ failure: SensorFailure) {
        var reason: String?
        switch failure {
        case .denied(let why):
            reason = why
        case .failed(let why):
            reason = why
            forget()
        default: forget()
        }
        if let reason, failure != said { log("no fingers from fprintd: \(reason)") }
        said = failure
        if failure != .gone, retries < Self.retryWaits.count {
            lookLater(Self.retryWaits[retries])
            retries += 1
        }
    }

    private func lookNow() async throws(SensorFailure) {
        let end = ContinuousClock.now + Self.deadline
        let found = try await find(by: end)
        device = found
        let properties = try await ask(
            found.owner, found.path, Fprintd.properties, "GetAll", [.string(Fprintd.device)], by: end)
        let values = properties.first?.asDictionary ?? [:]
        let description = Description(
            name: values["name"]?.asString ?? "", scanType: values["scan-type"]?.asString ?? "",
            enrollStages: UInt32(clamping: values["num-enroll-stages"]?.asInt32 ?? 0))
        try await readFingers(of: found, description, by: end)
        // It was replaced meanwhile.
        if watch?.owner != found.owner { lookLater() }
    }

    private func find(by end: ContinuousClock.Instant) async throws(SensorFailure) -> FprintdDevice {
        let reply = try await ask(Fprintd.bus, Fprintd.managerPath, Fprintd.manager, "GetDefaultDevice", by: end)
        // The bus tells who the owner is before fprintd can answer.
        guard let path = reply.first?.asObjectPath, let owner = watch?.owner else { throw .gone }
        return FprintdDevice(owner: owner, path: path)
    }

    /// Reads who is enrolled, and reports it where that has changed.
    func readFingers(
        of device: FprintdDevice, _ description: Description, by end: ContinuousClock.Instant
    ) async throws(SensorFailure) {
        lists.asked += 1
        let mine = lists.asked
        var names: [String]? = []
        var refusal: SensorFailure?
        do throws(SensorFailure) {
            let reply = try await ask(
                device.owner, device.path, Fprintd.device, "ListEnrolledFingers", [.string("")], by: end)
            names = reply.first?.asStringArray ?? []
        } catch {
            switch error {
            case .notEnrolled: break
            case .denied:
                names = nil
                refusal = error
            default: throw error
            }
        }
        // polkit may let a later question overtake an earlier one.
        if mine > lists.read, device == self.device {
            lists.read = mine
            know(description, names: names)
        }
        if let refusal { throw refusal }
    }

    private func ask(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = [],
        by end: ContinuousClock.Instant
    ) async throws(SensorFailure) -> [Value] {
        do {
            let left = max(.milliseconds(1), ContinuousClock.now.duration(to: end))
            return try await bus.call(destination, path, interface, member, arguments, timeout: left)
        } catch { throw Fprintd.failure(error) }
    }

    // MARK: The device as ours

    /// Claims it, and reads who is enrolled: nothing can match before a change of that has been reported.
    func claimDevice() async throws(SensorFailure) -> FprintdClaim {
        await sleep?.end()
        if quiet != nil { throw refusal }
        if device == nil, let failure = await look() { throw failure }
        guard let device else { throw .gone }
        await releaseKept()
        let claim = FprintdClaim(device, on: bus)
        unreleased = device
        do {
            _ = try await claim.call("Claim", [.string("")])
        } catch {
            let failure = Fprintd.failure(error)
            // Without an answer it may yet be given to us.
            if failure != Fprintd.silence { unreleased = nil }
            if Fprintd.shortName(error) == "Internal" {
                refusals += 1
                if refusals > 1 { leave(failure) }
            }
            throw failure
        }
        refusals = 0
        self.claim = claim
        do throws(SensorFailure) {
            try await readFingers(of: device, description, by: ContinuousClock.now + Self.deadline)
        } catch {
            await release(claim)
            throw error
        }
        return claim
    }

    /// What was not given back, or may have been given to us late.
    func releaseKept() async {
        guard let kept = unreleased, claim == nil else { return }
        unreleased = nil
        do {
            _ = try await FprintdClaim(kept, on: bus).call("Release")
        } catch {
            if Fprintd.failure(error) == Fprintd.silence, unreleased == nil { unreleased = kept }
        }
    }

    /// Gives it back; after the sleep where the machine goes to sleep.
    func release(_ claim: FprintdClaim) async {
        claim.stopListening()
        if sleep?.isAsleep == true {
            if self.claim === claim { self.claim = nil }
            return
        }
        var isSilent = false
        do {
            _ = try await claim.call("Release")
        } catch {
            // A device that was unplugged cannot be released.
            isSilent = Fprintd.failure(error) == Fprintd.silence
        }
        if self.claim === claim { self.claim = nil }
        if !isSilent, unreleased == claim.device { unreleased = nil }
    }

    /// What fprintd 1.94.2 calls an unknown error is an unplugged device too; that one goes when it is released.
    func reason(for failure: SensorFailure) async -> SensorFailure {
        guard case .failed = failure, failure != Fprintd.silence, await look() == .gone else { return failure }
        return .gone
    }

    /// Whether fprintd answers at all; GDBus answers this one also while polkit asks the person.
    func answers(within limit: Duration) async -> Bool {
        guard let owner = watch?.owner else { return false }
        return (try? await bus.call(owner, Fprintd.objects, Fprintd.peer, "Ping", timeout: limit)) != nil
    }
}
