import AuthWire
import DBus
import Glibc
import MainLoop

/// Serves a view to the person at the terminal: shows each step, takes the entries, counts a lockout down.
@LoopActor
final class TerminalServer {
    /// What the screen shows, as far as it makes a difference; a new one is drawn when this changes.
    private enum Phase: Equatable {
        case blank
        case inLine
        case waiting
        case passcode(step: UInt32, kind: Wire.PasscodeKind, description: String, offersAccount: Bool)
        case account
    }

    private let events: ViewEvents
    private let terminal: Terminal
    private let screen: ViewScreen
    /// Whether the person asked for the account password: `--account`, or an empty line.
    private var wantsAccount: Bool

    private var view: AuthView?
    private var isInFront = true
    private var phase = Phase.blank
    private var hasHeader = false
    private var hasPad = false
    private var lastFailed = false
    private var lastWasTold = false
    /// The cursor is behind a prompt or a countdown.
    private var isMidLine = false
    /// End of the running wait, CLOCK_BOOTTIME in µs, and the view's `locked_out_until` that it belongs to.
    private var waitEnd: UInt64 = 0
    private var waitKey: UInt64 = 0
    private var ticker: LoopSource?

    init(_ events: ViewEvents, _ terminal: Terminal, wantsAccount: Bool = false) {
        self.events = events
        self.terminal = terminal
        self.wantsAccount = wantsAccount
        screen = ViewScreen(style: terminal.style)
    }

    private var client: AuthenticatorClient { events.client }

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
            case .view(let changed): view = changed ?? view
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
    private func refresh() async throws {
        view = try await client.view()
        isInFront = try await client.get(.isShowingAuth).asBool ?? true
    }

    // MARK: Entries

    private func take(_ input: Terminal.Input) async throws -> ViewEnd? {
        endLine()
        switch input {
        case .end: return .interrupted
        case .tooLong: terminal.write(screen.failure("That is longer than \(Wire.Limit.argument) bytes."))
        case .entry(let entry) where entry.isEmpty:
            // Never an entry: for a text passcode it would count as a failure.
            if view?.takesAccountPassword == true { wantsAccount.toggle() }
        case .entry(let entry):
            terminal.pause()
            if phase == .account {
                try await submitAccount(entry)
            } else {
                try await submit(entry)
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
            // The session's view does not outlive a wrong entry: what comes next is its lock.
            if answer.outcome == .wrong, answer.view == nil {
                terminal.write(screen.failure("That is not the passcode, and it is locked now: smileauth unlock."))
            }
        } catch {
            try await tell(error)
        }
    }

    private func submitAccount(_ entry: SecretBuffer) async throws {
        // Asked again right before: without a view that takes it, the same call would remove the passcode.
        guard let now = try await client.view(), now.takesAccountPassword else {
            terminal.write(screen.note("The account password is not taken any more."))
            wantsAccount = false
            return try await refresh()
        }
        terminal.write(terminal.style.dim("  Checking\u{2026}"))
        isMidLine = true
        do throws(DBusFailure) {
            try await Entry.reset(entry, client)
            terminal.rewrite("")
            isMidLine = false
        } catch {
            terminal.rewrite("")
            isMidLine = false
            if WireError(fullName: error.name) == .authenticationFailed {
                terminal.write(screen.failure("That is not the account password."))
            } else {
                try await tell(error)
            }
        }
    }

    /// Says what the service made of an entry; passes on what no other entry would change.
    private func tell(_ failure: DBusFailure) async throws {
        guard let error = WireError(fullName: failure.name) else { throw failure }
        lastFailed = false
        if error != .lockedOut || phase == .account {
            let sentence = CommandFailure(failure).message
            lastWasTold = true
            terminal.write(screen.failure(sentence.prefix(1).uppercased() + sentence.dropFirst() + "."))
        }
        try await refresh()
    }

    // MARK: Screen

    private func draw() async throws {
        guard let view else { return show(.blank) }
        if !isInFront { return show(.inLine) }
        let mayUseAccount = view.takesAccountPassword
        if !mayUseAccount { wantsAccount = false }
        if view.lockedOutUntil != waitKey {
            waitKey = view.lockedOutUntil
            waitEnd = waitKey == 0 ? 0 : try await client.get(.lockedOutUntilBoottime).asUInt64 ?? 0
        }
        let isLockedOut = waitEnd > Span.boottime()
        if mayUseAccount && (wantsAccount || isLockedOut) { return show(.account) }
        if isLockedOut { return show(.waiting) }
        if phase == .waiting { terminal.flushInput() }
        show(
            .passcode(
                step: view.step, kind: view.kind, description: view.description, offersAccount: mayUseAccount))
    }

    private func show(_ next: Phase) {
        guard next != phase || next == .waiting else { return }
        let isNew = next != phase
        if isNew {
            if next != .blank { endLine() }
            terminal.pause()
            ticker = nil
            phase = next
        }
        if let view, !hasHeader, next != .blank {
            hasHeader = true
            terminal.write(screen.header(view))
        }
        switch next {
        case .blank: break
        case .inLine: terminal.write(screen.note("Another view is in front; this one waits for it."))
        case .waiting:
            if isNew { ticker = .every(.seconds(1)) { [mailbox = events.mailbox] in mailbox.post(.tick) } }
            terminal.rewrite(screen.wait(microseconds: waitEnd - min(waitEnd, Span.boottime())))
            isMidLine = true
        case .passcode(_, let kind, _, let offersAccount):
            guard let view else { return }
            if kind == .pattern && !hasPad {
                hasPad = true
                terminal.write(screen.pad())
            }
            if offersAccount { terminal.write(screen.accountHint()) }
            ask(screen.prompt(view, failed: lastFailed, isTold: lastWasTold))
        case .account:
            ask("  Account password: ")
        }
    }

    private func ask(_ prompt: String) {
        terminal.write(prompt)
        isMidLine = true
        terminal.listen { [mailbox = events.mailbox] in mailbox.post(.input($0)) }
    }

    private func endLine() {
        if isMidLine { terminal.line() }
        isMidLine = false
    }

    private func leave() {
        endLine()
        ticker = nil
        terminal.close()
    }
}
