import AuthWire
import DBus

extension CommandFailure {
    /// What to tell the person about any error of a verb.
    init(describing error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let failure as DBusFailure: self.init(failure)
        default: self.init(.refused, "\(error)")
        }
    }

    init(_ failure: DBusFailure) {
        let message = PlainText.strip(failure.message)
        if let error = WireError(fullName: failure.name) {
            self.init(CommandFailure.status(error), CommandFailure.sentence(error, message))
            return
        }
        let standard = "org.freedesktop.DBus.Error."
        let name = failure.name.hasPrefix(standard) ? String(failure.name.dropFirst(standard.count)) : ""
        switch name {
        case "InvalidArgs", "PropertyReadOnly": self.init(.usage, "the service does not take this: \(message)")
        case "ServiceUnknown", "NameHasNoOwner":
            self.init(.unavailable, "the service is not there: nothing owns or starts \(Wire.busName)")
        case "NoReply", "Timeout", "TimedOut": self.init(.unavailable, "the service does not answer")
        case "Disconnected": self.init(.unavailable, "the session bus is gone")
        case _ where name.hasPrefix("Spawn"): self.init(.unavailable, "the service does not start: \(message)")
        case "UnknownMethod", "UnknownObject", "UnknownInterface", "UnknownProperty", "InconsistentMessage":
            self.init(.unavailable, "the service does not know this call: it is of another version than this program")
        default: self.init(.refused, message.isEmpty ? PlainText.strip(failure.name) : message)
        }
    }

    /// Without a store nothing can be said about the passcode; everything else is a refusal.
    static func status(_ error: WireError) -> ExitStatus {
        error == .storeUnavailable || error == .storeLost ? .unavailable : .refused
    }

    /// One line for each error, with the service's own words where they say more.
    static func sentence(_ error: WireError, _ message: String = "") -> String {
        let more = message.isEmpty ? "" : ": \(message)"
        return switch error {
        case .authenticationFailed: "that is not right"
        case .userCancel: "cancelled"
        case .userFallback: "another way was chosen"
        case .systemCancel: "interrupted: the session was locked or put away, or nothing was entered for two minutes"
        case .passcodeNotSet: "no passcode is set (smileauth set)"
        case .biometryNotAvailable: message.isEmpty ? "no usable fingerprint sensor" : clause(message)
        case .biometryNotEnrolled: "no finger is enrolled"
        case .biometryLockout: "too many fingers did not match; the passcode is needed"
        case .appCancel: "withdrawn by the application"
        case .invalidContext: "not now\(more)"
        case .notInteractive: "somebody would have to be asked"
        case .lockedOut: "too many wrong entries\(more)"
        case .passcodeAlreadySet: "a passcode is set already (smileauth change)"
        case .invalidPasscode: "no such passcode\(more)"
        case .storeUnavailable: "the store of passcodes does not answer\(more)"
        case .storeLost: "the passcode is gone from the store; the account password is the way back (smileauth reset)"
        // The account password, where PAM cannot be asked: that is no word on who may do it.
        case .notAuthorized where message.hasPrefix("The account password cannot be checked"): clause(message)
        case .notAuthorized: "not allowed\(more)"
        case .limitsExceeded: "too much\(more)"
        case .fingerAlreadyEnrolled: message.isEmpty ? "this finger is enrolled already" : clause(message)
        case .busy: "somebody else is at it; try again"
        }
    }

    /// A sentence of the service's inside one of ours, with fingers as people call them.
    private static func clause(_ message: String) -> String {
        let words = message.split(separator: " ", omittingEmptySubsequences: false).map { word in
            Wire.Finger(rawValue: String(word)).map(FingerWords.name) ?? String(word)
        }
        let text = words.joined(separator: " ")
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// What a refused account password means. Without a PAM service of ours `other` was asked, which may know no
    /// password at all.
    static func notTheAccountPassword(_ pam: Finding = MachineChecks.pam()) -> String {
        let doubt = ", or it cannot be checked: there is no PAM service smileauth (smileauth doctor)"
        return "that is not the account password" + (pam.level == .fail ? doubt : "")
    }

    /// A wrong entry, or a finger that is none, where turning off or changing was asked for on the session.
    ///
    /// - Parameter method: AuthenticationFailed's: `passcode` or `fingerprint`.
    static func lockedAfterFailure(_ method: String) -> CommandFailure {
        let what = method == "fingerprint" ? "that finger was not recognised" : "that is not the passcode"
        return .refused("\(what), and it is locked now: smileauth unlock")
    }

    /// The end of a view or a request that is no success.
    init(result: String, message: String = "") {
        if let error = WireError(rawValue: result) {
            self.init(CommandFailure.status(error), CommandFailure.sentence(error, PlainText.strip(message)))
        } else {
            self.init(.refused, "ended: \(PlainText.strip(result))")
        }
    }
}
