import AuthWire
import DBus
import Glibc
import MainLoop

/// Hands entries to the service as descriptors: they are never on the bus.
@LoopActor
enum Entry {
    static func submit(
        _ entry: SecretBuffer, to client: AuthenticatorClient
    ) async throws(DBusFailure) -> (outcome: Wire.Outcome, view: AuthView?) {
        let descriptor = try pipe(entry)
        defer { close(descriptor) }
        return try await client.submit(descriptor: descriptor)
    }

    /// The account password into the view that stands.
    static func submitAccount(
        _ password: SecretBuffer, to client: AuthenticatorClient
    ) async throws(DBusFailure) -> (outcome: Wire.Outcome, view: AuthView?) {
        let descriptor = try pipe(password)
        defer { close(descriptor) }
        return try await client.submitAccount(descriptor: descriptor)
    }

    /// ResetFd: removes the passcode.
    static func reset(_ password: SecretBuffer, _ client: AuthenticatorClient) async throws(DBusFailure) {
        let descriptor = try pipe(password)
        defer { close(descriptor) }
        try await client.reset(descriptor: descriptor)
    }

    private static func pipe(_ entry: SecretBuffer) throws(DBusFailure) -> Int32 {
        guard let descriptor = entry.makePipe() else { throw .failed("no descriptor left for the passcode") }
        return descriptor
    }
}
