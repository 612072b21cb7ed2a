/// Decides everything: an event goes in, the actions that follow from it come out.
///
/// It does no I/O and reads no clock, so the same events give the same actions, and a test can run a million of them.
/// What a client may see is compared before and after each event: one PropertiesChanged, with the whole new state,
/// goes before the event's signals, and replies come last.
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
    /// What logind was told last; nil before the first time, when an earlier run may have left its own.
    var lockedHint: Bool?
    /// What the record of locks says, of every authenticator.
    var recordedLocks: [AuthenticatorID: Bool] = [:]

    /// Whose views stand; the first is in front. Views that the app shows itself stand outside.
    var line: [AuthenticatorID] = []
    /// Whose views an app shows itself.
    var headless: Set<AuthenticatorID> = []
    /// Applications that Foreground brings back, one at a time.
    var returning: [AuthenticatorID] = []

    // Fingers.
    public internal(set) var sensor = SensorState()
    var sensorJob: SensorJob?
    /// What it said while a finger before that is being counted.
    var heldAnswers: [SensorEvent] = []
    /// Calls that wait for a fresh look at what is enrolled, by the order's number.
    var looks: [UInt64: Look] = [:]
    /// The finger that matched last.
    var lastFinger: Finger?
    /// CLOCK_BOOTTIME in µs at which a finger last opened the session.
    var lastFingerUnlock: UInt64?
    /// Makes of a set of fingers what one authenticator calls it.
    let domainStateOf: (FingerSet, AuthenticatorID) -> [UInt8]

    // What is on screen.
    var prompt: ShownPrompt?
    var canPrompt = false
    var promptsFail = false
    var canCover = false
    var isCoverUp = false
    /// Whether the session is to be covered, as was last said.
    public internal(set) var wantsCover = false

    var account = AttemptRecord()
    var nextCookie: UInt32 = 1
    var nextOperation: UInt64 = 1
    var nextView: UInt64 = 1

    // The event under way.
    private var actions: [Action] = []
    private var replies: [Action] = []
    /// What each authenticator that the event concerns looked like before it.
    var before: [AuthenticatorID: Snapshot] = [:]
    var sessionBefore = SessionSnapshot()
    var fingerprintBefore = FingerprintState()
    /// Authenticators with something that time brings about.
    var timed: Set<AuthenticatorID> = []

    /// - Parameter domainState: gives the same bytes for the same arguments, and others for others.
    public init(
        now: Instant, bootID: String, domainState: @escaping (FingerSet, AuthenticatorID) -> [UInt8]
    ) {
        self.now = now
        self.bootID = bootID
        domainStateOf = domainState
        authenticators[.session] = Authenticator(.session)
    }

    /// Takes an event in and answers what is to be done about it, in order.
    public func handle(_ event: Event, at instant: Instant) -> [Action] {
        now = instant
        actions = []
        replies = []
        before.removeAll(keepingCapacity: true)
        sessionBefore = sessionSnapshot
        fingerprintBefore = fingerprint
        expire()
        dispatch(event)
        settleHeldAnswers()
        settle()
        let changes = collectChanges()
        removeUnused()
        return changes + actions + replies
    }

    private func dispatch(_ event: Event) {
        switch event {
        case .started(let stored, let record, let account): started(stored, record, account)
        case .discovered(let ids): for id in ids where authenticators[id] == nil { create(id, isStored: true) }
        case .opened(let id, let settings, let attempts, let marker): opened(id, settings, attempts, hasMarker: marker)
        case .loaded(let id, let reading): loaded(id, reading)
        case .secretServiceChanged(let state): secretServiceChanged(state)
        case .session(let event): session(event)
        case .sensor(let event): sensorReported(event)
        case .prompt(let event, let view): promptReported(event, view)
        case .display(let event): displayChanged(event)
        case .reportIdle(let isIdle): reportIdle(isIdle)
        case .deadlinePassed: break
        case .call(let call, let id, let caller, let token): received(call, id, caller, token)
        case .fingerprint(let call, let caller, let token):
            if !looksFirst(.fingerprint(call, caller, token)) { fingerprintCall(call, caller, token) }
        case .name(let id, let caller, let token): name(id, caller, token)
        case .cancelRequest(let path, let caller, let token): cancelRequest(path, caller, token)
        case .callerLeft(let connection): callerLeft(connection)
        case .attemptsWritten(let id, let operation, let isWritten): attemptsWritten(id, operation, isWritten)
        case .accountAttemptsWritten(let id, let operation, let isWritten): accountCounted(id, operation, isWritten)
        case .settingsWritten(let id, let isWritten): settingsWritten(id, isWritten)
        case .compared(let id, let operation, let comparison): compared(id, operation, comparison)
        case .accountChecked(let id, let operation, let answer): accountChecked(id, operation, answer)
        case .stored(let id, let operation, let result): stored(id, operation, result)
        case .removed(let id, let operation, let result): removed(id, operation, result)
        case .remembered(let id, let operation, let result): remembered(id, operation, result)
        case .recalled(let id, let operation, let result): recalled(id, operation, result)
        }
    }

    // MARK: Doing

    func act(_ action: Action) { actions.append(action) }

    func signal(_ authenticator: Authenticator, _ signal: AuthenticatorSignal) {
        act(.signal(authenticator.id, signal))
    }

    /// Answers a call after everything that it brought about; a request's path alone goes before its Completed.
    func reply(_ token: ReplyToken?, _ reply: Reply) {
        guard let token else { return }
        if case .request = reply {
            act(.reply(token, reply))
        } else {
            replies.append(.reply(token, reply))
        }
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
}

/// That a source says that a cause holds.
struct CausePair: Hashable {
    var cause: Cause
    var source: String
}
