/// An authenticator's durable settings; a fresh one has the defaults.
public struct Settings: Sendable, Equatable {
    var securityType = SecurityType.twice
    /// Digits of a passcode yet to be set, 4 to 64.
    var passcodeDigit: UInt32 = 4
    /// Grace in seconds since the last success, 0 to 86,400.
    var timeoutInterval = 0.0
    /// Empty for the translated default.
    var localizedReason = ""
    var tintColor = "#ff2d55"
    /// Empty: by night mode.
    var descriptionTextColor = ""
    var touchIDIconName = ""
    var appLogoName = ""
    var backgroundImage = ""
    var navibarTranslucent = false
    var parallaxMode = true
    var nightMode = "auto"
    var fingerprintEnabled = true
    var factorMode = FactorMode.any
    var requirePasscodeForChanges = false
    var lockOn = Set(Cause.allCases)
    /// Nil for the translated default; empty hides the button.
    var localizedFallbackTitle: String?
    var localizedCancelTitle = ""
    /// Seconds, 0 to 300.
    var allowableReuseDuration = 0.0

    public init() {}

    /// The value as the bus shows it, or nil for what is no setting.
    func value(of property: Property) -> PropertyValue? {
        switch property {
        case .securityType: .string(securityType.rawValue)
        case .passcodeDigit: .uint32(passcodeDigit)
        case .timeoutInterval: .double(timeoutInterval)
        case .localizedReason: .string(localizedReason)
        case .tintColor: .string(tintColor)
        case .descriptionTextColor: .string(descriptionTextColor)
        case .touchIDIconName: .string(touchIDIconName)
        case .appLogoName: .string(appLogoName)
        case .backgroundImage: .string(backgroundImage)
        case .navibarTranslucent: .bool(navibarTranslucent)
        case .parallaxMode: .bool(parallaxMode)
        case .nightMode: .string(nightMode)
        case .fingerprintEnabled: .bool(fingerprintEnabled)
        case .factorMode: .string(factorMode.rawValue)
        case .requirePasscodeForChanges: .bool(requirePasscodeForChanges)
        case .lockOn: .strings(lockOn.sorted().map(\.rawValue))
        case .localizedFallbackTitle: localizedFallbackTitle.map(PropertyValue.string)
        case .localizedCancelTitle: .string(localizedCancelTitle)
        case .allowableReuseDuration: .double(allowableReuseDuration)
        default: nil
        }
    }

    /// Takes a value in, if it is one that the property may have; answers whether it did.
    mutating func set(_ property: Property, to value: PropertyValue) -> Bool {
        switch (property, value) {
        case (.securityType, .string(let name)):
            guard let type = SecurityType(flow: name) else { return false }
            securityType = type
        case (.passcodeDigit, .uint32(let digits)):
            guard let length = Self.digits(digits) else { return false }
            passcodeDigit = length
        case (.timeoutInterval, .double(let seconds)):
            // NaN fails both comparisons. Minus zero is zero.
            guard seconds >= 0, seconds <= 86_400 else { return false }
            timeoutInterval = seconds + 0.0
        case (.localizedReason, .string(let reason)):
            localizedReason = reason
        case (.tintColor, .string(let color)):
            guard let color = Self.color(color) else { return false }
            tintColor = color
        case (.descriptionTextColor, .string(let color)):
            guard let color = color.isEmpty ? "" : Self.color(color) else { return false }
            descriptionTextColor = color
        case (.touchIDIconName, .string(let name)): touchIDIconName = name
        case (.appLogoName, .string(let name)): appLogoName = name
        case (.backgroundImage, .string(let name)): backgroundImage = name
        case (.navibarTranslucent, .bool(let flag)): navibarTranslucent = flag
        case (.parallaxMode, .bool(let flag)): parallaxMode = flag
        case (.nightMode, .string(let mode)):
            guard ["auto", "on", "off"].contains(mode) else { return false }
            nightMode = mode
        case (.fingerprintEnabled, .bool(let flag)): fingerprintEnabled = flag
        case (.factorMode, .string(let name)):
            guard let mode = FactorMode(rawValue: name) else { return false }
            factorMode = mode
        case (.requirePasscodeForChanges, .bool(let flag)): requirePasscodeForChanges = flag
        case (.lockOn, .strings(let names)):
            let causes = names.compactMap(Cause.init)
            guard causes.count == names.count else { return false }
            lockOn = Set(causes)
        case (.localizedFallbackTitle, .string(let title)): localizedFallbackTitle = title
        case (.localizedCancelTitle, .string(let title)): localizedCancelTitle = title
        case (.allowableReuseDuration, .double(let seconds)):
            guard seconds >= 0, seconds <= 300 else { return false }
            allowableReuseDuration = seconds + 0.0
        default: return false
        }
        return true
    }

    /// Whether going from `old` to these makes anything easier to open (SPEC: what needs a recent passcode).
    func isWeaker(than old: Settings) -> Bool {
        timeoutInterval > old.timeoutInterval || !lockOn.isSuperset(of: old.lockOn) || factorMode != old.factorMode
            || (fingerprintEnabled && !old.fingerprintEnabled)
            || (old.requirePasscodeForChanges && !requirePasscodeForChanges)
            || allowableReuseDuration > old.allowableReuseDuration
    }

    /// 0 means the default of 4; 4 to 64 are themselves; nil for the rest.
    static func digits(_ digits: UInt32) -> UInt32? {
        digits == 0 ? 4 : PasscodeRules.lengths.contains(Int(digits)) ? digits : nil
    }

    /// `#rrggbb` in lower case, or nil.
    private static func color(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[0] == UInt8(ascii: "#") else { return nil }
        guard text.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return text.lowercased()
    }

    // MARK: As fields of a file

    static let stored: [Property] = [
        .securityType, .passcodeDigit, .timeoutInterval, .localizedReason, .tintColor, .descriptionTextColor,
        .touchIDIconName, .appLogoName, .backgroundImage, .navibarTranslucent, .parallaxMode, .nightMode,
        .fingerprintEnabled, .factorMode, .requirePasscodeForChanges, .lockOn,
        .localizedFallbackTitle, .localizedCancelTitle, .allowableReuseDuration,
    ]

    var fields: [String: String] {
        var fields: [String: String] = [:]
        for property in Self.stored {
            switch value(of: property) {
            case .string(let text): fields[property.rawValue] = text
            case .bool(let flag): fields[property.rawValue] = flag ? "true" : "false"
            case .uint32(let number): fields[property.rawValue] = "\(number)"
            case .double(let number): fields[property.rawValue] = "\(number)"
            case .strings(let list): fields[property.rawValue] = list.joined(separator: ",")
            case .uint64, .bytes, nil: break
            }
        }
        return fields
    }

    /// Reads settings; what is missing has its default. Nil when one has a value that it may not have: then none of
    /// the file is believed.
    init?(fields: [String: String]) {
        for property in Self.stored {
            guard let text = fields[property.rawValue] else { continue }
            let value: PropertyValue? =
                switch value(of: property) ?? .string("") {
                case .string: .string(text)
                case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : nil
                case .uint32: UInt32(text).map(PropertyValue.uint32)
                case .double: Double(text).map(PropertyValue.double)
                case .strings: .strings(text.split(separator: ",").map(String.init))
                case .uint64, .bytes: nil
                }
            guard let value, set(property, to: value) else { return nil }
        }
    }
}
