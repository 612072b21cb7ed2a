import AuthWire

/// What a view looks like on a terminal. Pure text.
struct ViewScreen {
    let style: Style

    /// Title, and whose words the reason is.
    func header(_ view: AuthView) -> String {
        var text = style.bold(PlainText.strip(view.title)) + "\n"
        let requester = PlainText.strip(view.requester)
        let reason = PlainText.strip(view.reason)
        if !reason.isEmpty { text += "  \u{201c}\(reason)\u{201d}\n" }
        if !requester.isEmpty {
            text += style.dim("  asked by \(requester)" + (view.isVerified ? "" : ", unverified")) + "\n"
        }
        return text
    }

    /// The pad's numbering, for patterns.
    func pad() -> String {
        let bar = "    \u{2502}   \u{2502}   \u{2502}"
        let rows = ["1 \u{2500} 2 \u{2500} 3", "4 \u{2500} 5 \u{2500} 6", "7 \u{2500} 8 \u{2500} 9"].map { "    " + $0 }
        return rows.joined(separator: "\n\(style.dim(bar))\n") + "\n"
            + style.dim("  4 to 9 dots, each once, as digits; a straight move takes the dot between along.") + "\n"
    }

    /// The prompt; the step's own text, or after a wrong entry what went wrong and then what to enter. A view that was
    /// joined may tell of a wrong entry too: then its text is a sentence.
    ///
    /// - Parameter isTold: something else went wrong since, and was said; an older sentence would only confuse.
    func prompt(_ view: AuthView, failed: Bool, isTold: Bool = false) -> String {
        let description = PlainText.strip(view.description)
        if failed || description.isEmpty || [".", "\u{3002}", "!"].contains(description.suffix(1)) {
            let said = description.isEmpty || isTold ? "" : "  " + style.red(description) + "\n"
            return said + "  " + ViewScreen.entryName(view.kind) + ": "
        }
        return "  " + description + ": "
    }

    static func entryName(_ kind: Wire.PasscodeKind) -> String {
        switch kind {
        case .digits: "Passcode"
        case .text: "Passphrase"
        case .pattern: "Pattern"
        }
    }

    func accountHint() -> String {
        style.dim("  An empty line asks for the account password instead.") + "\n"
    }

    func wait(microseconds: UInt64) -> String {
        "  " + style.yellow("Too many wrong entries. Try again in \(Span.clock(microseconds: microseconds))")
    }

    func note(_ text: String) -> String { "  " + style.yellow(PlainText.strip(text)) + "\n" }
    func failure(_ text: String) -> String { "  " + style.red(PlainText.strip(text)) + "\n" }
}
