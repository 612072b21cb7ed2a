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
        guard var view = try await client.view() else { return try await events.endWithoutView() }
        if try await client.get(.isShowingAuth).asBool == false {
            if let end = try await waitForFront() { return end }
            guard let now = try await client.view() else { return try await events.endWithoutView() }
            view = now
        }
        if usesAccount { return try await openWithAccount(view) }
        while true {
            let answer = try await Entry.submit(try await entry(for: view), to: client)
            switch answer.outcome {
            case .accepted: return try await events.end()
            case .next:
                guard let next = answer.view else { return try await events.end() }
                view = next
            case .wrong:
                let waiting = (answer.view?.lockedOutUntil ?? 0) > 0
                throw CommandFailure.refused("that is not the passcode" + (waiting ? await remaining() : ""))
            case .mismatch:
                throw CommandFailure.refused("the two entries of the new passcode differ")
            }
        }
    }

    private func entry(for view: AuthView) async throws -> SecretBuffer {
        let repeats = view.securityType == .twice ? view.step == 2 : view.securityType == .three && view.step == 3
        if repeats, let lastEntry { return lastEntry }
        guard let line = try await reader.next(), !line.isEmpty else {
            throw CommandFailure.refused("--passcode-fd holds no passcode for step \(view.step)")
        }
        lastEntry = line
        return line
    }

    private func openWithAccount(_ view: AuthView) async throws -> ViewEnd {
        guard view.takesAccountPassword else {
            throw CommandFailure.refused("the account password does not open this view now")
        }
        guard let password = try await reader.next(), !password.isEmpty else {
            throw CommandFailure.refused("--passcode-fd holds no account password")
        }
        try await Entry.reset(password, client)
        return try await events.end()
    }

    private func remaining() async -> String {
        guard let until = try? await client.get(.lockedOutUntilBoottime).asUInt64, until > Span.boottime() else {
            return ""
        }
        return "; locked out for \(Span.clock(microseconds: until - Span.boottime()))"
    }

    /// The end of the view while it waits in line; nil once it is in front.
    private func waitForFront() async throws -> ViewEnd? {
        while true {
            switch await events.mailbox.next() {
            case .isInFront(true): return nil
            case let event: if let end = try ViewEnd(event) { return end }
            }
        }
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
        case .view, .isInFront, .input, .tick: return nil
        }
    }
}
