import AuthCore

/// Holds what always holds (SPEC 13) against every event, from outside: by what was asked, answered, signalled and shown.
final class Checker {
    /// What is known of one authenticator after an event.
    struct Seen {
        var isAuthenticated = false
        var route = "login"
        var viewType: SecurityType?
        var failures: UInt64 = 0
        var waitEnd: UInt64 = 0
        var lockOn: [String] = []
        var timeout = 0.0
        var requiresPasscode = false
        var fingerprint = true
        var mode = "any"
        var biometryFailures: UInt64 = 0
        /// It has been looked at in this run.
        var isKnown = false
        /// Prints that were enrolled when a right passcode was last given; those there were at the beginning before it.
        var knownPrints: Set<String> = ["owner", "owner's thumb"]
        /// When each factor was last right in its view.
        var fingerAt: UInt64?
        /// The event in which a finger answered its view.
        var fingerEvent: Int?
        var passcodeAt: UInt64?
        var accountAt: UInt64?
        /// A lock that a finger alone opens, and none that whoever acts has.
        var isFingersSecret = false
        /// The view is the app's own, outside the line.
        var isHeadless = false
        var isInFront = false
        /// It fell by Background or Lock and nothing right was entered since.
        var isBarred = false
        /// Authenticated before `once`, `twice` or `three` came up.
        var isRemembered = false
        /// The success that a grace may count from.
        var graceFrom: UInt64?
        /// It was authenticated in this run, or the service was restarted while it was locked.
        var mustShow = false
        /// Failures and wait when the process died, until the object is back.
        var atDeath: (failures: UInt64, waitEnd: UInt64)?
        /// Its passcode is nobody's to know.
        var secret: Disk.Item?
    }

    let bench: Bench
    private(set) var failure: String?
    var observer: ((Event, [Action]) -> Void)?
    var seen: [AuthenticatorID: Seen] = [:]
    var causes: Set<String> = []
    /// The event has added a cause.
    var isBackground = false
    /// Fingers that did not match and are not told yet.
    var misses = 0
    /// The last finger matched; what comes of it may have to wait for the count of the one before.
    var hasMatched = false
    let traffic = Traffic()
    private(set) var events = 0

    init(_ bench: Bench) {
        self.bench = bench
        bench.onActions = { [unowned self] event, actions in
            observer?(event, actions)
            if failure == nil { check(event, actions) }
        }
    }

    func fail(_ message: String) { if failure == nil { failure = message } }

    // MARK: What the player tells

    func asked(_ call: Call?, _ id: AuthenticatorID, _ caller: Caller, _ token: ReplyToken) {
        traffic.asked(token, by: caller.connection)
    }
    func left(_ connection: String) { traffic.left(connection) }
    func openRequest(_ number: Int) -> (path: String, connection: String)? { traffic.openRequest(number) }
    func cookie(of connection: String, _ number: Int) -> UInt32 { traffic.cookie(of: connection, number) }

    func keepSecrets() {
        for (id, item) in bench.disk.items { seen[id, default: Seen()].secret = item }
        for (id, state) in seen where state.route == "fingerprint" { seen[id]?.isFingersSecret = true }
    }

    func itemLost(_ id: AuthenticatorID) { seen[id]?.secret = nil }

    func ownerIsBack() {
        for id in seen.keys {
            seen[id]?.secret = nil
            seen[id]?.isFingersSecret = false
        }
    }

    func dies(isReboot: Bool, slept: Bool) {
        traffic.died()
        causes = []
        (misses, hasMatched) = (0, false)
        for (id, old) in seen {
            var new = Seen()
            new.secret = old.secret
            new.isFingersSecret = old.isFingersSecret
            new.mode = old.mode
            new.knownPrints = old.knownPrints
            new.isBarred = !isReboot && old.isBarred
            let isLocked = old.route != "login" && !old.isAuthenticated && !old.isRemembered && old.mustShow
            new.mustShow =
                !isReboot && (isLocked || bench.disk.locksAreUnreadable || (slept && bench.disk.locks != nil))
            if bench.disk.items[id] != nil || bench.disk.markers.contains(id), bench.disk.attempts[id] != .broken {
                let wait = old.waitEnd > bench.now.boottime ? old.waitEnd - bench.now.boottime : 0
                new.atDeath = (old.failures, isReboot && wait > 0 ? Bench.bootEnd + wait : old.waitEnd)
            }
            seen[id] = new
        }
    }

    func finish(isHealed: Bool) {
        checkMirror()
        if let problem = traffic.unanswered(requestsToo: isHealed) { fail(problem) }
    }

    // MARK: Each event

