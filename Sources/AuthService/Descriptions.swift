import AuthWire
import DBus

/// The interfaces as they are served; the documented contract is the XML in `dbus/`, and a test holds them together.
extension InterfaceDescription {
    static let manager = InterfaceDescription(
        Wire.Interface.manager,
        methods: [
            MethodDescription(
                "GetAuthenticator", inputs: [Argument("application_id", "s")],
                outputs: [Argument("authenticator", "o")]),
            MethodDescription("RemoveAuthenticator", inputs: [Argument("application_id", "s")]),
            MethodDescription("ListAuthenticators", outputs: [Argument("authenticators", "a(so)")]),
            MethodDescription("ReportIdle", inputs: [Argument("idle", "b")]),
        ],
        properties: [
            PropertyDescription("Version", "s", emitsChange: .const),
            PropertyDescription("SessionState", "s"),
            PropertyDescription("SessionSources", "as"),
            PropertyDescription("SecretServiceState", "s"),
            PropertyDescription("BiometryType", "s"),
        ])

    static let request = InterfaceDescription(
        Wire.Interface.request,
        methods: [MethodDescription("Cancel")],
        signals: [SignalDescription("Completed", [Argument("result", "s"), Argument("details", "a{sv}")])])

    static let authenticator = InterfaceDescription(
        Wire.Interface.authenticator,
        methods: authenticatorMethods,
        signals: [
            SignalDescription("AuthViewPresented"),
            SignalDescription("AuthViewShown", [Argument("by", "s")]),
            SignalDescription("ViewChanged", [Argument("view", "a{sv}")]),
            SignalDescription("AuthViewDismissed", [Argument("result", "s")]),
            SignalDescription("AuthenticationSucceeded", [Argument("method", "s")]),
            SignalDescription("AuthenticationFailed", [Argument("fail_count", "u"), Argument("method", "s")]),
            SignalDescription("PasscodeTurnedOn"),
            SignalDescription("PasscodeTurnedOff"),
            SignalDescription("PasscodeChanged"),
        ],
        properties: Wire.Authenticator.Property.allCases.map { property in
            PropertyDescription(
                property.rawValue, property.signature, access: property.isWritable ? .readwrite : .read,
                emitsChange: property == .presentedContext ? .no : property == .applicationId ? .const : .yes)
        })

    static let policy = InterfaceDescription(
        Wire.Interface.policy,
        methods: [
            MethodDescription(
                "CanEvaluatePolicy", inputs: [Argument("policy", "s")],
                outputs: [Argument("can", "b"), Argument("error", "s"), Argument("biometry", "s")]),
            MethodDescription(
                "EvaluatePolicy", inputs: [Argument("policy", "s"), Argument("reason", "s"), options],
                outputs: [Argument("request", "o")]),
            MethodDescription("Fallback"),
            MethodDescription("Invalidate"),
            MethodDescription(
                "RememberDomainState", inputs: [Argument("identity", "s")], outputs: [Argument("remembered", "b")]),
            MethodDescription(
                "DomainStateChanged", inputs: [Argument("identity", "s")],
                outputs: [Argument("changed", "b"), Argument("error", "s")]),
        ],
        properties: Wire.Policy.Property.allCases.map { property in
            PropertyDescription(
                property.rawValue, property.signature, access: property.isWritable ? .readwrite : .read)
        })

    static let fingerprint = InterfaceDescription(
        Wire.Interface.fingerprint,
        methods: [
            MethodDescription("ListEnrolledFingers", outputs: [Argument("fingers", "as")]),
            MethodDescription(
                "Enroll", inputs: [Argument("finger", "s"), options], outputs: [Argument("request", "o")]),
            MethodDescription("VerifyTest", inputs: [options], outputs: [Argument("request", "o")]),
            MethodDescription("DeleteFinger", inputs: [Argument("finger", "s")]),
            MethodDescription("DeleteAll"),
        ],
        signals: [
            SignalDescription(
                "EnrollStatus", [Argument("status", "s"), Argument("stage", "u"), Argument("stages", "u")])
        ],
        properties: Wire.Fingerprint.Property.allCases.map { PropertyDescription($0.rawValue, $0.signature) })

    private static let authenticatorMethods = [
        MethodDescription(
            "Present", inputs: [Argument("security_type", "s"), options], outputs: [Argument("presented", "b")]),
        MethodDescription(
            "Authenticate", inputs: [Argument("reason", "s"), options], outputs: [Argument("request", "o")]),
        MethodDescription("CanAuthenticate", outputs: [Argument("usable", "b"), Argument("error", "s")]),
        MethodDescription(
            "SubmitPasscode", inputs: [Argument("passcode", "s", isSecret: true)], outputs: outcome),
        MethodDescription(
            "SubmitPasscodeFd", inputs: [Argument("passcode", "h")], outputs: outcome, takesDescriptors: true),
        MethodDescription(
            "SubmitAccountPasswordFd", inputs: [Argument("account_password", "h")], outputs: outcome,
            takesDescriptors: true),
        MethodDescription("GetView", outputs: [Argument("view", "a{sv}")]),
        MethodDescription("UseFingerprint"),
        MethodDescription("UseFinger", inputs: [Argument("finger", "s")]),
        MethodDescription("Cancel"),
        MethodDescription("Lock"),
        MethodDescription("ChangeAuthentication", inputs: [Argument("authenticated", "b")]),
        MethodDescription(
            "VerifyPasscode", inputs: [Argument("passcode", "s", isSecret: true)], outputs: [Argument("matches", "b")]),
        MethodDescription(
            "SetPasscode",
            inputs: [
                Argument("current", "s", isSecret: true), Argument("new", "s", isSecret: true), options,
            ]),
        MethodDescription("ClearPasscode", inputs: [Argument("current", "s", isSecret: true)]),
        MethodDescription("ResetFd", inputs: [Argument("account_password", "h")], takesDescriptors: true),
        MethodDescription("Hold", inputs: [options], outputs: [Argument("cookie", "u")]),
        MethodDescription("Release", inputs: [Argument("cookie", "u")]),
        MethodDescription("Covered", inputs: [Argument("cookie", "u")]),
    ]

    private static let options = Argument("options", "a{sv}")
    private static let outcome = [Argument("outcome", "s"), Argument("view", "a{sv}")]
}
