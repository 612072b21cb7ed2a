extension Wire {
    /// Members of `org.smileauth.Auth1.Manager`.
    public enum Manager {
        public enum Method: String, Sendable, CaseIterable {
            case getAuthenticator = "GetAuthenticator"
            case removeAuthenticator = "RemoveAuthenticator"
            case listAuthenticators = "ListAuthenticators"
            case reportIdle = "ReportIdle"
        }

        public enum Property: String, Sendable, CaseIterable {
            case version = "Version"
            case sessionState = "SessionState"
            case sessionSources = "SessionSources"
            case secretServiceState = "SecretServiceState"
            case biometryType = "BiometryType"
        }
    }

    /// Members of `org.smileauth.Auth1.Request`.
    public enum Request {
        public enum Method: String, Sendable, CaseIterable {
            case cancel = "Cancel"
        }

        public enum Signal: String, Sendable, CaseIterable {
            case completed = "Completed"
        }
    }

    /// Members of `org.smileauth.Auth1.Authenticator`.
    public enum Authenticator {
        public enum Method: String, Sendable, CaseIterable {
            case present = "Present"
            case authenticate = "Authenticate"
            case canAuthenticate = "CanAuthenticate"
            case submitPasscode = "SubmitPasscode"
            case submitPasscodeFd = "SubmitPasscodeFd"
            case submitAccountPasswordFd = "SubmitAccountPasswordFd"
            case getView = "GetView"
            case useFingerprint = "UseFingerprint"
            case useFinger = "UseFinger"
            case cancel = "Cancel"
            case lock = "Lock"
            case changeAuthentication = "ChangeAuthentication"
            case verifyPasscode = "VerifyPasscode"
            case setPasscode = "SetPasscode"
            case clearPasscode = "ClearPasscode"
            case resetFd = "ResetFd"
            case hold = "Hold"
            case release = "Release"
            case covered = "Covered"
        }

        public enum Signal: String, Sendable, CaseIterable {
            case authViewPresented = "AuthViewPresented"
            case authViewShown = "AuthViewShown"
            case viewChanged = "ViewChanged"
            case authViewDismissed = "AuthViewDismissed"
            case authenticationSucceeded = "AuthenticationSucceeded"
            case authenticationFailed = "AuthenticationFailed"
            case passcodeTurnedOn = "PasscodeTurnedOn"
            case passcodeTurnedOff = "PasscodeTurnedOff"
            case passcodeChanged = "PasscodeChanged"
        }

        public enum Property: String, Sendable, CaseIterable {
            case securityType = "SecurityType"
            case applicationId = "ApplicationId"
            case hasPasscode = "HasPasscode"
            case storeState = "StoreState"
            case isAuthenticated = "IsAuthenticated"
            case isShowingAuth = "IsShowingAuth"
            case passcodeDigit = "PasscodeDigit"
            case passcodeKind = "PasscodeKind"
            case timeoutInterval = "TimeoutInterval"
            case localizedReason = "LocalizedReason"
            case tintColor = "TintColor"
            case descriptionTextColor = "DescriptionTextColor"
            case touchIDIconName = "TouchIDIconName"
            case appLogoName = "AppLogoName"
            case backgroundImage = "BackgroundImage"
            case navibarTranslucent = "NavibarTranslucent"
            case parallaxMode = "ParallaxMode"
            case nightMode = "NightMode"
            case presentedContext = "PresentedContext"
            case fingerprintEnabled = "FingerprintEnabled"
            case factorMode = "FactorMode"
            case unlockRoute = "UnlockRoute"
            case requirePasscodeForChanges = "RequirePasscodeForChanges"
            case lockOn = "LockOn"
            case failCount = "FailCount"
            case biometryFailCount = "BiometryFailCount"
            case lockedOutUntil = "LockedOutUntil"
            case lockedOutUntilBoottime = "LockedOutUntilBoottime"
            case shouldCover = "ShouldCover"

            /// The D-Bus signature of the property's value.
            public var signature: String {
                switch self {
                case .hasPasscode, .isAuthenticated, .isShowingAuth, .navibarTranslucent, .parallaxMode,
                    .fingerprintEnabled, .requirePasscodeForChanges, .shouldCover:
                    "b"
                case .passcodeDigit, .failCount, .biometryFailCount: "u"
                case .lockedOutUntil, .lockedOutUntilBoottime: "t"
                case .timeoutInterval: "d"
                case .lockOn: "as"
                case .securityType, .applicationId, .storeState, .passcodeKind, .localizedReason, .tintColor,
                    .descriptionTextColor, .touchIDIconName, .appLogoName, .backgroundImage, .nightMode,
                    .presentedContext, .factorMode, .unlockRoute:
                    "s"
                }
            }

            /// Whether clients may set it.
            public var isWritable: Bool {
                switch self {
                case .securityType, .passcodeDigit, .timeoutInterval, .localizedReason, .tintColor,
                    .descriptionTextColor, .touchIDIconName, .appLogoName, .backgroundImage, .navibarTranslucent,
                    .parallaxMode, .nightMode, .presentedContext, .fingerprintEnabled, .factorMode,
                    .requirePasscodeForChanges, .lockOn:
                    true
                case .applicationId, .hasPasscode, .storeState, .isAuthenticated, .isShowingAuth, .passcodeKind,
                    .unlockRoute, .failCount, .biometryFailCount, .lockedOutUntil, .lockedOutUntilBoottime,
                    .shouldCover:
                    false
                }
            }
        }
    }
}
