/// Makes other people's text fit to print: reasons, application ids and names come from whoever called the service.
enum PlainText {
    /// Without control characters (C0, DEL, C1: terminal escapes begin with them), line and paragraph separators, and
    /// the characters that change the direction of text (Unicode's Bidi_Control) and so could make a line read
    /// otherwise than it was written.
    static func strip(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        plain.append(contentsOf: text.unicodeScalars.filter { !isUnsafe($0) })
        return String(plain)
    }

    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1f, 0x7f...0x9f: true  // controls
        case 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true  // Bidi_Control
        case 0x2028, 0x2029: true  // separators
        default: false
        }
    }

    /// The number of terminal columns, near enough for our own tables: one for each character.
    static func width(_ text: String) -> Int { text.count }

    /// `text` with spaces up to `width` columns.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - Self.width(text)))
    }
}
