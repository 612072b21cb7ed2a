import AuthWire
import DBus
import MainLoop

/// What the session's prompt does when its service has died: it covers on, has the service started again, and leaves
/// once the next prompt is on the screen, or nothing needs one.
@LoopActor
final class Successor {
    private static let path = Wire.Path.session
    /// A service that has its name for so long has its prompt up, too.
    private static let patience = Duration.seconds(5)

    private let done: @LoopActor () -> Void
    private var bus: Connection?
    private var subscriptions: [Subscription] = []
    private var watch: NameWatch?
    private var timer: LoopSource?
    /// Whether there is a service again.
    private var isAsking = false

    init(done: @escaping @LoopActor () -> Void) {
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
            ) { [weak self] _ in self?.done() },
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
            timer = .after(Successor.patience) { [weak self] in self?.done() }
        }
        bus?.call(
            Wire.busName, Successor.path, Wire.Interface.properties, "Get",
            [
                .string(Wire.Interface.authenticator),
                .string(Wire.Authenticator.Property.shouldCover.rawValue),
            ]
        ) { [weak self] result in
            if case .success(let values) = result, values.first?.unwrapped.asBool == false { self?.done() }
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
