/// Decides everything: an event goes in, the actions that follow from it come out.
///
/// It does no I/O and reads no clock, so the same events give the same actions, and a test can run a million of them.
/// What a client may see is compared before and after each event: one PropertiesChanged, with the whole new state,
/// goes before the event's signals.
public final class StateMachine {
    var authenticators: [AuthenticatorID: Authenticator] = [:]
    var now: Instant
    /// The kernel's boot id, which waits in CLOCK_BOOTTIME belong to.
    let bootID: String
    var lockRecord = LockRecord.fresh
    var hasStarted = false

    // The session.
    var causes: Set<CausePair> = []
    var sources: [String] = []
    public internal(set) var secretService = SecretServiceState.absent
    var hasAskedToUnlock = false
    /// CLOCK_BOOTTIME in µs at which a sleep stops waiting for covers; nil when none waits.
    var sleepDeadline: UInt64?
    /// How long a sleep may wait for covers, in µs: 60 % of logind's InhibitDelayMaxUSec.
    public var coverPatience: UInt64 = .seconds(3)
    var lockedHint = false
    var recordedLocks: [AuthenticatorID: Bool]?

    /// Whose views stand; the first is in front. Views that the app shows itself stand outside.
    var line: [AuthenticatorID] = []
    /// Applications that Foreground brings back, one at a time.
    var returning: [AuthenticatorID] = []

    var account = AttemptRecord()
    var nextCookie: UInt32 = 1
    var nextOperation: UInt64 = 1

    private var actions: [Action] = []
    private var before: [AuthenticatorID: Snapshot] = [:]
    private var sessionBefore: (String, [String], SecretServiceState)
    /// Authenticators with something that time brings about.
    private var timed: Set<AuthenticatorID> = []

    public init(now: Instant, bootID: String) {
        self.now = now
        self.bootID = bootID
        sessionBefore = ("", [], .absent)
        let session = Authenticator(.session)
        authenticators[.session] = session
    }

    /// Takes an event in and answers what is to be done about it, in order.
    public func handle(_ event: Event, at instant: Instant) -> [Action] {
        now = instant
        actions = []
        before = [:]
        sessionBefore = (sessionState, sources, secretService)
        expire()
        dispatch(event)
        settle()
        let changes = collectChanges()
        removeUnused()
        return changes + actions
    }

    private func dispatch(_ event: Event) {
        switch event {
        case .started(let stored, let record, let account): started(stored, record, account)
        case .discovered(let ids): for id in ids where authenticators[id] == nil { create(id) }
        case .opened(let id, let settings, let attempts, let marker): opened(id, settings, attempts, hasMarker: marker)
        case .loaded(let id, let reading): loaded(id, reading)
        case .secretServiceChanged(let state): secretServiceChanged(state)
        case .session(let event): session(event)
        case .reportIdle(let isIdle): reportIdle(isIdle)
        case .deadlinePassed: break
        case .call(let call, let id, let caller, let token): received(call, id, caller, token)
        case .name(let id, let caller, let token): name(id, caller, token)
        case .cancelRequest(let path, let caller, let token): cancelRequest(path, caller, token)
        case .callerLeft(let connection): callerLeft(connection)
        case .attemptsWritten(let id, let operation, let isWritten): counted(id, operation, isWritten)
        case .accountAttemptsWritten(let id, let operation, let isWritten): accountCounted(id, operation, isWritten)
        case .settingsWritten(let id, let isWritten): settingsWritten(id, isWritten)
        case .compared(let id, let operation, let comparison): compared(id, operation, comparison)
        case .accountChecked(let id, let operation, let answer): accountChecked(id, operation, answer)
        case .stored(let id, let operation, let result): stored(id, operation, result)
        case .removed(let id, let operation, let result): removed(id, operation, result)
        }
    }

    // MARK: Doing

    func act(_ action: Action) { actions.append(action) }

    func signal(_ authenticator: Authenticator, _ signal: AuthenticatorSignal) { act(.signal(authenticator.id, signal)) }

    func reply(_ token: ReplyToken?, _ reply: Reply) {
        if let token { act(.reply(token, reply)) }
    }

    func refuse(_ token: ReplyToken?, _ error: AuthError, _ message: String) {
        reply(token, .refused(Refusal(error, message)))
    }

    /// The authenticator, to be changed; what it looked like before is kept for the comparison.
    func touch(_ id: AuthenticatorID) -> Authenticator? {
        guard let authenticator = authenticators[id] else { return nil }
        if before[id] == nil { before[id] = snapshot(authenticator) }
        return authenticator
    }

    func touchAll() -> [Authenticator] { authenticators.keys.sorted().compactMap(touch) }

    var session: Authenticator? { touch(.session) }

    // MARK: Time

    /// CLOCK_BOOTTIME in µs at which to send ``Event/deadlinePassed``; nil when nothing waits for time to pass.
    public var nextDeadline: UInt64? {
        var earliest = sleepDeadline
        for id in timed {
            guard let authenticator = authenticators[id] else { continue }
            for deadline in deadlines(authenticator) { earliest = min(earliest ?? .max, deadline) }
        }
        return earliest
    }

