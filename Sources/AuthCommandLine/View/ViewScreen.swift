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

    /// What an empty line does in this view, where it does something.
    ///
    /// - Parameters:
    ///   - misses: fingers that were not recognised since the finger button.
    ///   - hasUsedButton: the button was used, so that the next empty line is for the account password.
    func hint(_ view: AuthView, misses: Int, hasUsedButton: Bool) -> String {
        let canCancel = view.type == .once || view.type == .three
        // After the third the sensor is off; before the first it is about to be armed by itself.
        let isOff = view.finger == .off && (canCancel || misses > 0)
        let button: String? =
            if hasUsedButton || !view.takesFinger {
                nil
            } else if !view.fingersToPick.isEmpty {
                "An empty line lets you choose another finger."
            } else {
                isOff ? "An empty line turns the sensor on." : nil
            }
        let account: String? =
            if view.takesAccountPassword, view.demand != .account {
                button == nil
                    ? "An empty line asks for the account password instead."
                    : "A second one asks for the account password."
            } else {
                nil
            }
        let words = [button, account].compactMap { $0 }
        return words.isEmpty ? "" : style.dim("  " + words.joined(separator: " ")) + "\n"
    }

    /// What the finger does beside a passcode's prompt; what went wrong with it the view's description says.
    func finger(_ finger: FingerLine, or entry: String) -> String {
        switch finger.state {
        case .armed:
            let with = finger.picked.map { " with the " + FingerWords.name($0) } ?? ""
            return style.dim("  Touch the sensor\(with), or enter the \(entry).") + "\n"
        case .gone: return note("The fingerprint sensor is away, or in use elsewhere. It comes back by itself.")
        case .none, .off, .retry, .noMatch, .changed: return ""
        }
    }

    /// The same where the finger comes first, or alone.
    ///
    /// - Parameter failed: the description tells of a wrong entry.
    func fingerAlone(_ description: String, _ finger: FingerLine, failed: Bool = false) -> String {
        if failed { return failure(description) + "  Touch the fingerprint sensor again.\n" }
        return switch finger.state {
        case .noMatch: failure(description)
        case .retry, .changed, .gone: note(description)
        case .none, .off, .armed: "  " + PlainText.strip(description) + "\n"
        }
    }

    /// The fingers to choose from, by number.
    func picks(_ fingers: [Wire.Finger]) -> String {
        fingers.enumerated().map { "  \($0.offset + 1)  \(FingerWords.name($0.element))\n" }.joined()
    }

    func wait(microseconds: UInt64) -> String {
        "  " + style.yellow("Too many wrong entries. Try again in \(Span.clock(microseconds: microseconds))")
    }

    func note(_ text: String) -> String { "  " + style.yellow(PlainText.strip(text)) + "\n" }
    func failure(_ text: String) -> String { "  " + style.red(PlainText.strip(text)) + "\n" }
}
