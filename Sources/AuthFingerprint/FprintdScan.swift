internal import AuthCore
internal import MainLoop

/// A scan: claims, verifies, starts again after a finger that does not match, and claims anew after a loss, until one
/// matches or it is stopped.
@LoopActor
final class FprintdScan: FprintdJob {
    private let finger: Finger?
    /// The back end's, not the order's: a new order is no reason to claim more often.
    private let pace: FprintdPaceKeeper
    private let pause = FprintdPause()
    /// What was reported as the reason that the sensor cannot be had.
    private var standing: SensorFailure?
    private var isArmed = false
    /// Which finger fprintd compares with; nil where it finds that out itself.
    private var selected: Finger?

    init(
        _ number: UInt64, _ finger: Finger?, _ service: FprintdService, _ pace: FprintdPaceKeeper,
        _ send: @escaping (SensorEvent) -> Void
    ) {
        self.finger = finger
        self.pace = pace
        super.init(number, service, send)
    }

    override func run() async {
        await super.run()
        var isFirst = true
        while !isOver {
            if !isFirst { await waitForNextClaim() }
            guard !isOver else { return }
            isFirst = false
            pause.renew()
            expectOutcome()
            do throws(SensorFailure) {
                let claim = try await service.claimDevice()
                let failure = await scan(claim)
                await service.release(claim)
                if let failure { interrupted(await service.reason(for: failure)) }
            } catch { interrupted(error) }
        }
    }

    private func waitForNextClaim() async {
        // What has to be enrolled first is signalled.
        let wait = pace.pace.next()
        await pause.wait(standing == .notEnrolled ? .seconds(300) : wait)
        while !isOver, case let delay = pace.pace.delay(.now), delay > .zero { await pause.wait(delay) }
        if !isOver { pace.pace.claimed(.now) }
    }

    /// - Returns: why the claim is no good any more; nil where the order is over.
    private func scan(_ claim: FprintdClaim) async -> SensorFailure? {
        guard !isOver else { return nil }
        let names = service.names
        guard finger.map({ names.contains($0.rawValue) }) ?? !names.isEmpty else { return .notEnrolled }
        if finger != nil, names.count > 1, service.canIdentify == nil { await findOutWhetherItIdentifies(claim) }
        claim.onFingerSelected = { [weak self] in self?.fingerSelected($0) }
        claim.onStatus = { [weak self] in self?.status($0, isDone: $1) }
        while !isOver {
            expectOutcome()
            selected = nil
            isArmed = false
            if let failure = await claim.start("VerifyStart", finger?.rawValue ?? "any") { return failure }
            // Unless it was and has a result by now.
            if outcome == nil { armed() }
            let outcome = await finished()
            let hasStopped = await claim.stop("VerifyStop")
            switch outcome {
            case .noMatch: if !hasStopped { return Fprintd.silence }
            case .failed(let failure): return failure
            case .done, .stopped: return nil
            }
        }
        return nil
    }

    /// fprintd shows it only in what it selects for "any" where several fingers are enrolled; no result counts meanwhile.
    private func findOutWhetherItIdentifies(_ claim: FprintdClaim) async {
        let answered = FprintdPause()
        claim.onFingerSelected = { [weak self] name in
            self?.service.learn(canIdentify: name == "any")
            answered.end()
        }
        claim.onStatus = nil
        guard await claim.start("VerifyStart", "any") == nil else { return }
        await answered.wait(.milliseconds(300))
        await claim.stop("VerifyStop")
    }

    // MARK: What fprintd says

    private func fingerSelected(_ name: String) {
        selected = Finger(rawValue: name)
        if finger == nil, service.names.count > 1 { service.learn(canIdentify: name == "any") }
    }

    private func status(_ word: Substring, isDone: Bool) {
        guard outcome == nil else { return }
        armed()
        switch word {
        case "match":
            guard finger == nil || selected == nil || selected == finger else { return fail(.failed("another finger")) }
            finish(.done)
            end(.match(number, finger ?? selected))
        case "no-match":
            finish(.noMatch)
            watch()
            report(.noMatch(number))
            // It may have made fprintd find out that the device has lost prints.
            service.lookLater()
        case "disconnected": fail(.gone)
        default:
            if let reason = Fprintd.retry(word) ?? (isDone ? nil : .general) {
                report(.retry(number, reason))
            } else {
                // What it is shows when the device is given back.
                fail(.failed("verify-\(word)"))
            }
        }
    }

    private func fail(_ failure: SensorFailure) {
        finish(.failed(failure))
        watch()
        if failure == .gone { interrupted(failure) }
    }

    // MARK: What is reported

    private func armed() {
        guard !isArmed else { return }
        isArmed = true
        unwatch()
        standing = nil
        pace.pace.reset()
        report(.armed(number))
    }

    private func interrupted(_ failure: SensorFailure) {
        unwatch()
        guard !isOver, standing != failure else { return }
        // A call that was under way when it went says less.
        if standing == .gone, failure == Fprintd.silence { return }
        standing = failure
        report(.interrupted(number, failure))
    }

    override func tookTooLong() { interrupted(Fprintd.silence) }

    override func lost(_ failure: SensorFailure) {
        finish(.failed(failure))
        interrupted(failure)
    }

    override func chance(isSure: Bool) {
        if isSure || pace.pace.hasSpare(.now) { pause.end() }
    }

    override func stop() {
        super.stop()
        pause.end()
    }
}

/// The pace of all scans of one back end.
@LoopActor
final class FprintdPaceKeeper {
    var pace = FprintdPace()
}
