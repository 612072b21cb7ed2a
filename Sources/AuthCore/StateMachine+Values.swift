extension StateMachine {
    public var ids: [AuthenticatorID] {
        authenticators.values.filter(\.isOpen).map(\.id).sorted()
    }

    public func exists(_ id: AuthenticatorID) -> Bool { authenticators[id]?.isOpen ?? false }

    /// A property's present value; nil when there is no such authenticator.
    public func value(of property: Property, _ id: AuthenticatorID) -> PropertyValue? {
        guard let authenticator = authenticators[id] else { return nil }
        return property == .presentedContext
            ? .string(authenticator.presentedContext) : value(of: property, visible(authenticator), id)
    }

    /// The one value that is read most, without a detour.
    public func isAuthenticated(_ id: AuthenticatorID) -> Bool { authenticators[id]?.isAuthenticated ?? false }

    func value(of property: Property, _ visible: Visible, _ id: AuthenticatorID) -> PropertyValue {
        let verifier: Verifier? = if case .ready(let verifier) = visible.store { verifier } else { nil }
        return switch property {
        case .applicationId: .string(id.application)
        case .hasPasscode: .bool(visible.store != .unset)
        case .storeState: .string(visible.store.name)
        case .isAuthenticated: .bool(visible.isAuthenticated)
        case .isShowingAuth: .bool(visible.isShowing)
        case .passcodeDigit:
            .uint32(verifier.map { $0.kind == .digits ? UInt32($0.length) : 0 } ?? visible.settings.passcodeDigit)
        case .passcodeKind: .string(verifier?.kind.rawValue ?? "")
        case .unlockRoute: .string(visible.route.rawValue)
        case .failCount: .uint32(visible.attempts.failures)
        case .biometryFailCount: .uint32(visible.attempts.biometryFailures)
        case .lockedOutUntil: .uint64(visible.attempts.wait > 0 ? visible.lockedOutUntil : 0)
        case .lockedOutUntilBoottime: .uint64(visible.attempts.until)
        case .shouldCover: .bool(visible.shouldCover)
        default: visible.settings.value(of: property) ?? .string("")
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
