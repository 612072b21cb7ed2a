internal import CDBus
import Glibc
public import MainLoop

/// A call that somebody has made to one of our objects. It must be answered once; what comes later is ignored.
@LoopActor
public final class MethodCall {
    /// What is called: a method of an object's own interface, or one that the server answers itself.
    public enum Kind: Sendable { case method, get, getAll, set, introspect, managedObjects, unknown }

    let connection: Connection
    /// Ours while the call lives; nil for a spare one.
    private(set) var message: OpaquePointer?
    var node: ObjectNode?
    /// Where in the node the call goes, for ``Kind/method``.
    var interfaceIndex = 0
    var memberIndex = 0
    private var parsed: [Value]?
    private var isWiped = false

    /// The caller's unique name.
    public private(set) var sender = ""
    public internal(set) var kind = Kind.unknown
    public private(set) var isAnswered = false

    init(_ connection: Connection) { self.connection = connection }

    isolated deinit { clear() }

    /// Starts over with another message.
    func begin(_ message: OpaquePointer, sender: String, node: ObjectNode?) {
        dbus_message_ref(message)
        self.message = message
        self.sender = sender
        self.node = node
        isAnswered = false
        isWiped = false
        parsed = nil
    }

    /// Lets go of the message: overwrites what was secret in it, and what nobody knows to be harmless.
    func clear() {
        guard let message else { return }
        if !isAnswered { fail(.failed("The call was not answered")) }
        if kind == .unknown || !(method?.secrets.isEmpty ?? true) { wipe() }
        self.message = nil
        parsed = nil
        node = nil
        dbus_message_unref(message)
    }

    /// The method's description; nil for what the server answers itself.
    var method: InterfaceTable.Method? {
        guard kind == .method, let node else { return nil }
        return node.interfaces[interfaceIndex].table.methods[memberIndex]
    }
}

// MARK: - What was called

extension MethodCall {
    public var path: String { node?.path.text ?? text(dbus_message_get_path) }

    /// The interface; where the caller left it out, the one that the member was found in.
    public var interface: String {
        switch kind {
        case .method: node?.interfaces[interfaceIndex].table.name.text ?? ""
        case .get, .getAll, .set: Standard.properties
        case .introspect: Standard.introspectable
        case .managedObjects: Standard.objectManager
        case .unknown: text(dbus_message_get_interface)
        }
    }

    public var member: String { method?.name ?? text(dbus_message_get_member) }

    /// For ``Kind/get``, ``Kind/getAll`` and ``Kind/set``: the interface that is asked for, as the caller wrote it.
    public var propertyInterface: String? { properties ? text(at: 0) : nil }

    /// For ``Kind/get`` and ``Kind/set``: the property's name, as the caller wrote it.
    public var property: String? { properties && kind != .getAll ? text(at: 1) : nil }

    private var properties: Bool { kind == .get || kind == .getAll || kind == .set }

    private func text(_ field: (OpaquePointer?) -> UnsafePointer<CChar>?) -> String {
        message.flatMap { field($0) }.map { String(cString: $0) } ?? ""
    }

    private func text(at index: Int) -> String? { string(at: index).map { String(cString: $0) } }

    /// The argument's bytes in the message.
    func string(at index: Int) -> UnsafeMutablePointer<CChar>? {
        var iterator = DBusMessageIter()
        guard let message, MessageReader.find(index, in: message, &iterator) else { return nil }
        return MessageReader.string(&iterator)
    }
}

// MARK: - Arguments

extension MethodCall {
    /// The arguments, of the types described. Secret ones are empty strings, descriptors −1.
    public var arguments: [Value] {
        if let parsed { return parsed }
        guard let message else { return [] }
        let secrets = method?.secrets ?? []
        var values: [Value] = []
        var iterator = DBusMessageIter()
        if dbus_message_iter_init(message, &iterator) != 0 {
            repeat {
                if secrets.contains(values.count) {
                    values.append(.string(""))
                } else if let value = MessageReader.value(&iterator, .hidden) {
                    values.append(value)
                }
            } while dbus_message_iter_next(&iterator) != 0
        }
        parsed = values
        return values
    }

    /// Calls `body` with the bytes of a string argument, inside the message: nothing is copied. They are valid UTF-8
    /// without NUL, and must not be used after `body` has returned. Nil where there is no string at `index`, or it
    /// was wiped.
    public func withSecret<R>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R? {
        guard !isWiped, let bytes = string(at: index) else { return nil }
        return try body(UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)))
    }

    /// Overwrites every string argument in place, and has libdbus's receive buffer overwritten. Done for calls with
    /// secret arguments when they are let go of; sooner is better.
    public func wipe() {
        guard let message, !isWiped else { return }
        isWiped = true
        parsed = nil
        MessageReader.wipeStrings(of: message)
        connection.scrubReceiveBuffer()
    }

    /// A duplicate of the descriptor in an argument, close-on-exec, which the caller closes. Nil where there is none
    /// or the process has no more descriptors.
    public func takeDescriptor(at index: Int) -> Int32? {
        var iterator = DBusMessageIter()
        guard let message, MessageReader.find(index, in: message, &iterator),
            case .unixFD(let descriptor)? = MessageReader.value(&iterator, .taken), descriptor >= 0
        else { return nil }
        return descriptor
    }
}

// MARK: - Answers

extension MethodCall {
    /// Answers with `values`, which must be of the types described.
    public func reply(_ values: [Value] = []) {
        if let method, values.map(\.signature).joined() != method.output {
            return fail(.failed("The service's answer is not of the type it promises"))
        }
        answer { message in
            guard let reply = dbus_message_new_method_return(message) else { return nil }
            if MessageWriter.append(values, to: reply) { return reply }
            dbus_message_unref(reply)
            return newError(.failed("The service's answer is not well-formed"), message)
        }
    }

    public func fail(_ failure: DBusFailure) { answer { newError(failure, $0) } }

    /// The answer to a property read; `signature` is the property's.
    func replyVariant(_ value: Value, _ signature: UnsafePointer<CChar>) {
        answer { message in
            guard let reply = dbus_message_new_method_return(message) else { return nil }
            if MessageWriter.appendVariant(value, signature, to: reply) { return reply }
            dbus_message_unref(reply)
            return newError(.failed("The property is not of the type it promises"), message)
        }
    }

    private func answer(_ make: (OpaquePointer) -> OpaquePointer?) {
        guard let message, !isAnswered else { return }
        isAnswered = true
        guard dbus_message_get_no_reply(message) == 0, let reply = make(message) else { return }
        dbus_connection_send(connection.raw, reply, nil)
        dbus_message_unref(reply)
    }

    private func newError(_ failure: DBusFailure, _ message: OpaquePointer) -> OpaquePointer? {
        let name = Syntax.isErrorName(failure.name) ? failure.name : DBusFailure.failed("").name
        // libdbus takes the text as it is; a NUL would cut it and nothing worse.
        return dbus_message_new_error(message, name, failure.message)
    }
}
