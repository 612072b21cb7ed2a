import AuthCore

/// A random walk: a world in some state, then step after step, each event checked.
public struct Walk: Sendable {
    /// Who acts.
    public enum Mode: Sendable, CaseIterable {
        /// Somebody who knows every passcode among those who do not.
        case anybody
        /// Nobody who knows a passcode, and everything was locked by Lock().
        case strangersLockedOut
        /// Nobody who knows a passcode, and everything was locked by a Background.
        case strangersAfterBackground
        /// Nobody who knows a passcode, at an open desk.
        case strangersAtOpenDesk
    }

    public var seed: UInt64
    public var mode: Mode
    public var steps: [Step]

    public init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        mode = random.pick([.anybody, .anybody, .strangersLockedOut, .strangersAfterBackground, .strangersAtOpenDesk])
        let length = 8 + random.below(20)
        steps = []
        steps.reserveCapacity(length)
        for _ in 0..<length { steps.append(Step.random(&random)) }
    }

    /// Plays it; nil when everything held.
    public func failure() -> String? {
        let player = Player(self)
        player.play()
        return player.checker.failure
    }

    /// The shortest walk found that still fails, by leaving steps out.
    public func shrunken() -> Walk {
        var best = self
        var chunk = max(steps.count / 2, 1)
        while true {
            var hasShrunk = false
            var start = 0
            while start < best.steps.count {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + chunk, best.steps.count))
                if candidate.failure() != nil {
                    best = candidate
                    hasShrunk = true
                } else {
                    start += chunk
                }
            }
            if chunk == 1, !hasShrunk { return best }
            chunk = max(chunk / 2, 1)
        }
    }

    /// What to print of a failing walk.
    public func report() -> String {
        let short = shrunken()
        var text = "seed \(seed), mode \(mode): \(failure() ?? "")\nshrunken: \(short.failure() ?? "")\n"
        for step in short.steps { text += "  \(step)\n" }
        return text + Player(short).transcript()
    }
}
