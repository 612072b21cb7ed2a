extension StateMachine {
    public var ids: [AuthenticatorID] {
        authenticators.values.filter(\.isOpen).map(\.id).sorted()
    }

    public func exists(_ id: AuthenticatorID) -> Bool { authenticators[id]?.isOpen ?? false }

    /// A property's present value; nil when there is no such authenticator.
    public func value(of property: Property, _ id: AuthenticatorID) -> PropertyValue? {
        authenticators[id].map { value(of: property, $0) }
    }

    /// The one value that is read most, without a detour.
    public func isAuthenticated(_ id: AuthenticatorID) -> Bool { authenticators[id]?.isAuthenticated ?? false }

    func value(of property: Property, _ authenticator: Authenticator) -> PropertyValue {
        switch property {
        case .applicationId: .string(authenticator.id.application)
        case .hasPasscode: .bool(authenticator.store != .unset)
        case .storeState: .string(authenticator.store.name)
        case .isAuthenticated: .bool(authenticator.isAuthenticated)
        case .isShowingAuth: .bool(isShowing(authenticator))
        case .passcodeDigit:
            .uint32(
                authenticator.verifier.map { $0.kind == .digits ? UInt32($0.length) : 0 }
                    ?? authenticator.settings.passcodeDigit)
        case .passcodeKind: .string(authenticator.verifier?.kind.rawValue ?? "")
        case .presentedContext: .string(authenticator.presentedContext)
        case .unlockRoute: .string(authenticator.unlockRoute.rawValue)
        case .failCount: .uint32(authenticator.attempts.failures)
        case .biometryFailCount: .uint32(authenticator.attempts.biometryFailures)
        case .lockedOutUntil: .uint64(authenticator.attempts.wait > 0 ? authenticator.lockedOutUntil : 0)
        case .lockedOutUntilBoottime: .uint64(authenticator.attempts.until)
        case .shouldCover: .bool(authenticator.shouldCover)
        default: authenticator.settings.value(of: property) ?? .string("")
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
        switch authenticator.store {
        case .lost: return true
        case .unavailable:
            guard let since = authenticator.unavailableSince else { return false }
            return now.boottime >= since + Self.accountPatience
        case .ready, .unset: return false
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

    public var sessionSources: [String] { sources }
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
