public import DBus
public import MainLoop

/// A typed client of the service's manager.
@LoopActor
public final class ManagerClient {
    public let connection: Connection

    public init(_ connection: Connection) { self.connection = connection }

    /// The session's authenticator, or the one of an application: made known and kept for as long as the connection
    /// lives.
    ///
    /// - Throws: InvalidArgs for what is no application id.
    public func authenticator(_ application: String?) async throws(DBusFailure) -> AuthenticatorClient {
        guard let application else { return AuthenticatorClient(connection, path: Wire.Path.session) }
        let reply = try await call(.getAuthenticator, [.string(application)], timeout: Wire.Timeout.store)
        guard let path = reply.first?.asObjectPath else {
            throw .unreadable(Wire.Manager.Method.getAuthenticator.rawValue)
        }
        return AuthenticatorClient(connection, path: path)
    }

    /// Id ("" for the session's) and path of every authenticator there is.
    public func authenticators() async throws(DBusFailure) -> [(application: String, path: String)] {
        let reply = try await call(.listAuthenticators)
        return (reply.first?.asArray ?? []).compactMap { entry in
            guard let members = entry.asStructure, members.count == 2, let application = members[0].asString,
                let path = members[1].asObjectPath
            else { return nil }
            return (application, path)
        }
    }

    /// Removes an application's passcode, settings, record and remembered states.
    public func remove(_ application: String) async throws(DBusFailure) {
        _ = try await call(.removeAuthenticator, [.string(application)], timeout: Wire.Timeout.store)
    }

    public func reportIdle(_ isIdle: Bool) async throws(DBusFailure) {
        _ = try await call(.reportIdle, [.bool(isIdle)])
    }

    /// All properties of the manager by their names.
    public func properties() async throws(DBusFailure) -> [String: Value] {
        let reply = try await connection.call(
            Wire.busName, Wire.Path.root, Wire.Interface.properties, "GetAll", [.string(Wire.Interface.manager)],
            timeout: Wire.Timeout.ordinary)
        return reply.first?.asDictionary ?? [:]
    }

    private func call(
        _ method: Wire.Manager.Method, _ arguments: [Value] = [], timeout: Duration = Wire.Timeout.ordinary
    ) async throws(DBusFailure) -> [Value] {
        try await connection.call(
            Wire.busName, Wire.Path.root, Wire.Interface.manager, method.rawValue, arguments, timeout: timeout)
    }
}

extension DBusFailure {
    /// A reply that is not what the contract says: a service of another version.
    static func unreadable(_ member: String) -> DBusFailure {
        .init(name: "org.freedesktop.DBus.Error.InconsistentMessage", message: "unreadable reply to \(member)")
    }
}
