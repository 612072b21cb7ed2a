import AuthWire

/// Fingers as people call them.
enum FingerWords {
    /// `right-index-finger` is "right index finger".
    static func name(_ finger: Wire.Finger) -> String {
        finger.rawValue.map { $0 == "-" ? " " : String($0) }.joined()
    }
}
