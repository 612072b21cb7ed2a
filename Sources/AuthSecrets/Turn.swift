internal import MainLoop

/// Lets one at a time through, in order of arrival; who waits longer than it may goes away.
@LoopActor
final class Turn {
    private final class Waiter {
        var continuation: CheckedContinuation<Bool, Never>?
        var timer: LoopSource?
    }

    private var isTaken = false
    private var waiters: [Waiter] = []

    /// Nobody has it and nobody waits.
    var isFree: Bool { !isTaken && waiters.isEmpty }

    /// - Returns: false when the deadline came first; else ``pass()`` must follow.
    func take(by deadline: Deadline) async -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        let waiter = Waiter()
        waiters.append(waiter)
        return await withCheckedContinuation { continuation in
            waiter.continuation = continuation
            waiter.timer = .after(deadline.remaining) { [weak self, weak waiter] in
                guard let waiter else { return }
                self?.waiters.removeAll { $0 === waiter }
                waiter.continuation?.resume(returning: false)
                waiter.continuation = nil
            }
        }
    }

    /// Hands the turn on.
    func pass() {
        guard !waiters.isEmpty else {
            isTaken = false
            return
        }
        let next = waiters.removeFirst()
        next.timer?.cancel()
        next.continuation?.resume(returning: true)
        next.continuation = nil
    }
}
