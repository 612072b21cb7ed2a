import AuthChannel
import AuthCore
import AuthSecrets
import AuthWire
import DBus
import Glibc
import MainLoop

/// Keeps one prompt up for the view in front: started, told of every change, replaced when it dies, hangs or talks
/// nonsense. It is never waited for, and nothing that it says is taken for more than an entry.
@LoopActor
final class PromptLauncher {
    /// A prompt that is on the screen and does not answer within this is replaced.
    private static let answerTime = Duration.seconds(3)
    /// How often one that stands is asked whether it is alive.
    private static let round = Duration.seconds(10)
    /// Between a death and the next start; the last one again and again (SPEC 10).
    private static let waits: [Duration] = [.zero, .zero] + (0...6).map { .milliseconds(min(100 << $0, 5_000)) }
    /// One that has stood this long did not die of starting.
    private static let settledAfter = Duration.seconds(10)
    /// After so many ends before a first frame, one after the other, no sleep waits for one. One could be an accident.
    private static let lastChance = 3

    private unowned let service: Service
    private let program: String
    private var shown: (id: AuthenticatorID, view: UInt64)?
    private var process: ChildProcess?
    private var channel: ServiceChannel?
    /// The writing end of what the cover hands on to it; nil for a prompt that is a window like any other.
    private var feed: Int32?
    /// Tells a process from its predecessors, whose last words come late.
    private var generation = 0
    private var deaths = 0
    private var restart: LoopSource?
    private var pings: LoopSource?
    private var overdue: LoopSource?
    private var settled: LoopSource?
    /// Until the first frame of a prompt that knows its view.
    private var unseen: LoopSource?
    private var isSeen = false
    /// Ends before a first frame, one after the other.
    private var failures = 0
    private var patience = FramePatience()
    private var started = SuspendingClock.now
    private var lastPing: UInt32 = 0
    /// What is left to do for prompts whose view has just gone.
    private var ends: [() -> Void] = []
    /// Prompts whose view is gone, until they are too.
    private var leaving: [Int: Leaving] = [:]
    private var whenLeft: (() -> Void)?
    /// What the prompt was told last.
    private var told: [String: Value] = [:]
    private lazy var opener = ScreenOpener(program) { [unowned self] in
        leaving.isEmpty && service.machine.isSessionOpen && !isToldToCover
    }

    /// Nil without a display or without the program: then no prompt can come.
    init?(_ service: Service) {
        guard let program = Programs.prompt, Programs.hasDisplay else { return nil }
        self.service = service
        self.program = program
    }

    // MARK: What the state machine wants

    func show(_ id: AuthenticatorID, _ view: UInt64) {
        shown = (id, view)
        deaths = 0
        start()
    }

    /// - Parameter result: how the view ended; nil where another one has come to the front.
    func hide(_ view: UInt64, _ result: Dismissal?) {
        guard let shown, shown.view == view else { return }
        self.shown = nil
        restart = nil
        guard let process, let channel else { return }
        let isAnimated = told[ViewChannelKey.animated.rawValue]?.asBool ?? false
        let number = generation
        leaving[number] = Leaving(process: process, channel: channel)
        forget()
        ends.append { [unowned self] in
            // The prompt plays the end and leaves by itself; it gets no more than a moment for it.
            if let result { channel.send(.dismiss(result: result.rawValue, animated: isAnimated)) }
            leaving[number]?.end = .after(result == nil ? .zero : .seconds(1)) { [unowned self] in left(number) }
        }
    }

    /// Calls `body` when every prompt whose view is gone has left the screen, at once where there is none. A newer
    /// call takes the place of one that waits.
    func whenLeft(_ body: (() -> Void)?) {
        whenLeft = nil
        if leaving.isEmpty { body?() } else { whenLeft = body }
    }

    private func left(_ number: Int) {
        guard let gone = leaving.removeValue(forKey: number) else { return }
        gone.channel.close()
        gone.process.kill()
        opener.settle()
        guard leaving.isEmpty, let tell = whenLeft else { return }
        whenLeft = nil
        tell()
    }

    /// Tells the prompt what has changed of its view since it was told last, and those whose view is gone that it is:
    /// after the answer to the entry that ended it.
    func refresh() {
        for end in ends { end() }
        ends = []
        changeFeed()
        defer { opener.settle() }
        guard let shown, let channel, let state = service.machine.promptState(shown.id) else { return }
        let view = service.promptView(shown.id, state)
        guard view != told else { return }
        told = view
        if isToldToCover { opener.screenMayBeLocked() }
        channel.send(.view(view))
        if isSeen { ping() } else { awaitFirstFrame() }
    }

    /// A prompt that was started before the cover, or has none any more, takes its input from the wrong place: another
    /// one follows.
    private func changeFeed() {
        guard let shown, process != nil, (feed != nil) != isUnderCover(shown.id) else { return }
        process?.kill()
        letGo()
        start()
        service.handle(.prompt(.gone, view: shown.view))
    }

    private func isUnderCover(_ id: AuthenticatorID) -> Bool {
        id == .session && service.machine.wantsCover && service.covers?.canCome == true
    }

    private var isToldToCover: Bool { told[ViewChannelKey.covers.rawValue]?.asBool ?? false }

    /// The service ends: prompts see their channels end.
    func stop() {
        opener.end()
        shown = nil
        restart = nil
        letGo()
    }

    // MARK: A process

