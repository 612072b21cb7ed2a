import AuthCore
import AuthTexts
import AuthWire
import DBus

extension CallOptions {
    /// Reads an `a{sv}`: known keys must have their type and a value that they can have, unknown ones are ignored.
    static func read(_ value: Value?) -> Result<(options: CallOptions, token: String?), DBusFailure> {
        guard let dictionary = value?.asDictionary else { return .failure(.invalidArguments("Options are a{sv}")) }
        var options = CallOptions()
        var token: String?
        for key in Wire.Option.allCases {
            guard let value = dictionary[key.rawValue] else { continue }
            guard value.signature == key.signature else {
                return .failure(
                    .invalidArguments("Option \(key.rawValue) is of type \(key.signature), not \(value.signature)"))
            }
            guard options.take(key, value, &token) else {
                return .failure(.invalidArguments("Option \(key.rawValue) cannot have this value"))
            }
        }
        return .success((options, token))
    }

    private mutating func take(_ key: Wire.Option, _ value: Value, _ token: inout String?) -> Bool {
        switch key {
        case .ui:
            guard let ui = value.asString.flatMap(ViewUI.init) else { return false }
            self.ui = ui
        case .kind:
            guard let kind = value.asString.flatMap(PasscodeKind.init) else { return false }
            self.kind = kind
        case .digits:
            guard let digits = value.asUInt32, digits == 0 || (4...64).contains(digits) else { return false }
            self.digits = digits == 0 ? 4 : digits
        case .reason: reason = Plain.text(value.asString ?? "")
        case .require:
            guard let factor = value.asString, factor == "passcode" || factor.isEmpty else { return false }
            requiresPasscode = factor == "passcode"
        case .confirmCover: confirmsCover = value.asBool ?? false
        case .handleToken:
            guard let name = value.asString, Wire.Path.isToken(name) else { return false }
            token = name
        case .parentWindow:
            guard let window = value.asString else { return false }
            guard Self.isWindow(window) else { return false }
            parentWindow = window
        case .reuseDuration:
            guard let seconds = value.asDouble, seconds >= 0, seconds <= 300 else { return false }
            reuseDuration = seconds
        case .fallbackTitle: fallbackTitle = value.asString.map { Plain.text($0) }
        case .cancelTitle:
            // A button without a title is no way out: an empty one means the property's.
            cancelTitle = value.asString.map { Plain.text($0) }.flatMap { $0.isEmpty ? nil : $0 }
        case .interactive: isInteractive = value.asBool ?? true
        case .thenPasscode: thenPasscode = value.asBool ?? false
        case .finger:
            guard let finger = value.asString.flatMap(Finger.init(rawValue:)) else { return false }
            self.finger = finger
        case .animated: isAnimated = value.asBool ?? true
        }
        return true
    }

    /// As the portals write it: empty, `x11:` and a hexadecimal XID, or `wayland:` and a handle.
    private static func isWindow(_ window: String) -> Bool {
        if window.hasPrefix("x11:") {
            let number = window.dropFirst("x11:".count)
            return UInt32(number, radix: 16) != nil
        }
        return window.isEmpty || (window.hasPrefix("wayland:") && window.utf8.count > "wayland:".utf8.count)
    }
}

extension Value {
    /// Bytes of the longest string in it: what the limit of 4 KiB an argument is about.
    var longestText: Int {
        switch self {
        case .string(let text), .objectPath(let text), .signature(let text): text.utf8.count
        case .array(_, let values), .structure(let values): values.reduce(0) { $0 + $1.longestText }
        case .dictionary(_, _, let entries): entries.reduce(0) { $0 + $1.key.longestText + $1.value.longestText }
        case .variant(let value): value.longestText
        default: 0
        }
    }
}
