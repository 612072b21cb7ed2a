/// Names a call until it is answered.
public typealias ReplyToken = UInt64

/// Who calls: a connection to the bus and what the bus says of the process behind it.
public struct Caller: Sendable, Equatable {
    /// The unique name.
    public var connection: String
    /// The application the sandbox vouches for; nil for a host caller.
    public var sandboxed: AuthenticatorID?
    /// What the person is told of the caller: the application id, or the program's own word for itself.
    public var displayName: String

    public init(connection: String, sandboxed: AuthenticatorID?, displayName: String) {
        self.connection = connection
        self.sandboxed = sandboxed
        self.displayName = displayName
    }
}

/// Options of a call, checked for type and range.
public struct CallOptions: Sendable, Equatable {
    public var ui = ViewUI.auto
    public var kind: PasscodeKind?
    /// 4 to 64.
    public var digits: UInt32?
    public var reason = ""
    public var requiresPasscode = false
    public var confirmsCover = false
    public var isAnimated = true
    /// `x11:XID`, `wayland:HANDLE`, or empty.
    public var parentWindow = ""
    /// Of an evaluation: false answers NotInteractive where a person would have to be asked.
    public var isInteractive = true
    /// Of a `biometrics` evaluation: goes on with the passcode when the finger is locked out.
    public var thenPasscode = false
    /// Nil: the property's; empty: no such button.
    public var fallbackTitle: String?
    /// Nil: the property's.
    public var cancelTitle: String?
    /// Seconds, 0 to 300; nil: the property's.
    public var reuseDuration: Double?
    /// Of `VerifyTest`: the finger that is meant; nil: any.
    public var finger: Finger?

    public init() {}
}

/// What a client asks of an authenticator.
public enum Call: Sendable {
    case present(SecurityType?, CallOptions)
    /// `request` is the path that the request will have; it is answered first.
    case authenticate(reason: String, CallOptions, request: String)
    case canAuthenticate
    case submit(any Passcode)
    case getView
    /// The finger button; with a finger, the one that is going to touch.
    case useFingerprint(Finger?)
    /// The account password, into the view: opens it, and removes nothing but a passcode that is lost already.
    case submitAccount(any Passcode)
    case cancel
    case lock
    case changeAuthentication(Bool)
    case verify(any Passcode)
    case setPasscode(current: any Passcode, new: any Passcode, CallOptions)
    case clearPasscode(current: any Passcode)
    case reset(account: any Passcode)
    case hold(CallOptions)
    case release(UInt32)
    case covered(UInt32)
    case set(Property, PropertyValue)
    /// `Manager.RemoveAuthenticator`.
    case remove

    case canEvaluate(Policy)
    case evaluate(Policy, reason: String, CallOptions, request: String)
    /// The fallback button of an evaluation's view.
    case fallback
    /// Ends the caller's own evaluations.
    case invalidate
    case rememberDomainState(identity: String)
    case domainStateChanged(identity: String)
}

/// What is asked of the Fingerprint object.
public enum FingerprintCall: Sendable {
    case list
    case enroll(Finger, request: String)
    case verifyTest(CallOptions, request: String)
    case delete(Finger)
    case deleteAll
}

/// What a call is answered with.
public enum Reply: Sendable, Equatable {
    case done
    case presented(Bool)
    case request(String)
    case canAuthenticate(AuthError?)
    case outcome(Outcome, ViewState?)
    case view(ViewState?)
    case verified(Bool)
    case cookie(UInt32)
    case canEvaluate(AuthError?)
    case remembered(Bool)
    case domainState(changed: Bool, AuthError?)
    case fingers([Finger])
    /// `GetAuthenticator`: it is there.
    case authenticator(AuthenticatorID)
    case refused(Refusal)
}
