import AuthChannel
import AuthCore
import Glibc
import MainLoop

/// Keeps the X11 cover over the locked session: started, replaced at once when it dies, hangs or talks nonsense, and
/// sent away after the prompt when the lock is open. It is never waited for: what cannot cover is said to the state
/// machine, which then lets a sleep go without it.
@LoopActor
final class CoverLauncher {
    /// One that covers nothing within this is no cover.
    private static let patience = Duration.seconds(3)
    /// How often one that covers is asked whether it is alive: it holds the devices as long as it exists.
    private static let round = Duration.seconds(10)
    /// One that does not answer within this hangs. An X server that is held by somebody makes it wait, too.
    private static let answerTime = Duration.seconds(5)
    /// One that was told to leave has this long for it.
    private static let goodbye = Duration.seconds(1)
    /// Between an end before it covered and the next start; the last one again and again.
    private static let waits: [Duration] = [.zero, .zero, .zero] + (0...6).map { .milliseconds(min(100 << $0, 5_000)) }
    /// After so many ends before it covered there is none to be had. One could be an accident.
    private static let lastChance = 3
    /// How often what may be left is tried to be removed soon.
    private static let sweeps = 10
    /// Between all further tries, where covers of this service may have left something.
    private static let sweepRound = Duration.seconds(30)
    /// What a cover says where there can be nothing to remove.
    private static let nothingToCover: Int32 = 3

    private enum Phase { case starting, covering, leaving }

    private unowned let service: Service
    private let program: String
    private var isWanted = false
    private var process: ChildProcess?
    private var channel: CoverChannel?
    private var phase = Phase.starting
    /// Tells a process from its predecessors, whose last words come late.
    private var generation = 0
    /// Ends before it covered, one after the other.
    private var failures = 0
    private var failedSweeps = 0
    private var hasCovered = false
    private var hasStarted = false
    private var isToLeave = false
    private var restart: LoopSource?
    private var overdue: LoopSource?
    private var pings: LoopSource?
    private var lingering: LoopSource?
    /// The living prompt's window, and the end of its feed that the launcher of prompts keeps.
    private var prompt: (window: UInt32, feed: Int32)?
    /// Whether covers come up, by the last ones.
    private(set) var canCome = true

    /// Nil but on X11, without the program, and without one for the prompt: a screen that is covered with nothing to
    /// ask would be a trap.
    init?(_ service: Service) {
        guard Programs.hasX11, let program = Programs.cover, Programs.prompt != nil else { return nil }
        self.service = service
        self.program = program
    }

    // MARK: What the state machine wants

    func cover(_ isWanted: Bool) {
        self.isWanted = isWanted
        restart = nil
        failures = 0
        failedSweeps = 0
        // One that is told to leave already goes first: both at once would undo each other's work.
        isToLeave = !isWanted
        if isWanted, process == nil { start() }
    }

    /// After everything that followed from an event: the prompt's end comes before the cover's.
    func refresh() {
        guard isToLeave else { return }
        isToLeave = false
        service.prompts?.whenLeft { [unowned self] in uncover() }
    }

    /// Removes what covers of a service before this one may have left, where none has come up since.
    func sweep() {
        if !isWanted, !hasStarted { start() }
    }

    /// The service ends. The screen stays covered where it is locked: the cover asks for the next service.
    func stop() {
        restart = nil
        overdue = nil
        if !isWanted, phase != .leaving { _ = channel?.send(.leave) }
        channel?.close()
        channel = nil
        process = nil
    }

    // MARK: The prompt

    /// - Parameter feed: stays the caller's until ``forgetPrompt()``.
    func show(window: UInt32, feed: Int32) {
        // A second word of the same prompt is none.
        guard prompt?.feed != feed else { return }
        prompt = (window, feed)
        tellPrompt()
    }

    func forgetPrompt() { prompt = nil }

    private func tellPrompt() {
        guard let prompt, let channel, phase != .leaving else { return }
        if !channel.send(.prompt(window: prompt.window), feed: prompt.feed) { ended(.stalled, generation) }
    }

    // MARK: A process

