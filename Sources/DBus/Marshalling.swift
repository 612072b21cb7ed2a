internal import CDBus

/// Values as bytes, for channels that are no bus: a whole message as D-Bus marshals it, in this machine's byte order.
extension Value {
    /// The bytes of a message with these arguments.
    ///
    /// - Returns: nil where a value is not well-formed, holds a descriptor (bytes carry none), or without memory.
    public static func marshalled(_ values: [Value]) -> [UInt8]? {
        // The header says nothing; a signal's is the least that is valid.
        guard !values.contains(where: \.holdsDescriptor),
            let message = dbus_message_new_signal("/", "org.smileauth.Marshalled", "Values")
        else { return nil }
        defer { dbus_message_unref(message) }
        // Zero is no serial, and who reads refuses it.
        dbus_message_set_serial(message, 1)
        guard MessageWriter.append(values, to: message) else { return nil }
        var bytes: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(message, &bytes, &count) != 0, let bytes else { return nil }
        defer { dbus_free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }

    /// The arguments of a message that ``marshalled(_:)``, or another D-Bus library, made. Any header will do.
    ///
    /// Safe for any bytes: libdbus checks the message as it checks one from a bus.
    ///
    /// - Parameters:
    ///   - bytes: exactly one message. They need no alignment.
    ///   - limit: the largest content taken, in bytes, strings by their length.
    /// - Returns: nil for what is no such message, is larger, or holds a descriptor.
    public static func unmarshalled(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [Value]? {
        // Longer ones can hold nothing that is within the limit but padding: a header's fields and alignment at most.
        guard let start = bytes.baseAddress, bytes.count <= limit &* 8 &+ 1024, bytes.count <= Int(Int32.max) else {
            return nil
        }
        // libdbus reads aligned integers out of it.
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        defer { copy.deallocate() }
        copy.copyMemory(from: UnsafeRawBufferPointer(start: start, count: bytes.count))
        let text = copy.baseAddress!.assumingMemoryBound(to: CChar.self)
        // A second message after the first would go unseen.
        guard dbus_message_demarshal_bytes_needed(text, Int32(bytes.count)) == Int32(bytes.count),
            let message = dbus_message_demarshal(text, Int32(bytes.count), nil)
        else { return nil }
        defer { dbus_message_unref(message) }
        guard dbus_message_contains_unix_fds(message) == 0, !MessageReader.exceeds(limit, message) else { return nil }
        let values = MessageReader.values(of: message, descriptors: .hidden)
        return values.contains(where: \.holdsDescriptor) ? nil : values
    }

    private var holdsDescriptor: Bool {
        switch self {
        case .unixFD: true
        case .array(_, let values), .structure(let values): values.contains(where: \.holdsDescriptor)
        case .dictionary(_, _, let entries): entries.contains { $0.key.holdsDescriptor || $0.value.holdsDescriptor }
        case .variant(let inner): inner.holdsDescriptor
        default: false
        }
    }
}
