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
    case useFingerprint
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
    /// `GetAuthenticator`: it is there.
    case authenticator(AuthenticatorID)
    case refused(Refusal)
}
