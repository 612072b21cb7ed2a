internal import MainLoop

/// How often the sensor is claimed without having been told so anew: at most 5 times in any minute.
struct FprintdPace {
    /// Tests of other things than the pace make it quicker.
    var claimsPerMinute = 5
    /// One after another, the last one from then on. What can be signalled cuts them short.
    var waits: [Duration] = [
        .milliseconds(500), .seconds(2), .seconds(6), .seconds(15), .seconds(30), .seconds(60), .seconds(120),
        .seconds(300),
    ]

    private var claims: [ContinuousClock.Instant] = []
    private var tries = 0

    /// Whether a sign that the sensor may be free is worth a claim of its own: some are kept for the end of the minute.
    func hasSpare(_ now: ContinuousClock.Instant) -> Bool {
        claims.count { $0 > now - .seconds(60) } < claimsPerMinute - 2
    }

    /// How long to wait after a loss.
    mutating func next() -> Duration {
        defer { tries += 1 }
        return waits[min(tries, waits.count - 1)]
    }

    /// The sensor was had: the next loss is a new one.
    mutating func reset() { tries = 0 }

    /// How long the next claim has to wait yet.
    func delay(_ now: ContinuousClock.Instant) -> Duration {
        guard claims.count >= claimsPerMinute else { return .zero }
        return max(.zero, now.duration(to: claims[claims.count - claimsPerMinute] + .seconds(60)))
    }

    /// A claim is made.
    mutating func claimed(_ now: ContinuousClock.Instant) {
        claims.append(now)
        if claims.count > claimsPerMinute { claims.removeFirst() }
    }
}

/// A wait that can be cut short.
@LoopActor
final class FprintdPause {
    private var done: CheckedContinuation<Void, Never>?
    private var timer: LoopSource?
    private var isEnded = false

    /// Returns after `length`, or at ``end()``, also where that came before. One waits at a time.
    func wait(_ length: Duration) async {
        if !isEnded, length > .zero {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                self.done = done
                timer = .after(length) { [weak self] in self?.end() }
            }
        }
        isEnded = false
    }

    func end() {
        isEnded = true
        timer = nil
        let done = done
        self.done = nil
        done?.resume()
    }

    /// An end that has come already does not count.
    func renew() { isEnded = false }
}
