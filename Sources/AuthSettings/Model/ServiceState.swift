import AuthWire
import DBus

/// All that is known of the service. Made of what it says, and of nothing else.
struct ServiceState: Equatable, Sendable {
    enum Presence: Equatable, Sendable {
        /// Not known yet, or read anew.
        case connecting
        case noBus
        /// Nobody has the service's name.
        case absent
        case ready
    }

    var presence = Presence.connecting
    /// Whether the bus could not start it when it was last asked to.
    var cannotStart = false
    var session = LockState()
    var manager: [String: Value] = [:]
    var sensor = SensorState()
    /// The enrolled fingers; nil where nobody can say.
    var fingers: [Wire.Finger]?
    /// The applications' locks by their paths.
    var apps: [String: LockState] = [:]

    var isReady: Bool { presence == .ready }

    /// The application's locks in the order that they are shown in.
    var sortedApps: [(path: String, lock: LockState)] {
        apps.sorted { ($0.value.application, $0.key) < ($1.value.application, $1.key) }.map { ($0.key, $0.value) }
    }

    /// Takes in what has changed on an object.
    ///
    /// - Returns: whether anything shown may be another.
    mutating func take(_ changes: [String: Value], of interface: String, at path: String) -> Bool {
        switch (path, interface) {
        case (Wire.Path.root, Wire.Interface.manager): manager.merge(changes) { $1 }
        case (Wire.Path.fingerprint, Wire.Interface.fingerprint): sensor.values.merge(changes) { $1 }
        case (Wire.Path.session, Wire.Interface.authenticator), (Wire.Path.session, Wire.Interface.policy):
            session.values.merge(changes) { $1 }
        case (_, Wire.Interface.authenticator) where apps[path] != nil: apps[path]?.values.merge(changes) { $1 }
        default: return false
        }
        return true
    }

    /// The lock of an authenticator; nil for an application's that is not known.
    func lock(at path: String) -> LockState? { path == Wire.Path.session ? session : apps[path] }

    /// An object has come.
    ///
    /// - Parameter interfaces: its properties by interface.
    mutating func add(_ path: String, _ interfaces: [String: [String: Value]]) {
        guard path != Wire.Path.session, let application = Wire.Path.application(of: path), !application.isEmpty,
            let values = interfaces[Wire.Interface.authenticator]
        else { return }
        apps[path] = LockState(values)
    }

    mutating func remove(_ path: String) { apps[path] = nil }

    /// The locks whose secret allows what concerns all of them, such as another finger (section 9 of the contract).
    var locksOfFingers: [(path: String, lock: LockState)] {
        session.isLockable ? [(Wire.Path.session, session)] : sortedApps.filter(\.lock.isLockable)
    }
}
