internal import AuthTexts
import AuthWire

/// The page of the passcode.
extension Texts {
    static var lockGroup: String { translated("The Session’s Lock") }
    static var usePasscode: String { translated("_Use a passcode") }
    static var off: String { translated("Off. Nothing locks this session.") }
    static var offByFinger: String { translated("Off. A finger alone opens this session.") }
    static var unknown: String { translated("Not known: the keyring does not answer.") }

    static func on(_ kind: Wire.PasscodeKind?, digits: UInt32) -> String {
        switch kind {
        case .digits: counted("On, with %ld digit.", "On, with %ld digits.", UInt(digits))
        case .text: translated("On, with letters and signs.")
        case .pattern: translated("On, with a pattern.")
        case nil: translated("On.")
        }
    }

    static func failures(_ count: UInt32) -> String {
        counted(
            "%ld wrong entry since the last right one.", "%ld wrong entries since the last right one.", UInt(count))
    }

    static var changePasscode: String { translated("Change the passcode") }
    static var changePasscodeHelp: String { translated("Asks for the old one, then twice for the new one.") }
    static var change: String { translated("_Change…") }
    static var requirePasscode: String { translated("_Only the passcode changes it") }
    static var requirePasscodeHelp: String {
        translated("For turning it off or changing it, a finger will not do.")
    }

    /// A flow that has succeeded.
    static func done(_ type: Wire.SecurityType) -> String {
        switch type {
        case .twice: translated("The passcode is on.")
        case .once: translated("The passcode is off.")
        default: translated("The passcode is another now.")
        }
    }
    static var wrongPasscode: String {
        translated("That was not the passcode. Nothing was changed, and the session was locked.")
    }

    static var newPasscode: String { translated("A New Passcode") }
    static var newPasscodeHelp: String { translated("What you are asked for when you turn it on or change it.") }
    static var kind: String { translated("Kin_d") }
    static var length: String { translated("Len_gth") }
    static var lengthHelp: String { translated("4 to 64 digits. More are harder to guess, and to watch.") }

    static func kindName(_ kind: Wire.PasscodeKind) -> String {
        switch kind {
        case .digits: translated("Digits")
        case .text: translated("Letters and signs")
        case .pattern: translated("A pattern")
        }
    }

    static func kindHelp(_ kind: Wire.PasscodeKind) -> String {
        switch kind {
        case .digits: translated("Checked as soon as the last digit is there.")
        case .text: translated("4 to 64 letters, digits and signs, then Enter.")
        case .pattern: translated("A line over 4 to 9 of nine dots.")
        }
    }

    // MARK: what turning it on is to name

    static var before: String { translated("Before You Turn It On") }
    static func grace(_ seconds: Double) -> String {
        // Translators: the hole is a time, such as “5 minutes”.
        translated("After an unlock it opens without asking for %s.").filled("%s", with: span(seconds))
    }
    static func reuse(_ seconds: Double) -> String {
        // Translators: the hole is a time, such as “5 minutes”.
        translated("Applications may reuse a finger for %s after an unlock.").filled("%s", with: span(seconds))
    }
    static func doesNotLock(_ cause: LockState.Cause) -> String {
        switch cause {
        case .idle: translated("It does not lock when nobody is at the desk.")
        case .sleep: translated("It does not lock when the computer sleeps.")
        case .screenLock: translated("It does not lock when the screen is locked.")
        case .seat: translated("It does not lock when another user takes the seat.")
        }
    }
    static func openers(_ count: Int) -> String {
        count == 0
            ? translated("No finger is enrolled: the passcode alone opens it.")
            : counted("%ld enrolled finger opens it, too.", "%ld enrolled fingers open it, too.", UInt(count))
    }
    static var forgotten: String { translated("Forgotten your passcode?") }
    static var forgottenHelp: String {
        translated("Run “smileauth reset” in a terminal. It asks for the password of your account.")
    }
}
