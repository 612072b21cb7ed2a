/// Waiting times between tries: 100 ms, then twice as long each time, one hour at most.
///
/// The number of wake-ups grows with the logarithm of the time: 10 in the first minute, 16 in the first hour.
struct Backoff {
    private var tries = 0

    /// How long to wait before the next try.
    mutating func next() -> Duration {
        defer { tries += 1 }
        return tries < 16 ? .milliseconds(100 << tries) : .seconds(3600)
    }

    /// The next wait is the first one again.
    mutating func reset() { tries = 0 }
}
