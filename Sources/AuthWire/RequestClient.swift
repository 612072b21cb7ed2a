public import DBus
public import MainLoop

/// A typed client of one request: made before the call that starts it, so that its answer cannot be missed.
@LoopActor
public final class RequestClient {
    private let connection: Connection
    public private(set) var path: String
    /// The option `handle_token` for the call.
    public let token: String
    private let completed: @LoopActor (String, [String: Value]) -> Void
    private var subscription: Subscription?

    /// - Parameters:
    ///   - token: see `Wire.Path.isToken(_:)`; unique among the connection's requests.
    ///   - completed: called with the result (`success` or an error's short name) and its details.
    public init(
        _ connection: Connection, token: String, completed: @escaping @LoopActor (String, [String: Value]) -> Void
    ) {
        self.connection = connection
        self.token = token
        self.completed = completed
        path = Wire.Path.request(sender: connection.uniqueName, token: token)
        subscribe()
    }

    /// Follows the path that the call answered, should it be another than the one expected.
    public func follow(_ answered: String) {
        guard answered != path else { return }
        path = answered
        subscribe()
    }

    /// Withdraws; the answer comes as Completed.
    public func cancel() async throws(DBusFailure) {
        _ = try await connection.call(
            Wire.busName, path, Wire.Interface.request, Wire.Request.Method.cancel.rawValue, [],
            timeout: Wire.Timeout.ordinary)
    }

    private func subscribe() {
        let completed = self.completed
        subscription = connection.subscribe(
            from: Wire.busName, path: path, interface: Wire.Interface.request,
            member: Wire.Request.Signal.completed.rawValue
        ) { signal in
            let details = signal.arguments.count > 1 ? signal.arguments[1].asDictionary : nil
            completed(signal.arguments.first?.asString ?? "", details ?? [:])
        }
    }
}
