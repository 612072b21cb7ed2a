internal import AuthCore
internal import CGLib
internal import MainLoop

/// Keeps the Secret Service's state: watches who owns its name, and whether the default collection is locked.
///
/// A signal is never believed, only taken as a reason to ask: any client can send one with any content. Costs nothing
/// while nothing changes.
@LoopActor
final class SecretServiceWatch {
    private(set) var state = SecretServiceState.absent {
        didSet { if state != oldValue { onChange?() } }
    }
    var onChange: (() -> Void)?

    private let provider: SecretProvider
    private var connection: GObjectReference?
    private var nameWatch: guint = 0
    private var subscriptions: [guint] = []
    /// The unique name of the provider; nil while nobody owns the name.
    private var owner: String?
    private var isRefreshing = false
    private var mustRefreshAgain = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(provider: SecretProvider) {
        self.provider = provider
        provider.onConnection = { [weak self] in self?.watch(on: $0) }
    }

    isolated deinit { stop() }

    func start(by deadline: Deadline) async {
        guard case .success = await provider.connect(by: deadline) else { return }
        await refresh()
    }

    func stop() {
        if nameWatch != 0 { g_bus_unwatch_name(nameWatch) }
        nameWatch = 0
        unsubscribe()
        connection = nil
    }

    // MARK: - What operations saw

    func sawCollection(isOpen: Bool) { state = isOpen ? .ready : .locked }
    func sawNoCollection() { state = .failing }

    func sawFailure(_ failure: StepFailure) {
        switch failure {
        case .absent, .noBus: state = .absent
        case .locked: state = .locked
        case .late, .failed: state = owner == nil ? .absent : .failing
        }
    }

    /// Asks the provider anew, and returns with the answer. One at a time; what comes meanwhile is one more.
    func refresh() async {
        if isRefreshing {
            mustRefreshAgain = true
            return await withCheckedContinuation { waiting.append($0) }
        }
        isRefreshing = true
        repeat {
            mustRefreshAgain = false
            await ask()
        } while mustRefreshAgain
        isRefreshing = false
        let answered = waiting
        waiting = []
        for each in answered { each.resume() }
    }

    private func ask() async {
        let result = await provider.reading(by: .in(LibsecretStore.patience)) { steps in
            switch await steps.defaultCollection() {
            case .failure(let failure): return Result<Bool?, StepFailure>.failure(failure)
            case .success(nil): return .success(nil)
            case .success(let collection?): return await steps.isLocked(collection).map { .some($0) }
            }
        }
        switch result {
        case .failure(let failure): sawFailure(failure)
        case .success(nil): sawNoCollection()
        case .success(let isLocked?): sawCollection(isOpen: !isLocked)
        }
    }

    // MARK: - Signals

    private func watch(on connection: GObjectReference) {
        stop()
        self.connection = connection
        let box = Unmanaged.passRetained(WatchBox(self))
        nameWatch = g_bus_watch_name_on_connection(
            connection.pointer, SecretProvider.busName, G_BUS_NAME_WATCHER_FLAGS_NONE,
            { _, _, owner, data in
                let name = owner.map { String(cString: $0) }
                LoopActor.assumeIsolated { WatchBox.from(data).watch?.ownerChanged(to: name) }
            },
            { _, _, data in LoopActor.assumeIsolated { WatchBox.from(data).watch?.ownerChanged(to: nil) } },
            box.toOpaque(), { Unmanaged<WatchBox>.fromOpaque($0!).release() })
    }

    private func ownerChanged(to name: String?) {
        guard name != owner else { return }
        owner = name
        unsubscribe()
        provider.forgetService()
        guard let name else {
            state = .absent
            return
        }
        subscribe(to: name, interface: "org.freedesktop.Secret.Service", member: nil, argument: nil)
        subscribe(
            to: name, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
            argument: "org.freedesktop.Secret.Collection")
        onLoop { [weak self] in await self?.refresh() }
    }

    private func subscribe(to owner: String, interface: String, member: String?, argument: String?) {
        guard let connection else { return }
        let box = Unmanaged.passRetained(WatchBox(self))
        subscriptions.append(
            g_dbus_connection_signal_subscribe(
                connection.pointer, owner, interface, member, nil, argument,
                G_DBUS_SIGNAL_FLAGS_NONE,
                { _, sender, _, _, _, _, data in
                    let name = sender.map { String(cString: $0) }
                    LoopActor.assumeIsolated { WatchBox.from(data).watch?.signalled(by: name) }
                },
                box.toOpaque(), { Unmanaged<WatchBox>.fromOpaque($0!).release() }))
    }

    private func unsubscribe() {
        guard let connection else { return }
        for subscription in subscriptions {
            g_dbus_connection_signal_unsubscribe(connection.pointer, subscription)
        }
        subscriptions = []
    }

    private func signalled(by sender: String?) {
        guard sender != nil, sender == owner else { return }
        onLoop { [weak self] in await self?.refresh() }
    }
}

/// What GDBus holds of a watch.
private final class WatchBox: @unchecked Sendable {  // used on the loop's thread only
    weak var watch: SecretServiceWatch?
    init(_ watch: SecretServiceWatch) { self.watch = watch }
    static func from(_ data: gpointer?) -> WatchBox { Unmanaged<WatchBox>.fromOpaque(data!).takeUnretainedValue() }
}
