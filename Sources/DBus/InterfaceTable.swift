/// A description made ready for look-ups. All objects with the same description share one.
final class InterfaceTable {
    struct Method {
        let name: String
        let input: CName
        let output: String
        let takesDescriptors: Bool
        /// The arguments that are secret.
        let secrets: [Int]
    }

    let description: InterfaceDescription
    let name: CName
    let methodNames: NameTable
    let methods: [Method]
    let propertyNames: NameTable
    let propertySignatures: [CName]

    init(_ description: InterfaceDescription) {
        self.description = description
        name = CName(description.name)
        methodNames = NameTable(description.methods.map(\.name))
        methods = description.methods.map { method in
            Method(
                name: method.name,
                input: CName(method.inputs.map(\.signature).joined()),
                output: method.outputs.map(\.signature).joined(),
                takesDescriptors: method.takesDescriptors,
                secrets: method.inputs.indices.filter { method.inputs[$0].isSecret })
        }
        propertyNames = NameTable(description.properties.map(\.name))
        propertySignatures = description.properties.map { CName($0.signature) }
    }
}

/// The interfaces that every object has from the server itself.
enum Standard {
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let properties = "org.freedesktop.DBus.Properties"
    static let peer = "org.freedesktop.DBus.Peer"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"

    /// The same for comparing with what stands in a message: handing a Swift string to `strcmp` copies it each time.
    static let introspectableName = CName(introspectable)
    static let propertiesName = CName(properties)
    static let peerName = CName(peer)
    static let objectManagerName = CName(objectManager)

    static let descriptions: [InterfaceDescription] = [
        InterfaceDescription(introspectable, methods: [.init("Introspect", outputs: [.init("xml_data", "s")])]),
        InterfaceDescription(
            properties,
            methods: [
                .init(
                    "Get", inputs: [.init("interface_name", "s"), .init("property_name", "s")],
                    outputs: [.init("value", "v")]),
                .init("GetAll", inputs: [.init("interface_name", "s")], outputs: [.init("properties", "a{sv}")]),
                .init(
                    "Set",
                    inputs: [.init("interface_name", "s"), .init("property_name", "s"), .init("value", "v")]),
            ],
            signals: [
                .init(
                    "PropertiesChanged",
                    [
                        .init("interface_name", "s"), .init("changed_properties", "a{sv}"),
                        .init("invalidated_properties", "as"),
                    ])
            ]),
        InterfaceDescription(
            peer,
            methods: [.init("Ping"), .init("GetMachineId", outputs: [.init("machine_uuid", "s")])]),
    ]

    static let manager = InterfaceDescription(
        objectManager,
        methods: [
            .init("GetManagedObjects", outputs: [.init("objpath_interfaces_and_properties", "a{oa{sa{sv}}}")])
        ],
        signals: [
            .init(
                "InterfacesAdded",
                [
                    .init("object_path", "o"), .init("interfaces_and_properties", "a{sa{sv}}"),
                ]),
            .init("InterfacesRemoved", [.init("object_path", "o"), .init("interfaces", "as")]),
        ])
}
