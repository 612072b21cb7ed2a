internal import CDBus

/// A signal as it came.
public struct Signal: Sendable {
    /// The unique name of whoever sent it; the bus's own signals come from `org.freedesktop.DBus`.
    public let sender: String
    public let path: String
    public let interface: String
    public let member: String
    /// Descriptors in it read −1.
    public let arguments: [Value]

    public init(sender: String, path: String, interface: String, member: String, arguments: [Value]) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// The header alone: whether anybody wants the signal is found out before its content is read.
    init?(header message: OpaquePointer) {
        guard let sender = dbus_message_get_sender(message), let path = dbus_message_get_path(message),
            let interface = dbus_message_get_interface(message), let member = dbus_message_get_member(message)
        else { return nil }
        self.init(
            sender: String(cString: sender), path: String(cString: path), interface: String(cString: interface),
            member: String(cString: member), arguments: [])
    }

    /// With the content; nil for what is larger than we take in.
    func read(_ message: OpaquePointer) -> Signal? {
        guard !MessageReader.exceeds(MessageReader.maximumSize, message) else { return nil }
        return Signal(
            sender: sender, path: path, interface: interface, member: member,
            arguments: MessageReader.values(of: message, descriptors: .hidden))
    }
}
