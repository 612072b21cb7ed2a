import MainLoop

extension ObjectServer {
    /// Describes an object, or (for nil) a path that only leads to objects.
    func introspect(_ call: MethodCall, _ node: ObjectNode?) {
        guard check(call, "") else { return }
        let path = call.path
        let children = children(of: path, call)
        if node == nil, children.isEmpty { return call.fail(.unknownObject("There is no object at \(path)")) }
        call.reply([.string(Introspection.document(node?.descriptions ?? [], children))])
    }

    /// The next path elements below `path` that lead to an object the caller can see.
    private func children(of path: String, _ call: MethodCall) -> [String] {
        let start = path == "/" ? 1 : path.utf8.count + 1
        var names: Set<String> = []
        for node in tree.below(path) {
            let name = String(node.path.text.utf8.dropFirst(start).prefix { $0 != UInt8(ascii: "/") }) ?? ""
            if !names.contains(name), isVisible?(node.path.text, call) ?? true { names.insert(name) }
        }
        return names.sorted()
    }

    // MARK: - ObjectManager

    func getManagedObjects(_ call: MethodCall, _ node: ObjectNode) {
        guard check(call, "") else { return }
        let objects = tree.below(node.path.text).filter { $0.isManaged && (isVisible?($0.path.text, call) ?? true) }
        let entries = objects.map { object in
            DictionaryEntry(key: .objectPath(object.path.text), value: interfaces(of: object))
        }
        call.reply([.dictionary(key: "o", value: "a{sa{sv}}", entries)])
    }

    /// An `a{sa{sv}}` of `node`'s interfaces, or of those named.
    private func interfaces(of node: ObjectNode, only names: [String]? = nil) -> Value {
        let entries = node.interfaces.compactMap { interface -> DictionaryEntry? in
            guard names?.contains(interface.table.name.text) ?? true else { return nil }
            let properties = properties(of: interface.object, interface.table)
            return DictionaryEntry(
                key: .string(interface.table.name.text), value: .dictionary(key: "s", value: "v", properties))
        }
        return .dictionary(key: "s", value: "a{sv}", entries)
    }

    func announceAdded(_ names: [String], _ node: ObjectNode) {
        guard !names.isEmpty, let manager = tree.manager(above: node.path.text) else { return }
        connection.emit(
            path: manager.path.text, interface: Standard.objectManager, member: "InterfacesAdded",
            [.objectPath(node.path.text), interfaces(of: node, only: names)])
    }

    func announceRemoved(_ node: ObjectNode) {
        guard !node.interfaces.isEmpty, let manager = tree.manager(above: node.path.text) else { return }
        connection.emit(
            path: manager.path.text, interface: Standard.objectManager, member: "InterfacesRemoved",
            [.objectPath(node.path.text), .stringArray(node.interfaces.map(\.table.name.text))])
    }
}

extension ObjectNode {
    fileprivate var descriptions: [InterfaceDescription] {
        interfaces.map(\.table.description) + Standard.descriptions + (isManager ? [Standard.manager] : [])
    }
}
