public import AuthWire

/// Words of others made fit to be shown: no control and no bidirectional formatting characters, and not too long.
public enum Plain {
    /// - Parameter limit: in bytes of UTF-8; what is cut is cut between scalars.
    public static func text(_ text: String, limit: Int = Wire.Limit.reason) -> String {
        var kept = String.UnicodeScalarView()
        var length = 0
        for scalar in text.unicodeScalars where isPlain(scalar) {
            length += UTF8.width(scalar)
            guard length <= limit else { break }
            kept.append(scalar)
        }
        return String(kept)
    }

    /// Categories Cc, Cf (which has the bidirectional controls, zero-width and tag characters), Zl, Zp, Cs, Co and Cn.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
