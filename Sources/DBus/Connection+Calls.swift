internal import CDBus
import MainLoop

/// A call of ours that waits for its reply.
@LoopActor
final class PendingCall {
    let destination: String
    /// Who owned a well-known destination when the call was made, where that name is tracked.
    let ownerThen: String?
    let takesDescriptors: Bool
    let completion: (Result<[Value], DBusFailure>) -> Void
    var timer: LoopSource?

    init(
        destination: String, ownerThen: String?, takesDescriptors: Bool,
        completion: @escaping (Result<[Value], DBusFailure>) -> Void
    ) {
        self.destination = destination
        self.ownerThen = ownerThen
        self.takesDescriptors = takesDescriptors
        self.completion = completion
    }
}

extension Connection {
    /// Calls a method and waits for its reply.
    ///
    /// - Parameters:
    ///   - timeout: after which the call fails with NoReply; a reply that comes later is dropped.
    ///   - takesDescriptors: whether descriptors in the reply are wanted. Each ``Value/unixFD(_:)`` of it must then be
    ///     closed by the caller; otherwise they read −1 and are closed here.
    /// - Throws: the peer's error with its name; NoReply; Disconnected; InvalidArgs where a name or a value is not
    ///   well-formed.
    public func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = [],
        timeout: Duration = .seconds(5), takesDescriptors: Bool = false
    ) async throws(DBusFailure) -> [Value] {
        // A throwing continuation is `any Error`: carry the result through.
        let result = await withCheckedContinuation { (done: CheckedContinuation<Result<[Value], DBusFailure>, Never>) in
            call(
                destination, path, interface, member, arguments, timeout: timeout, takesDescriptors: takesDescriptors
            ) { result in
                // The connection stays until its answer is here, whoever else lets go of it.
                withExtendedLifetime(self) { done.resume(returning: result) }
            }
        }
        return try result.get()
    }

    /// Calls a method; `completion` is called once, in the order in which messages arrive. (What waits in the async
    /// form runs after the messages of the same round.) Where the call cannot be sent it is called at once.
    public func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = [],
        timeout: Duration = .seconds(5), takesDescriptors: Bool = false,
        completion: @escaping (Result<[Value], DBusFailure>) -> Void
    ) {
        let message: OpaquePointer
        do throws(DBusFailure) {
            message = try newCall(destination, path, interface, member, arguments)
        } catch { return completion(.failure(error)) }
        defer { dbus_message_unref(message) }
        var serial: UInt32 = 0
        guard isConnected, dbus_connection_send(raw, message, &serial) != 0 else {
            return completion(.failure(.disconnected("The connection to the bus is gone")))
        }
        let pending = PendingCall(
            destination: destination, ownerThen: trackers[destination]?.owner, takesDescriptors: takesDescriptors,
            completion: completion)
        pending.timer = .after(timeout) { [unowned self] in
            finish(serial, .failure(.noReply("\(destination) did not answer \(interface).\(member) in time")))
        }
        pendingCalls[serial] = pending
    }

    /// Sends a call whose reply is not wanted. Does nothing where a name or a value is not well-formed.
    public func send(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Value] = []
    ) {
        guard isConnected, let message = try? newCall(destination, path, interface, member, arguments) else { return }
        dbus_message_set_no_reply(message, 1)
        dbus_connection_send(raw, message, nil)
        dbus_message_unref(message)
    }

    /// Emits a signal: to all who listen, or to one connection where `destination` is given.
    ///
    /// - Returns: false where a name or a value is not well-formed, or the bus is gone: nothing was sent.
    @discardableResult
    public func emit(
        path: String, interface: String, member: String, _ arguments: [Value] = [], to destination: String? = nil
    ) -> Bool {
        guard isConnected, Syntax.isPath(path), Syntax.isInterface(interface), Syntax.isMember(member),
            destination.map(Syntax.isBusName) ?? true,
            let message = dbus_message_new_signal(path, interface, member)
        else { return false }
        defer { dbus_message_unref(message) }
        if let destination, dbus_message_set_destination(message, destination) == 0 { return false }
        return MessageWriter.append(arguments, to: message) && dbus_connection_send(raw, message, nil) != 0
    }

    private func newCall(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Value]
    ) throws(DBusFailure) -> OpaquePointer {
        guard Syntax.isBusName(destination), Syntax.isPath(path), Syntax.isInterface(interface),
            Syntax.isMember(member)
        else { throw .invalidArguments("Not a D-Bus call: \(destination) \(path) \(interface).\(member)") }
        guard let message = dbus_message_new_method_call(destination, path, interface, member) else {
            throw .failed("Out of memory")
        }
        guard MessageWriter.append(arguments, to: message) else {
            dbus_message_unref(message)
            throw .invalidArguments("An argument of \(interface).\(member) is not well-formed")
        }
        return message
    }

    /// A reply or an error has come.
    func finishCall(_ message: OpaquePointer) {
        let serial = dbus_message_get_reply_serial(message)
        guard let pending = pendingCalls[serial],
            let sender = dbus_message_get_sender(message).map({ String(cString: $0) }),
            isFrom(sender, pending)
        else { return }
        if dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR {
            let name = dbus_message_get_error_name(message).map { String(cString: $0) }
            let text =
                MessageReader.exceeds(MessageReader.maximumSize, message)
                ? nil : MessageReader.values(of: message, descriptors: .hidden).first?.asString
            finish(serial, .failure(DBusFailure(name: name ?? DBusFailure.failed("").name, message: text ?? "")))
        } else if MessageReader.exceeds(MessageReader.maximumSize, message) {
            finish(serial, .failure(.limitsExceeded("The reply is too large")))
        } else {
            let values = MessageReader.values(
                of: message, descriptors: pending.takesDescriptors ? .taken : .hidden)
            finish(serial, .success(values))
        }
    }

    /// The usual session bus lets anybody send anybody a "reply": only the callee and the bus are believed. A
    /// well-known name that is not tracked has no owner known to us, and is not checked.
    private func isFrom(_ sender: String, _ pending: PendingCall) -> Bool {
        if sender == Driver.name || sender == pending.destination { return true }
        guard pending.destination != Driver.name, !pending.destination.hasPrefix(":") else { return false }
        guard let tracker = trackers[pending.destination] else { return true }
        return tracker.owner == nil && pending.ownerThen == nil || sender == tracker.owner
            || sender == pending.ownerThen
    }

    private func finish(_ serial: UInt32, _ result: Result<[Value], DBusFailure>) {
        guard let pending = pendingCalls.removeValue(forKey: serial) else { return }
        pending.timer?.cancel()
        pending.timer = nil
        pending.completion(result)
    }

    func failPendingCalls(_ failure: DBusFailure) {
        for serial in pendingCalls.keys.sorted() { finish(serial, .failure(failure)) }
    }
}
