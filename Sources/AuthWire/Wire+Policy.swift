extension Wire {
    /// Members of `org.smileauth.Auth1.Policy`.
    public enum Policy {
        public enum Method: String, Sendable, CaseIterable {
            case canEvaluatePolicy = "CanEvaluatePolicy"
            case evaluatePolicy = "EvaluatePolicy"
            case fallback = "Fallback"
            case invalidate = "Invalidate"
            case rememberDomainState = "RememberDomainState"
            case domainStateChanged = "DomainStateChanged"
        }

        public enum Property: String, Sendable, CaseIterable {
            case localizedFallbackTitle = "LocalizedFallbackTitle"
            case localizedCancelTitle = "LocalizedCancelTitle"
            case allowableReuseDuration = "AllowableReuseDuration"
            case biometryType = "BiometryType"
            case evaluatedPolicyDomainState = "EvaluatedPolicyDomainState"

            /// The D-Bus signature of the property's value.
            public var signature: String {
                switch self {
                case .localizedFallbackTitle, .localizedCancelTitle, .biometryType: "s"
                case .allowableReuseDuration: "d"
                case .evaluatedPolicyDomainState: "ay"
                }
            }

            /// Whether clients may set it.
            public var isWritable: Bool {
                switch self {
                case .localizedFallbackTitle, .localizedCancelTitle, .allowableReuseDuration: true
                case .biometryType, .evaluatedPolicyDomainState: false
                }
            }
        }

        /// What an evaluation asks for (`LAPolicy`).
        public enum Name: String, Sendable, CaseIterable {
            /// A finger.
            case biometrics
            /// A finger or the passcode.
            case deviceOwner = "device-owner"
        }
    }
}
