public import DBus
public import MainLoop

/// A typed client of one authenticator's evaluations: LAContext's shape. Errors are the service's own;
/// ``WireError/init(fullName:)`` knows them.
@LoopActor
public final class PolicyClient {
    public let connection: Connection
    /// The authenticator's path.
    public let path: String

    public init(_ connection: Connection, path: String) {
        self.connection = connection
        self.path = path
    }

    // MARK: Properties

    /// All properties by their names.
    public func properties() async throws(DBusFailure) -> [String: Value] {
        let reply = try await connection.call(
            Wire.busName, path, Wire.Interface.properties, "GetAll", [.string(Wire.Interface.policy)],
            timeout: Wire.Timeout.ordinary)
        return reply.first?.asDictionary ?? [:]
    }

    public func set(_ property: Wire.Policy.Property, to value: Value) async throws(DBusFailure) {
        _ = try await connection.call(
            Wire.busName, path, Wire.Interface.properties, "Set",
            [.string(Wire.Interface.policy), .string(property.rawValue), .variant(value)],
            timeout: Wire.Timeout.store)
    }

    /// Opaque bytes for the set of enrolled fingers as this application sees it; empty where there is none to tell.
    public func domainState() async throws(DBusFailure) -> [UInt8] {
        let reply = try await connection.call(
            Wire.busName, path, Wire.Interface.properties, "Get",
            [
                .string(Wire.Interface.policy), .string(Wire.Policy.Property.evaluatedPolicyDomainState.rawValue),
            ], timeout: Wire.Timeout.ordinary)
        guard let bytes = reply.first?.unwrapped.asByteArray else { throw .unreadable("Get") }
        return bytes
    }

    // MARK: Evaluations

    /// - Returns: nil when it could be evaluated now; else what EvaluatePolicy would answer.
    public func canEvaluate(
        _ policy: Wire.Policy.Name
    ) async throws(DBusFailure) -> (error: WireError?, biometry: Wire.Biometry) {
        let reply = try await call(.canEvaluatePolicy, [.string(policy.rawValue)])
        guard reply.count == 3, let can = reply[0].asBool, let name = reply[1].asString,
            let biometry = reply[2].asString.flatMap(Wire.Biometry.init(rawValue:)),
            can == (WireError(fullName: name) == nil)
        else { throw .unreadable(Wire.Policy.Method.canEvaluatePolicy.rawValue) }
        return (WireError(fullName: name), biometry)
    }

    /// - Returns: the path of the request whose Completed carries the answer.
    public func evaluate(
        _ policy: Wire.Policy.Name, reason: String, _ options: [Wire.Option: Value] = [:]
    ) async throws(DBusFailure) -> String {
        let reply = try await call(
            .evaluatePolicy, [.string(policy.rawValue), .string(reason), .options(options)],
            timeout: Wire.Timeout.store)
        guard let path = reply.first?.asObjectPath else {
            throw .unreadable(Wire.Policy.Method.evaluatePolicy.rawValue)
        }
        return path
    }

    /// The fallback button of the evaluation's view.
    public func fallback() async throws(DBusFailure) { _ = try await call(.fallback) }

    /// Ends this connection's own evaluations on the authenticator.
    public func invalidate() async throws(DBusFailure) { _ = try await call(.invalidate) }

    // MARK: Did the fingers change?

    /// - Returns: false for an empty identity, or where there is no state to remember.
    public func rememberDomainState(_ identity: String) async throws(DBusFailure) -> Bool {
        let reply = try await call(.rememberDomainState, [.string(identity)], timeout: Wire.Timeout.store)
        guard let isRemembered = reply.first?.asBool else {
            throw .unreadable(Wire.Policy.Method.rememberDomainState.rawValue)
        }
        return isRemembered
    }

    /// - Returns: whether the fingers are others than those remembered; the error where that cannot be told.
    public func domainStateChanged(
        _ identity: String
    ) async throws(DBusFailure) -> (hasChanged: Bool, error: WireError?) {
        let reply = try await call(.domainStateChanged, [.string(identity)], timeout: Wire.Timeout.store)
        guard reply.count == 2, let hasChanged = reply[0].asBool, let name = reply[1].asString,
            name.isEmpty == (WireError(fullName: name) == nil)
        else {
            throw .unreadable(Wire.Policy.Method.domainStateChanged.rawValue)
        }
        return (hasChanged, WireError(fullName: name))
    }

    private func call(
        _ method: Wire.Policy.Method, _ arguments: [Value] = [], timeout: Duration = Wire.Timeout.ordinary
    ) async throws(DBusFailure) -> [Value] {
        try await connection.call(
            Wire.busName, path, Wire.Interface.policy, method.rawValue, arguments, timeout: timeout)
    }
}
