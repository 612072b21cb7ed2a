import AuthCore
import CGLib

/// What the view says, in the words of SmileTouchID, translated by gettext.
enum Texts {
    /// SMILE_REASON
    static var reason: String { translated("Are you the device owner?") }

    static func title(_ view: ViewState) -> String {
        switch view.type {
        case .touchid, .policy: unlockTitle(view)
        case .once: translated("Turn off Passcode")  // SMILE_INPUT_ONCE_TITLE
        case .twice: translated("Set Passcode")  // SMILE_INPUT_TWICE_TITLE
        case .three: translated("Change Passcode")  // SMILE_INPUT_THREE_TITLE
        }
    }

    private static func unlockTitle(_ view: ViewState) -> String {
        switch (view.demand, view.type) {
        case (.finger, _): translated("Use Fingerprint")
        case (.account, _): translated("Enter Account Password")
        case (.either, .policy): translated("Use Fingerprint or Passcode")
        case (.either, _), (.passcode, _): translated("Enter Passcode")  // SMILE_INPUT_TOUCHID_TITLE
        }
    }

    /// LocalizedFallbackTitle's default, and what an evaluation's fallback button says for it.
    static var fallback: String { translated("Enter Passcode") }
    /// What the cancel button says where LocalizedCancelTitle is empty.
    static var cancel: String { translated("Cancel") }

    static func description(_ view: ViewState) -> String {
        switch view.trouble {
        case .storeUnavailable: return translated("The keyring that keeps your passcode does not answer or is locked.")
        case .storeLost: return translated("Your passcode is no longer in the keyring. Use your account password.")
        case .none: break
        }
        switch view.notice {
        case .failed(let count):
            // SMILE_INPUT_FAILED
            return counted("%ld Failed Passcode Attempt(s). Try again.", UInt(count))
        case .mismatch:
            return translated("Passcodes do not match. Try again.")  // SMILE_INPUT_NOT_MATCH
        case .retry(let reason): return retry(reason)
        case .noMatch: return noMatch(view)
        case .none: return finger(view) ?? request(view)
        }
    }

    private static func request(_ view: ViewState) -> String {
        let digits = UInt(view.digits)
        // SMILE_INPUT_THREE_STEP_1_DESCRIPTION and STEP_2, RE-ENTER, DESCRIPTION; then the forms of the other kinds.
        return switch (view.kind, view.type, view.step) {
        case (.digits, .three, .old): counted("Enter your old %ld digit passcode", digits)
        case (.digits, .three, .new): counted("Enter your new %ld digit passcode", digits)
        case (.digits, _, .again): counted("Re-enter your %ld digit passcode", digits)
        case (.digits, _, _): counted("Enter %ld digit passcode", digits)
        case (.text, .three, .old): translated("Enter your old passcode")
        case (.text, .three, .new): translated("Enter your new passcode")
        case (.text, _, .again): translated("Re-enter your passcode")
        case (.text, _, _): translated("Enter your passcode")
        case (.pattern, .three, .old): translated("Draw your old pattern")
        case (.pattern, .three, .new): translated("Draw your new pattern")
        case (.pattern, _, .again): translated("Draw your pattern again")
        case (.pattern, _, _): translated("Draw your pattern")
        }
    }

    // MARK: gettext

    private static let domain = "smileauth"

    static func translated(_ text: StaticString) -> String {
        text.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { String(cString: g_dgettext(domain, $0.baseAddress)) }
        }
    }

    /// `%ld` is the original's placeholder; a translation has it at the place where its language wants the number.
    private static func counted(_ text: StaticString, _ count: UInt) -> String {
        let form = text.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                String(cString: g_dngettext(domain, $0.baseAddress, $0.baseAddress, gulong(count)))
            }
        }
        return form.filled("%ld", with: "\(count)")
    }
}

extension String {
    /// With `text` in place of the first `hole`.
    func filled(_ hole: String, with text: String) -> String {
        firstRange(of: hole).map { replacingCharacters(in: $0, with: text) } ?? self
    }

    /// The first place where `text` stands.
    fileprivate func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text), let end = index(start, offsetBy: text.count, limitedBy: endIndex) {
                return start..<end
            }
            start = index(after: start)
        }
        return nil
    }

    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
