import AuthCore

/// An action that an adapter has yet to do and to answer.
struct Pending {
    /// Adapters do what concerns the same file or item in the order given.
    enum Lane: Hashable {
        case files(AuthenticatorID)
        case account
        case store(AuthenticatorID)
        case hasher
        case password
        case sensor
        case states(AuthenticatorID)
    }

    let lane: Lane
    let action: Action

    /// Nil for what is done at once.
    init?(_ action: Action) {
        self.action = action
        switch action {
        case .open(let id), .writeAttempts(let id, _, _), .writeSettings(let id, _, _), .setAsideSettings(let id):
            lane = .files(id)
        case .load(let id), .store(let id, _, _, _, _), .remove(let id, _, _, _): lane = .store(id)
        case .writeAccountAttempts: lane = .account
        case .compare: lane = .hasher
        case .checkAccount: lane = .password
        case .sensor(.scan), .sensor(.delete), .sensor(.look): lane = .sensor
        case .remember(let id, _, _, _), .recall(let id, _, _): lane = .states(id)
        case .recordLocks, .propertiesChanged, .sessionStateChanged, .signal, .completed, .reply, .objectAdded,
            .objectRemoved, .unlockStore, .setLockedHint, .allowSleep, .sensor, .showPrompt, .hidePrompt, .cover,
            .fingerprintChanged, .enrollStatus:
            return nil
        }
    }

    /// Whether it changes what is durable.
    var writes: Bool {
        switch action {
        case .writeAttempts, .writeSettings, .writeAccountAttempts, .store, .remove, .setAsideSettings, .remember:
            true
        default: false
        }
    }
}
