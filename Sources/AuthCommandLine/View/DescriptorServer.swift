import AuthWire
import DBus
import MainLoop

/// Serves a view from `--passcode-fd`: one line a step, and no second try.
///
/// The step that only repeats a new passcode takes no line: there is no typing to mistype.
@LoopActor
final class DescriptorServer {
    private let events: ViewEvents
    private let reader: DescriptorReader
    private let usesAccount: Bool
    private var lastEntry: SecretBuffer?

    init(_ events: ViewEvents, _ reader: DescriptorReader, usesAccount: Bool = false) {
        self.events = events
        self.reader = reader
        self.usesAccount = usesAccount
    }

    private var client: AuthenticatorClient { events.client }

    /// Serves until the view or the request ends. Throws at the first entry that is not taken; the view then stands.
    func serve() async throws -> ViewEnd {
        var view: AuthView
        switch try await front() {
        case .view(let standing): view = standing
        case .end(let end): return end
        }
        if usesAccount {
            let answer = try await openWithAccount(view)
            guard answer.outcome != .accepted, let next = answer.view else { return try await events.end() }
            view = next
        }
        while true {
            if view.demand == .finger {
                switch try await afterFinger() {
                case .view(let next): view = next
                case .end(let end): return end
                }
            }
            let answer = try await Entry.submit(try await entry(for: view), to: client)
            switch answer.outcome {
            case .accepted: return try await events.end()
            case .next:
                guard let next = answer.view else { return try await events.end() }
                view = next
            case .wrong:
                // The session's view does not outlive a wrong entry: what stands now is its lock.
                if view.type != .touchid, answer.view?.type != view.type {
                    throw CommandFailure.lockedAfterFailure("passcode")
                }
                let waiting = (answer.view?.lockedOutUntil ?? 0) > 0
                throw CommandFailure.refused("that is not the passcode" + (waiting ? await remaining() : ""))
            case .mismatch:
                throw CommandFailure.refused("the two entries of the new passcode differ")
            }
        }
    }

    /// The view once a finger is not what it waits for, or its end.
    private func afterFinger() async throws -> ViewOrEnd {
        Output.write("smileauth: a finger comes first; touch the sensor\n", to: 2)
        while true {
            // Asked anew each time: what was posted may be older than the view that is known.
            guard let view = try await client.view() else { return .end(try await events.endWithoutView()) }
            if view.demand != .finger { return .view(view) }
            if let end = try ViewEnd(await events.mailbox.next()) { return .end(end) }
        }
    }

    private func entry(for view: AuthView) async throws -> SecretBuffer {
        let repeats = view.type == .twice ? view.step == 2 : view.type == .three && view.step == 3
        if repeats, let lastEntry { return lastEntry }
        guard let line = try await reader.next(), !line.isEmpty else {
            throw CommandFailure.refused("--passcode-fd holds no passcode for step \(view.step)")
        }
        lastEntry = line
        return line
    }

    private func openWithAccount(_ view: AuthView) async throws -> (outcome: Wire.Outcome, view: AuthView?) {
        guard view.takesAccountPassword else {
            throw CommandFailure.refused("the account password does not open this view now")
        }
        guard let password = try await reader.next(), !password.isEmpty else {
            throw CommandFailure.refused("--passcode-fd holds no account password")
        }
        let answer = try await Entry.submitAccount(password, to: client)
        if answer.outcome == .wrong { throw CommandFailure.refused(CommandFailure.notTheAccountPassword()) }
        return answer
    }

    private func remaining() async -> String {
        guard let until = try? await client.get(.lockedOutUntilBoottime).asUInt64, until > Span.boottime() else {
            return ""
        }
        return "; locked out for \(Span.clock(microseconds: until - Span.boottime()))"
    }

    /// The view once it is in front, or its end before that.
    private func front() async throws -> ViewOrEnd {
        var hasSaidSo = false
        while true {
            if let view = try await client.view() {
                if try await client.get(.isShowingAuth).asBool ?? true { return .view(view) }
                if !hasSaidSo {
                    hasSaidSo = true
                    Output.write("smileauth: another view is in front (smileauth unlock); waiting for it\n", to: 2)
                }
            } else if !events.endsWithRequest {
                return .end(try await events.endWithoutView())
            }
            if let end = try ViewEnd(await events.mailbox.next()) { return .end(end) }
        }
    }

    private enum ViewOrEnd {
        case view(AuthView)
        case end(ViewEnd)
    }
}

extension ViewEnd {
    /// The end that an event is; nil for those that are none.
    init?(_ event: ViewEvent) throws(CommandFailure) {
        switch event {
        case .dismissed(let result): self = .dismissed(result)
        case .completed(let result, let details): self = .completed(result, details)
        case .interrupted: self = .interrupted
        case .timedOut: self = .timedOut
        case .serviceLeft: throw ViewEvents.serviceLeft
        case .view, .isInFront, .presented, .input, .tick: return nil
        }
    }
}
