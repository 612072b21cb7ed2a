import AuthWire
import DBus

/// A setting as `smileauth config` knows it: a writable property of the authenticator or its policies under a name to
/// type.
struct ConfigKey: Equatable {
    enum Place: Equatable {
        case authenticator(Wire.Authenticator.Property)
        case policy(Wire.Policy.Property)
    }

    let place: Place

    /// The property's name.
    var property: String {
        switch place {
        case .authenticator(let property): property.rawValue
        case .policy(let property): property.rawValue
        }
    }

    /// The D-Bus signature of the property's value.
    var signature: String {
        switch place {
        case .authenticator(let property): property.signature
        case .policy(let property): property.signature
        }
    }

    static let all =
        Wire.Authenticator.Property.allCases.filter(\.isWritable).map { ConfigKey(.authenticator($0)) }
        + Wire.Policy.Property.allCases.filter(\.isWritable).map { ConfigKey(.policy($0)) }

    /// What `lock-on` is made of.
    static let causes = ["idle", "sleep", "screen-lock", "switch"]

    private init(_ place: Place) { self.place = place }

    /// - Throws: a usage error for a name that is none, without repeating it.
    init(named name: String) throws(CommandFailure) {
        guard let key = ConfigKey.all.first(where: { $0.name == name }) else {
            throw .usage("there is no such setting. smileauth config lists them")
        }
        self = key
    }

    /// The property's name in lower case with dashes: `TouchIDIconName` is `touch-id-icon-name`.
    var name: String {
        let letters = Array(property)
        var name = ""
        for (index, letter) in letters.enumerated() {
            if letter.isUppercase && index > 0 {
                let followsLower = letters[index - 1].isLowercase
                let startsWord = index + 1 < letters.count && letters[index + 1].isLowercase
                if followsLower || startsWord { name += "-" }
            }
            name += letter.lowercased()
        }
        return name
    }

    /// What the setting takes, for its usage error and the help.
    var form: String {
        switch place {
        case .authenticator(.passcodeDigit): "a whole number from 4 to 64; 0 is 4"
        case .authenticator(.timeoutInterval): "seconds, 0 to 86400; 0 always asks"
        case .policy(.allowableReuseDuration): "seconds, 0 to 300; 0 always asks"
        case .authenticator(.tintColor): "a colour as #rrggbb"
        case .authenticator(.descriptionTextColor): "a colour as #rrggbb; empty goes by night-mode"
        case .authenticator(.touchIDIconName), .authenticator(.appLogoName):
            "an icon's name or an absolute path; empty for none of your own"
        case .authenticator(.backgroundImage): "an absolute path of a picture; empty for none"
        default: typeForm
        }
    }

    private var typeForm: String {
        switch signature {
        case "b": "true or false"
        case "as": "a list with commas, of \(ConfigKey.causes.joined(separator: ", "))"
        default: choices.map { "one of \($0.joined(separator: ", "))" } ?? "text"
        }
    }

    /// The words a setting is limited to; nil for free text.
    private var choices: [String]? {
        switch place {
        case .authenticator(.securityType): Wire.SecurityType.allCases.map(\.rawValue)
        case .authenticator(.nightMode): ["auto", "on", "off"]
        case .authenticator(.factorMode): ["any", "all", "finger"]
        default: nil
        }
    }

    /// Reads a value strictly: what is not exactly of the setting's type is a usage error.
    func parse(_ text: String) throws(CommandFailure) -> Value {
        guard let value = read(text) else { throw .usage("\(name) takes \(form)") }
        return value
    }

    private func read(_ text: String) -> Value? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(ConfigKey.isDigit)
        switch signature {
        case "b": return text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
        case "u": return isNumber ? UInt32(text).map(Value.uint32) : nil
        case "d":
            // `Double` takes hexadecimal, exponents, "inf" and "nan", too.
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(ConfigKey.isDigit) }) else { return nil }
            return Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        case "as":
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            let causes = text.isEmpty ? [] : words.map(String.init)
            guard causes.allSatisfy(ConfigKey.causes.contains), Set(causes).count == causes.count else { return nil }
            return .stringArray(causes)
        default:
            if let choices, !choices.contains(text) { return nil }
            return .string(text)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// What a value that was written changes for the person; nil where it says that itself.
    func meaning(of value: Value) -> String? {
        guard place == .authenticator(.factorMode) else { return nil }
        switch value.asString {
        case "finger": return "Any enrolled finger opens it; the account password is the only other way."
        case "all": return "A finger opens it, then the passcode: both are needed."
        default: return nil
        }
    }

    /// A value the way ``parse(_:)`` reads it.
    func show(_ value: Value) -> String {
        if let list = value.asStringArray { return PlainText.strip(list.joined(separator: ",")) }
        if let text = value.asString { return PlainText.strip(text) }
        return value.text
    }
}
