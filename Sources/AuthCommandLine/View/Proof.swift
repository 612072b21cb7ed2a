import AuthWire
import DBus
import MainLoop

/// Proof that the person may weaken a lock: it counts for the connection that it was given on, for five minutes.
@LoopActor
enum Proof {
    /// Does `body`; where that is not allowed, asks for what the session's lock opens with, and does it once more.
    ///
    /// For what concerns every lock: without a lock of the session's, the applications' locks are asked for, one after
    /// another.
    static func retrying<Value>(
        _ tool: Tool, reason: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let failure as DBusFailure where WireError(fullName: failure.name) == .notAuthorized {
            let clients = try await clients(tool)
            // Nothing that could be proved: it was refused for another reason.
            guard !clients.isEmpty else { throw failure }
            for client in clients { try await give(tool, client, reason: reason) }
            return try await body()
        }
    }

    private static func clients(_ tool: Tool) async throws -> [AuthenticatorClient] {
        let session = try await tool.manager().authenticator(nil)
        if try await session.isLockable { return [session] }
        var clients: [AuthenticatorClient] = []
        for entry in try await tool.manager().authenticators() where !entry.application.isEmpty {
            let client = AuthenticatorClient(session.connection, path: entry.path)
            if try await client.isLockable { clients.append(client) }
        }
        return clients
    }

    /// Asks for the passcode although the lock is open. Where a finger is wanted, too, the lock is closed first: only
    /// what opens it counts.
    static func give(_ tool: Tool, _ client: AuthenticatorClient, reason: String) async throws {
        let route = try await client.get(.unlockRoute).asString ?? ""
        let flow = ViewFlow(tool: tool, client: client)
        if route == "fingerprint" || route == "fingerprint+passcode" {
            tool.output.line(tool.style.yellow("Note: ") + "this is asked for by locking now. \(reason):")
            try await client.lock()
            _ = try await flow.run(.touchid)
        } else {
            try await askForPasscode(tool, client, flow, reason)
        }
    }

    /// A lock that was not open takes a finger, too, and then the passcode was not given. Once it is open, only the
    /// passcode is asked for.
    private static func askForPasscode(
        _ tool: Tool, _ client: AuthenticatorClient, _ flow: ViewFlow, _ reason: String
    ) async throws {
        let (result, details) = try await flow.answer(reason: reason, requiresPasscode: true)
        if result == Wire.success { return }
        guard result == WireError.systemCancel.rawValue, try await client.get(.isAuthenticated).asBool == true else {
            throw CommandFailure(result: result, message: details[Wire.DetailKey.message.rawValue]?.asString ?? "")
        }
        tool.output.line("That opened the lock. This needs the passcode, too.")
        _ = try await flow.authenticate(reason: reason, requiresPasscode: true)
    }
}

extension AuthenticatorClient {
    /// Whether there is a lock to open.
    fileprivate var isLockable: Bool {
        get async throws(DBusFailure) { try await get(.unlockRoute).asString != "login" }
    }
}
