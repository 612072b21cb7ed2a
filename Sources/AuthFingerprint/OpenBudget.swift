/// How often a sensor is opened without being told to: soon after it was lost, then more and more rarely, and at most
/// five times a minute.
struct OpenBudget {
    static let perMinute = 5
    private static let minute = Duration.seconds(60)

    private var opened: [ContinuousClock.Instant] = []
    private var losses = 0
    private var notBefore: ContinuousClock.Instant?

    /// How long to wait before the next open; zero: now.
    func wait(at now: ContinuousClock.Instant = .now) -> Duration {
        var first = notBefore ?? now
        if opened.count >= Self.perMinute, let oldest = opened.first { first = max(first, oldest + Self.minute) }
        return max(.zero, now.duration(to: first))
    }

    /// Opened by itself.
    mutating func spend(at now: ContinuousClock.Instant = .now) {
        opened = opened.filter { $0.duration(to: now) < Self.minute }.suffix(Self.perMinute - 1) + [now]
    }

    /// Lost again: 0.25 s, then twice as long each time, 16 s at most.
    mutating func lost(at now: ContinuousClock.Instant = .now) {
        notBefore = now + .milliseconds(250 << min(losses, 6))
        losses += 1
    }

    /// It works: the next loss waits for the shortest time again.
    mutating func works() {
        losses = 0
        notBefore = nil
    }

    /// A sensor was plugged in: that is worth a look at once.
    mutating func hurry() { notBefore = nil }

    /// Somebody asks for it: what it did by itself is forgotten.
    mutating func renew() { self = OpenBudget() }
}
