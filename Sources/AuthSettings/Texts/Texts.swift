internal import AuthTexts
import AuthWire

/// What the window says. Titles of controls carry a mnemonic: the letter after the underscore.
enum Texts {
    static var window: String { translated("SmileAuth Settings") }
    static var back: String { translated("_Back") }

    // MARK: the pages

    static var passcode: String { translated("_Passcode") }
    static var fingers: String { translated("_Fingers") }
    static var locking: String { translated("_Locking") }
    static var looks: String { translated("Loo_ks") }
    static var apps: String { translated("_Apps with a Lock") }

    // MARK: the service

    static var connecting: String { translated("Asking the service for its settings.") }
    static var noBus: String { translated("There is no session bus. The settings come back with it.") }
    static var absent: String {
        translated("The SmileAuth service is not running. Until it is back, it locks nothing.")
    }
    static var cannotStart: String { translated("The SmileAuth service cannot be started. Is it installed?") }
    static var startService: String { translated("_Start the Service") }
    static var storeAway: String {
        translated("The keyring does not answer. Until it does, no passcode can be checked or changed.")
    }
    static var storeLost: String {
        translated("The keyring has lost your passcode. Run “smileauth reset” with your account password.")
    }
    static var sessionLocked: String { translated("The session is locked. What is weaker can be set once it is open.") }

    static var notAsked: String {
        translated("SmileAuth has not asked you since it started. Unlock once before you make the lock weaker.")
    }
    static var unlock: String { translated("Unlock") }

    // MARK: waiting for a person

    static var answerThere: String { translated("Answer in the window that asks.") }
    static var proveThere: String {
        translated("This makes the lock weaker: give its passcode in the window that asks.")
    }
    static var proveByLocking: String {
        translated("This makes the lock weaker: the lock closes now, to ask for your finger.")
    }
    static var proveAgain: String {
        translated("The lock is open. Give its passcode as well, in the window that asks.")
    }

    /// What the prompt says that it asks for; empty for what the lock says by itself.
    static func reason(_ item: Item, _ state: ServiceState) -> String {
        switch item {
        case .unlock: ""
        case .enroll: translated("Enroll a finger")
        case .finger: translated("Delete a finger")
        case .deleteAll: translated("Delete every finger")
        case .app(let path):
            // Translators: an application's name or id.
            translated("Remove the lock of %s").filled("%s", with: state.apps[path]?.application ?? "")
        case .factors, .fingerEnabled: translated("Change what opens the lock")
        case .cause: translated("Change what locks")
        case .grace: translated("Change how soon it asks again")
        case .requirePasscode: translated("Change who may change the passcode")
        default: translated("Change a setting")
        }
    }

    // MARK: time

    /// A countdown, such as 4:59.
    static func wait(_ seconds: UInt64) -> String {
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds / 60
        let clock =
            minutes < 60
            ? "\(minutes):\(two(seconds % 60))" : "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
        // Translators: a time like 4:59.
        let again = translated("Try again in %s").filled("%s", with: "\u{2068}" + clock + "\u{2069}")
        return translated("Too many wrong entries.") + " " + again
    }

    static func span(_ seconds: Double) -> String {
        let whole = UInt(max(0, seconds.rounded()))
        if whole >= 3600, whole % 3600 == 0 { return counted("%ld hour", "%ld hours", whole / 3600) }
        if whole >= 60, whole % 60 == 0 { return counted("%ld minute", "%ld minutes", whole / 60) }
        return counted("%ld second", "%ld seconds", whole)
    }

    // MARK: what did not work

    static func failure(_ error: WireError?) -> String {
        switch error {
        case .userCancel, .appCancel, .userFallback: translated("Cancelled. Nothing was changed.")
        case .systemCancel: translated("Ended by a lock, or after waiting too long. Nothing was changed.")
        case .notAuthorized, .invalidContext, .notInteractive:
            translated("Not allowed now: the session is locked, or the passcode was not given.")
        case .lockedOut: translated("Too many wrong entries.")
        case .biometryLockout: translated("Too many fingers were not recognised. Give the passcode first.")
        case .storeUnavailable: translated("The keyring or the disk did not take it. Nothing was changed.")
        case .storeLost: storeLost
        case .passcodeAlreadySet: translated("A passcode is set. Turn it off first.")
        case .passcodeNotSet: translated("No passcode is set. Turn one on first.")
        case .biometryNotAvailable: translated("There is no usable fingerprint sensor.")
        case .biometryNotEnrolled: translated("No finger is enrolled.")
        case .busy: translated("The service is busy with something else. Try again.")
        case .fingerAlreadyEnrolled: translated("This finger is enrolled already.")
        case .limitsExceeded: translated("There is no room for more.")
        case .authenticationFailed: translated("The finger was not recognised. Try again.")
        case .invalidPasscode: translated("This passcode cannot be used. Try again.")
        case nil: translated("That did not work. Nothing was changed.")
        }
    }

    static var unusable: String { translated("This cannot be used here. Nothing was changed.") }
    static var noAnswer: String { translated("The service did not answer. What is shown here is what it said last.") }

    /// A title without its mnemonic, for who hears it.
    static func plain(_ title: String) -> String {
        // As some languages have it: the letter in brackets behind the word.
        var text = title
        if let open = text.lastIndex(of: "("), text[open...].hasPrefix("(_"), text[open...].count >= 4 {
            text.removeSubrange(open..<text.index(open, offsetBy: 4))
        }
        return String(text.filter { $0 != "_" })
    }

    /// With a capital letter, where a finger's name begins a line.
    static func capitalised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
