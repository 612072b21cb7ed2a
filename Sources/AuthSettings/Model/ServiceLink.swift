import AuthWire
import DBus
import MainLoop

/// Follows the service: what it says is in ``state``, from the moment at which it is there until it is gone, and again.
@LoopActor
final class ServiceLink {
    /// How long until the bus is looked for again.
    private static let patience = Duration.seconds(2)

    private(set) var state = ServiceState()
    private(set) var connection: Connection?
    /// Called when ``state`` is another.
    var onChange: @LoopActor () -> Void = {}
    /// Called when what was asked of the service will not be answered any more.
    var onLoss: @LoopActor () -> Void = {}
    private var watch: NameWatch?
    private var subscriptions: [Subscription] = []
    private var timer: LoopSource?
    /// Of the service that is being read, or was: answers of an earlier one count for nothing.
    private var generation = 0
    /// Whether something changed while it was being read.
    private var hasMissed = false

    /// Begins; ``onChange`` is called for the first time before this returns.
    func connect() {
        timer = nil
        guard let opened = try? Connection.open(.session) else { return lost(.noBus) }
        connection = opened
        opened.onDisconnect = { [weak self] in self?.lost(.noBus) }
        listen(opened)
        watch = opened.watchName(Wire.busName) { [weak self] owner in
            guard let self else { return }
            if owner == nil { left() } else { read() }
        }
        onChange()
    }

    /// Has the bus start the service.
    func start() {
        guard let connection else { return }
        state.cannotStart = false
        onChange()
        connection.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName",
            [.string(Wire.busName), .uint32(0)], timeout: Wire.Timeout.ordinary
        ) { [weak self] result in
            guard let self, case .failure = result, state.presence == .absent else { return }
            state.cannotStart = true
            onChange()
        }
    }

    // MARK: coming and going

    /// The bus is gone, or was never there.
    private func lost(_ presence: ServiceState.Presence) {
        watch = nil
        subscriptions = []
        connection = nil
        forget(presence)
        timer = .after(Self.patience) { [weak self] in self?.connect() }
    }

    private func left() {
        let wasThere = state.presence != .absent
        forget(.absent)
        // Once by itself: at the start, and after a crash.
        if wasThere { start() }
    }

    private func forget(_ presence: ServiceState.Presence) {
        generation += 1
        state = ServiceState()
        state.presence = presence
        onLoss()
        onChange()
    }

    // MARK: reading

    private func read() {
        generation += 1
        state = ServiceState()
        onChange()
        readAgain()
    }

    private func readAgain() {
        let number = generation
        hasMissed = false
        onLoop { [weak self] in await self?.readAll(number) }
    }

    private func readAll(_ number: Int) async {
        guard let connection else { return }
        let client = AuthenticatorClient(connection, path: Wire.Path.session)
        do throws(DBusFailure) {
            let session = try await client.properties()
            let policy = try await PolicyClient(connection, path: Wire.Path.session).properties()
            let manager = try await ManagerClient(connection).properties()
            let sensor = try await FingerprintClient(connection).properties()
            var apps: [String: LockState] = [:]
            for entry in try await ManagerClient(connection).authenticators() where !entry.application.isEmpty {
                // One that has gone meanwhile is none.
                let values = try? await AuthenticatorClient(connection, path: entry.path).properties()
                if let values { apps[entry.path] = LockState(values) }
            }
            guard number == generation else { return }
            state.session = LockState(session.merging(policy) { first, _ in first })
            state.manager = manager
            state.sensor = SensorState(sensor)
            state.apps = apps
        } catch {
            // It left, or stopped answering: then it is looked at again.
            guard number == generation else { return }
            timer = .after(Self.patience) { [weak self] in if self?.state.presence == .connecting { self?.read() } }
            return
        }
        state.fingers = try? await FingerprintClient(connection).enrolledFingers()
        guard number == generation else { return }
        if hasMissed { return readAgain() }
        state.presence = .ready
        onChange()
    }

    /// The list has no signal of its own.
    func readFingers() {
        guard let connection, state.isReady else { return }
        let number = generation
        onLoop { [weak self] in
            let fingers = try? await FingerprintClient(connection).enrolledFingers()
            guard let self, number == generation, fingers != state.fingers else { return }
            state.fingers = fingers
            onChange()
        }
    }

    // MARK: listening

    private func listen(_ connection: Connection) {
        subscriptions = [
            connection.subscribe(
                from: Wire.busName, path: nil, interface: Wire.Interface.properties, member: "PropertiesChanged"
            ) { [weak self] in self?.propertiesChanged($0) },
            connection.subscribe(
                from: Wire.busName, path: Wire.Path.root, interface: Wire.Interface.objectManager,
                member: "InterfacesAdded"
            ) { [weak self] in self?.added($0) },
            connection.subscribe(
                from: Wire.busName, path: Wire.Path.root, interface: Wire.Interface.objectManager,
                member: "InterfacesRemoved"
            ) { [weak self] signal in
                guard let self, let path = signal.arguments.first?.asObjectPath, noteIfReady() else { return }
                state.remove(path)
                onChange()
            },
        ]
    }

    /// What comes while everything is being read may be older or newer than what was read.
    private func noteIfReady() -> Bool {
        if !state.isReady { hasMissed = true }
        return state.isReady
    }

    private func propertiesChanged(_ signal: Signal) {
        guard signal.arguments.count > 1, let interface = signal.arguments[0].asString,
            let changes = signal.arguments[1].asDictionary, noteIfReady(),
            state.take(changes, of: interface, at: signal.path)
        else { return }
        // What tells that fingers are others, whoever did it.
        let tells = changes[Wire.Policy.Property.evaluatedPolicyDomainState.rawValue] != nil
        if tells || interface == Wire.Interface.fingerprint { readFingers() }
        onChange()
    }

    private func added(_ signal: Signal) {
        guard signal.arguments.count > 1, let path = signal.arguments[0].asObjectPath,
            let interfaces = signal.arguments[1].asDictionary, noteIfReady()
        else { return }
        state.add(path, interfaces.compactMapValues(\.asDictionary))
        onChange()
    }
}
