internal import CDBus
import Glibc
import MainLoop

extension ObjectServer {
    /// Carries out a call that the gate has let through.
    func carryOut(_ call: MethodCall) {
        guard let message = call.message else { return }
        guard let node = call.node, isVisible?(node.path.text, call) ?? true else {
            // A path that only leads to objects can be looked at.
            if call.kind == .introspect, call.node == nil { return introspect(call, nil) }
            return call.fail(.unknownObject("There is no object at \(call.path)"))
        }
        if dbus_message_contains_unix_fds(message) != 0, call.method?.takesDescriptors != true {
            return call.fail(.invalidArguments("\(call.member) takes no descriptors"))
        }
        switch call.kind {
        case .get: get(call, node)
        case .method: callMethod(call, node)
        case .getAll: getAll(call, node)
        case .set: set(call, node)
        case .introspect: introspect(call, node)
        case .managedObjects: getManagedObjects(call, node)
        case .unknown: fail(unknown: call, node)
        }
    }

    /// Whether the arguments are of the types in `signature`; answers the call otherwise.
    func check(_ call: MethodCall, _ signature: UnsafePointer<CChar>) -> Bool {
        guard let message = call.message else { return false }
        if strcmp(dbus_message_get_signature(message), signature) == 0 { return true }
        call.fail(
            .invalidArguments(
                "\(call.member) takes (\(String(cString: signature))), "
                    + "not (\(String(cString: dbus_message_get_signature(message))))"))
        return false
    }

    func checkSize(_ call: MethodCall) -> Bool {
        guard let message = call.message, MessageReader.exceeds(argumentLimit, message) else { return true }
        call.fail(argumentLimitFailure)
        return false
    }

    private func callMethod(_ call: MethodCall, _ node: ObjectNode) {
        let interface = node.interfaces[call.interfaceIndex]
        guard check(call, interface.table.methods[call.memberIndex].input.bytes), checkSize(call) else { return }
        if let failure = authorize?(call) { return call.fail(failure) }
        interface.object.call(call)
    }

    private func fail(unknown call: MethodCall, _ node: ObjectNode) {
        let interface = call.interface
        let isKnown =
            interface.isEmpty || interface == Standard.properties || interface == Standard.introspectable
            || (interface == Standard.objectManager && node.isManager)
            || node.interfaces.contains { $0.table.name.text == interface }
        guard isKnown else {
            return call.fail(.unknownInterface("\(call.path) has no interface \(interface)"))
        }
        call.fail(
            .unknownMethod("\(call.path) has no method \(interface.isEmpty ? "" : interface + ".")\(call.member)"))
    }

    /// Peer belongs to the connection, not to an object: any path will do.
    func answerPeer(_ message: OpaquePointer, _ member: UnsafePointer<CChar>?) {
        let call = MethodCall(connection)
        call.begin(message, sender: "", node: nil)
        // Nothing of ours can be in it: nothing is to be wiped.
        call.kind = .introspect
        guard let member, dbus_message_contains_unix_fds(message) == 0 else {
            return call.fail(.invalidArguments("Peer takes no descriptors"))
        }
        if strcmp(member, "Ping") == 0 {
            if check(call, "") { call.reply() }
        } else if strcmp(member, "GetMachineId") == 0 {
            guard check(call, "") else { return }
            guard let id = dbus_try_get_local_machine_id(nil) else {
                return call.fail(.failed("This machine has no id"))
            }
            defer { dbus_free(id) }
            call.reply([.string(String(cString: id))])
        } else {
            call.fail(.unknownMethod("\(Standard.peer) has no method \(String(cString: member))"))
        }
    }
}
