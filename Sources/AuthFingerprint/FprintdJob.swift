internal import AuthCore
internal import MainLoop

/// An order that is carried out: a scan, an enrolment or a deletion. One runs at a time; the next waits until the
/// device has been given back.
@LoopActor
class FprintdJob {
    let number: UInt64
    let service: FprintdService
    private let send: (SensorEvent) -> Void
    /// Answered for good, or stopped: nothing is reported any more.
    private(set) var isOver = false
    private(set) var hasStarted = false
    private(set) var outcome: Outcome?
    private var waiter: CheckedContinuation<Outcome, Never>?
    private var watchdog: LoopSource?

    /// How one VerifyStart or EnrollStart ended.
    enum Outcome: Equatable {
        case done, noMatch, stopped
        case failed(SensorFailure)
    }

    init(_ number: UInt64, _ service: FprintdService, _ send: @escaping (SensorEvent) -> Void) {
        self.number = number
        self.service = service
        self.send = send
    }

    /// From the order to the device's release. Started once, after the job before has ended.
    func run() async { hasStarted = true }

    /// The order's time is up and nothing could be reported yet.
    func tookTooLong() { conclude(Fprintd.silence) }

    /// The device or fprintd went while the order stands, and was in use by it.
    func lost(_ failure: SensorFailure) {
        finish(.failed(failure))
        end(.ended(number, outcome == .done ? nil : failure))
    }

    /// The sensor may be had now.
    func chance(isSure: Bool) {}

    func report(_ event: SensorEvent) {
        if !isOver { send(event) }
    }

    /// The last report.
    func end(_ event: SensorEvent) {
        guard !isOver else { return }
        isOver = true
        unwatch()
        send(event)
    }

    /// The end of an enrolment, a deletion or a look: as it came out, or why it did not come to that.
    func conclude(_ otherwise: SensorFailure?) {
        switch outcome {
        case .done?: end(.ended(number, nil))
        case .failed(let failure)?: end(.ended(number, failure))
        case .noMatch?, .stopped?, nil: end(.ended(number, otherwise))
        }
    }

    func stop() {
        isOver = true
        unwatch()
        finish(.stopped)
    }

    // MARK: Waiting

    /// Something is to be reported within 2 s from now, until ``unwatch()``.
    func watch() {
        guard !isOver else { return }
        watchdog = .after(FprintdService.deadline) { [weak self] in
            self?.watchdog = nil
            self?.tookTooLong()
        }
    }

    func unwatch() { watchdog = nil }

    /// The first outcome counts; signals that follow it are void.
    func finish(_ outcome: Outcome) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        service.claim?.stopListening()
        let waiter = waiter
        self.waiter = nil
        waiter?.resume(returning: outcome)
    }

    /// Waits for the outcome of what was started.
    func finished() async -> Outcome {
        if let outcome { return outcome }
        return await withCheckedContinuation { waiter = $0 }
    }

    /// For the next start; that the order was stopped stays.
    func expectOutcome() { outcome = isOver ? .stopped : nil }
}

/// An order to read anew what is enrolled. It waits for no other and needs no claim.
@LoopActor
final class FprintdLook: FprintdJob {
    override func run() async { conclude(await service.look()) }
}
