/// As much of JSON (RFC 8259) as the program writes.
indirect enum JSON: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case array([JSON])
    /// Keys in the order they are written.
    case object([(String, JSON)])

    static func == (left: JSON, right: JSON) -> Bool { left.render() == right.render() }

    /// One line.
    func render() -> String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        // JSON has no infinity and no NaN.
        case .double(let value): value.isFinite ? JSON.shortest(value) : "null"
        case .string(let text): JSON.quote(text)
        case .array(let items): "[" + items.map { $0.render() }.joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(JSON.quote($0)):\($1.render())" }.joined(separator: ",") + "}"
        }
    }

    private static func shortest(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }

    /// Loses nothing, and prints nothing that a terminal or a reader would take for more than text.
    private static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where PlainText.isUnsafe(scalar):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
