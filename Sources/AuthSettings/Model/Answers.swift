import MainLoop

/// Answers that are waited for, such as the end of a view: given once, or taken back when the service goes.
@LoopActor
final class Answers {
    private var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    private var early: [Int: Outcome] = [:]
    private var last = 0

    /// A number for an answer to come.
    func expect() -> Int {
        last += 1
        return last
    }

    /// An answer; the first one counts, also where nobody waits for it yet.
    func give(_ number: Int, _ outcome: Outcome) {
        if let continuation = waiting.removeValue(forKey: number) {
            continuation.resume(returning: outcome)
        } else if early[number] == nil, number <= last {
            early[number] = outcome
        }
    }

    func get(_ number: Int) async -> Outcome {
        if let outcome = early.removeValue(forKey: number) { return outcome }
        return await withCheckedContinuation { waiting[number] = $0 }
    }

    /// Nobody will answer any more.
    func loseAll() {
        let lost = waiting
        waiting = [:]
        for number in lost.keys.sorted() { lost[number]?.resume(returning: .silence) }
    }
}
