public import MainLoop

/// Keeps ``Connection/watchName(_:_:)`` going; ends with ``cancel()`` or its last reference.
@LoopActor
public final class NameWatch {
    private var tracker: NameTracker?
    private let changed: (String?) -> Void
    /// What was told last; the outer nil for nothing yet.
    private var told: String??

    init(_ tracker: NameTracker, _ changed: @escaping (String?) -> Void) {
        self.tracker = tracker
        self.changed = changed
    }

    isolated deinit { cancel() }

    /// The name's owner as far as it is known now.
    public var owner: String? { tracker?.owner }

    public func cancel() {
        tracker?.release()
        tracker = nil
    }

    func tell(_ owner: String?) {
        guard tracker != nil, told != .some(owner) else { return }
        told = .some(owner)
        changed(owner)
    }
}

/// Who owns a name, for all who want to know it.
@LoopActor
final class NameTracker {
    static let rule =
        "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='NameOwnerChanged'"

    private struct Watcher { weak var watch: NameWatch? }

    let name: String
    private weak var connection: Connection?
    private var watchers: [Watcher] = []
    private var users = 0
    private var isKnown = false
    private(set) var owner: String?

    init(_ name: String, on connection: Connection) {
        self.name = name
        self.connection = connection
    }

    private var rule: String { Self.rule + ",arg0='\(name)'" }

    /// The bus handles both in order, so an answer is newer than every signal before it.
    func start() {
        if name == Driver.name { return report(name) }
        guard Syntax.isBusName(name) else { return report(nil) }
        connection?.addMatch(rule)
        connection?.call(Driver.name, Driver.path, Driver.name, "GetNameOwner", [.string(name)]) { [weak self] reply in
            self?.report(try? reply.get().first?.asString)
        }
    }

    func retain() { users += 1 }

    /// The last one out takes back the match rule.
    func release() {
        users -= 1
        watchers.removeAll { $0.watch == nil }
        guard users == 0, let connection, connection.trackers[name] === self else { return }
        connection.trackers[name] = nil
        if name != Driver.name, Syntax.isBusName(name) { connection.removeMatch(rule) }
    }

    func add(_ watch: NameWatch) {
        retain()
        watchers.append(Watcher(watch: watch))
        guard isKnown else { return }
        // Later, as its owner has no hold of it yet.
        onLoop { [weak self, weak watch] in
            if let self { watch?.tell(owner) }
        }
    }

    func report(_ owner: String?) {
        self.owner = owner
        isKnown = true
        for watcher in watchers { watcher.watch?.tell(owner) }
    }
}
