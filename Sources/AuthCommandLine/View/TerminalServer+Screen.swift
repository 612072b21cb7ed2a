import AuthWire
import DBus
import MainLoop

/// What stands on the screen.
extension TerminalServer {
    func draw() async throws {
        guard let view else { return show(.blank) }
        if !isInFront { return show(.inLine) }
        let mayUseAccount = view.takesAccountPassword
        if wantsAccount, !mayUseAccount {
            wantsAccount = false
            terminal.write(screen.note("The account password does not open this view now."))
        }
        if view.lockedOutUntil != waitKey {
            waitKey = view.lockedOutUntil
            waitEnd = waitKey == 0 ? 0 : try await client.get(.lockedOutUntilBoottime).asUInt64 ?? 0
        }
        let isLockedOut = waitEnd > Span.boottime()
        if mayUseAccount && (wantsAccount || isLockedOut || view.demand == .account) { return show(.account) }
        if isLockedOut { return show(.waiting) }
        if phase == .waiting { terminal.flushInput() }
        if view.fingersToPick.isEmpty { isPicking = false }
        if isPicking { return show(.pick(view.fingersToPick)) }
        let finger = FingerLine(view)
        let hint = screen.hint(view, misses: misses, hasUsedButton: hasUsedButton)
        switch view.demand {
        case .finger, .account: show(.finger(description: view.description, finger: finger, hint: hint))
        case .passcode, .either:
            show(
                .passcode(
                    step: view.step, kind: view.kind, description: view.description, finger: finger, hint: hint))
        }
    }

    private func show(_ next: Phase) {
        let isNew = next != phase || hasFingerNews
        guard isNew || next == .waiting else { return }
        let goesOn = phase.takesTheSame(as: next)
        if isNew {
            if next != .blank { endLine() }
            // A finger that comes and goes takes nothing of what was typed.
            if !goesOn { terminal.pause() }
            ticker = nil
            phase = next
        }
        hasFingerNews = false
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
        case .passcode(_, let kind, _, let finger, let hint):
            guard let view else { return }
            if kind == .pattern && !hasPad {
                hasPad = true
                terminal.write(screen.pad())
            }
            terminal.write(screen.finger(finger, or: ViewScreen.entryName(kind).lowercased()) + hint)
            ask(screen.prompt(view, failed: lastFailed, isTold: lastWasTold), anew: !goesOn)
        case .finger(let description, let finger, let hint):
            terminal.write(screen.fingerAlone(description, finger, failed: lastFailed) + hint)
            ask("  ", anew: !goesOn)
        case .pick(let fingers):
            terminal.write(screen.picks(fingers))
            ask("  Finger: ")
        case .account:
            if view?.demand == .account, let view { terminal.write(screen.note(view.description)) }
            ask("  Account password: ")
        }
    }

    private func ask(_ prompt: String, anew: Bool = true) {
        terminal.write(prompt)
        isMidLine = true
        if anew { terminal.listen { [mailbox = events.mailbox] in mailbox.post(.input($0)) } }
    }
}

extension TerminalServer.Phase {
    /// Whether a line that was begun in one belongs to the other as well.
    fileprivate func takesTheSame(as next: Self) -> Bool {
        switch (self, next) {
        case (.passcode(let step, let kind, _, _, _), .passcode(let nextStep, let nextKind, _, _, _)):
            step == nextStep && kind == nextKind
        case (.finger, .finger): true
        default: false
        }
    }
}