    private func start() {
        guard let shown else { return }
        restart = nil
        generation += 1
        let number = generation
        guard let ends = ChannelSocket.makePair() else { return failed("no channel: \(errno)") }
        let channel = ServiceChannel(
            ends.service,
            onMessage: { [weak self] message, secret in self?.heard(message, secret, number) },
            onEnd: { [weak self] end in self?.ended(end, number) })
        guard let channel else {
            close(ends.prompt)
            return failed("no memory for a channel")
        }
        // Without its input it would be of no use above the cover.
        let input = isUnderCover(shown.id) ? ChannelSocket.makePair() : nil
        guard input != nil || !isUnderCover(shown.id) else {
            let error = errno
            channel.close()
            close(ends.prompt)
            return failed("no channel: \(error)")
        }
        let descriptors = [ends.prompt] + (input.map { [$0.prompt] } ?? [])
        guard let process = ChildProcess(program, descriptors: descriptors) else {
            let error = errno
            channel.close()
            if let input { close(input.service) }
            return failed("\(program) does not start: \(String(cString: strerror(error)))")
        }
        self.channel = channel
        self.process = process
        feed = input?.service
        told = [:]
        isSeen = false
        refresh()
        pings = .every(Self.round) { [unowned self] in ping() }
        settled = .after(Self.settledAfter) { [unowned self] in deaths = 0 }
    }

    private func failed(_ why: String) {
        log("prompt: \(why)")
        countFailure()
        startAgain()
    }

    private func ended(_ end: ChannelEnd, _ number: Int) {
        left(number)
        guard number == generation, channel != nil else { return }
        if case .nonsense(let what) = end { log("prompt: sent \(what), and is replaced") }
        lost()
    }

    /// Whatever it was, it is no prompt any more: the view stays, and another one comes.
    private func lost() {
        process?.kill()
        letGo()
        if !isSeen { countFailure() }
        guard let shown else { return }
        service.handle(.prompt(.gone, view: shown.view))
        startAgain()
    }

    private func letGo() {
        channel?.close()
        forget()
    }

    private func forget() {
        if let feed {
            service.covers?.forgetPrompt()
            close(feed)
        }
        feed = nil
        channel = nil
        process = nil
        told = [:]
        pings = nil
        overdue = nil
        settled = nil
        unseen = nil
    }

    private func countFailure() {
        failures += 1
        guard failures == Self.lastChance else { return }
        log("prompt: none comes up; sleeps do not wait for one")
        service.handle(.display(.promptsFail(true)))
    }

    private func startAgain() {
        guard shown != nil else { return }
        let wait = Self.waits[min(deaths, Self.waits.count - 1)]
        deaths += 1
        restart = .after(wait) { [unowned self] in start() }
    }

    // MARK: Whether it is alive

    /// It starts, and answers nothing yet.
    private func awaitFirstFrame() {
        guard unseen == nil else { return }
        let limit = patience.limit
        started = .now
        unseen = .after(limit) { [unowned self] in
            log("prompt: has shown nothing in \(limit.components.seconds) s, and is replaced")
            patience.ranOut()
            lost()
        }
    }

    private func ping() {
        guard isSeen, overdue == nil, let channel else { return }
        lastPing &+= 1
        channel.send(.ping(lastPing))
        overdue = .after(Self.answerTime) { [unowned self] in
            log("prompt: does not answer, and is replaced")
            lost()
        }
    }

    // MARK: What it says

    private func heard(_ message: PromptMessage, _ secret: UnsafeRawBufferPointer, _ number: Int) {
        guard number == generation, channel != nil else { return }
        switch message {
        case .hello: break
        case .window(let window): if let feed { service.covers?.show(window: window, feed: feed) }
        case .pong(let number): if number == lastPing { overdue = nil }
        case .shown:
            seen()
            tell(.shown)
        case .entry(let token): entry(token, secret) { .entry($0, $1) }
        case .accountPassword(let token): entry(token, secret) { .account($0, $1) }
        case .filled(let count): tell(.filled(count))
        case .finger(let name):
            let finger = Finger(rawValue: name)
            if finger != nil || name.isEmpty { tell(.fingerButton(finger)) }
        case .fallback: tell(.fallback)
        case .cancel: tell(.cancel)
        case .key: tell(.activity)
        }
    }

    private func seen() {
        guard !isSeen else { return }
        isSeen = true
        unseen = nil
        if failures >= Self.lastChance { service.handle(.display(.promptsFail(false))) }
        failures = 0
        patience.held(after: SuspendingClock.now - started)
    }

    private func tell(_ event: PromptEvent) {
        guard let shown else { return }
        service.handle(.prompt(event, view: shown.view))
    }

    private func entry(
        _ token: UInt32, _ secret: UnsafeRawBufferPointer, _ event: (any Passcode, ReplyToken) -> PromptEvent
    ) {
        guard let channel else { return }
        guard secret.count <= Wire.Limit.argument, let passcode = SodiumPasscode(bytes: secret) else {
            let outcome = EntryOutcome(token: token, result: AuthError.limitsExceeded.rawValue, message: "Too long")
            channel.send(.outcome(outcome))
            return
        }
        let answer = service.expect { [weak service] reply in
            if let service { channel.send(.outcome(service.outcome(token, reply))) }
        }
        tell(event(passcode, answer))
    }
}

/// A prompt whose view is gone.
private struct Leaving {
    let process: ChildProcess
    let channel: ServiceChannel
    var end: LoopSource?
}
