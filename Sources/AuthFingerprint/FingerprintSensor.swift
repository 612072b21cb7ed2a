public import AuthCore
public import DBus
public import MainLoop

/// Which back end is to be used.
public enum SensorChoice: String, Sendable, CaseIterable {
    /// libfprint where a sensor can be opened by this process, else fprintd.
    case automatic = "auto"
    case libfprint, fprintd
    /// No sensor at all.
    case none
}

/// The sensor, whoever reads it: takes orders, reports events.
///
/// With ``SensorChoice/automatic`` libfprint is asked first. While it knows no sensor that this process may open,
/// fprintd is asked, too, and used where it has one. What is plugged in or unplugged later changes the choice; an order
/// that stands then goes on at the new back end as far as it can.
@LoopActor
public final class FingerprintSensor {
    public var onEvent: ((SensorEvent) -> Void)?
    /// As last reported by ``SensorEvent/changed(_:)``.
    public private(set) var state = SensorState()

    private let choice: SensorChoice
    private let keyFile: String
    private let log: @Sendable (String) -> Void
    private let libfprint: LibfprintBackend?
    private let makeFprintd: (() -> any FingerprintBackend)?
    private var fprintd: (any FingerprintBackend)?
    private var active: (any FingerprintBackend)?
    private var domain: DomainState?
    /// The scan that stands; it moves with the choice.
    private var scan: SensorOrder?
    /// Which back end answers an order; others' answers to it are void.
    private var owners: [UInt64: any FingerprintBackend] = [:]
    /// Enrolments and deletions that are under way.
    private var tasks: Set<UInt64> = []
    /// The number of the last order but stops and looks.
    public private(set) var lastOrder: UInt64 = 0
    private var isStarted = false
    private var isStopped = false

    /// - Parameters:
    ///   - system: the system bus; nil: no fprintd.
    ///   - folder: absolute, as a rule `$XDG_DATA_HOME/smileauth`. The prints are in `fingerprints` in it, the key of
    ///     the domain states in `domain-key`.
    ///   - log: told what a person should know; on any thread.
    public init(system: Connection?, folder: String, choice: SensorChoice, log: @escaping @Sendable (String) -> Void) {
        self.choice = choice
        self.log = log
        keyFile = folder + "/domain-key"
        let wantsLibfprint = choice == .automatic || choice == .libfprint
        libfprint = wantsLibfprint ? LibfprintBackend(folder: folder + "/fingerprints", log: log) : nil
        let wantsFprintd = choice == .automatic || choice == .fprintd
        if wantsFprintd, let system {
            makeFprintd = {
                FprintdBackend(system: system, connect: { try? Connection.open(.system) }, log: log)
            }
        } else {
            makeFprintd = nil
        }
    }

    /// Returns when it is known what is there, after 2 s or a little more at the latest; what is found later is reported.
    public func start() async {
        let start = ContinuousClock.now
        domain = await DomainState.load(path: keyFile, log: log)
        if let libfprint {
            libfprint.onEvent = { [weak self, weak libfprint] event in
                if let libfprint { self?.heard(event, from: libfprint) }
            }
            libfprint.onAccess = { [weak self] in self?.chooseLater() }
            await libfprint.start()
        }
        // A libfprint that hangs has used up the time.
        if needsFprintd, start.duration(to: .now) < .milliseconds(500) { await startFprintd() }
        isStarted = true
        choose()
        if needsFprintd, fprintd == nil { chooseLater() }
    }

    public func take(_ order: SensorOrder) {
        guard !isStopped else { return }
        switch order {
        case .scan, .enroll, .delete: lastOrder = order.number
        case .stop, .look: break
        }
        if case .scan = order { scan = order }
        if case .stop(let number) = order {
            if scan?.number == number { scan = nil }
            tasks.remove(number)
            owners.removeValue(forKey: number)?.take(order)
            return
        }
        guard let active else {
            // There is none: a scan waits for one, the rest is answered.
            if case .scan(let number, _) = order {
                onEvent?(.interrupted(number, .gone))
            } else {
                onEvent?(.ended(order.number, .gone))
            }
            return
        }
        switch order {
        case .enroll(let number, _), .delete(let number, _): tasks.insert(number)
        case .scan, .stop, .look: break
        }
        owners[order.number] = active
        active.take(order)
    }

