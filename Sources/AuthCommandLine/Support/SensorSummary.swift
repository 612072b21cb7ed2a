import AuthWire
import DBus

/// The Fingerprint object's properties, as people want to hear them.
struct SensorSummary: Sendable {
    let properties: [String: Value]

    init(_ properties: [String: Value]) { self.properties = properties }

    private func value(_ property: Wire.Fingerprint.Property) -> Value? { properties[property.rawValue] }
    private func text(_ property: Wire.Fingerprint.Property) -> String {
        PlainText.strip(value(property)?.asString ?? "")
    }

    var isAvailable: Bool { value(.available)?.asBool ?? false }
    var isBusy: Bool { value(.busy)?.asBool ?? false }
    var isSwipe: Bool { text(.scanType) == "swipe" }
    var stages: UInt32 { value(.enrollStages)?.asUInt32 ?? 0 }
    /// `libfprint`, `fprintd` or `none`.
    var backend: String { text(.backend) }
    var deviceName: String { text(.deviceName) }
    /// Whether another finger under the same name is noticed.
    var comparesPrints: Bool { text(.domainStateBasis) != "names" }

    /// What to do, without a full stop.
    func request(_ finger: String) -> String {
        isSwipe ? "Swipe your \(finger) over the sensor" : "Touch the sensor with your \(finger)"
    }

    func line(_ style: Style) -> String {
        guard isAvailable else { return "no sensor" }
        let name = deviceName.isEmpty ? "a sensor" : deviceName
        return "\(name), by \(backend)" + (isBusy ? style.yellow(", in use") : "")
    }

    /// "none enrolled", or how many and which.
    static func fingers(_ fingers: [Wire.Finger]) -> String {
        fingers.isEmpty
            ? "none enrolled"
            : "\(fingers.count) enrolled: " + fingers.map(FingerWords.name).joined(separator: ", ")
    }
}
