/// The properties of an authenticator, by their names on the bus.
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

    // Of the interface Policy.
    case localizedFallbackTitle = "LocalizedFallbackTitle"
    case localizedCancelTitle = "LocalizedCancelTitle"
    case allowableReuseDuration = "AllowableReuseDuration"
    case biometryType = "BiometryType"
    case evaluatedPolicyDomainState = "EvaluatedPolicyDomainState"

    /// Of the interface Policy; the others are Authenticator's.
    public var isOfPolicy: Bool {
        switch self {
        case .localizedFallbackTitle, .localizedCancelTitle, .allowableReuseDuration, .biometryType,
            .evaluatedPolicyDomainState:
            true
        default: false
        }
    }
}

/// A property's value, in the few types that occur.
public enum PropertyValue: Sendable, Equatable {
    case string(String)
    case bool(Bool)
    case uint32(UInt32)
    case uint64(UInt64)
    case double(Double)
    case strings([String])
    case bytes([UInt8])
}
