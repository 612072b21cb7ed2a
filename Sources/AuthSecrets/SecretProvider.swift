internal import CGLib
internal import CSecret
import Glibc
internal import MainLoop

/// The connection to the Secret Service: libsecret's proxy and session on a bus connection of our own, made when they
/// are needed and made anew once they are stale.
///
/// A proxy stays bound to the session of a provider that has died, so any failure but "locked" drops it.
@LoopActor
final class SecretProvider {
    static let busName = "org.freedesktop.secrets"

    /// nil for the desktop's session bus.
    private let busAddress: String?
    private var connection: GObjectReference?
    private var service: GObjectReference?
    private let opening = Turn()
    /// Told of each new bus connection, before anything is asked on it.
    var onConnection: ((GObjectReference) -> Void)?

    init(busAddress: String?) { self.busAddress = busAddress }

    /// Calls `steps` with a service and, when that fails on one from before, once more with a fresh one. For steps
    /// that only read.
    func reading<Value: Sendable>(
        by deadline: Deadline, _ steps: (SecretSteps) async -> Result<Value, StepFailure>
    ) async -> Result<Value, StepFailure> {
        let isFresh = service == nil
        let result = await trying(by: deadline, steps)
        switch result {
        case .success, .failure(.late), .failure(.locked): return result
        case .failure: return isFresh ? result : await trying(by: deadline, steps)
        }
    }

    /// Calls `steps` with a service, once. For steps that change something.
    func trying<Value: Sendable>(
        by deadline: Deadline, _ steps: (SecretSteps) async -> Result<Value, StepFailure>
    ) async -> Result<Value, StepFailure> {
        switch await open(by: deadline) {
        case .failure(let failure): return .failure(failure)
        case .success(let opened):
            let result = await steps(SecretSteps(service: opened, deadline: deadline))
            if case .failure(let failure) = result { drop(opened, after: failure) }
            return result
        }
    }

    /// Forgets the session with a provider that is gone.
    func forgetService() { service = nil }

    /// The bus connection, made when there is none. Needs no provider.
    func connect(by deadline: Deadline) async -> Result<GObjectReference, StepFailure> {
        if let connection, g_dbus_connection_is_closed(connection.pointer) == 0 { return .success(connection) }
        guard await opening.take(by: deadline) else { return .failure(.late) }
        defer { opening.pass() }
        return await connectInTurn(by: deadline)
    }

    private func open(by deadline: Deadline) async -> Result<GObjectReference, StepFailure> {
        if let service { return .success(service) }
        guard await opening.take(by: deadline) else { return .failure(.late) }
        defer { opening.pass() }
        if let service { return .success(service) }
        let connection: GObjectReference
        switch await connectInTurn(by: deadline) {
        case .failure(let failure): return .failure(failure)
        case .success(let made): connection = made
        }
        guard let made = smile_secret_service_new(connection.pointer) else { return .failure(.failed("no proxy")) }
        let fresh = GObjectReference(owning: UnsafeMutableRawPointer(made))
        let result = await GioCall<GObjectReference>.run(by: deadline) { cancellable, callback, data in
            g_async_initable_init_async(smile_async_initable(made), G_PRIORITY_DEFAULT, cancellable, callback, data)
        } finish: { result, error in
            g_async_initable_init_finish(smile_async_initable(made), result, error) != 0 ? fresh : nil
        }
        if case .success = result { service = fresh }
        if case .failure(.noBus) = result { self.connection = nil }
        return result
    }

    private func connectInTurn(by deadline: Deadline) async -> Result<GObjectReference, StepFailure> {
        if let connection, g_dbus_connection_is_closed(connection.pointer) == 0 { return .success(connection) }
        service = nil
        guard let address = Self.address(busAddress) else { return .failure(.noBus) }
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        let result = await GioCall<GObjectReference>.run(by: deadline) { cancellable, callback, data in
            g_dbus_connection_new_for_address(address, flags, nil, cancellable, callback, data)
        } finish: { result, error in
            g_dbus_connection_new_for_address_finish(result, error).map { GObjectReference(owning: $0) }
        }
        guard case .success(let made) = result else { return result }
        connection = made
        onConnection?(made)
        return result
    }

    private func drop(_ used: GObjectReference, after failure: StepFailure) {
        if failure == .locked { return }
        if service === used { service = nil }
        if failure == .noBus { connection = nil }
    }

    private static func address(_ given: String?) -> String? {
        if let given { return given }
        guard let found = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, nil) else { return nil }
        defer { g_free(found) }
        return String(cString: found)
    }
}
