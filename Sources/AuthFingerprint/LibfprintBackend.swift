internal import AuthCore
internal import AuthSecrets
internal import CFprint
internal import Glibc
internal import MainLoop

/// A sensor that this process may open, through libfprint; the enrolled prints are files of ours.
///
/// One task does all of it, one thing after another: what was told to be done first, then the scan that stands, then the
/// device is closed, so that other programs can have it. Whatever changes ends the call that is under way.
@LoopActor
final class LibfprintBackend: FingerprintBackend {
    /// Whether this process may open what is there.
    enum Access: Equatable {
        /// Not found out yet.
        case unknown
        /// libfprint knows no sensor here.
        case none
        case open
        /// There is one, and its device file is not for us; the system's words.
        case denied(String)
    }

    /// The scan that stands.
    struct Scan {
        let number: UInt64
        let finger: Finger?
        var isArmed = false
        /// Told already; said once.
        var trouble: SensorFailure?
    }

    var state = SensorState()
    var onEvent: ((SensorEvent) -> Void)?
    var access = Access.unknown
    var onAccess: (() -> Void)?

    let context = SensorContext()
    let store: PrintStore
    let log: (String) -> Void

    /// What is there; nil when nothing is.
    var facts: SensorFacts?
    /// While it is in use, and a little longer: see ``linger``.
    var device: SensorDevice?
    /// Unplugged, and perhaps still to be closed.
    var lost: [SensorDevice] = []
    /// Of ``device``, or of the last one there was.
    var place: PrintStore.Place?
    var prints: [EnrolledPrint] = []
    /// Files that are no prints of ours, and why: as last told to the log.
    var unusable: [Finger: String] = [:]
    /// What the chip holds; nil where it does not tell.
    var chip: [GObjectReference]?

    var scan: Scan?
    var jobs: [Job] = []
    var job: Job?
    var budget = OpenBudget()
    /// Ends the call under way.
    var cancellation = DeviceCancellation()
    /// How long libfprint is kept after its last use. It wakes up every two seconds, and takes some milliseconds to be
    /// had again.
    var linger = Duration.seconds(5)
    private var lingering: LoopSource?
    private var plugs: UsbWatch?
    /// Looks for a lost sensor by itself that are left.
    var searches = 0
    var search: LoopSource?

    private var scanLimit: LoopSource?
    private var isWorking = false
    private var isStopped = false
    private var sleeper: CheckedContinuation<Void, Never>?
    private var alarm: LoopSource?

    /// - Parameters:
    ///   - folder: of the prints; absolute.
    ///   - log: told what a person should know.
    init(folder: String, log: @escaping (String) -> Void) {
        store = PrintStore(folder: folder)
        self.log = log
        state.backend = .libfprint
        context.onAdded = { [weak self] in self?.plugged() }
    }

    /// The contract's 2 s, less what the answer takes.
    static let patience = Duration.milliseconds(1800)

    func start() async {
        plugs = UsbWatch { [weak self] in self?.plugged() }
        let probe = Job(.look(renews: true), number: nil)
        await withCheckedContinuation { continuation in
            probe.onEnd = { continuation.resume() }
            probe.limit = .after(Self.patience) { probe.end() }
            add(probe)
        }
    }

    func take(_ order: SensorOrder) {
        guard !isStopped else { return }
        switch order {
        case .scan(let number, let finger):
            budget.renew()
            scan = Scan(number: number, finger: finger)
            // Whatever hangs: the view is told.
            scanLimit = .after(Self.patience) { [weak self] in
                guard let self, let scan, scan.number == number, !scan.isArmed, scan.trouble == nil else { return }
                interrupted(.failed("the sensor does not answer"))
            }
            interruptScan()
        case .stop(let number): end(number)
        case .enroll(let number, let finger): add(numbered(.enroll(finger), number))
        case .delete(let number, let finger): add(numbered(.delete(finger), number))
        case .look(let number): add(numbered(.look(renews: facts == nil), number))
        }
        wake()
        work()
    }

    /// What still stands then is ended, too; a scan is not taken up again without an order.
    func settle() async {
        if scan != nil { interrupted(.gone) }
        scan = nil
        for waiting in jobs { answer(waiting, .failed("the machine goes to sleep")) }
        jobs = []
        if let job { answer(job, .failed("the machine goes to sleep")) } else { cancellation.cancel() }
        searches = 0
        wake()
        guard isWorking else { return }
        let end = ContinuousClock.now + .seconds(1)
        while isWorking, ContinuousClock.now < end { await nap(.milliseconds(5)) }
    }

    func stop() {
        isStopped = true
        onEvent = nil
        onAccess = nil
        scan = nil
        for waiting in jobs { waiting.end() }
        jobs = []
        (search, scanLimit, lingering, plugs) = (nil, nil, nil, nil)
        job?.isStopped = true
        if let job { cancel(job) } else { cancellation.cancel() }
        if !isWorking { context.drop() }
        wake()
    }

    func emit(_ event: SensorEvent) { onEvent?(event) }

    // MARK: One thing after another

    private func work() {
        guard !isWorking, !isStopped else { return }
        isWorking = true
        lingering = nil
        onLoop {
            while await self.step() {}
        }
    }

    /// - Returns: false when nothing is left to do; then it is no longer working.
    private func step() async -> Bool {
        cancellation = DeviceCancellation()
        if !isStopped, !jobs.isEmpty {
            let next = jobs.removeFirst()
            job = next
            await perform(next)
            job = nil
            next.end()
        } else if scan != nil {
            await serveScan()
        } else if ([device].compactMap(\.self) + lost).contains(where: \.canClose) {
            await close()
        } else {
            isWorking = false
            if isStopped {
                context.drop()
            } else {
                lingering = .after(facts == nil ? .zero : linger) { [weak self] in self?.letGo() }
            }
            return false
        }
        return true
    }

    /// Waits for a change, `duration` at most. Nothing may be awaited between the look at what changes and this.
    func pause(_ duration: Duration?) async {
        await withCheckedContinuation { continuation in
            sleeper = continuation
            alarm = duration.map { .after($0) { [weak self] in self?.wake() } }
        }
    }

    func wake() {
        alarm = nil
        let waiting = sleeper
        sleeper = nil
        waiting?.resume()
    }

    private func nap(_ duration: Duration) async {
        var timer: LoopSource?
        await withCheckedContinuation { continuation in timer = .after(duration) { continuation.resume() } }
        timer?.cancel()
    }

    func add(_ job: Job) {
        jobs.append(job)
        interruptScan()
        wake()
        work()
    }

    /// Jobs are not interrupted by what comes after them.
    private func interruptScan() {
        if job == nil { cancellation.cancel() }
    }

    private func end(_ number: UInt64) {
        if scan?.number == number {
            scan = nil
            scanLimit = nil
            interruptScan()
        }
        jobs.removeAll { waiting in
            guard waiting.number == number, waiting.isEnrolment else { return false }
            waiting.end()
            return true
        }
        if let job, job.number == number, job.isEnrolment {
            job.isStopped = true
            cancel(job)
        }
    }
}
