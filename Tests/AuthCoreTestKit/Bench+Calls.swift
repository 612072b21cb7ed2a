public import AuthCore

/// Calls as the tests make them.
extension Bench {
    public static let host = Caller(connection: ":1.1", sandboxed: nil, displayName: "host")
    public static let other = Caller(connection: ":1.2", sandboxed: nil, displayName: "other")
    public static func caller(_ number: Int) -> Caller {
        Caller(connection: ":1.\(number)", sandboxed: nil, displayName: "caller \(number)")
    }
    public static func application(_ name: String) -> AuthenticatorID {
        AuthenticatorID(application: "org.example.\(name)") ?? .session
    }

    /// Makes a call, and answers its reply; nil when it is still awaited.
    @discardableResult
    public func call(_ call: Call, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host) -> Reply? {
        let token = token()
        send(.call(call, id, caller, token))
        return replies[token]
    }

    @discardableResult
    public func name(_ id: AuthenticatorID, by caller: Caller) -> Reply? {
        let token = token()
        send(.name(id, caller, token))
        return replies[token]
    }

    @discardableResult
    public func cancelRequest(_ path: String, by caller: Caller = Bench.host) -> Reply? {
        let token = token()
        send(.cancelRequest(path, caller, token))
        return replies[token]
    }

    @discardableResult
    public func present(
        _ type: SecurityType?, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host,
        _ change: (inout CallOptions) -> Void = { _ in }
    ) -> Reply? {
        var options = CallOptions()
        change(&options)
        return call(.present(type, options), id, by: caller)
    }

    @discardableResult
    public func authenticate(
        _ id: AuthenticatorID = .session, request: String, by caller: Caller = Bench.host,
        _ change: (inout CallOptions) -> Void = { _ in }
    ) -> Reply? {
        var options = CallOptions()
        change(&options)
        return call(.authenticate(reason: "", options, request: request), id, by: caller)
    }

    @discardableResult
    public func submit(
        _ text: String, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host
    ) -> Reply? {
        call(.submit(FakePasscode(text)), id, by: caller)
    }

    @discardableResult
    public func verify(
        _ text: String, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host
    ) -> Reply? {
        call(.verify(FakePasscode(text)), id, by: caller)
    }

    @discardableResult
    public func setPasscode(
        _ current: String, _ new: String, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host,
        _ change: (inout CallOptions) -> Void = { _ in }
    ) -> Reply? {
        var options = CallOptions()
        change(&options)
        return call(.setPasscode(current: FakePasscode(current), new: FakePasscode(new), options), id, by: caller)
    }

    @discardableResult
    public func clearPasscode(
        _ current: String, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host
    ) -> Reply? {
        call(.clearPasscode(current: FakePasscode(current)), id, by: caller)
    }

    @discardableResult
    public func reset(
        _ password: String, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host
    ) -> Reply? {
        call(.reset(account: FakePasscode(password)), id, by: caller)
    }

    /// The account password, into the view.
    @discardableResult
    public func submitAccount(
        _ password: String, _ id: AuthenticatorID = .session, by caller: Caller = Bench.host
    ) -> Reply? {
        call(.submitAccount(FakePasscode(password)), id, by: caller)
    }

    @discardableResult
    public func evaluate(
        _ policy: Policy, _ id: AuthenticatorID = .session, request: String, by caller: Caller = Bench.host,
        _ change: (inout CallOptions) -> Void = { _ in }
    ) -> Reply? {
        var options = CallOptions()
        options.ui = .terminal
        change(&options)
        return call(.evaluate(policy, reason: "", options, request: request), id, by: caller)
    }

    @discardableResult
    public func fingerprint(_ call: FingerprintCall, by caller: Caller = Bench.host) -> Reply? {
        let token = token()
        send(.fingerprint(call, caller, token))
        return replies[token]
    }

    @discardableResult
    public func hold(
        _ id: AuthenticatorID, by caller: Caller = Bench.host, _ change: (inout CallOptions) -> Void = { _ in }
    ) -> Reply? {
        var options = CallOptions()
        change(&options)
        return call(.hold(options), id, by: caller)
    }

    @discardableResult
    public func set(
        _ property: Property, _ value: PropertyValue, _ id: AuthenticatorID = .session,
        by caller: Caller = Bench.host
    ) -> Reply? {
        call(.set(property, value), id, by: caller)
    }

    public func began(_ cause: Cause, _ source: String = "logind") { send(.session(.began(cause, source: source))) }
    public func ended(_ cause: Cause, _ source: String = "logind") { send(.session(.ended(cause, source: source))) }

    // MARK: The prompt

    /// What the prompt tells of the view that it shows; of none where there is no prompt.
    @discardableResult
    public func prompt(_ event: PromptEvent) -> [Action] { send(.prompt(event, view: shownPrompt?.view ?? 0)) }

    /// An entry in the prompt.
    @discardableResult
    public func type(_ text: String) -> Reply? {
        let token = token()
        prompt(.entry(FakePasscode(text), token))
        return replies[token]
    }

    // MARK: Values

    public func value(_ property: Property, _ id: AuthenticatorID = .session) -> PropertyValue? {
        machine.value(of: property, id)
    }
    public func isTrue(_ property: Property, _ id: AuthenticatorID = .session) -> Bool {
        machine.value(of: property, id) == .bool(true)
    }
    public func number(_ property: Property, _ id: AuthenticatorID = .session) -> UInt64 {
        switch machine.value(of: property, id) {
        case .uint32(let number): UInt64(number)
        case .uint64(let number): number
        default: .max
        }
    }
    public func isAuthenticated(_ id: AuthenticatorID = .session) -> Bool { machine.isAuthenticated(id) }
    public func view(_ id: AuthenticatorID = .session) -> ViewState? { machine.viewState(id) }
}
