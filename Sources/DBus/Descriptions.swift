/// One argument of a method or a signal.
public struct Argument: Sendable, Equatable {
    public var name: String
    /// One complete type.
    public var signature: String
    /// A passcode: never turned into a ``Value``, and overwritten in the message when the call is done with.
    public var isSecret: Bool

    public init(_ name: String, _ signature: String, isSecret: Bool = false) {
        self.name = name
        self.signature = signature
        self.isSecret = isSecret
    }
}

public struct MethodDescription: Sendable, Equatable {
    public var name: String
    public var inputs: [Argument]
    public var outputs: [Argument]
    /// Calls with descriptors to any other method are answered InvalidArgs.
    public var takesDescriptors: Bool

    public init(_ name: String, inputs: [Argument] = [], outputs: [Argument] = [], takesDescriptors: Bool = false) {
        self.name = name
        self.inputs = inputs
        self.outputs = outputs
        self.takesDescriptors = takesDescriptors
    }
}

public struct SignalDescription: Sendable, Equatable {
    public var name: String
    public var arguments: [Argument]

    public init(_ name: String, _ arguments: [Argument] = []) {
        self.name = name
        self.arguments = arguments
    }
}

public struct PropertyDescription: Sendable, Equatable {
    public enum Access: String, Sendable { case read, readwrite }

    /// The annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`.
    public enum EmitsChange: String, Sendable {
        case yes = "true"
        case invalidates
        case no = "false"
        case const
    }

    public var name: String
    /// One complete type.
    public var signature: String
    public var access: Access
    public var emitsChange: EmitsChange

    public init(_ name: String, _ signature: String, access: Access = .read, emitsChange: EmitsChange = .yes) {
        self.name = name
        self.signature = signature
        self.access = access
        self.emitsChange = emitsChange
    }
}

/// What an interface offers: introspection, the check of arguments and the look-up of members are made from it.
public struct InterfaceDescription: Sendable, Equatable {
    public var name: String
    public var methods: [MethodDescription]
    public var signals: [SignalDescription]
    public var properties: [PropertyDescription]

    public init(
        _ name: String, methods: [MethodDescription] = [], signals: [SignalDescription] = [],
        properties: [PropertyDescription] = []
    ) {
        self.name = name
        self.methods = methods
        self.signals = signals
        self.properties = properties
    }
}