    private func deadlines(_ authenticator: Authenticator) -> [UInt64] {
        var deadlines: [UInt64] = []
        if authenticator.attempts.wait > 0 { deadlines.append(authenticator.attempts.until) }
        if let view = authenticator.view {
            if view.type != .touchid, view.isPresented { deadlines.append(view.lastEntry + Self.entryPatience) }
            if let since = authenticator.unavailableSince, since + Self.accountPatience > now.boottime {
                deadlines.append(since + Self.accountPatience)
            }
        }
        return deadlines
    }

    /// `once`, `twice` and `three` end after this long without an entry.
    static let entryPatience = UInt64.seconds(120)
    /// A view takes the account password after the store has been away this long.
    static let accountPatience = UInt64.seconds(60)

    /// What time alone brings about.
    private func expire() {
        if let deadline = sleepDeadline, deadline <= now.boottime { releaseSleep() }
        if account.wait > 0, account.waitEnd(at: now) == nil { account.endWait() }
        for id in timed {
            guard let authenticator = authenticators[id],
                deadlines(authenticator).contains(where: { $0 <= now.boottime }), let authenticator = touch(id)
            else { continue }
            if authenticator.attempts.wait > 0, authenticator.attempts.waitEnd(at: now) == nil {
                // Written, so that a reboot does not start a wait anew that is over.
                authenticator.attempts.endWait()
                authenticator.lockedOutUntil = 0
                if authenticator.operation == nil { writeAttempts(authenticator) }
            }
            if let view = authenticator.view, view.type != .touchid, view.isPresented,
                view.lastEntry + Self.entryPatience <= now.boottime, !isStoring(authenticator)
            {
                endView(authenticator, .systemCancel)
            }
        }
    }

    private func isStoring(_ authenticator: Authenticator) -> Bool {
        switch authenticator.operation?.phase {
        case .storing, .removing: true
        default: false
        }
    }

    // MARK: What changed

    private struct Snapshot {
        var values: [PropertyValue]
        var view: ViewState?
        var route: UnlockRoute
    }

    private func snapshot(_ authenticator: Authenticator) -> Snapshot {
        Snapshot(
            values: Property.allCases.map { value(of: $0, authenticator) }, view: viewState(authenticator),
            route: authenticator.unlockRoute)
    }

    func route(before id: AuthenticatorID) -> UnlockRoute? { before[id]?.route }
    var touched: [AuthenticatorID] { before.keys.sorted() }

    private func collectChanges() -> [Action] {
        var changes: [Action] = []
        var views: [Action] = []
        for id in before.keys.sorted() {
            guard let authenticator = authenticators[id], let old = before[id] else { continue }
            let isTimed = !deadlines(authenticator).isEmpty
            if isTimed { timed.insert(id) } else { timed.remove(id) }
            guard authenticator.isOpen else { continue }
            let new = snapshot(authenticator)
            var changed: [Property] = []
            for (index, property) in Property.allCases.enumerated()
            where new.values[index] != old.values[index] && property != .presentedContext {
                changed.append(property)
            }
            if !changed.isEmpty { changes.append(.propertiesChanged(id, changed)) }
            if let view = new.view, let former = old.view, view != former {
                views.append(.signal(id, .viewChanged(view)))
            }
        }
        if sessionBefore != (sessionState, sources, secretService) { changes.append(.sessionStateChanged) }
        // A lock is remembered before anybody hears of it.
        let locks = lockStates()
        if hasStarted, locks != recordedLocks {
            recordedLocks = locks
            changes.insert(.recordLocks(locks), at: 0)
        }
        return changes + views
    }

    private func lockStates() -> [AuthenticatorID: Bool] {
        authenticators.filter { $0.value.isOpen }.mapValues { $0.isLocked && $0.isLockable }
    }

    /// An application's authenticator exists while something holds it.
    private func removeUnused() {
        for id in touched where id != .session {
            guard let authenticator = authenticators[id], !isUsed(authenticator) else { continue }
            authenticators[id] = nil
            timed.remove(id)
            if authenticator.isOpen { act(.objectRemoved(id)) }
        }
    }

    private func isUsed(_ authenticator: Authenticator) -> Bool {
        if !authenticator.isOpen || !authenticator.isLoaded { return true }
        switch authenticator.store {
        case .ready, .lost, .unavailable(hasMarker: true): return true
        case .unset, .unavailable(hasMarker: false): break
        }
        return authenticator.hasStoredSettings || authenticator.view != nil || !authenticator.holds.isEmpty
            || !authenticator.namedBy.isEmpty || authenticator.operation != nil
            || !authenticator.settingChanges.isEmpty || !authenticator.deferred.isEmpty
    }
}

/// That a source says that a cause holds.
struct CausePair: Hashable {
    var cause: Cause
    var source: String
}
