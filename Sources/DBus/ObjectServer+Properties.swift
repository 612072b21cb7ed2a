internal import CDBus
import MainLoop

extension ObjectServer {
    /// Reads one property. The way that is taken most: no value is made but the answer's.
    func get(_ call: MethodCall, _ node: ObjectNode) {
        guard check(call, ObjectServer.getSignature.bytes), let place = find(call, node) else { return }
        let interface = node.interfaces[place.interface]
        let name = interface.table.propertyNames[place.property]
        guard let value = interface.object.get(name.text, at: place.property) else {
            return call.fail(.failed("\(name.text) cannot be read"))
        }
        call.replyVariant(value, interface.table.propertySignatures[place.property].bytes)
    }

    func getAll(_ call: MethodCall, _ node: ObjectNode) {
        guard check(call, "s"), let wanted = call.string(at: 0) else { return }
        if wanted[0] == 0 {
            let all = node.interfaces.flatMap { properties(of: $0.object, $0.table) }
            return call.reply([.dictionary(key: "s", value: "v", all)])
        }
        guard let index = node.index(of: wanted) else {
            if isStandard(wanted, node) { return call.reply([.dictionary(key: "s", value: "v", [])]) }
            return failUnknownInterface(call, wanted)
        }
        let interface = node.interfaces[index]
        call.reply([.dictionary(key: "s", value: "v", properties(of: interface.object, interface.table))])
    }

    func set(_ call: MethodCall, _ node: ObjectNode) {
        guard check(call, "ssv"), let message = call.message, checkSize(call), let place = find(call, node) else {
            return
        }
        let interface = node.interfaces[place.interface]
        let property = interface.table.description.properties[place.property]
        guard property.access == .readwrite else {
            return call.fail(.propertyReadOnly("\(property.name) cannot be set"))
        }
        var iterator = DBusMessageIter()
        guard MessageReader.find(2, in: message, &iterator),
            case .variant(let value)? = MessageReader.value(&iterator, .hidden),
            value.matches(interface.table.propertySignatures[place.property].bytes)
        else {
            return call.fail(.invalidArguments("\(property.name) is of type \(property.signature)"))
        }
        if let failure = authorize?(call) { return call.fail(failure) }
        interface.object.set(property.name, to: value, call)
    }

    /// All properties that can be read now, as entries of an `a{sv}`.
    func properties(of object: any ServedInterface, _ table: InterfaceTable) -> [DictionaryEntry] {
        table.description.properties.indices.compactMap { index in
            let name = table.propertyNames[index].text
            guard let value = object.get(name, at: index), value.matches(table.propertySignatures[index].bytes) else {
                return nil
            }
            return DictionaryEntry(key: .string(name), value: .variant(value))
        }
    }

    /// The property that a Get or Set is for, or nil when the call has been answered with an error. An empty
    /// interface means whichever has the property.
    private func find(_ call: MethodCall, _ node: ObjectNode) -> (interface: Int, property: Int)? {
        guard let message = call.message else { return nil }
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0, let wanted = MessageReader.string(&iterator),
            dbus_message_iter_next(&iterator) != 0, let name = MessageReader.string(&iterator)
        else { return nil }
        if wanted[0] == 0 {
            for index in node.interfaces.indices {
                if let property = node.interfaces[index].table.propertyNames.index(of: name) {
                    return (index, property)
                }
            }
        } else if let index = node.index(of: wanted) {
            if let property = node.interfaces[index].table.propertyNames.index(of: name) { return (index, property) }
        } else if !isStandard(wanted, node) {
            failUnknownInterface(call, wanted)
            return nil
        }
        call.fail(.unknownProperty("\(node.path.text) has no property \(String(cString: name))"))
        return nil
    }

    private func failUnknownInterface(_ call: MethodCall, _ name: UnsafePointer<CChar>) {
        call.fail(.unknownInterface("\(call.path) has no interface \(String(cString: name))"))
    }

    /// The interfaces without properties that every object has.
    private func isStandard(_ name: UnsafePointer<CChar>, _ node: ObjectNode) -> Bool {
        Standard.propertiesName.equals(name) || Standard.introspectableName.equals(name)
            || Standard.peerName.equals(name) || (node.isManager && Standard.objectManagerName.equals(name))
    }
}
