internal import AuthTexts
import AuthWire

/// What the window says by itself.
enum PromptTexts {
    // MARK: the entry, for who hears it

    static func digits(_ filled: Int, of count: Int) -> String {
        // Translators: the noun goes with the second number.
        counted("%1$ld of %2$ld digit entered", "%1$ld of %2$ld digits entered", UInt(max(0, count)))
            .filled("%1$ld", with: "\(filled)").filled("%2$ld", with: "\(count)")
    }

    static func characters(_ count: Int) -> String {
        counted("%ld character entered", "%ld characters entered", UInt(max(0, count)))
    }

    static func dots(_ count: Int) -> String {
        counted("%ld dot connected", "%ld dots connected", UInt(max(0, count)))
    }

    static var rowHelp: String { translated("Type the digits of your passcode.") }
    static var fieldHelp: String { translated("Type your passcode, then press Enter.") }
    static var accountHelp: String { translated("Type your account password, then press Enter.") }
    static var padHelp: String {
        translated("Draw with the pointer, or type the dots as digits 1 to 9, row by row, then press Enter.")
    }

    // MARK: who asks, and why

    /// Where somebody else asks, or nobody: whose passcode is asked for is on the window, whatever the reason says.
    static func owner(_ application: String) -> String {
        // Translators: which application's passcode is asked for; its id, like org.example.Notes.
        translated("Lock of %s").filled("%s", with: application.isolated)
    }

    static func requester(_ name: String, isVerified: Bool) -> String {
        // Translators: who wants something to be unlocked, an application's name.
        let text = isVerified ? translated("%s asks") : translated("Unverified: %s asks")
        return text.filled("%s", with: name.isolated)
    }

    /// Others' words, in the language's quotation marks.
    /// Translators: your language's own quotation marks.
    static func quoted(_ reason: String) -> String { translated("“%s”").filled("%s", with: reason.isolated) }

    // MARK: waiting

    /// `seconds` as hours, minutes and seconds.
    static func wait(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let clock = hours > 0 ? "\(hours):\(two(minutes)):" : "\(minutes):"
        // Translators: a time like 4:59.
        return translated("Try again in %s").filled("%s", with: (clock + two(seconds % 60)).isolated)
    }

    // MARK: buttons

    static var cancel: String { translated("Cancel") }
    static var accountPassword: String { translated("Use Account Password") }
    static var passcode: String { translated("Use Passcode") }
    static var pattern: String { translated("Use Pattern") }
    static var finger: String { translated("Use Fingerprint") }
    static var hideLine: String { translated("Hide Line") }
    static var showLine: String { translated("Show Line") }

    // MARK: the account password

    static var accountTitle: String { translated("Enter Account Password") }
    static var accountDescription: String { translated("Enter the password of your account on this computer") }
    static var accountWrong: String { translated("That is not your account password. Try again.") }
    /// Without a PAM service of ours `other` was asked, which may know no password at all.
    static var accountDoubted: String {
        translated("That is not your account password, or it cannot be checked: there is no PAM service smileauth.")
    }

    // MARK: the finger

    static func finger(_ state: Wire.FingerState) -> String {
        switch state {
        case .none, .gone: ""
        case .off: translated("Use Fingerprint")
        case .armed: translated("Touch the sensor")
        case .retry: translated("Touch again")
        case .noMatch: translated("Not recognised")
        case .changed: translated("Fingers have changed")
        }
    }

    // MARK: entries that were no tries

    /// What became of an entry, where the view's own description does not say it; nil where it does.
    static func refusal(_ error: WireError, kind: Wire.PasscodeKind) -> String? {
        switch error {
        case .invalidPasscode where kind == .pattern: translated("Connect at least 4 dots.")
        case .invalidPasscode where kind == .text: translated("Use 4 to 64 characters.")
        case .invalidPasscode: translated("This passcode cannot be used. Try again.")
        case .busy: translated("Another entry is being checked. Try again.")
        case .limitsExceeded: translated("This entry is too long.")
        case .invalidContext: translated("Nothing can be entered right now.")
        // Of the account password only: PAM has no answer.
        case .notAuthorized: translated("The account password cannot be checked.")
        default: nil
        }
    }
}

extension String {
    /// Set apart, so that others' words of another direction leave the text around them alone (Unicode's FSI, PDI).
    var isolated: String { "\u{2068}" + self + "\u{2069}" }
}
