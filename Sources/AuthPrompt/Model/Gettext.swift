internal import CGLib

/// The window's own texts, by gettext. The view's texts come translated from the service.
enum Gettext {
    private static let domain = "smileauth"

    static func translated(_ text: StaticString) -> String {
        text.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { String(cString: g_dgettext(domain, $0.baseAddress)) }
        }
    }

    /// The form that the language has for `count`.
    static func counted(_ one: StaticString, _ many: StaticString, _ count: Int) -> String {
        one.withUTF8Buffer { one in
            many.withUTF8Buffer { many in
                one.withMemoryRebound(to: CChar.self) { one in
                    many.withMemoryRebound(to: CChar.self) { many in
                        String(cString: g_dngettext(domain, one.baseAddress, many.baseAddress, gulong(max(0, count))))
                    }
                }
            }
        }
    }
}

extension String {
    /// With `text` in place of the first `hole`.
    func filled(_ hole: String, with text: String) -> String {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(hole), let end = index(start, offsetBy: hole.count, limitedBy: endIndex) {
                return String(self[..<start]) + text + String(self[end...])
            }
            start = index(after: start)
        }
        return self
    }

    /// Set apart, so that others' words of another direction leave the text around them alone (Unicode's FSI, PDI).
    var isolated: String { "\u{2068}" + self + "\u{2069}" }
}