    private func start() {
        restart = nil
        hasStarted = true
        generation += 1
        let number = generation
        phase = isWanted ? .starting : .leaving
        guard let ends = ChannelSocket.makePair() else { return failed("no channel: \(errno)") }
        let channel = CoverChannel(
            ends.service,
            onReport: { [weak self] report in self?.heard(report, number) },
            onEnd: { [weak self] end in self?.ended(end, number) })
        // Before it looks for the first time: one that only cleans up covers nothing.
        if !isWanted { _ = channel.send(.leave) }
        guard let process = ChildProcess(program, descriptors: [ends.prompt]) else {
            let error = errno
            channel.close()
            return failed("\(program) does not start: \(String(cString: strerror(error)))")
        }
        self.channel = channel
        self.process = process
        overdue = .after(Self.patience) { [unowned self] in hung() }
        tellPrompt()
    }

    private func heard(_ report: CoverReport, _ number: Int) {
        guard number == generation else { return }
        switch (report, phase) {
        case (.alive, .covering): overdue = nil
        case (.mapped, .starting), (.noGrab, .starting): covered()
        default: break
        }
    }

    private func covered() {
        phase = .covering
        hasCovered = true
        overdue = nil
        pings = .every(Self.round) { [unowned self] in ping() }
        failures = 0
        if !canCome { log("cover: there is one again") }
        canCome = true
        service.handle(.display(.covers(true)))
        service.handle(.display(.covered(true)))
    }

    private func ping() {
        guard phase == .covering, overdue == nil, let channel else { return }
        guard channel.send(.ping) else { return ended(.stalled, generation) }
        overdue = .after(Self.answerTime) { [unowned self] in hung() }
    }

    private func hung() {
        log("cover: does not answer, and is replaced")
        if phase == .starting { failures = max(failures, Self.lastChance - 1) }
        ended(.stalled, generation)
    }

    /// Whatever it was, it covers no more. Its windows stay until the next one is up.
    private func ended(_ end: ChannelEnd, _ number: Int) {
        guard number == generation, let process else { return }
        if case .nonsense(let what) = end { log("cover: sent \(what), and is replaced") }
        if end != .closed { process.kill() }
        let was = phase
        forget()
        guard was != .leaving else { return gone(process) }
        process.kill()
        again(hadCovered: was == .covering)
    }

    private func forget() {
        channel?.close()
        channel = nil
        process = nil
        overdue = nil
        pings = nil
        service.handle(.display(.covered(false)))
    }

    private func failed(_ why: String) {
        log("cover: \(why)")
        if isWanted { again(hadCovered: false) } else { sweepAgain() }
    }

    private func again(hadCovered: Bool) {
        if !hadCovered {
            failures += 1
            if failures >= Self.lastChance, canCome {
                log("cover: none comes up; the prompt is a window like any other")
                canCome = false
                service.handle(.display(.covers(false)))
            }
        }
        guard isWanted, self.process == nil, restart == nil else { return }
        let wait = Self.waits[min(failures, Self.waits.count - 1)]
        if wait == .zero { start() } else { restart = .after(wait) { [unowned self] in start() } }
    }

    // MARK: The end

    private func uncover() {
        guard !isWanted else { return }
        guard let channel else { return start() }
        guard phase != .leaving else { return }
        phase = .leaving
        pings = nil
        service.handle(.display(.covered(false)))
        overdue = .after(Self.goodbye) { [unowned self] in hung() }
        if !channel.send(.leave) { ended(.stalled, generation) }
    }

    /// One that was told to leave has left. Where it was killed instead, or could not reach the server, windows may
    /// still lie over an open desktop.
    private func gone(_ process: ChildProcess) {
        if isWanted { start() }
        process.whenEnded { [weak self] status in
            guard let self, !isWanted, self.process == nil else { return }
            // The status of one that ended by itself is in the second byte (wait(2)).
            if status != 0, status != Self.nothingToCover << 8 { sweepAgain() }
        }
        lingering = .after(Self.goodbye) { process.kill() }
    }

    private func sweepAgain() {
        failedSweeps += 1
        if failedSweeps == Self.sweeps { log("cover: cannot be removed") }
        guard hasCovered || failedSweeps < Self.sweeps else { return }
        let wait = failedSweeps < Self.sweeps ? Self.waits[min(failedSweeps, Self.waits.count - 1)] : Self.sweepRound
        restart = .after(wait) { [unowned self] in start() }
    }
}
