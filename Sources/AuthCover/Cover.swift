import AuthChannel
import CX11
import Glibc
import MainLoop

/// The covered screen, from the first window to the last.
@LoopActor
final class Cover {
    let server: XServer
    let sheets: [Sheet]
    let grabs: Grabs
    let keyboard: Keyboard
    let succession: Succession
    var clock = ServerClock()
    private let channel: ServiceLine
    private lazy var activation = Activation { [unowned self] in
        // One that has come meanwhile is the one to decide.
        XSync(server.display, 0)
        turn()
        leave()
    }
    /// The newest prompt; the ones before get nothing any more.
    var prompt: PromptWindow?
    /// Whether something may have come above the cover.
    var isStackDirty = true
    private let restacking = Pace(each: .milliseconds(20))
    let focusing = Pace(each: .milliseconds(100))
    private var hasSaidNoGrab = false
    private var retryPause = Cover.firstRetry
    private var timers: [LoopSource] = []
    private var retry: LoopSource?
    private var later: LoopSource?

    private static let firstRetry: Duration = .milliseconds(1)
    private static let lastRetry: Duration = .milliseconds(250)
    /// How long the cover before this one has to leave by itself.
    private static let patience: Duration = .milliseconds(500)

    init(server: XServer, channel: ServiceLine) {
        self.server = server
        self.channel = channel
        succession = Succession(server)
        keyboard = Keyboard(server)
        let order = channel.receive()
        if case .leave = order { Cover.sweep(server, succession) }
        sheets = server.roots.map { Sheet($0, of: server) }
        succession.claim(sheets.map(\.window))
        // From here on a crash leaves the screen covered; not before the next one can tell by what.
        XSetCloseDownMode(server.display, RetainTemporary)
        XSetInputFocus(server.display, sheets[0].window, Int32(RevertToNone), Time(CurrentTime))
        grabs = Grabs(server)
        if let order { take(order) }
    }

    /// Holds the devices as soon as they are to be had, and runs until it is told to leave.
    func start() {
        if !succession.hasPredecessor { succession.bury() }
        hold()
        if !grabs.areHeld {
            // The cover before this one is about to let go: that is nothing to tell.
            timers.append(
                .after(succession.hasPredecessor ? .milliseconds(100) : .zero) { [unowned self] in sayNoGrab() })
            timers.append(
                .after(Cover.patience) { [unowned self] in
                    succession.bury()
                    turn()
                })
            timers.append(.every(.seconds(1)) { [unowned self] in closeMenus() })
            timers.append(.after(.milliseconds(200)) { [unowned self] in closeMenus() })
        }
        server.watch { [unowned self] in turn() }
        channel.watch { [unowned self] in
            take($0)
            turn()
        }
        turn()
    }

    // MARK: the devices

    /// Tries to hold what is not held yet, and tells the service once all is.
    func hold() {
        let wereHeld = grabs.areHeld
        guard grabs.take() else { return retryLater() }
        retry = nil
        retryPause = Cover.firstRetry
        timers = []
        guard !wereHeld else { return }
        channel.send(.mapped)
        if hasSaidNoGrab { log("keyboard and pointer are held now") }
        later = .idle { [unowned self] in
            succession.bury()
            keyboard.open()
            turn()
        }
    }

    private func retryLater() {
        guard retry == nil else { return }
        retry = .after(retryPause) { [unowned self] in
            retry = nil
            hold()
            turn()
        }
        retryPause = min(retryPause + retryPause / 4 + .milliseconds(1), Cover.lastRetry)
    }

    private func closeMenus() {
        guard !grabs.areHeld else { return }
        let ours = sheets.map(\.window) + (prompt.map { [$0.window] } ?? [])
        Popups.unmapInTurn(server, except: ours) {
            hold()
            return grabs.areHeld
        }
        isStackDirty = true
        turn()
    }

    private func sayNoGrab() {
        guard !grabs.areHeld, !hasSaidNoGrab else { return }
        hasSaidNoGrab = true
        channel.send(.noGrab)
        log("another client holds the keyboard or the pointer; trying on")
    }

    // MARK: the loop

    /// Every entry from the loop ends here: takes the events that are there, and puts right what they told.
    func turn() {
        for _ in 0..<4 {
            server.takeEvents { handle(&$0) }
            guard isStackDirty else { break }
            guard restacking.allows({ [unowned self] in turn() }) else { break }
            isStackDirty = false
            for sheet in sheets { sheet.restack(under: shownPrompt) }
        }
        if XEventsQueued(server.display, QueuedAfterFlush) > 0 { later = .idle { [unowned self] in turn() } }
    }

    private var shownPrompt: Window? { prompt.flatMap { $0.isShown ? $0.window : nil } }

    private func take(_ order: ServiceLine.Arrival) {
        switch order {
        case .prompt(let window, let feed):
            prompt = PromptWindow(Window(window), feed: Feed(feed), server: server)
            isStackDirty = true
        case .leave: leave()
        case .ping: channel.send(.alive)
        case .ended: activation.start()
        }
    }

    // MARK: the end

    /// Uncovers: the person is known.
    private func leave() -> Never {
        succession.bury()
        XSetCloseDownMode(server.display, DestroyAll)
        for sheet in sheets { XDestroyWindow(server.display, sheet.window) }
        succession.end()
        grabs.release()
        XSync(server.display, 0)
        exit(0)
    }

    /// Another cover stands above: its windows and property stay, ours go.
    func handOver() -> Never {
        grabs.release()
        XSetCloseDownMode(server.display, DestroyAll)
        XSync(server.display, 0)
        exit(0)
    }

    /// Told to leave before anything was covered: removes what a cover that was killed has left behind.
    private static func sweep(_ server: XServer, _ succession: Succession) -> Never {
        if succession.leftSomething {
            succession.bury()
            succession.end()
            XSync(server.display, 0)
        }
        exit(0)
    }
}
