public import MainLoop

/// Keeps ``Connection/subscribe(from:path:interface:member:_:)`` going; ends with ``cancel()`` or its last reference.
@LoopActor
public final class Subscription {
    private weak var connection: Connection?
    private let rule: String
    /// Who may send it: a fixed unique name or the driver, else whoever owns the tracked name.
    private let sender: String?
    private var tracker: NameTracker?
    private let path: String?
    private let interface: String
    private let member: String
    private var body: ((Signal) -> Void)?

    init(
        _ connection: Connection, from name: String, path: String?, interface: String, member: String,
        _ body: @escaping (Signal) -> Void
    ) {
        self.connection = connection
        self.path = path
        self.interface = interface
        self.member = member
        self.body = body
        rule =
            "type='signal',sender='\(name)',interface='\(interface)',member='\(member)'"
            + (path.map { ",path='\($0)'" } ?? "")
        sender = name.hasPrefix(":") || name == Driver.name ? name : nil
        connection.addMatch(rule)
        if sender == nil {
            tracker = connection.track(name)
            tracker?.retain()
        }
    }

    isolated deinit { cancel() }

    public func cancel() {
        guard body != nil else { return }
        body = nil
        tracker?.release()
        tracker = nil
        connection?.removeMatch(rule)
    }

    /// Whether the signal is the one meant, and from whom it must be. A signal that is sent to us directly passes every
    /// match rule, so nothing of it is taken on trust.
    func wants(_ signal: Signal) -> Bool {
        guard body != nil, signal.member == member, signal.interface == interface, path == nil || signal.path == path,
            let trusted = sender ?? tracker?.owner
        else { return false }
        return signal.sender == trusted
    }

    func deliver(_ signal: Signal) {
        if wants(signal) { body?(signal) }
    }
}

struct WeakSubscription {
    weak var value: Subscription?
}

extension Connection {
    /// Calls `body` for each such signal of `name`.
    ///
    /// - Parameters:
    ///   - name: well-known or unique. Only signals of the connection that owns the name now are delivered, and none
    ///     before the bus has said who that is; what is read from it after this call has been made is newer.
    ///   - path: nil for any.
    public func subscribe(
        from name: String, path: String?, interface: String, member: String, _ body: @escaping (Signal) -> Void
    ) -> Subscription {
        let subscription = Subscription(self, from: name, path: path, interface: interface, member: member, body)
        subscriptions.removeAll { $0.value == nil }
        subscriptions.append(WeakSubscription(value: subscription))
        return subscription
    }

    func isWanted(_ header: Signal) -> Bool { subscriptions.contains { $0.value?.wants(header) == true } }

    func deliver(_ signal: Signal) {
        // A body may end subscriptions and start new ones.
        for subscription in subscriptions { subscription.value?.deliver(signal) }
    }
}
