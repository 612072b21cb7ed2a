import AuthChannel
import AuthLooks
import AuthWire
import DBus

/// What the service's messages do.
extension PromptModel {
    /// - Returns: nil for nonsense: a view that is none, or anything else before the first.
    mutating func handle(_ message: ServiceMessage, _ now: Moment) -> [Effect]? {
        switch message {
        case .view(let dictionary):
            guard let next = PromptView(dictionary) else { return nil }
            return show(next)
        case .ping(let number): return [.send(.pong(number))]
        case .outcome(let outcome): return view == nil ? nil : take(outcome, now)
        case .dismiss(let result, let isAnimated): return view == nil ? nil : dismiss(result, isAnimated, now)
        }
    }

    private mutating func show(_ next: PromptView) -> [Effect] {
        let before = count
        let old = view
        let oldField = field
        view = next
        if usesAccount && !next.view.takesAccountPassword { usesAccount = false }
        let isOther =
            old.map {
                $0.view.type != next.view.type || $0.view.step != next.view.step || $0.view.digits != next.view.digits
            }
            ?? true
        // An entry goes with its step, and when nothing may be entered any more. One that is being checked, or a row
        // that moves, is left to its outcome.
        if pending == nil, motion == nil, isOther || field != oldField || !next.takesKeys || old?.takesKeys == false {
            clear()
        }
        if field != oldField || old?.view.type != next.view.type { hasFailed = false }
        if field != oldField || isOther { notice = nil }
        // A prompt that died left some circles filled.
        if old == nil, field == .row, next.view.filled != 0 { return [.send(.filled(0))] }
        return filledMessage(before: before)
    }

    private mutating func take(_ outcome: EntryOutcome, _ now: Moment) -> [Effect] {
        // One that was overtaken has no say.
        guard outcome.token == pending else { return [] }
        pending = nil
        let before = count
        if outcome.lockedOutUntil > 0, field != .account { view?.view.lockedOutUntil = outcome.lockedOutUntil }
        switch Wire.Outcome(rawValue: outcome.result) {
        case .accepted: return []
        case .next:
            hasFailed = false
            start(.slide(filled: count), now)
            clear()
        case .wrong where field == .account:
            // The view goes on describing what it is for.
            notice = hasAccountService ? PromptTexts.accountWrong : PromptTexts.accountDoubted
            fail(now)
        case .wrong, .mismatch:
            hasFailed = true
            fail(now)
        case nil:
            let error = WireError(rawValue: outcome.result)
            notice = error.flatMap { PromptTexts.refusal($0, kind: view?.view.kind ?? .digits) }
            if field == .account, error == .lockedOut, outcome.lockedOutUntil > now.realtime {
                notice = PromptTexts.wait(Int((outcome.lockedOutUntil - now.realtime + 999_999) / 1_000_000))
            }
            fail(now)
        }
        return filledMessage(before: before)
    }

    /// The row shakes empty; a pattern's line stands until the shaking ends.
    private mutating func fail(_ now: Moment) {
        start(.shake, now)
        if field != .pad || motion == nil { clear() }
    }

    private mutating func dismiss(_ result: String, _ isAnimated: Bool, _ now: Moment) -> [Effect] {
        guard result == Wire.success, isAnimated, !isStill else { return [.quit(0)] }
        let before = count
        clear()
        motion = Motion(kind: .fill(from: before), start: now.monotonic)
        quitAt = now.monotonic + Curves.fillDuration
        return []
    }
}
