extension StateMachine {
    public var ids: [AuthenticatorID] {
        authenticators.values.filter(\.isOpen).map(\.id).sorted()
    }

    public func exists(_ id: AuthenticatorID) -> Bool { authenticators[id]?.isOpen ?? false }

    /// A property's present value; nil when there is no such authenticator.
    public func value(of property: Property, _ id: AuthenticatorID) -> PropertyValue? {
        guard let authenticator = authenticators[id] else { return nil }
        return property == .presentedContext
            ? .string(authenticator.presentedContext)
            : value(
                of: property,
                Present(
                    authenticator: authenticator, isShowing: isShowing(authenticator),
                    domainState: property == .evaluatedPolicyDomainState ? shownDomainState(authenticator) : []), id)
    }

    /// The one value that is read most, without a detour.
    public func isAuthenticated(_ id: AuthenticatorID) -> Bool { authenticators[id]?.isAuthenticated ?? false }

    func value(of property: Property, _ source: some PropertySource, _ id: AuthenticatorID) -> PropertyValue {
        switch property {
        case .applicationId: .string(id.application)
        case .hasPasscode: .bool(source.store != .unset)
        case .storeState: .string(source.store.name)
        case .isAuthenticated: .bool(source.isAuthenticated)
        case .isShowingAuth: .bool(source.isShowing)
        case .passcodeDigit:
            if case .ready(let verifier) = source.store {
                .uint32(verifier.kind == .digits ? UInt32(verifier.length) : 0)
            } else {
                source.setting(.passcodeDigit)
            }
        case .passcodeKind:
            if case .ready(let verifier) = source.store { .string(verifier.kind.rawValue) } else { .string("") }
        case .unlockRoute: .string(source.route.rawValue)
        case .failCount: .uint32(source.attempts.failures)
        case .biometryFailCount: .uint32(source.attempts.biometryFailures)
        case .lockedOutUntil: .uint64(source.attempts.wait > 0 ? source.lockedOutUntil : 0)
        case .lockedOutUntilBoottime: .uint64(source.attempts.until)
        case .shouldCover: .bool(source.shouldCover)
        case .biometryType: .string(biometryType)
        case .evaluatedPolicyDomainState: .bytes(source.domainState)
        default: source.setting(property)
        }
    }

    /// `fingerprint` where there is a sensor, else `none`.
    public var biometryType: String { sensor.isPresent ? "fingerprint" : "none" }

    /// LocalizedFallbackTitle; nil where it is the translated default.
    public func fallbackTitle(_ id: AuthenticatorID) -> String? { authenticators[id]?.settings.localizedFallbackTitle }

    /// The view of an authenticator as GetView shows it; nil without one.
    public func viewState(_ id: AuthenticatorID) -> ViewState? { authenticators[id].flatMap(viewState) }

    /// `asleep`, over `away`, over `locked`, over `idle`, over `active`.
    public var sessionState: String {
        switch causes.map(\.cause).max() {
        case .sleep: "asleep"
        case .away: "away"
        case .screenLock: "locked"
        case .idle: "idle"
        case nil: "active"
        }
    }

    /// `report` is ReportIdle, which is always there.
    public var sessionSources: [String] { sources + [Self.report] }
    static let report = "report"
}

/// What properties are read from: an authenticator as it is, or as it was before an event.
protocol PropertySource {
    var isAuthenticated: Bool { get }
    var isShowing: Bool { get }
    var shouldCover: Bool { get }
    var route: UnlockRoute { get }
    var attempts: AttemptRecord { get }
    var lockedOutUntil: UInt64 { get }
    var store: StoreReading { get }
    var domainState: [UInt8] { get }
    func setting(_ property: Property) -> PropertyValue
}

extension Visible: PropertySource {
    func setting(_ property: Property) -> PropertyValue { settings.value(of: property) ?? .string("") }
}

/// Reads from the authenticator itself, and copies nothing but the value that is asked for.
private struct Present: PropertySource {
    let authenticator: Authenticator
    let isShowing: Bool
    let domainState: [UInt8]

    var isAuthenticated: Bool { authenticator.isAuthenticated }
    var shouldCover: Bool { authenticator.shouldCover }
    var route: UnlockRoute { authenticator.unlockRoute }
    var attempts: AttemptRecord { authenticator.attempts }
    var lockedOutUntil: UInt64 { authenticator.lockedOutUntil }
    var store: StoreReading { authenticator.store }
    func setting(_ property: Property) -> PropertyValue { authenticator.settings.value(of: property) ?? .string("") }
}

extension StoreReading {
    /// As `StoreState` shows it.
    var name: String {
        switch self {
        case .ready: "ready"
        case .unset: "unset"
        case .unavailable: "unavailable"
        case .lost: "lost"
        }
    }
}
