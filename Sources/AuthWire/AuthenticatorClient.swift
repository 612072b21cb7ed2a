public import DBus
public import MainLoop

/// A typed client of one authenticator. Errors are the service's own; ``WireError/init(fullName:)`` knows them.
@LoopActor
public final class AuthenticatorClient {
    public let connection: Connection
    public let path: String

    public init(_ connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    public var isSession: Bool { path == Wire.Path.session }

    // MARK: Properties

    /// All properties by their names.
    public func properties() async throws(DBusFailure) -> [String: Value] {
        let reply = try await connection.call(
            Wire.busName, path, Wire.Interface.properties, "GetAll", [.string(Wire.Interface.authenticator)],
            timeout: Wire.Timeout.ordinary)
        return reply.first?.asDictionary ?? [:]
    }

    public func get(_ property: Wire.Authenticator.Property) async throws(DBusFailure) -> Value {
        let reply = try await connection.call(
            Wire.busName, path, Wire.Interface.properties, "Get",
            [.string(Wire.Interface.authenticator), .string(property.rawValue)], timeout: Wire.Timeout.ordinary)
        guard let value = reply.first?.unwrapped else { throw .unreadable("Get") }
        return value
    }

    public func set(_ property: Wire.Authenticator.Property, to value: Value) async throws(DBusFailure) {
        _ = try await connection.call(
            Wire.busName, path, Wire.Interface.properties, "Set",
            [.string(Wire.Interface.authenticator), .string(property.rawValue), .variant(value)],
            timeout: Wire.Timeout.store)
    }

    // MARK: Views

    /// - Returns: false when nothing had to be shown: open already, or within the grace.
    public func present(
        _ type: Wire.SecurityType, _ options: [Wire.Option: Value] = [:]
    ) async throws(DBusFailure) -> Bool {
        let reply = try await call(.present, [.string(type.rawValue), .options(options)], timeout: Wire.Timeout.store)
        guard let presented = reply.first?.asBool else { throw .unreadable(Wire.Authenticator.Method.present.rawValue) }
        return presented
    }

    /// - Returns: the path of the request whose Completed carries the answer.
    public func authenticate(
        reason: String, _ options: [Wire.Option: Value] = [:]
    ) async throws(DBusFailure) -> String {
        let reply = try await call(.authenticate, [.string(reason), .options(options)], timeout: Wire.Timeout.store)
        guard let path = reply.first?.asObjectPath else {
            throw .unreadable(Wire.Authenticator.Method.authenticate.rawValue)
        }
        return path
    }

    /// Why the finger is not usable now; nil where it is.
    public func whyNoFinger() async throws(DBusFailure) -> WireError? {
        let reply = try await call(.canAuthenticate)
        guard reply.count == 2, let isUsable = reply[0].asBool, let name = reply[1].asString else {
            throw .unreadable(Wire.Authenticator.Method.canAuthenticate.rawValue)
        }
        return isUsable ? nil : WireError(fullName: name) ?? .biometryNotAvailable
    }

    /// The view that stands; nil for none.
    public func view() async throws(DBusFailure) -> AuthView? {
        AuthView(try await call(.getView).first?.asDictionary ?? [:])
    }

    /// Submits one entry, read by the service from `descriptor`, which stays the caller's to close.
    public func submit(descriptor: Int32) async throws(DBusFailure) -> (outcome: Wire.Outcome, view: AuthView?) {
        let reply = try await call(.submitPasscodeFd, [.unixFD(descriptor)], timeout: Wire.Timeout.store)
        guard reply.count == 2, let outcome = reply[0].asString.flatMap(Wire.Outcome.init(rawValue:)) else {
            throw .unreadable(Wire.Authenticator.Method.submitPasscodeFd.rawValue)
        }
        return (outcome, AuthView(reply[1].asDictionary ?? [:]))
    }

    /// Hands the account password in for the view that stands, read by the service from `descriptor`, which stays the
    /// caller's to close.
    public func submitAccount(descriptor: Int32) async throws(DBusFailure) -> (outcome: Wire.Outcome, view: AuthView?) {
        let reply = try await call(
            .submitAccountPasswordFd, [.unixFD(descriptor)], timeout: Wire.Timeout.account)
        guard reply.count == 2, let outcome = reply[0].asString.flatMap(Wire.Outcome.init(rawValue:)) else {
            throw .unreadable(Wire.Authenticator.Method.submitAccountPasswordFd.rawValue)
        }
        return (outcome, AuthView(reply[1].asDictionary ?? [:]))
    }

    /// The finger button; with a finger, the one that is going to touch.
    public func useFingerprint(_ finger: Wire.Finger? = nil) async throws(DBusFailure) {
        if let finger {
            _ = try await call(.useFinger, [.string(finger.rawValue)])
        } else {
            _ = try await call(.useFingerprint)
        }
    }

    public func cancel() async throws(DBusFailure) { _ = try await call(.cancel) }

    public func lock() async throws(DBusFailure) { _ = try await call(.lock) }

    /// Removes the passcode with the account password.
    public func reset(descriptor: Int32) async throws(DBusFailure) {
        _ = try await call(.resetFd, [.unixFD(descriptor)], timeout: Wire.Timeout.account)
    }

    private func call(
        _ method: Wire.Authenticator.Method, _ arguments: [Value] = [], timeout: Duration = Wire.Timeout.ordinary
    ) async throws(DBusFailure) -> [Value] {
        try await connection.call(
            Wire.busName, path, Wire.Interface.authenticator, method.rawValue, arguments, timeout: timeout)
    }

    // MARK: Signals

    public func onSignal(
        _ signal: Wire.Authenticator.Signal, _ body: @escaping @LoopActor ([Value]) -> Void
    ) -> Subscription {
        connection.subscribe(
            from: Wire.busName, path: path, interface: Wire.Interface.authenticator, member: signal.rawValue
        ) { body($0.arguments) }
    }

    /// Calls `body` with what changed, by property name.
    public func onPropertiesChanged(_ body: @escaping @LoopActor ([String: Value]) -> Void) -> Subscription {
        connection.subscribe(
            from: Wire.busName, path: path, interface: Wire.Interface.properties, member: "PropertiesChanged"
        ) { signal in
            guard signal.arguments.first?.asString == Wire.Interface.authenticator, signal.arguments.count > 1 else {
                return
            }
            body(signal.arguments[1].asDictionary ?? [:])
        }
    }
}

extension Value {
    /// An `a{sv}` of the contract's options.
    public static func options(_ options: [Wire.Option: Value]) -> Value {
        .options(Dictionary(uniqueKeysWithValues: options.map { ($0.key.rawValue, $0.value) }))
    }
}
