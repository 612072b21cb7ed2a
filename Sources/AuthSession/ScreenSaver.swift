internal import AuthCore
internal import DBus
internal import MainLoop

/// A screen saver on the session bus, a source named by its bus name; it is never activated.
///
/// org.freedesktop.ScreenSaver is what KDE and others implement; GNOME has org.gnome.ScreenSaver, and its
/// implementation of the other name never emits ActiveChanged.
@LoopActor
final class ScreenSaver {
    /// The bus name, which is the interface's name too.
    let name: String
    /// Where the object may be, the likeliest first.
    private let paths: [String]
    private let bus: Connection
    private let report: @LoopActor (SessionEvent) -> Void
    private var firstRead: (@LoopActor () -> Void)?

    private var owner: String?
    private var watch: NameWatch?
    private var subscription: Subscription?
    private var signals = 0
    private var retry: LoopSource?
    private var backoff = Backoff()
    private var tries = 0
    private static let triesAtMost = 6
    private var isActive = false
    /// It answered GetActive, or told a change by itself, and has not left since.
    private(set) var isReadable = false

    init(name: String, paths: [String], bus: Connection, report: @escaping @LoopActor (SessionEvent) -> Void) {
        self.name = name
        self.paths = paths
        self.bus = bus
        self.report = report
    }

    /// - Parameter firstRead: called once, when the first state is in or the saver is known not to be there.
    func start(firstRead: @escaping @LoopActor () -> Void) {
        self.firstRead = firstRead
        subscription = bus.subscribe(from: name, path: nil, interface: name, member: "ActiveChanged") {
            [weak self] in self?.activeChanged($0)
        }
        watch = bus.watchName(name) { [weak self] in self?.ownerChanged($0) }
    }

    private func ownerChanged(_ new: String?) {
        guard new != owner || new == nil else { return }
        if owner != nil, isReadable {
            isReadable = false
            isActive = false
            report(.left(source: name))
        }
        owner = new
        retry = nil
        tries = 0
        backoff.reset()
        guard let new else { return finishFirstRead() }
        onLoop { [weak self] in await self?.read(new) }
    }

    /// Some own their name before they serve their object: asked again a few times, 6 s in all. What is silent then is
    /// a source from its first ActiveChanged on.
    private func read(_ owner: String) async {
        guard owner == self.owner, !isReadable else { return }
        for path in paths {
            let before = signals
            // The unique owner, not the name: that could start a screen saver. A slow one may take its time.
            let reply = try? await bus.call(owner, path, name, "GetActive", timeout: .seconds(25))
            guard owner == self.owner else { return }
            guard let active = reply?.first?.asBool else { continue }
            if signals == before { set(active) }
            return finishFirstRead()
        }
        finishFirstRead()
        tries += 1
        guard tries <= Self.triesAtMost, !isReadable else { return }
        retry = .after(backoff.next()) { [weak self] in
            onLoop { [weak self] in await self?.read(owner) }
        }
    }

    private func activeChanged(_ signal: Signal) {
        guard paths.contains(signal.path), let active = signal.arguments.first?.asBool else { return }
        signals += 1
        set(active)
    }

    private func set(_ active: Bool) {
        if !isReadable {
            isReadable = true
            report(.arrived(source: name))
        }
        guard active != isActive else { return }
        isActive = active
        report(active ? .began(.screenLock, source: name) : .ended(.screenLock, source: name))
    }

    private func finishFirstRead() {
        let done = firstRead
        firstRead = nil
        done?()
    }
}
