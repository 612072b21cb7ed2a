internal import CDBus

/// Values into a message.
enum MessageWriter {
    /// Containers within containers that we send; the specification allows 64 in all, half of them arrays.
    private static let maximumDepth = 32

    /// Appends all of `values`, or answers false: when one is not well-formed (nothing was appended then) or when a
    /// descriptor cannot be duplicated (the message is of no use then).
    static func append(_ values: [Value], to message: OpaquePointer) -> Bool {
        for value in values where !isWellFormed(value, depth: 0) { return false }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for value in values where !append(value, &iterator) { return false }
        return true
    }

    /// Appends a variant holding `value`, whose type `signature` is: the answer to a property read.
    static func appendVariant(
        _ value: Value, _ signature: UnsafePointer<CChar>, to message: OpaquePointer
    ) -> Bool {
        guard value.matches(signature), isWellFormed(value, depth: 1) else { return false }
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        return container(TypeCode.variant, signature, &iterator) { append(value, &$0) }
    }

    /// What libdbus ends the process for: elements of another type than the array's, invalid paths and signatures.
    static func isWellFormed(_ value: Value, depth: Int) -> Bool {
        guard depth <= maximumDepth else { return false }
        switch value {
        case .objectPath(let path): return Syntax.isPath(path)
        case .signature(let text): return Syntax.isSignature(text)
        case .array(let element, let values):
            guard Syntax.isSingleType(element) else { return false }
            return element.withCString { element in
                values.allSatisfy { $0.matches(element) && isWellFormed($0, depth: depth + 1) }
            }
        case .dictionary(let key, let value, let entries):
            // The dictionary's whole signature, for a key must be of a basic type.
            guard Syntax.isSingleType("a{" + key + value + "}") else { return false }
            return key.withCString { key in
                value.withCString { value in
                    entries.allSatisfy {
                        $0.key.matches(key) && $0.value.matches(value) && isWellFormed($0.key, depth: depth + 1)
                            && isWellFormed($0.value, depth: depth + 1)
                    }
                }
            }
        case .structure(let members):
            return !members.isEmpty && members.allSatisfy { isWellFormed($0, depth: depth + 1) }
        case .variant(let inner):
            return isWellFormed(inner, depth: depth + 1) && Syntax.isSingleType(inner.signature)
        default: return true
        }
    }

    private static func append(_ value: Value, _ iterator: inout DBusMessageIter) -> Bool {
        switch value {
        case .byte(let number): return basic(TypeCode.byte, number, &iterator)
        case .bool(let flag): return basic(TypeCode.bool, dbus_bool_t(flag ? 1 : 0), &iterator)
        case .int16(let number): return basic(TypeCode.int16, number, &iterator)
        case .uint16(let number): return basic(TypeCode.uint16, number, &iterator)
        case .int32(let number): return basic(TypeCode.int32, number, &iterator)
        case .uint32(let number): return basic(TypeCode.uint32, number, &iterator)
        case .int64(let number): return basic(TypeCode.int64, number, &iterator)
        case .uint64(let number): return basic(TypeCode.uint64, number, &iterator)
        case .double(let number): return basic(TypeCode.double, number, &iterator)
        case .string(let text): return string(TypeCode.string, text, &iterator)
        case .objectPath(let text): return string(TypeCode.objectPath, text, &iterator)
        case .signature(let text): return string(TypeCode.signature, text, &iterator)
        case .unixFD(let descriptor): return descriptor >= 0 && basic(TypeCode.unixFD, descriptor, &iterator)
        case .array(let element, let values):
            return container(TypeCode.array, element, &iterator) { inner in
                values.allSatisfy { append($0, &inner) }
            }
        case .dictionary(let key, let value, let entries):
            return container(TypeCode.array, "{" + key + value + "}", &iterator) { inner in
                entries.allSatisfy { entry in
                    container(TypeCode.entry, nil, &inner) { append(entry.key, &$0) && append(entry.value, &$0) }
                }
            }
        case .structure(let members):
            return container(TypeCode.structure, nil, &iterator) { inner in
                members.allSatisfy { append($0, &inner) }
            }
        case .variant(let content):
            return container(TypeCode.variant, content.signature, &iterator) { append(content, &$0) }
        }
    }

    private static func basic<T: BitwiseCopyable>(
        _ code: UInt8, _ value: T, _ iterator: inout DBusMessageIter
    ) -> Bool {
        withUnsafePointer(to: value) { dbus_message_iter_append_basic(&iterator, Int32(code), $0) != 0 }
    }

    /// A Swift string is valid UTF-8 always, but may hold a NUL, where libdbus would cut it: that becomes U+FFFD.
    private static func string(_ code: UInt8, _ text: String, _ iterator: inout DBusMessageIter) -> Bool {
        guard text.utf8.contains(0) else {
            return text.withCString { basic(code, Optional($0), &iterator) }
        }
        let replaced = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
        return replaced.withCString { basic(code, Optional($0), &iterator) }
    }

    private static func container(
        _ code: UInt8, _ signature: UnsafePointer<CChar>?, _ iterator: inout DBusMessageIter,
        _ fill: (inout DBusMessageIter) -> Bool
    ) -> Bool {
        var inner = DBusMessageIter()
        guard dbus_message_iter_open_container(&iterator, Int32(code), signature, &inner) != 0 else { return false }
        guard fill(&inner) else {
            dbus_message_iter_abandon_container(&iterator, &inner)
            return false
        }
        return dbus_message_iter_close_container(&iterator, &inner) != 0
    }
}