    private func check(_ event: Event, _ actions: [Action]) {
        if let problem = traffic.check(actions, bench) { return fail(problem) }
        let hadCauses = !causes.isEmpty
        note(event)
        switch event {
        case .sensor(.noMatch): (misses, hasMatched) = (misses + 1, false)
        case .sensor(.match): hasMatched = true
        case .sensor(.armed): hasMatched = false
        default: break
        }
        checkSensor(event, actions)
        for id in concerned(event, actions) {
            var state = seen[id] ?? Seen()
            for action in actions { noteSignal(action, id, &state) }
            noteBarring(event, actions, id, &state)
            noteFactors(event, actions, id, &state)
            checkAttempts(event, actions, id, &state)
            checkAuthentication(event, actions, id, &state, hadCauses: hadCauses)
            checkFingers(event, actions, id, &state)
            checkShown(id, &state)
            if state.secret != nil { checkSecret(id, &state) }
            if state.isFingersSecret, bench.value(.unlockRoute, id) != .string("fingerprint") {
                fail("rule 2: \(bench.name(id)) takes no finger any more")
            }
            update(id, &state)
            seen[id] = state
        }
        for case .objectRemoved(let id) in actions {
            if seen[id]?.secret != nil || seen[id]?.isFingersSecret == true {
                fail("rule 2: \(bench.name(id)) was removed")
            }
            seen[id] = nil
        }
        if seen.values.count(where: \.isInFront) > 1 { fail("more than one view is in front") }
        events += 1
        if events % 16 == 0 { checkMirror() }
    }

    /// Those that the event may have changed; what changes without a word is found by ``checkMirror()``.
    private func concerned(_ event: Event, _ actions: [Action]) -> [AuthenticatorID] {
        switch event {
        case .session, .reportIdle, .started, .callerLeft, .deadlinePassed, .call(.submit, _, _, _),
            .call(.submitAccount, _, _, _), .prompt(.activity, _):
            return bench.machine.ids
        default: break
        }
        var ids: [AuthenticatorID] = []
        func add(_ id: AuthenticatorID) { if !ids.contains(id), bench.machine.exists(id) { ids.append(id) } }
        if case .call(_, let id, _, _) = event { add(id) }
        add(.session)
        for action in actions {
            switch action {
            case .propertiesChanged(let id, _), .signal(let id, _), .compare(let id, _, _, _),
                .checkAccount(let id, _, _), .objectAdded(let id):
                add(id)
            default: break
            }
        }
        switch event {
        case .compared(let id, _, _), .accountChecked(let id, _, _), .stored(let id, _, _), .removed(let id, _, _):
            add(id)
        default: break
        }
        return ids
    }

    func checkMirror() { if let problem = traffic.missedChange(bench) { fail(problem) } }

    /// Follows the set of causes by what was reported, not by what the machine says.
    private func note(_ event: Event) {
        isBackground = false
        switch event {
        case .session(.began(let cause, let source)):
            isBackground = causes.insert(cause.rawValue + " " + source).inserted
        case .session(.ended(let cause, let source)): causes.remove(cause.rawValue + " " + source)
        case .session(.left(let source)): causes = causes.filter { !$0.hasSuffix(" \(source)") }
        case .reportIdle(true): isBackground = causes.insert("idle report").inserted
        case .session(.sleptUnannounced): isBackground = true
        case .reportIdle(false): causes.remove("idle report")
        case .call(.submit, _, _, _), .call(.submitAccount, _, _, _), .prompt(.activity, _):
            // An entry from a terminal clears `idle`.
            if bench.machine.sessionState == "active", causes.allSatisfy({ $0.hasPrefix("idle") }) { causes = [] }
        default: break
        }
    }

    private func noteSignal(_ action: Action, _ id: AuthenticatorID, _ state: inout Seen) {
        guard case .signal(id, let signal) = action else { return }
        switch signal {
        case .authViewPresented: state.isHeadless = false
        case .authViewShown(by: .app): state.isHeadless = true
        case .authViewDismissed: state.isHeadless = false
        case .authenticationSucceeded: state.graceFrom = bench.now.boottime
        default: break
        }
    }

    /// The last state, to compare the next with.
    private func update(_ id: AuthenticatorID, _ state: inout Seen) {
        state.isAuthenticated = bench.isAuthenticated(id)
        if state.isAuthenticated { state.mustShow = true }
        if case .string(let route) = bench.value(.unlockRoute, id) { state.route = route }
        if state.route == "login", !state.isAuthenticated {
            state.mustShow = state.mustShow && bench.isTrue(.hasPasscode, id)
        }
        state.viewType = bench.view(id)?.type
        state.isInFront = !state.isHeadless && bench.isTrue(.isShowingAuth, id)
        state.failures = bench.number(.failCount, id)
        state.waitEnd = bench.number(.lockedOutUntilBoottime, id)
        if case .strings(let causes) = bench.value(.lockOn, id) { state.lockOn = causes }
        if case .double(let timeout) = bench.value(.timeoutInterval, id) { state.timeout = timeout }
        state.requiresPasscode = bench.isTrue(.requirePasscodeForChanges, id)
        state.fingerprint = bench.isTrue(.fingerprintEnabled, id)
        if case .string(let mode) = bench.value(.factorMode, id) { state.mode = mode }
        state.isKnown = true
        state.biometryFailures = bench.number(.biometryFailCount, id)
    }
}
