import DBus

extension Value {
    /// For people: as short as it goes, and fit to print.
    var text: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .byte(let value): "\(value)"
        case .int16(let value): "\(value)"
        case .uint16(let value): "\(value)"
        case .int32(let value): "\(value)"
        case .uint32(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .uint64(let value): "\(value)"
        case .double(let value): JSON.double(value).render()
        case .string(let text): "\"\(PlainText.strip(text))\""
        case .objectPath(let text), .signature(let text): PlainText.strip(text)
        case .unixFD: "descriptor"
        case .array(_, let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
        case .structure(let values): "(" + values.map(\.text).joined(separator: ", ") + ")"
        case .dictionary(_, _, let entries):
            "{" + entries.map { "\($0.key.bareText) \($0.value.text)" }.joined(separator: ", ") + "}"
        case .variant(let value): value.text
        }
    }

    private var bareText: String {
        if case .string(let text) = self { PlainText.strip(text) } else { text }
    }

    /// For programs; variants and descriptors lose what JSON has no word for.
    var json: JSON {
        switch self {
        case .bool(let value): .bool(value)
        case .byte(let value): .unsigned(UInt64(value))
        case .int16(let value): .integer(Int64(value))
        case .uint16(let value): .unsigned(UInt64(value))
        case .int32(let value): .integer(Int64(value))
        case .uint32(let value): .unsigned(UInt64(value))
        case .int64(let value): .integer(value)
        case .uint64(let value): .unsigned(value)
        case .double(let value): .double(value)
        case .string(let text), .objectPath(let text), .signature(let text): .string(text)
        case .unixFD: .null
        case .array(_, let values), .structure(let values): .array(values.map(\.json))
        case .dictionary(_, _, let entries):
            .object(
                entries.map { entry in
                    (entry.key.asString ?? entry.key.text, entry.value.json)
                })
        case .variant(let value): value.json
        }
    }
}

extension [String: Value] {
    /// A JSON object with its keys in order.
    var json: JSON { .object(sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }) }
}
