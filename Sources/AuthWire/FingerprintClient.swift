public import DBus
public import MainLoop

/// A typed client of the sensor and the enrolled fingers. Errors are the service's own; ``WireError/init(fullName:)``
/// knows them.
@LoopActor
public final class FingerprintClient {
    public let connection: Connection

    public init(_ connection: Connection) { self.connection = connection }

    /// All properties by their names.
    public func properties() async throws(DBusFailure) -> [String: Value] {
        let reply = try await connection.call(
            Wire.busName, Wire.Path.fingerprint, Wire.Interface.properties, "GetAll",
            [.string(Wire.Interface.fingerprint)], timeout: Wire.Timeout.ordinary)
        return reply.first?.asDictionary ?? [:]
    }

    /// From the left hand's thumb to the right hand's little finger.
    public func enrolledFingers() async throws(DBusFailure) -> [Wire.Finger] {
        let reply = try await call(.listEnrolledFingers)
        guard let names = reply.first?.asStringArray else {
            throw .unreadable(Wire.Fingerprint.Method.listEnrolledFingers.rawValue)
        }
        return names.compactMap(Wire.Finger.init(rawValue:))
    }

    /// - Returns: the path of the request whose Completed carries the answer; ``onEnrollStatus(_:)`` tells of the way.
    public func enroll(
        _ finger: Wire.Finger, _ options: [Wire.Option: Value] = [:]
    ) async throws(DBusFailure) -> String {
        try await request(.enroll, [.string(finger.rawValue), .options(options)])
    }

    /// - Returns: the path of the request whose Completed carries the answer.
    public func verifyTest(_ options: [Wire.Option: Value] = [:]) async throws(DBusFailure) -> String {
        try await request(.verifyTest, [.options(options)])
    }

    public func delete(_ finger: Wire.Finger) async throws(DBusFailure) {
        _ = try await call(.deleteFinger, [.string(finger.rawValue)])
    }

    public func deleteAll() async throws(DBusFailure) { _ = try await call(.deleteAll) }

    /// Calls `body` at every step of an enrolment or test: the status, the stage and of how many (0 of 0 in a test).
    public func onEnrollStatus(
        _ body: @escaping @LoopActor (_ status: String, _ stage: UInt32, _ stages: UInt32) -> Void
    ) -> Subscription {
        connection.subscribe(
            from: Wire.busName, path: Wire.Path.fingerprint, interface: Wire.Interface.fingerprint,
            member: Wire.Fingerprint.Signal.enrollStatus.rawValue
        ) { signal in
            guard signal.arguments.count == 3, let status = signal.arguments[0].asString,
                let stage = signal.arguments[1].asUInt32, let stages = signal.arguments[2].asUInt32
            else { return }
            body(status, stage, stages)
        }
    }

    private func request(
        _ method: Wire.Fingerprint.Method, _ arguments: [Value]
    ) async throws(DBusFailure) -> String {
        let reply = try await call(method, arguments)
        guard let path = reply.first?.asObjectPath else { throw .unreadable(method.rawValue) }
        return path
    }

    private func call(
        _ method: Wire.Fingerprint.Method, _ arguments: [Value] = []
    ) async throws(DBusFailure) -> [Value] {
        try await connection.call(
            Wire.busName, Wire.Path.fingerprint, Wire.Interface.fingerprint, method.rawValue, arguments,
            timeout: Wire.Timeout.ordinary)
    }
}
