import AuthCore
import DBus
import MainLoop

/// Who is on the other end of each connection that has called: asked of the bus once, and forgotten when it leaves.
@LoopActor
final class ClientRegistry {
    private let connection: Connection
    private var known: [String: Client] = [:]
    /// Calls that wait for the bus's word on their sender, in order.
    private var waiting: [String: [MethodCall]] = [:]
    /// Goes on with a call whose sender is known now.
    var resume: ((MethodCall) -> Void)?

    enum Client {
        case caller(Caller)
        case undetermined
    }

    init(_ connection: Connection) { self.connection = connection }

    /// The caller; nil while the bus is asked.
    func client(_ name: String) -> Client? { known[name] }

    /// Keeps a call until its sender is known.
    func hold(_ call: MethodCall) {
        let sender = call.sender
        waiting[sender, default: []].append(call)
        guard waiting[sender]?.count == 1 else { return }
        connection.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionCredentials",
            [.string(sender)]
        ) { [weak self] result in self?.learned(sender, result) }
    }

    /// A connection left; its name is not given to another.
    func left(_ name: String) {
        known[name] = nil
        waiting[name] = nil
    }

    private func learned(_ sender: String, _ result: Result<[Value], DBusFailure>) {
        // It left meanwhile: nobody waits for an answer.
        guard let calls = waiting.removeValue(forKey: sender) else { return }
        known[sender] = Self.client(sender, (try? result.get())?.first?.asDictionary ?? [:])
        for call in calls { resume?(call) }
    }

    private static func client(_ sender: String, _ credentials: [String: Value]) -> Client {
        guard let pid = credentials["ProcessID"]?.asUInt32, pid > 0 else { return .undetermined }
        let label = credentials["LinuxSecurityLabel"]?.asByteArray ?? []
        switch Sandbox.of(pid: pid, label: label) {
        case .undetermined: return .undetermined
        case .host:
            return .caller(
                Caller(connection: sender, sandboxed: nil, displayName: Sandbox.command(of: pid)))
        case .application(let id):
            return .caller(Caller(connection: sender, sandboxed: id, displayName: id.application))
        }
    }
}
