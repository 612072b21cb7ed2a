import AuthWire

/// Everything that the pages are made of, as values.
struct Facts: Equatable, Sendable {
    var state = ServiceState()
    var notices: [Item: Notice] = [:]
    var working: Set<Item> = []
    /// What the next passcode is to be.
    var kind = Wire.PasscodeKind.digits
    var length: UInt32 = 4
    var scan: SettingsModel.Scan?
    /// In µs of CLOCK_BOOTTIME.
    var now: UInt64 = 0
    var cover = Cover.windowOnly

    /// Seconds of the passcode's wait that are left, begun ones whole.
    var wait: UInt64 {
        let until = state.session.lockedOutUntil
        return until > now ? (until - now + 999_999) / 1_000_000 : 0
    }

    /// A control that waits for an answer stays as it is, with the keyboard's focus; what is done to it does nothing.
    func row(_ item: Item, _ subtitle: String = "", isSensitive: Bool = true) -> RowState {
        // Nothing is said of a service that is not there.
        RowState(
            subtitle: state.isReady ? subtitle : "",
            isSensitive: isSensitive && state.isReady,
            notice: notices[item])
    }
}

/// What a row says beside its title, and whether its control can be used.
struct RowState: Equatable, Sendable {
    var subtitle = ""
    var isSensitive = true
    var notice: Notice?
}

/// What stands above the pages.
struct Banner: Equatable, Sendable {
    var text = ""
    var isAlert = false
    /// Whether there is a button that starts the service.
    var offersStart = false
    /// Whether there is a button that unlocks the session: it is not open, and is not asked for.
    var offersUnlock = false

    init(_ facts: Facts) {
        let state = facts.state
        switch state.presence {
        case .connecting: text = Texts.connecting
        case .noBus: (text, isAlert) = (Texts.noBus, true)
        case .absent:
            text = state.cannotStart ? Texts.absent + " " + Texts.cannotStart : Texts.absent
            (isAlert, offersStart) = (true, true)
        case .ready:
            switch state.session.store {
            case .unavailable: (text, isAlert) = (Texts.storeAway, true)
            case .lost: (text, isAlert) = (Texts.storeLost, true)
            case .ready, .unset:
                if facts.wait > 0 {
                    (text, isAlert) = (Texts.wait(facts.wait), true)
                } else if state.session.isLocked, facts.working.subtracting([.unlock, .lockNow]).isEmpty {
                    // What is begun here says itself that it waits.
                    offersUnlock = !state.session.isShowingAuth || facts.working.contains(.unlock)
                    let said = state.session.isShowingAuth ? Texts.sessionLocked : Texts.notAsked
                    text = [said, facts.notices[.unlock]?.text ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
                }
            }
        }
    }
}
