internal import CDBus
import Glibc
public import MainLoop

/// Serves objects on a connection: finds what a call is for, checks its arguments, and answers by itself whatever the
/// D-Bus specification has for every object (Introspectable, Properties, Peer, ObjectManager).
///
/// Calls are dispatched in the order in which they arrive.
@LoopActor
public final class ObjectServer {
    public let connection: Connection

    /// Asked first about every incoming call but Peer's. Must be cheap.
    public var gate: ((MethodCall) -> GateDecision)?

    /// Asked about calls of methods and about property writes that are for a member that exists, after the types of
    /// the arguments were found right. An error refuses the call.
    public var authorize: ((MethodCall) -> DBusFailure?)?

    /// Whether an object exists for that call; all do where this is nil. One that does not is UnknownObject, and left
    /// out of Introspect and GetManagedObjects.
    public var isVisible: ((_ path: String, _ call: MethodCall) -> Bool)?

    /// How many bytes the arguments of a method or a property write may have together.
    public var argumentLimit = 1 << 20

    /// What larger arguments are answered with.
    public var argumentLimitFailure = DBusFailure.limitsExceeded("The arguments are too large")

    static let getName = CName("Get")
    /// What Get takes.
    static let getSignature = CName("ss")

    var tree = ObjectTree()
    private var tables: [String: InterfaceTable] = [:]
    /// A call that is done with, for the next message: reading a property then allocates nothing here.
    private var spare: MethodCall?
    private var lastSender = CName("")

    /// Becomes the connection's one object server.
    public init(_ connection: Connection) {
        self.connection = connection
        connection.onMethodCall = { [unowned self] in receive($0) }
    }

    isolated deinit { connection.onMethodCall = nil }

    /// Serves `interfaces` at `path`, besides those that are there; the object manager above tells of them.
    ///
    /// - Parameter isManaged: false for an object that is one caller's business: the object manager does not know it.
    /// - Returns: false, with nothing done, where `path` is no object path.
    @discardableResult
    public func add(_ interfaces: [any ServedInterface], at path: String, isManaged: Bool = true) -> Bool {
        guard Syntax.isPath(path) else { return false }
        let node = tree.make(path)
        node.interfaces += interfaces.map { (table(for: $0.description), $0) }
        node.isManaged = isManaged
        if isManaged { announceAdded(interfaces.map(\.description.name), node) }
        return true
    }

    /// Stops serving `path`; the object manager above tells of it. Does nothing for one that is not there.
    public func remove(_ path: String) {
        guard let node = path.withCString({ tree.find($0) }) else { return }
        tree.remove(node)
        if node.isManaged { announceRemoved(node) }
    }

    /// Makes the object at `path` an object manager of everything below it.
    @discardableResult
    public func addObjectManager(at path: String) -> Bool {
        guard Syntax.isPath(path) else { return false }
        tree.make(path).isManager = true
        return true
    }

    /// Tells all who listen that properties have changed. Where one of them is not of the type described nothing is
    /// sent, and false returned.
    @discardableResult
    public func emitPropertiesChanged(
        path: String, interface: String, _ changed: [(String, Value)], to destination: String? = nil
    ) -> Bool {
        let entries = changed.map { DictionaryEntry(key: .string($0.0), value: .variant($0.1)) }
        return connection.emit(
            path: path, interface: Standard.properties, member: "PropertiesChanged",
            [.string(interface), .dictionary(key: "s", value: "v", entries), .stringArray([])], to: destination)
    }

    /// Goes on with a call that the gate has held.
    public func dispatch(_ call: MethodCall) {
        guard call.message != nil, !call.isAnswered else { return }
        // Objects may have come and gone meanwhile.
        resolve(call)
        carryOut(call)
    }

    private func table(for description: InterfaceDescription) -> InterfaceTable {
        if let table = tables[description.name], table.description == description { return table }
        let table = InterfaceTable(description)
        tables[description.name] = table
        return table
    }

    // MARK: - Receiving

    private func receive(_ message: OpaquePointer) {
        guard let sender = dbus_message_get_sender(message) else { return }
        if let interface = dbus_message_get_interface(message), Standard.peerName.equals(interface) {
            return answerPeer(message, dbus_message_get_member(message))
        }
        if !lastSender.equals(sender) { lastSender = CName(String(cString: sender)) }
        var call = spare ?? MethodCall(connection)
        spare = nil
        call.begin(message, sender: lastSender.text, node: nil)
        resolve(call)
        switch gate?(call) ?? .proceed {
        case .proceed: carryOut(call)
        case .held: break
        case .refuse(let failure): call.fail(failure)
        }
        // Somebody who kept it has it for good.
        if isKnownUniquelyReferenced(&call) {
            call.clear()
            spare = call
        }
    }

    /// Finds what the call is for. The comparisons are of C strings, and the most frequent comes first.
    private func resolve(_ call: MethodCall) {
        call.kind = .unknown
        call.node = nil
        guard let message = call.message, let path = dbus_message_get_path(message),
            let member = dbus_message_get_member(message)
        else { return }
        let node = tree.find(path)
        call.node = node
        guard let interface = dbus_message_get_interface(message) else {
            return resolveWithoutInterface(call, node, member)
        }
        if Standard.propertiesName.equals(interface) {
            call.kind = propertiesKind(member)
        } else if let node, let index = node.index(of: interface) {
            guard let method = node.interfaces[index].table.methodNames.index(of: member) else { return }
            call.interfaceIndex = index
            call.memberIndex = method
            call.kind = .method
        } else if Standard.introspectableName.equals(interface) {
            if strcmp(member, "Introspect") == 0 { call.kind = .introspect }
        } else if Standard.objectManagerName.equals(interface), node?.isManager == true {
            if strcmp(member, "GetManagedObjects") == 0 { call.kind = .managedObjects }
        }
    }

    private func propertiesKind(_ member: UnsafePointer<CChar>) -> MethodCall.Kind {
        if ObjectServer.getName.equals(member) { return .get }
        if strcmp(member, "GetAll") == 0 { return .getAll }
        return strcmp(member, "Set") == 0 ? .set : .unknown
    }

    /// The specification lets callers leave the interface out.
    private func resolveWithoutInterface(_ call: MethodCall, _ node: ObjectNode?, _ member: UnsafePointer<CChar>) {
        if let node {
            for (index, interface) in node.interfaces.enumerated() {
                guard let method = interface.table.methodNames.index(of: member) else { continue }
                call.interfaceIndex = index
                call.memberIndex = method
                call.kind = .method
                return
            }
        }
        call.kind = propertiesKind(member)
        guard call.kind == .unknown else { return }
        if strcmp(member, "Introspect") == 0 { call.kind = .introspect }
        if strcmp(member, "GetManagedObjects") == 0, node?.isManager == true { call.kind = .managedObjects }
    }
}
