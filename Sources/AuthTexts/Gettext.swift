internal import CGLib

/// `text` in the session's language; `text` itself, which is English, where no catalog has it.
///
/// scripts/po-extract finds the calls of these functions by their names, so the texts stand in them as plain literals.
public func translated(_ text: StaticString) -> String {
    text.withCString { String(cString: g_dgettext(Catalogs.domain, $0)) }
}

/// The form of `text` that the language has for `count`, with the number in place of `%ld`, which is the original's
/// placeholder. For English texts that are the same for any number; the English catalog may know better.
public func counted(_ text: StaticString, _ count: UInt) -> String { counted(text, text, count) }

/// The same, for English texts of two forms.
public func counted(_ one: StaticString, _ many: StaticString, _ count: UInt) -> String {
    let form = one.withCString { one in
        many.withCString { many in String(cString: g_dngettext(Catalogs.domain, one, many, gulong(count))) }
    }
    return form.filled("%ld", with: "\(count)")
}

extension StaticString {
    fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        // A static string ends with a NUL (its documentation).
        withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return "".withCString(body) }
                return body(start)
            }
        }
    }
}

extension String {
    /// With `text` in place of the first `hole`.
    public func filled(_ hole: String, with text: String) -> String {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(hole), let end = index(start, offsetBy: hole.count, limitedBy: endIndex) {
                return String(self[..<start]) + text + String(self[end...])
            }
            start = index(after: start)
        }
        return self
    }
}
