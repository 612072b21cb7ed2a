import AuthWire

/// A control of the window, as what is going on is told at it.
enum Item: Hashable, Sendable {
    /// The button of the banner.
    case unlock
    case passcode, change, requirePasscode
    case finger(Wire.Finger)
    case deleteAll, enroll, test, fingerEnabled, factors
    case lockNow, grace
    case cause(LockState.Cause)
    case tint, descriptionColour, nightMode, background, logo, fingerIcon, header, parallax
    /// An application's, by its path.
    case app(String)
}

/// What is said at a control.
struct Notice: Equatable, Sendable {
    enum Kind: Sendable { case hint, done, failure }

    var kind: Kind
    var text: String
    /// Whether it goes by itself after a while: a success that is seen elsewhere, too.
    var isPassing = false
}

extension Item {
    /// The session's properties that the control is about: what was refused is over once one of them is another.
    var properties: [Wire.Authenticator.Property] {
        switch self {
        case .passcode, .change: [.hasPasscode, .storeState, .passcodeKind, .passcodeDigit]
        case .requirePasscode: [.requirePasscodeForChanges]
        case .fingerEnabled: [.fingerprintEnabled]
        case .factors: [.factorMode]
        case .unlock, .lockNow: [.isAuthenticated]
        case .grace: [.timeoutInterval]
        case .cause: [.lockOn]
        case .tint: [.tintColor]
        case .descriptionColour: [.descriptionTextColor]
        case .nightMode: [.nightMode]
        case .background: [.backgroundImage]
        case .logo: [.appLogoName]
        case .fingerIcon: [.touchIDIconName]
        case .header: [.navibarTranslucent]
        case .parallax: [.parallaxMode]
        case .finger, .deleteAll, .enroll, .test, .app: []
        }
    }

    /// Whether what the control is about is another now.
    func isAbout(_ change: (old: ServiceState, new: ServiceState)) -> Bool {
        let (old, new) = change
        return switch self {
        case .finger, .deleteAll, .enroll, .test:
            old.fingers != new.fingers || old.sensor.isAvailable != new.sensor.isAvailable
        case .app(let path):
            old.apps[path]?.hasPasscode != new.apps[path]?.hasPasscode
                || old.apps[path]?.isAuthenticated != new.apps[path]?.isAuthenticated
        default: properties.contains { old.session[$0] != new.session[$0] }
        }
    }
}

/// What became of something that was tried.
enum Outcome: Equatable, Sendable {
    case success
    /// An error of the service's; nil for one that it does not name.
    case error(WireError?)
    /// A value that it does not take.
    case invalid
    /// It is gone, or silent.
    case silence

    /// What is said of it; nil where it is plain to see.
    var notice: Notice? {
        switch self {
        case .success: nil
        case .error(let error): Notice(kind: .failure, text: Texts.failure(error))
        case .invalid: Notice(kind: .failure, text: Texts.unusable)
        case .silence: Notice(kind: .failure, text: Texts.noAnswer)
        }
    }

    /// The end of a view or a request.
    init(result: String) { self = result == Wire.success ? .success : .error(WireError(rawValue: result)) }

    /// An error that a call answered.
    ///
    /// - Parameter name: its full name.
    init(failure name: String) {
        if let error = WireError(fullName: name) {
            self = .error(error)
            return
        }
        switch name.split(separator: ".").last {
        case "InvalidArgs": self = .invalid
        case "NoReply", "Disconnected", "ServiceUnknown", "NameHasNoOwner": self = .silence
        default: self = .error(nil)
        }
    }
}
