import AuthCore
import AuthTexts

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
        return switch (view.kind, view.type, view.step) {
        // SMILE_INPUT_THREE_STEP_1_DESCRIPTION
        case (.digits, .three, .old): counted("Enter your old %ld digit passcode", digits)
        // SMILE_INPUT_THREE_STEP_2_DESCRIPTION
        case (.digits, .three, .new): counted("Enter your new %ld digit passcode", digits)
        // SMILE_INPUT_RE-ENTER
        case (.digits, _, .again): counted("Re-enter your %ld digit passcode", digits)
        // SMILE_INPUT_DESCRIPTION
        case (.digits, _, _): counted("Enter %ld digit passcode", digits)
        // The same of the other kinds.
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
}
