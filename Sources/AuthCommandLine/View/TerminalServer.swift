import AuthWire
import DBus
import Glibc
import MainLoop

/// Serves a view to the person at the terminal: shows each step, takes the entries, says what the finger does, counts a
/// lockout down.
@LoopActor
final class TerminalServer {
    /// What the screen shows, as far as it makes a difference; a new one is drawn when this changes.
    enum Phase: Equatable {
        case blank
        case inLine
        case waiting
        case passcode(step: UInt32, kind: Wire.PasscodeKind, description: String, finger: FingerLine, hint: String)
        /// A finger comes first, or alone.
        case finger(description: String, finger: FingerLine, hint: String)
        /// Which finger is going to touch.
        case pick([Wire.Finger])
        case account
    }

    let events: ViewEvents
    let terminal: Terminal
    let screen: ViewScreen
    /// Whether the person asked for the account password: `--account`, or an empty line.
    var wantsAccount: Bool
    /// Whether the person is choosing a finger.
    var isPicking = false
    /// Whether the finger button was used since the last thing that made it needful.
    var hasUsedButton = false
    /// Fingers that were not recognised since the finger button.
    var misses = 0
    /// The finger has something to say again, though it may be in the same words.
    var hasFingerNews = false

    var view: AuthView?
    var isInFront = true
    var phase = Phase.blank
    var hasHeader = false
    var hasPad = false
    var lastFailed = false
    var lastWasTold = false
    /// The cursor is behind a prompt or a countdown.
    var isMidLine = false
    /// End of the running wait, CLOCK_BOOTTIME in µs, and the view's `locked_out_until` that it belongs to.
    var waitEnd: UInt64 = 0
    var waitKey: UInt64 = 0
    var ticker: LoopSource?

    init(_ events: ViewEvents, _ terminal: Terminal, wantsAccount: Bool = false) {
        self.events = events
        self.terminal = terminal
        self.wantsAccount = wantsAccount
        screen = ViewScreen(style: terminal.style)
    }

    var client: AuthenticatorClient { events.client }

    /// Serves until the view or the request ends.
    func serve() async throws -> ViewEnd {
        defer { leave() }
        // Before the first prompt: whoever types at once must not see it on the screen.
        terminal.hush()
        try await refresh()
        if view == nil && !events.endsWithRequest { return try await events.endWithoutView() }
        while true {
            // What came together is drawn once.
            if events.mailbox.isEmpty { try await draw() }
            switch await events.mailbox.next() {
            case .view(let changed): take(changed)
            case .isInFront(let now): isInFront = now
            case .presented: try await refresh()
            case .dismissed(let result): return .dismissed(result)
            case .completed(let result, let details): return .completed(result, details)
            case .input(let input):
                if let end = try await take(input) { return end }
            case .tick: break
            case .interrupted: return .interrupted
            case .timedOut: return .timedOut
            case .serviceLeft: throw ViewEvents.serviceLeft
            }
        }
    }

    /// Reads the view and its place anew.
    func refresh() async throws {
        view = try await client.view()
        isInFront = try await client.get(.isShowingAuth).asBool ?? true
    }

    private func take(_ changed: AuthView?) {
        guard let changed else { return }
        view = changed
        guard changed.finger == .noMatch || changed.finger == .retry else { return }
        hasFingerNews = true
        lastWasTold = false
        lastFailed = false
        if changed.finger == .noMatch {
            misses += 1
            hasUsedButton = false
        }
    }

    // MARK: Entries

    private func take(_ input: Terminal.Input) async throws -> ViewEnd? {
        endLine()
        switch input {
        case .end: return .interrupted
        case .tooLong: terminal.write(screen.failure("That is longer than \(Wire.Limit.argument) bytes."))
        case .entry(let entry) where entry.isEmpty:
            // Never an entry: for a text passcode it would count as a failure.
            try await takeEmptyLine()
        case .entry(let entry):
            terminal.pause()
            switch phase {
            case .account: try await submitAccount(entry)
            case .pick(let fingers): try await pick(entry, of: fingers)
            case .finger: terminal.write(screen.note("A finger comes first; that was no entry."))
            default: try await submit(entry)
            }
        }
        phase = .blank
        return nil
    }

    private func submit(_ entry: SecretBuffer) async throws {
        do throws(DBusFailure) {
            let answer = try await Entry.submit(entry, to: client)
            lastWasTold = false
            lastFailed = answer.outcome == .wrong || answer.outcome == .mismatch
            view = answer.view
        } catch {
            try await tell(error)
        }
    }

    private func submitAccount(_ entry: SecretBuffer) async throws {
        terminal.write(terminal.style.dim("  Checking\u{2026}"))
        isMidLine = true
        let result: Result<(outcome: Wire.Outcome, view: AuthView?), DBusFailure>
        do throws(DBusFailure) {
            result = .success(try await Entry.submitAccount(entry, to: client))
        } catch {
            result = .failure(error)
        }
        terminal.rewrite("")
        isMidLine = false
        switch result {
        case .success(let answer):
            view = answer.view
            if answer.outcome == .wrong {
                terminal.write(screen.failure(Self.sentence(CommandFailure.notTheAccountPassword())))
            } else {
                // Where the passcode is still to come.
                wantsAccount = false
            }
        case .failure(let failure):
            if WireError(fullName: failure.name) == .invalidContext {
                terminal.write(screen.note("The account password is not taken any more."))
                wantsAccount = false
                return try await refresh()
            }
            try await tell(failure)
        }
    }

    /// Says what the service made of an entry; passes on what no other entry would change.
    func tell(_ failure: DBusFailure) async throws {
        guard let error = WireError(fullName: failure.name) else { throw failure }
        lastFailed = false
        if error != .lockedOut || phase == .account {
            lastWasTold = true
            terminal.write(screen.failure(Self.sentence(CommandFailure(failure).message)))
        }
        try await refresh()
    }

    private static func sentence(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() + "." }

    func endLine() {
        if isMidLine { terminal.line() }
        isMidLine = false
    }

    private func leave() {
        endLine()
        ticker = nil
        terminal.close()
    }
}
