public import AuthCore

/// Actions in words, so that a test states an order as a list of lines.
extension Bench {
    /// What clients of the bus see, and the record of locks that precedes it.
    public func visible(_ actions: [Action]) -> [String] {
        actions.compactMap { action in
            switch action {
            case .recordLocks, .propertiesChanged, .signal, .completed, .reply, .objectAdded, .objectRemoved,
                .allowSleep, .setLockedHint, .sessionStateChanged:
                line(action)
            default: nil
            }
        }
    }

    /// One action as a line; a changed property is shown with its value at this moment.
    public func line(_ action: Action) -> String {
        switch action {
        case .recordLocks(let locks):
            "record " + locks.sorted { $0.key < $1.key }.map { "\(name($0.key))=\($0.value)" }.joined(separator: " ")
        case .propertiesChanged(let id, let properties):
            "\(name(id)) changed " + properties.map { "\($0.rawValue)=\(shown($0, id))" }.joined(separator: " ")
        case .sessionStateChanged: "session state \(machine.sessionState)"
        case .signal(let id, let signal): "\(name(id)) \(line(signal))"
        case .completed(let request, let connection, let completion):
            "completed \(request) to \(connection) \(line(completion))"
        case .reply(let token, let reply): "reply \(token) \(line(reply))"
        case .open(let id): "open \(name(id))"
        case .objectAdded(let id): "added \(name(id))"
        case .objectRemoved(let id): "removed \(name(id))"
        case .load(let id): "load \(name(id))"
        case .unlockStore: "unlock store"
        case .writeAttempts(let id, let fields, let operation):
            "write attempts of \(name(id)) \(fields["failures"] ?? "") \(operation == 0 ? "" : "awaited")"
        case .writeAccountAttempts(let fields, _, let operation):
            "write account attempts \(fields["failures"] ?? "") \(operation == 0 ? "" : "awaited")"
        case .writeSettings(let id, _, let isAwaited): "write settings of \(name(id)) \(isAwaited ? "awaited" : "")"
        case .setAsideSettings(let id): "set aside settings of \(name(id))"
        case .compare(let id, _, _, _): "compare \(name(id))"
        case .checkAccount: "check account"
        case .store(let id, _, let kind, let length, _): "store \(name(id)) \(kind.rawValue) \(length)"
        case .remove(let id, let attempts, let everything, _): "remove \(name(id)) \(attempts) \(everything)"
        case .setLockedHint(let isLocked): "locked hint \(isLocked)"
        case .allowSleep: "allow sleep"
        case .sensor(let order): "sensor \(order)"
        case .showPrompt(let id, _): "show prompt \(name(id))"
        case .hidePrompt(_, let result): "hide prompt \(result?.rawValue ?? "")"
        case .cover(let isUp): "cover \(isUp)"
        case .fingerprintChanged: "fingerprint changed"
        case .enrollStatus(let status, let stage, let stages): "enroll status \(status) \(stage)/\(stages)"
        case .remember(let id, let identity, _, _): "remember \(identity) of \(name(id))"
        case .recall(let id, let identity, _): "recall \(identity) of \(name(id))"
        }
    }

    public func name(_ id: AuthenticatorID) -> String { id == .session ? "session" : id.application }

    private func shown(_ property: Property, _ id: AuthenticatorID) -> String {
        switch machine.value(of: property, id) {
        case .string(let text): text.isEmpty ? "''" : text
        case .bool(let flag): "\(flag)"
        case .uint32(let number): "\(number)"
        case .uint64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .strings(let list): list.joined(separator: ",")
        case .bytes(let bytes): "\(bytes)"
        case nil: "none"
        }
    }

    private func line(_ signal: AuthenticatorSignal) -> String {
        switch signal {
        case .authViewPresented: "AuthViewPresented"
        case .authViewShown(let shower): "AuthViewShown \(shower.rawValue)"
        case .viewChanged: "ViewChanged"
        case .authViewDismissed(let result): "AuthViewDismissed \(result.rawValue)"
        case .authenticationSucceeded(let method): "AuthenticationSucceeded \(method.rawValue)"
        case .authenticationFailed(let count, let method): "AuthenticationFailed \(count) \(method.rawValue)"
        case .passcodeTurnedOn: "PasscodeTurnedOn"
        case .passcodeTurnedOff: "PasscodeTurnedOff"
        case .passcodeChanged: "PasscodeChanged"
        }
    }

    private func line(_ completion: Completion) -> String {
        switch completion {
        case .success(let method): "success \(method?.rawValue ?? "")"
        case .failure(let refusal, _): refusal.error.rawValue
        }
    }

    public func line(_ reply: Reply) -> String {
        switch reply {
        case .done: "done"
        case .presented(let isUp): "presented \(isUp)"
        case .request(let path): "request \(path)"
        case .canAuthenticate(let error): "can authenticate \(error?.rawValue ?? "")"
        case .outcome(let outcome, _): outcome.rawValue
        case .view(let view): view == nil ? "no view" : "view"
        case .verified(let isRight): "verified \(isRight)"
        case .cookie(let cookie): "cookie \(cookie)"
        case .canEvaluate(let error): "can evaluate \(error?.rawValue ?? "")"
        case .remembered(let isKept): "remembered \(isKept)"
        case .domainState(let isChanged, let error): "domain state \(isChanged) \(error?.rawValue ?? "")"
        case .fingers(let fingers): "fingers " + fingers.map(\.rawValue).joined(separator: ",")
        case .authenticator(let id): "authenticator \(name(id))"
        case .refused(let refusal): refusal.error.rawValue
        }
    }
}
