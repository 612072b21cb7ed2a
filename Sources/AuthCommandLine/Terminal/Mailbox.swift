import MainLoop

/// What happens while a verb waits, in order of arrival.
@LoopActor
final class Mailbox<Event> {
    private var events: [Event] = []
    private var waiter: CheckedContinuation<Void, Never>?

    var isEmpty: Bool { events.isEmpty }

    func post(_ event: Event) {
        events.append(event)
        waiter?.resume()
        waiter = nil
    }

    /// The next event, waiting for it if need be. For one waiter at a time.
    func next() async -> Event {
        while events.isEmpty { await withCheckedContinuation { waiter = $0 } }
        return events.removeFirst()
    }

    /// Forgets the events that `isStale` names.
    func discard(where isStale: (Event) -> Bool) { events.removeAll(where: isStale) }
}
