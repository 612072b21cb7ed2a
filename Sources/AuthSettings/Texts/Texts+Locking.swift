internal import AuthTexts

/// The page of what locks.
extension Texts {
    static var nowGroup: String { translated("Now") }
    static var thisSession: String { translated("This session") }
    static var open: String { translated("Open.") }
    static var locked: String { translated("Locked.") }
    static var notOpenedYet: String { translated("Not unlocked since SmileAuth started.") }
    static var noLock: String { translated("No lock: there is no passcode, and no finger alone opens it.") }
    static var lockNow: String { translated("Lock _Now") }
    static var lockWhen: String { translated("Lock When") }
    static var lockWhenHelp: String { translated("Less of it makes the lock weaker, and needs the passcode.") }
    static var graceTitle: String { translated("Do not ask a_gain for") }
    static var graceHelp: String {
        translated("So long after an unlock, the next one needs nothing. Locking by hand ends it.")
    }
    static var always: String { translated("Always ask") }

    static func cause(_ cause: LockState.Cause) -> String {
        switch cause {
        case .idle: translated("Nobody is at the _desk")
        case .sleep: translated("The computer _sleeps")
        case .screenLock: translated("The s_creen is locked")
        case .seat: translated("Another _user takes the seat")
        }
    }

    static var coverGroup: String { translated("The Screen") }
    static func cover(_ cover: Cover) -> String {
        switch cover {
        case .full: translated("A locked session covers every monitor, and no key reaches your windows.")
        case .windowOnly:
            translated("On this desktop a locked session asks in a window like any other.") + " "
                + translated("It does not cover the screen or hold the keyboard: keep a screen locker.")
        }
    }
}

/// Whether the lock can cover the screen here.
enum Cover: Equatable, Sendable {
    case full, windowOnly
}
