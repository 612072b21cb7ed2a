internal import AuthCore
internal import DBus
internal import MainLoop

/// Fingers through fprintd: the sensor is the system's, the prints are fprintd's, and only their names are to be seen.
///
/// What a client can know of a device is what ``FprintdService`` reads. That it identifies shows only once several
/// fingers are enrolled and a scan has been started: until then `canIdentify` is false, which costs the person the
/// choice of a finger and grants nothing.
@LoopActor
final class FprintdBackend: FingerprintBackend {
    private let service: FprintdService
    let pace = FprintdPaceKeeper()
    private var job: FprintdJob?
    /// Ends when the device has been given back by every job so far.
    private var jobs: Task<Void, Never>?
    private var isStopped = false

    var onEvent: ((SensorEvent) -> Void)?
    var state: SensorState { service.state }

    /// - Parameters:
    ///   - system: the system bus, or what plays it.
    ///   - connect: gives a new connection to it, which is fprintd's alone. fprintd stays for as long as a connection
    ///     that used it does: leaving is the only way to be rid of one that can open its sensor no more.
    ///   - log: told what a person should know.
    init(
        system: Connection, connect: (() -> Connection?)? = nil, log: @escaping @Sendable (String) -> Void
    ) {
        service = FprintdService(system, connect: connect, log: log)
        service.onChange = { [weak self] in self?.onEvent?(.changed($0)) }
        service.onLost = { [weak self] in
            if let job = self?.job, job.hasStarted { job.lost(.gone) }
        }
        service.onChance = { [weak self] in self?.job?.chance(isSure: $0) }
        service.isUsed = { [weak self] in self?.service.claim != nil }
    }

    /// Starts fprintd where the bus can: what is enrolled has to be known.
    func start() async {
        service.listen()
        _ = await service.look()
    }

    func take(_ order: SensorOrder) {
        guard !isStopped else { return }
        switch order {
        case .scan(let number, let finger): run(FprintdScan(number, finger, service, pace, send))
        case .enroll(let number, let finger): run(FprintdEnrolment(number, finger, service, send))
        case .delete(let number, let finger): run(FprintdDeletion(number, finger, service, send))
        case .stop(let number):
            guard let job, job.number == number else { return }
            end(job)
        case .look(let number):
            let look = FprintdLook(number, service, send)
            look.watch()
            onLoop { await look.run() }
        }
    }

    /// A standing order ends unanswered. Before a sleep that logind announces the claim itself is kept, see
    /// ``FprintdSleep``.
    func settle() async {
        if let job { end(job) }
        guard let jobs else { return }
        let pause = FprintdPause()
        onLoop {
            await jobs.value
            pause.end()
        }
        await pause.wait(.milliseconds(950))
    }

    /// What is claimed is given back yet, as long as the connection lives.
    func stop() {
        isStopped = true
        onEvent = nil
        if let job { end(job) }
        service.stop()
    }

    private lazy var send: (SensorEvent) -> Void = { [weak self] in self?.onEvent?($0) }

    private func end(_ job: FprintdJob) {
        job.stop()
        self.job = nil
    }

    /// One order stands at a time. What it has to report it reports in time also while the one before still gives the
    /// device back.
    private func run(_ next: FprintdJob) {
        if let job { end(job) }
        job = next
        next.watch()
        let before = jobs
        jobs = onLoop { [weak self] in
            await before?.value
            await next.run()
            if self?.job === next { self?.job = nil }
        }
    }
}
