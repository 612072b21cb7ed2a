/// A D-Bus error: one that a peer answered, one to answer with, or one of the connection's own.
public struct DBusFailure: Error, Equatable, Sendable {
    /// The error's name, for instance `org.freedesktop.DBus.Error.InvalidArgs`.
    public let name: String
    /// For people and logs; may be empty.
    public let message: String

    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    private init(standard: String, _ message: String) {
        self.init(name: "org.freedesktop.DBus.Error." + standard, message: message)
    }
}

/// The names that the D-Bus specification and the reference bus give.
extension DBusFailure {
    public static func failed(_ message: String) -> DBusFailure { .init(standard: "Failed", message) }
    public static func invalidArguments(_ message: String) -> DBusFailure { .init(standard: "InvalidArgs", message) }
    public static func unknownMethod(_ message: String) -> DBusFailure { .init(standard: "UnknownMethod", message) }
    public static func unknownObject(_ message: String) -> DBusFailure { .init(standard: "UnknownObject", message) }
    public static func unknownInterface(_ message: String) -> DBusFailure {
        .init(standard: "UnknownInterface", message)
    }
    public static func unknownProperty(_ message: String) -> DBusFailure { .init(standard: "UnknownProperty", message) }
    public static func propertyReadOnly(_ message: String) -> DBusFailure {
        .init(standard: "PropertyReadOnly", message)
    }
    /// The peer did not answer in time.
    public static func noReply(_ message: String) -> DBusFailure { .init(standard: "NoReply", message) }
    /// The connection to the bus is gone.
    public static func disconnected(_ message: String) -> DBusFailure { .init(standard: "Disconnected", message) }
    public static func accessDenied(_ message: String) -> DBusFailure { .init(standard: "AccessDenied", message) }
    public static func limitsExceeded(_ message: String) -> DBusFailure { .init(standard: "LimitsExceeded", message) }
    public static func notSupported(_ message: String) -> DBusFailure { .init(standard: "NotSupported", message) }
    public static func nameHasNoOwner(_ message: String) -> DBusFailure { .init(standard: "NameHasNoOwner", message) }
    public static func serviceUnknown(_ message: String) -> DBusFailure { .init(standard: "ServiceUnknown", message) }
    /// Another connection owns the name that was asked for.
    public static func nameTaken(_ message: String) -> DBusFailure { .init(standard: "AddressInUse", message) }
}
