/// Shorter ways to make the common values.
extension Value {
    /// An `a{sv}`, sorted by key so that the same options make the same message.
    public static func options(_ options: [String: Value]) -> Value {
        let entries = options.sorted { $0.key < $1.key }.map {
            DictionaryEntry(key: .string($0.key), value: .variant($0.value))
        }
        return .dictionary(key: "s", value: "v", entries)
    }

    /// An `as`.
    public static func stringArray(_ strings: [String]) -> Value { .array(of: "s", strings.map(Value.string)) }

    /// An `ay`.
    public static func byteArray(_ bytes: [UInt8]) -> Value { .array(of: "y", bytes.map(Value.byte)) }
}

/// What a value holds, or nil where it is of another type. Nothing is converted, and variants are not looked into
/// unless it says so.
extension Value {
    public var asByte: UInt8? { if case .byte(let value) = self { value } else { nil } }
    public var asBool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var asInt32: Int32? { if case .int32(let value) = self { value } else { nil } }
    public var asUInt32: UInt32? { if case .uint32(let value) = self { value } else { nil } }
    public var asInt64: Int64? { if case .int64(let value) = self { value } else { nil } }
    public var asUInt64: UInt64? { if case .uint64(let value) = self { value } else { nil } }
    public var asDouble: Double? { if case .double(let value) = self { value } else { nil } }
    /// A string (`s`); object paths have ``asObjectPath``.
    public var asString: String? { if case .string(let value) = self { value } else { nil } }
    public var asObjectPath: String? { if case .objectPath(let value) = self { value } else { nil } }
    public var asUnixFD: Int32? { if case .unixFD(let value) = self { value } else { nil } }
    public var asArray: [Value]? { if case .array(_, let values) = self { values } else { nil } }
    public var asStructure: [Value]? { if case .structure(let members) = self { members } else { nil } }
    /// A variant's content.
    public var asVariant: Value? { if case .variant(let value) = self { value } else { nil } }

    /// The strings of an `as`.
    public var asStringArray: [String]? {
        guard case .array("s", let values) = self else { return nil }
        return values.compactMap(\.asString)
    }

    /// The bytes of an `ay`.
    public var asByteArray: [UInt8]? {
        guard case .array("y", let values) = self else { return nil }
        return values.compactMap(\.asByte)
    }

    /// A dictionary with string keys; values that are variants are unwrapped. Of a key that is there twice the last
    /// counts.
    public var asDictionary: [String: Value]? {
        guard case .dictionary("s", _, let entries) = self else { return nil }
        var result: [String: Value] = [:]
        for entry in entries {
            guard case .string(let key) = entry.key else { continue }
            result[key] = entry.value.unwrapped
        }
        return result
    }

    /// The value inside however many variants.
    public var unwrapped: Value {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }
}
