import AuthWire
import DBus
import MainLoop

/// What the session's prompt does when its service has died: it covers on, has the service started again, and leaves
/// once the next prompt is on the screen, or nothing needs one.
///
/// Where the compositor locks, the next prompt cannot lock before this one has gone: there it leaves as soon as the
/// next service says that it covers, and the compositor keeps the screen locked in between.
@LoopActor
final class Successor {
    private static let path = Wire.Path.session
    /// A service that has its name for so long has its prompt up, too.
    private static let patience = Duration.seconds(5)

    private let standsAside: Bool
    private let done: @LoopActor (Bool) -> Void
    private var bus: Connection?
    private var subscriptions: [Subscription] = []
    private var watch: NameWatch?
    private var timer: LoopSource?
    /// Whether there is a service again.
    private var isAsking = false

    /// - Parameters:
    ///   - standsAside: whether the next prompt needs this one gone.
    ///   - done: gets whether the session is open.
    init(standsAside: Bool, done: @escaping @LoopActor (Bool) -> Void) {
        self.standsAside = standsAside
        self.done = done
        call()
    }

    private func call() {
        guard let opened = try? Connection.open(.session) else { return again() }
        bus = opened
        opened.onDisconnect = { [weak self] in self?.again() }
        subscriptions = [
            opened.subscribe(
                from: Wire.busName, path: Successor.path, interface: Wire.Interface.authenticator,
                member: Wire.Authenticator.Signal.authViewShown.rawValue
            ) { [weak self] _ in self?.done(false) },
            opened.subscribe(
                from: Wire.busName, path: Successor.path, interface: Wire.Interface.properties,
                member: "PropertiesChanged"
            ) { [weak self] _ in self?.ask() },
        ]
        watch = opened.watchName(Wire.busName) { [weak self] owner in
            if owner == nil { self?.activate() } else { self?.ask() }
        }
    }

    private func activate() {
        isAsking = false
        bus?.send(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName",
            [.string(Wire.busName), .uint32(0)])
        timer = .after(.seconds(5)) { [weak self] in self?.activate() }
    }

    /// A service that needs no cover has no prompt to wait for. One that puts its lock up before it takes its name may
    /// have said so before anybody could know that it was the service.
    private func ask() {
        if !isAsking {
            isAsking = true
            timer = .after(Successor.patience) { [weak self] in self?.done(false) }
        }
        bus?.call(
            Wire.busName, Successor.path, Wire.Interface.properties, "Get",
            [
                .string(Wire.Interface.authenticator),
                .string(Wire.Authenticator.Property.shouldCover.rawValue),
            ]
        ) { [weak self] result in
            guard let self, case .success(let values) = result, let covers = values.first?.unwrapped.asBool else {
                return
            }
            if !covers { done(true) } else if standsAside { done(false) }
        }
    }

    private func again() {
        isAsking = false
        watch = nil
        subscriptions = []
        bus = nil
        timer = .after(.seconds(5)) { [weak self] in self?.call() }
    }
}
