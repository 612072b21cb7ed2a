internal import CDBus
import Glibc

/// A message's values. libdbus has checked the message on arrival: UTF-8, names, signatures, nesting (64 at most).
enum MessageReader {
    /// How much of a reply or a signal we take in, in bytes of content: a peer may send 128 MiB, and a value takes some
    /// 40 bytes here.
    static let maximumSize = 4 << 20

    /// What becomes of descriptors.
    enum Descriptors {
        /// They read as −1, and stay with the message, which closes them.
        case hidden
        /// Duplicates, which belong to the caller.
        case taken
    }

    static func values(of message: OpaquePointer, descriptors: Descriptors) -> [Value] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        return rest(of: &iterator, descriptors)
    }

    /// Puts `iterator` on the argument with this index.
    static func find(_ index: Int, in message: OpaquePointer, _ iterator: inout DBusMessageIter) -> Bool {
        guard index >= 0, dbus_message_iter_init(message, &iterator) != 0 else { return false }
        for _ in 0..<index where dbus_message_iter_next(&iterator) == 0 { return false }
        return true
    }

    /// The C string in the message's body that `iterator` stands on, which lives as long as the message.
    static func string(_ iterator: inout DBusMessageIter) -> UnsafeMutablePointer<CChar>? {
        switch code(&iterator) {
        case TypeCode.string, TypeCode.objectPath, TypeCode.signature:
            return basic(UnsafeMutablePointer<CChar>?.none, &iterator)
        default: return nil
        }
    }

    /// Whether the content is larger than `limit` bytes: strings by their length (an empty one as 1), all else by the bytes it takes.
    /// Ends as soon as it is, so a huge message costs no more than one at the limit.
    static func exceeds(_ limit: Int, _ message: OpaquePointer) -> Bool {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return false }
        var left = limit
        return !spend(&left, on: &iterator)
    }

    private static func spend(_ left: inout Int, on iterator: inout DBusMessageIter) -> Bool {
        while true {
            switch code(&iterator) {
            case 0: return true
            case TypeCode.string, TypeCode.objectPath, TypeCode.signature:
                left -= max(1, string(&iterator).map { strnlen($0, left + 1) } ?? 0)
            case TypeCode.array, TypeCode.structure, TypeCode.entry, TypeCode.variant:
                left -= 1 + fixedSize(&iterator)
                guard left >= 0 else { return false }
                var inner = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &inner)
                guard holdsFixed(&iterator) || spend(&left, on: &inner) else { return false }
            case TypeCode.byte: left -= 1
            case TypeCode.int16, TypeCode.uint16: left -= 2
            case TypeCode.int64, TypeCode.uint64, TypeCode.double: left -= 8
            default: left -= 4
            }
            guard left >= 0 else { return false }
            guard dbus_message_iter_next(&iterator) != 0 else { return true }
        }
    }

    /// Whether `iterator` stands on an array of numbers, which needs no walk.
    private static func holdsFixed(_ iterator: inout DBusMessageIter) -> Bool {
        code(&iterator) == TypeCode.array && dbus_type_is_fixed(dbus_message_iter_get_element_type(&iterator)) != 0
    }

    /// The bytes (at least one an element) of an array of numbers; 0 for all else.
    private static func fixedSize(_ iterator: inout DBusMessageIter) -> Int {
        guard holdsFixed(&iterator) else { return 0 }
        let width =
            switch UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator)) {
            case TypeCode.byte: 1
            case TypeCode.int16, TypeCode.uint16: 2
            case TypeCode.int64, TypeCode.uint64, TypeCode.double: 8
            default: 4
            }
        return Int(dbus_message_iter_get_element_count(&iterator)) * width
    }

    /// Overwrites every string of the body in place, nested ones too. A message of more than 65,536 values is left
    /// off there: it is larger than any call that is taken, and the walk must not hold up the loop.
    static func wipeStrings(of message: OpaquePointer) {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return }
        var steps = 65_536
        wipe(&iterator, &steps)
    }

    private static func wipe(_ iterator: inout DBusMessageIter, _ steps: inout Int) {
        repeat {
            steps -= 1
            guard steps > 0, !holdsFixed(&iterator) else { continue }
            switch code(&iterator) {
            case TypeCode.string:
                if let text = string(&iterator) { explicit_bzero(text, strlen(text)) }
            case TypeCode.array, TypeCode.structure, TypeCode.entry, TypeCode.variant:
                var inner = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &inner)
                wipe(&inner, &steps)
            default: break
            }
        } while steps > 0 && dbus_message_iter_next(&iterator) != 0
    }

    private static func code(_ iterator: inout DBusMessageIter) -> UInt8 {
        UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator))
    }

    private static func basic<T: BitwiseCopyable>(_ start: T, _ iterator: inout DBusMessageIter) -> T {
        var value = start
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private static func rest(of iterator: inout DBusMessageIter, _ descriptors: Descriptors) -> [Value] {
        var values: [Value] = []
        while let value = value(&iterator, descriptors) {
            values.append(value)
            guard dbus_message_iter_next(&iterator) != 0 else { break }
        }
        return values
    }

    /// The value that `iterator` stands on; nil at the end.
    static func value(_ iterator: inout DBusMessageIter, _ descriptors: Descriptors) -> Value? {
        switch code(&iterator) {
        case TypeCode.byte: return .byte(basic(0, &iterator))
        case TypeCode.bool: return .bool(basic(dbus_bool_t(0), &iterator) != 0)
        case TypeCode.int16: return .int16(basic(0, &iterator))
        case TypeCode.uint16: return .uint16(basic(0, &iterator))
        case TypeCode.int32: return .int32(basic(0, &iterator))
        case TypeCode.uint32: return .uint32(basic(0, &iterator))
        case TypeCode.int64: return .int64(basic(0, &iterator))
        case TypeCode.uint64: return .uint64(basic(0, &iterator))
        case TypeCode.double: return .double(basic(0, &iterator))
        case TypeCode.string: return .string(text(&iterator))
        case TypeCode.objectPath: return .objectPath(text(&iterator))
        case TypeCode.signature: return .signature(text(&iterator))
        case TypeCode.unixFD:
            // Getting it duplicates it: only for who will close it.
            return .unixFD(descriptors == .taken ? basic(-1, &iterator) : -1)
        case TypeCode.array: return array(&iterator, descriptors)
        case TypeCode.structure:
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            return .structure(rest(of: &inner, descriptors))
        case TypeCode.variant:
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            return value(&inner, descriptors).map(Value.variant)
        default: return nil
        }
    }

    private static func text(_ iterator: inout DBusMessageIter) -> String {
        string(&iterator).map { String(cString: $0) } ?? ""
    }

    private static func array(_ iterator: inout DBusMessageIter, _ descriptors: Descriptors) -> Value {
        var inner = DBusMessageIter()
        // The array's own signature: the elements' cannot be asked for where there is none.
        let signature = dbus_message_iter_get_signature(&iterator)
        defer { dbus_free(signature) }
        let element = signature.map { String(cString: $0 + 1) } ?? ""
        dbus_message_iter_recurse(&iterator, &inner)
        guard element.utf8.first == UInt8(ascii: "{") else {
            return .array(of: element, rest(of: &inner, descriptors))
        }
        var entries: [DictionaryEntry] = []
        while code(&inner) == TypeCode.entry {
            var pair = DBusMessageIter()
            dbus_message_iter_recurse(&inner, &pair)
            guard let key = value(&pair, descriptors), dbus_message_iter_next(&pair) != 0,
                let value = value(&pair, descriptors)
            else { break }
            entries.append(DictionaryEntry(key: key, value: value))
            guard dbus_message_iter_next(&inner) != 0 else { break }
        }
        let types = element.dropFirst().dropLast()
        return .dictionary(key: String(types.prefix(1)), value: String(types.dropFirst()), entries)
    }
}
