public import AuthCore

/// Plays every adapter around a state machine, with a clock and a disk of its own.
///
/// An answer is given as soon as an action asks for it, or is held back and given later, in any order that real
/// adapters could give it in. ``kill(applying:)`` loses what is under way and starts anew from what is durable.
public final class Bench {
    public private(set) var machine: StateMachine
    public var disk = Disk()
    public var now = Instant(boottime: 1_000_000_000, realtime: 1_700_000_000_000_000)
    public private(set) var boot = 1

    /// The Secret Service does not answer.
    public var storeIsAway = false
    /// No file and no item can be written.
    public var diskIsFull = false
    /// A store or removal reports a failure although it took effect.
    public var storeFailsAfterwards = false
    public var accountPassword: [UInt8] = Array("account".utf8)
    public var accountIsAway = false
    public var comparisonsFail = false
    public var needsRehash = false
    public var sensor = FakeSensor()
    /// The view that a prompt is asked for.
    public private(set) var shownPrompt: (id: AuthenticatorID, view: UInt64)?
    public private(set) var isCoverWanted = false
    /// Whether the machine was told that prompts can come.
    public private(set) var canPrompt = false
    /// Whose finger the sensor read last.
    public internal(set) var lastTouch: String?
    /// Answers wait for ``deliver(_:)`` and ``deliverAll()``.
    public var holdsAnswers = false

    /// Every action since the last ``clear()``.
    public private(set) var actions: [Action] = []
    public private(set) var replies: [ReplyToken: Reply] = [:]
    var pending: [Pending] = []
    public private(set) var nextToken: ReplyToken = 1
    private var nextItem = 1

    /// Told of each event with its actions, and of each answer as it takes effect.
    public var onActions: ((Event, [Action]) -> Void)?
    public var keepsLog = true

    public init(starting: Bool = true) {
        machine = StateMachine(now: now, bootID: "boot-1", domainState: Self.domainState)
        if starting { start() }
    }

    // MARK: Events

    @discardableResult
    public func send(_ event: Event) -> [Action] {
        let first = handle(event)
        guard !holdsAnswers else { return first }
        return first + deliverAll()
    }

    private func handle(_ event: Event) -> [Action] {
        if case .display(.prompts(let canCome)) = event { canPrompt = canCome }
        let actions = machine.handle(event, at: now)
        for action in actions {
            if case .sensor(let order) = action { take(order) }
            switch action {
            case .showPrompt(let id, let view): shownPrompt = (id, view)
            case .hidePrompt: shownPrompt = nil
            case .cover(let isUp): isCoverWanted = isUp
            default: break
            }
            if let next = Pending(action) {
                pending.append(next)
            } else {
                switch action {
                case .reply(let token, let reply): replies[token] = reply
                case .recordLocks(let locks): disk.locks = locks
                default: break
                }
            }
        }
        if keepsLog { self.actions += actions }
        onActions?(event, actions)
        return actions
    }

    public func clear() {
        actions = []
        replies = [:]
    }

    public func token() -> ReplyToken {
        defer { nextToken += 1 }
        return nextToken
    }

    // MARK: Answers

    public var waiting: Int { pending.count }
    /// What is answered next, as a line.
    public var nextPending: String? { pending.first.map { line($0.action) } }

    /// Gives one answer: of the waiting action, or of the one that is before it in its lane.
    @discardableResult
    public func deliver(_ index: Int = 0) -> [Action] {
        guard pending.indices.contains(index) else { return [] }
        let lane = pending[index].lane
        guard let first = pending.firstIndex(where: { $0.lane == lane }) else { return [] }
        let next = pending.remove(at: first)
        return apply(next.action).flatMap { handle($0) }
    }

    @discardableResult
    public func deliverAll() -> [Action] {
        var all: [Action] = []
        while !pending.isEmpty { all += deliver() }
        return all
    }

    func itemID() -> String {
        defer { nextItem += 1 }
        return "item-\(nextItem)"
    }

    // MARK: Time

    /// Lets time pass, and tells the machine where it had asked to be told.
    public func pass(seconds: Double) {
        let end = now.boottime + UInt64(seconds * 1_000_000)
        while let deadline = machine.nextDeadline, deadline <= end {
            jump(to: max(deadline, now.boottime))
            send(.deadlinePassed)
            // A deadline that stays in the past would be a loop that eats the processor.
            if let next = machine.nextDeadline, next <= now.boottime { break }
        }
        jump(to: end)
    }

    public func jump(to boottime: UInt64) {
        now.realtime += boottime - now.boottime
        now.boottime = boottime
    }

    // MARK: Starting and dying

    public func start(slept: Bool = false) {
        let record: LockRecord =
            disk.locksAreUnreadable ? .unreadable : disk.locks.map { .states($0, slept: slept) } ?? .fresh
        send(.started(stored: disk.stored, record, account: disk.account))
        if sensor.isPlugged { send(.sensor(.changed(sensor.state))) }
    }

    /// The process dies: writes under way took effect or did not, as `applying` says, and a new one starts.
    public func kill(slept: Bool = false, applying: () -> Bool = { false }) {
        for lost in pending where lost.writes && applying() { _ = apply(lost.action) }
        pending = []
        sensor.scan = nil
        sensor.enrolment = nil
        sensor.isArmed = false
        shownPrompt = nil
        isCoverWanted = false
        canPrompt = false
        machine = StateMachine(now: now, bootID: "boot-\(boot)", domainState: Self.domainState)
        start(slept: slept)
    }

    /// CLOCK_BOOTTIME in µs at which the service starts after a reboot.
    public static let bootEnd: UInt64 = 30_000_000

    /// The machine starts anew: CLOCK_BOOTTIME at its beginning, XDG_RUNTIME_DIR empty.
    public func reboot() {
        pending = []
        sensor.scan = nil
        sensor.enrolment = nil
        sensor.isArmed = false
        shownPrompt = nil
        isCoverWanted = false
        canPrompt = false
        boot += 1
        disk.locks = nil
        disk.locksAreUnreadable = false
        now.boottime = Self.bootEnd
        now.realtime += 60_000_000
        machine = StateMachine(now: now, bootID: "boot-\(boot)", domainState: Self.domainState)
        start()
    }
}
