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
            : value(of: property, Present(authenticator: authenticator, isShowing: isShowing(authenticator)), id)
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
        default: source.setting(property)
        }
    }

    /// The view of an authenticator as GetView shows it; nil without one.
    public func viewState(_ id: AuthenticatorID) -> ViewState? { authenticators[id].flatMap(viewState) }

    func viewState(_ authenticator: Authenticator) -> ViewState? {
        guard let view = authenticator.view else { return nil }
        let stored = authenticator.verifier
        let (kind, length) =
            view.step == .old
            ? (stored?.kind ?? .digits, stored?.length ?? Int(authenticator.settings.passcodeDigit))
            : (view.kind, view.digits)
        let trouble: ViewState.Trouble =
            switch authenticator.store {
            case .ready, .unset: .none
            case .unavailable: view.step == .old ? .storeUnavailable : .none
            case .lost: .storeLost
            }
        return ViewState(
            type: view.type, step: view.step, stepNumber: view.type.number(of: view.step), kind: kind,
            digits: kind == .digits ? UInt32(length) : 0, notice: view.notice, trouble: trouble,
            failCount: authenticator.attempts.failures,
            lockedOutUntil: authenticator.attempts.wait > 0 ? authenticator.lockedOutUntil : 0,
            reason: view.reason.isEmpty ? authenticator.settings.localizedReason : view.reason,
            requester: view.requester?.displayName ?? "", isVerified: view.requester?.sandboxed != nil,
            canCancel: canCancel(authenticator, view),
            takesAccountPassword: takesAccountPassword(authenticator, view))
    }

    /// A lock is not cancelled; a question put to an open session is.
    func canCancel(_ authenticator: Authenticator, _ view: View) -> Bool {
        !(authenticator.isSession && view.type == .touchid && !authenticator.isAuthenticated)
    }

    func takesAccountPassword(_ authenticator: Authenticator, _ view: View) -> Bool {
        guard view.type == .touchid else { return false }
        return switch authenticator.store {
        case .lost: true
        case .unavailable: authenticator.isLongAway
        case .ready, .unset: false
        }
    }

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
    func setting(_ property: Property) -> PropertyValue
}

extension Visible: PropertySource {
    func setting(_ property: Property) -> PropertyValue { settings.value(of: property) ?? .string("") }
}

/// Reads from the authenticator itself, and copies nothing but the value that is asked for.
private struct Present: PropertySource {
    let authenticator: Authenticator
    let isShowing: Bool

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