    /// Before a sleep: returns once nothing is claimed any more, after 1 s at the latest. What stands is ended, and
    /// answered where somebody waits for it. What is told meanwhile stays: the machine may be awake again by then.
    ///
    /// - Parameter last: ``lastOrder`` at the moment of the sleep: with a later scan standing the machine is awake again.
    public func settle(upTo last: UInt64) async {
        if let scan, scan.number > last { return }
        if let scan { owners[scan.number] = nil }
        scan = nil
        let standing = tasks
        for backend in [libfprint, fprintd].compactMap(\.self) { await backend.settle() }
        for number in standing.sorted() where tasks.remove(number) != nil {
            owners[number] = nil
            onEvent?(.ended(number, .failed("the machine goes to sleep")))
        }
    }

    /// Lets go of everything; nothing is reported any more.
    public func stop() {
        isStopped = true
        onEvent = nil
        libfprint?.stop()
        fprintd?.stop()
    }

    /// The hash of a set of fingers that one application is shown; empty before ``start()`` has read the key.
    public func domainState(of set: FingerSet, for id: AuthenticatorID) -> [UInt8] {
        domain?.bytes(of: set, for: id) ?? []
    }

    /// Why libfprint may not open a sensor that is there: as a rule the udev rule is missing. nil where none is refused.
    public var denial: String? {
        if case .denied(let why)? = libfprint?.access { why } else { nil }
    }

    // MARK: Who reads it

    private var needsFprintd: Bool {
        switch choice {
        case .none, .libfprint: false
        case .fprintd: true
        case .automatic: libfprint?.access != .open
        }
    }

    private func startFprintd() async {
        guard fprintd == nil, !isStopped, let makeFprintd else { return }
        let backend = makeFprintd()
        fprintd = backend
        backend.onEvent = { [weak self, weak backend] event in
            if let backend { self?.heard(event, from: backend) }
        }
        await backend.start()
    }

    /// After what libfprint reports in the same breath.
    private func chooseLater() {
        guard isStarted else { return }
        onLoop { [weak self] in
            guard let self, !isStopped else { return }
            if needsFprintd {
                // One that leaves when it is idle does not see what is plugged in.
                fprintd?.take(.look(0))
                await startFprintd()
            }
            choose()
        }
    }

    private func choose() {
        guard !isStopped else { return }
        let best: (any FingerprintBackend)? =
            if libfprint?.access == .open { libfprint } else if fprintd?.state.isPresent == true { fprintd } else {
                libfprint ?? fprintd
            }
        if best !== active {
            if let scan { owners.removeValue(forKey: scan.number)?.take(.stop(scan.number)) }
            active = best
            report()
            if let scan, let active {
                owners[scan.number] = active
                active.take(scan)
            }
        } else {
            report()
        }
    }

    private func heard(_ event: SensorEvent, from backend: any FingerprintBackend) {
        if case .changed = event {
            if isStarted, backend !== libfprint { choose() }
            if backend === active { report() }
            return
        }
        guard let number = event.number, owners[number] === backend else { return }
        switch event {
        case .match, .ended:
            owners[number] = nil
            tasks.remove(number)
            if scan?.number == number { scan = nil }
        default: break
        }
        onEvent?(event)
    }

    private func report() {
        var fresh = active?.state ?? SensorState()
        // With no sensor anywhere nobody is the one who reads it, unless one was asked for by name.
        if choice == .automatic, !fresh.isPresent { fresh.backend = .none }
        guard fresh != state else { return }
        state = fresh
        onEvent?(.changed(fresh))
    }
}

extension SensorOrder {
    var number: UInt64 {
        switch self {
        case .scan(let number, _), .enroll(let number, _), .delete(let number, _), .stop(let number),
            .look(let number):
            number
        }
    }
}

extension SensorEvent {
    /// Of the order that it answers.
    var number: UInt64? {
        switch self {
        case .changed: nil
        case .armed(let number), .interrupted(let number, _), .retry(let number, _), .noMatch(let number),
            .match(let number, _), .stagePassed(let number, _, _), .ended(let number, _):
            number
        }
    }
}
