internal import AuthCore
internal import DBus
internal import MainLoop

/// logind as a source: sleep from its manager, the rest from our session; follows its restarts.
///
/// Everything is asked of the unique owner, so nothing here ever activates logind, and an answer of a logind that has
/// been replaced meanwhile is dropped.
@LoopActor
final class LogindSource {
    private let bus: Connection
    private let report: @LoopActor (SessionEvent) -> Void
    /// Called before a change of what sleep is known, with the old knowledge still in place.
    private let clockCheck: @LoopActor () -> Void
    private var firstRead: (@LoopActor () -> Void)?

    private var owner: String?
    private var watch: NameWatch?
    private var subscriptions: [Subscription] = []
    private var retry: LoopSource?
    private var backoff = Backoff()
    /// PrepareForSleep signals so far: an answer asked for before the newest is older than it.
    private var sleepSignals = 0
    private var standing: Set<Cause> = []
    private let inhibitor: SleepInhibitor
    private var session: LoginSession?

    /// Its first state has been read, and it has not left since.
    private(set) var isReadable = false
    /// InhibitDelayMaxUSec; 5 s (systemd's default) until it is read.
    private(set) var inhibitDelay: Duration = .seconds(5)

    var isAsleep: Bool { standing.contains(.sleep) }
    var holdsInhibitor: Bool { inhibitor.isHeld }
    var sessionID: String { session?.id ?? "" }

    init(
        bus: Connection, environment: SessionEnvironment, report: @escaping @LoopActor (SessionEvent) -> Void,
        clockCheck: @escaping @LoopActor () -> Void
    ) {
        self.bus = bus
        self.report = report
        self.clockCheck = clockCheck
        inhibitor = SleepInhibitor(bus: bus)
        session = LoginSession(
            bus: bus, environment: environment,
            changed: { [weak self] cause, holds in self?.set(cause, holds) },
            lockRequested: { report(.lockRequested) })
    }

    /// - Parameter firstRead: called once, when the first states are in or logind is known not to be there.
    func start(firstRead: @escaping @LoopActor () -> Void) {
        self.firstRead = firstRead
        subscriptions = [
            manager("PrepareForSleep") { [weak self] in self?.prepareForSleep($0) },
            manager("SessionNew") { [weak self] _ in self?.sessionAppeared() },
            manager("SessionRemoved") { [weak self] in self?.sessionRemoved($0) },
        ]
        watch = bus.watchName(Login1.bus) { [weak self] in self?.ownerChanged($0) }
    }

    func setLockedHint(_ locked: Bool) { session?.setLockedHint(locked) }

    func allowSleep() { inhibitor.allow() }

    /// The system bus is gone. It is not looked for again: a machine whose system bus went has to be restarted anyway.
    func busLost() {
        ownerChanged(nil)
        inhibitor.busLost()
        watch = nil
        subscriptions = []
    }

    private func manager(_ member: String, _ body: @escaping @LoopActor (Signal) -> Void) -> Subscription {
        bus.subscribe(from: Login1.bus, path: Login1.path, interface: Login1.manager, member: member, body)
    }

    // MARK: Coming and going

    private func ownerChanged(_ new: String?) {
        guard new != owner || new == nil else { return }
        if owner != nil { left() }
        owner = new
        guard let new else {
            finishFirstRead()
            return
        }
        backoff.reset()
        onLoop { [weak self] in
            await self?.inhibitor.logindArrived(at: new)
            await self?.read(new)
        }
    }

    private func left() {
        clockCheck()
        retry = nil
        inhibitor.logindLeft()
        let wasKnown = isReadable || !standing.isEmpty
        isReadable = false
        standing = []  // `left` clears them, one by one would be a Foreground too early
        session?.forget()
        if wasKnown { report(.left(source: Login1.source)) }
    }

    /// Reads what stands, and our session; tries again later when logind does not answer.
    private func read(_ owner: String) async {
        guard owner == self.owner else { return }
        do {
            let before = sleepSignals
            let preparing = try await property("PreparingForSleep", of: owner)
            guard owner == self.owner else { return }
            appeared()
            if sleepSignals == before, let preparing = preparing?.asBool { setAsleep(preparing) }
            if case .uint64(let delay)? = try await property("InhibitDelayMaxUSec", of: owner) {
                inhibitDelay = .microseconds(Int64(clamping: min(delay, 3_600_000_000)))
            }
            guard owner == self.owner, session?.isFound == false else { return }
            try await session?.resolve(at: owner)
        } catch {
            guard owner == self.owner else { return }
            retry = .after(backoff.next()) { [weak self] in
                onLoop { [weak self] in await self?.read(owner) }
            }
        }
        finishFirstRead()
    }

    private func property(_ name: String, of owner: String) async throws(DBusFailure) -> Value? {
        let reply = try await bus.call(
            owner, Login1.path, Login1.properties, "Get", [.string(Login1.manager), .string(name)])
        guard case .variant(let value)? = reply.first else { return nil }
        return value
    }

    private func finishFirstRead() {
        let done = firstRead
        firstRead = nil
        done?()
    }

    private func appeared() {
        guard !isReadable else { return }
        isReadable = true
        report(.arrived(source: Login1.source))
    }

    // MARK: What it says

    private func prepareForSleep(_ signal: Signal) {
        guard let isStarting = signal.arguments.first?.asBool else { return }
        sleepSignals += 1
        appeared()
        setAsleep(isStarting)
    }

    private func setAsleep(_ asleep: Bool) {
        guard asleep != isAsleep else { return }
        clockCheck()
        if asleep { inhibitor.sleepBegan() } else { inhibitor.sleepEnded() }
        set(.sleep, asleep)
    }

    private func set(_ cause: Cause, _ holds: Bool) {
        if holds {
            if standing.insert(cause).inserted { report(.began(cause, source: Login1.source)) }
        } else if standing.remove(cause) != nil {
            report(.ended(cause, source: Login1.source))
        }
    }

    /// A session that was not there when we looked: ours, maybe.
    private func sessionAppeared() {
        guard let owner, isReadable, session?.isFound == false else { return }
        onLoop { [weak self] in await self?.read(owner) }
    }

    private func sessionRemoved(_ signal: Signal) {
        guard signal.arguments.count == 2, case .objectPath(let path) = signal.arguments[1], let owner,
            session?.isOurs(path) == true
        else { return }
        session?.forget()
        onLoop { [weak self] in await self?.read(owner) }
    }
}
