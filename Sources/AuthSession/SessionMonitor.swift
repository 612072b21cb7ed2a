public import AuthCore
public import DBus
public import MainLoop

/// Turns the login session into ``SessionEvent``s; decides nothing.
///
/// Sources are logind on the system bus and the screen savers on the session bus. Each may be absent, slow, or come
/// and go. Without a system bus, or once it is lost, the service runs on without logind and does not look for the bus
/// again; unannounced suspends are noticed all the same (``ClockWatch``).
@LoopActor
public final class SessionMonitor {
    private let deliver: @LoopActor (SessionEvent) -> Void
    private let session: Connection
    private let system: Connection?
    private let environment: SessionEnvironment
    private lazy var logind: LogindSource? = system.map { bus in
        LogindSource(
            bus: bus, environment: environment, report: { [weak self] in self?.report($0) },
            clockCheck: { [weak self] in self?.checkClock() })
    }
    private lazy var savers: [ScreenSaver] = [
        saver("org.freedesktop.ScreenSaver", at: ["/org/freedesktop/ScreenSaver", "/ScreenSaver"]),
        saver("org.gnome.ScreenSaver", at: ["/org/gnome/ScreenSaver"]),
    ]
    private lazy var clock = ClockWatch(
        isSleepKnown: { [weak self] in self?.isAsleep ?? false },
        slept: { [weak self] in self?.deliver(.sleptUnannounced) })

    /// Called after ``sources`` has changed, and after the events of the change.
    public var onSourcesChange: (@LoopActor () -> Void)?

    /// The longest that ``start()`` waits for sources to answer.
    public static let patience: Duration = .seconds(2)

    /// - Parameters:
    ///   - system: the system bus; nil: no logind. Its `onDisconnect` is taken over, an earlier one is still called.
    ///   - session: the session bus.
    ///   - deliver: called on the loop, in the order of what happened.
    public init(
        system: Connection?, session: Connection, environment: SessionEnvironment = .process,
        deliver: @escaping @LoopActor (SessionEvent) -> Void
    ) {
        self.system = system
        self.session = session
        self.environment = environment
        self.deliver = deliver
    }

    /// Listens to every source and takes the sleep inhibitor. Returns when the first states have been delivered, after
    /// ``patience`` at the latest; what answers later is delivered then.
    public func start() async {
        _ = clock
        if let system {
            let earlier = system.onDisconnect
            system.onDisconnect = { [weak self] in
                earlier?()
                self?.logind?.busLost()
            }
        }
        var missing = savers.count + (logind == nil ? 0 : 1)
        var deadline: LoopSource?
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            var waiting: CheckedContinuation<Void, Never>? = done
            let finish: @LoopActor () -> Void = {
                waiting?.resume()
                waiting = nil
            }
            let readOne: @LoopActor () -> Void = {
                missing -= 1
                if missing == 0 { finish() }
            }
            deadline = .after(Self.patience, finish)
            logind?.start(firstRead: readOne)
            for saver in savers { saver.start(firstRead: readOne) }
        }
        deadline?.cancel()
    }

    /// What can be listened to now, in the words of the Manager's SessionSources: `logind`, the savers' bus names.
    public var sources: [String] {
        (logind?.isReadable == true ? [Login1.source] : []) + savers.filter(\.isReadable).map(\.name)
    }

    /// logind's id of our session; empty without logind, and while no session of ours is found.
    public var sessionID: String { logind?.sessionID ?? "" }

    /// An announced sleep is under way: PrepareForSleep(true) was the last word.
    public var isAsleep: Bool { logind?.isAsleep ?? false }

    /// How long logind waits for the inhibitor, from PrepareForSleep(true) on (InhibitDelayMaxUSec).
    public var inhibitDelay: Duration { logind?.inhibitDelay ?? .seconds(5) }

    /// Whether a suspend would wait for ``allowSleep()``.
    public var holdsInhibitor: Bool { logind?.holdsInhibitor ?? false }

    /// Lets the announced sleep go on: closes the inhibitor's descriptor, once. Does nothing while no sleep is
    /// announced, so a late call costs nothing. The inhibitor comes back by itself after PrepareForSleep(false).
    public func allowSleep() { logind?.allowSleep() }

    /// LockedHint follows the session's lock; to be told after ``start()`` and at every change. logind is asked only
    /// for what changes it, now and after its restarts. A hint that we set is no cause, also when an earlier run did.
    public func setLockedHint(_ locked: Bool) { logind?.setLockedHint(locked) }

    /// To be called before each message: notices a suspend that nobody announced.
    public func checkClock() { clock.check() }

    private func saver(_ name: String, at paths: [String]) -> ScreenSaver {
        ScreenSaver(name: name, paths: paths, bus: session) { [weak self] in self?.report($0) }
    }

    private func report(_ event: SessionEvent) {
        deliver(event)
        switch event {
        case .arrived, .left: onSourcesChange?()
        case .began, .ended, .lockRequested, .sleptUnannounced: break
        }
    }
}
