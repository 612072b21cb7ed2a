import AuthCore
import AuthWire
import DBus

/// Who may call what: SPEC 9, one row for every member, and no for what has none.
///
/// Objects that a sandboxed caller may not know of are hidden before this table is asked (``Visibility``). What needs a
/// recent passcode, a hold or a state is for the state machine to say.
enum Authorization {
    enum Rule {
        /// Everybody whose sandbox can be told.
        case everyone
        /// Host callers on any authenticator, a sandboxed caller on its own.
        case hostOrOwn
        case hostOnly
        /// The connection that made the request.
        case requester
    }

    static let table: [String: [String: Rule]] = [
        Wire.Interface.manager: [
            "GetAuthenticator": .everyone,
            "RemoveAuthenticator": .hostOrOwn,
            "ListAuthenticators": .everyone,
            "ReportIdle": .hostOnly,
        ],
        Wire.Interface.request: [
            "Cancel": .requester
        ],
        Wire.Interface.authenticator: [
            "Present": .hostOrOwn,
            "Authenticate": .hostOrOwn,
            "CanAuthenticate": .hostOrOwn,
            "SubmitPasscode": .hostOrOwn,
            "SubmitPasscodeFd": .hostOrOwn,
            "SubmitAccountPasswordFd": .hostOnly,
            "GetView": .hostOrOwn,
            "UseFingerprint": .hostOrOwn,
            "UseFinger": .hostOrOwn,
            "Cancel": .hostOrOwn,
            "Lock": .hostOrOwn,
            "ChangeAuthentication": .hostOrOwn,
            "VerifyPasscode": .hostOrOwn,
            "SetPasscode": .hostOrOwn,
            "ClearPasscode": .hostOrOwn,
            "ResetFd": .hostOnly,
            "Hold": .hostOrOwn,
            "Release": .hostOrOwn,
            "Covered": .hostOrOwn,
        ],
        Wire.Interface.policy: [
            "CanEvaluatePolicy": .hostOrOwn,
            "EvaluatePolicy": .hostOrOwn,
            "Fallback": .hostOrOwn,
            "Invalidate": .hostOrOwn,
            "RememberDomainState": .hostOrOwn,
            "DomainStateChanged": .hostOrOwn,
        ],
        Wire.Interface.fingerprint: [
            "ListEnrolledFingers": .hostOnly,
            "Enroll": .hostOnly,
            "VerifyTest": .hostOnly,
            "DeleteFinger": .hostOnly,
            "DeleteAll": .hostOnly,
        ],
    ]

    /// Properties that may be set, by whom; reading is for everybody who sees the object.
    static let settable: [String: Rule] = [
        "SecurityType": .hostOrOwn,
        "PasscodeDigit": .hostOrOwn,
        "TimeoutInterval": .hostOrOwn,
        "LocalizedReason": .hostOrOwn,
        "TintColor": .hostOrOwn,
        "DescriptionTextColor": .hostOrOwn,
        "TouchIDIconName": .hostOrOwn,
        "AppLogoName": .hostOrOwn,
        "BackgroundImage": .hostOrOwn,
        "NavibarTranslucent": .hostOrOwn,
        "ParallaxMode": .hostOrOwn,
        "NightMode": .hostOrOwn,
        "PresentedContext": .hostOrOwn,
        "FingerprintEnabled": .hostOrOwn,
        "FactorMode": .hostOrOwn,
        "RequirePasscodeForChanges": .hostOrOwn,
        "LockOn": .hostOrOwn,
        "LocalizedFallbackTitle": .hostOrOwn,
        "LocalizedCancelTitle": .hostOrOwn,
        "AllowableReuseDuration": .hostOrOwn,
    ]

    static func rule(interface: String, member: String) -> Rule? { table[interface]?[member] }

    /// Whether `caller` may; `object` is the authenticator concerned, where there is one.
    static func allows(_ rule: Rule?, _ caller: Caller, object: AuthenticatorID?, requester: String?) -> Bool {
        switch rule {
        case .everyone: true
        case .hostOrOwn: caller.sandboxed == nil || caller.sandboxed == object
        case .hostOnly: caller.sandboxed == nil
        case .requester: caller.connection == requester
        case nil: false
        }
    }
}

/// Which objects are there for whom.
enum Visibility {
    /// To a sandboxed caller everything but the manager, its own application's authenticator and its own requests is
    /// not there: the enrolled fingers are the person's, not an application's.
    static func isVisible(_ path: String, to caller: Caller) -> Bool {
        guard let own = caller.sandboxed else { return true }
        if let application = Wire.Path.application(of: path) { return application == own.application }
        if path.hasPrefix(Wire.Path.root + "/request/") {
            return path.hasPrefix(Wire.Path.request(sender: caller.connection, token: ""))
        }
        return path != Wire.Path.fingerprint
    }
}
