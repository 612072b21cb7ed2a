import Glibc

/// Tells how long ago something happened by the server's clock, whose zero nobody knows: what has come the fastest of
/// late is taken for what took no time.
struct ServerClock {
    /// Clocks of two machines drift apart: what was the fastest counts for one to two of these, in milliseconds.
    private static let period: UInt32 = 600_000

    private var fastest: UInt32?
    private var former: UInt32?
    private var began: UInt32 = 0

    /// - Parameters:
    ///   - time: of an event, in the server's milliseconds; they begin anew after 49 days.
    ///   - now: in milliseconds of any clock, beginning anew in the same way.
    /// - Returns: the event's age in milliseconds.
    mutating func age(of time: UInt32, at now: UInt32 = Self.now) -> UInt32 {
        let way = now &- time
        if fastest == nil || now &- began > Self.period {
            former = fastest
            fastest = way
            began = now
        }
        let least = [fastest, former].compactMap(\.self).reduce(way) { Self.isLess($0, $1) ? $0 : $1 }
        if let fastest, Self.isLess(way, fastest) { self.fastest = way }
        return way &- least
    }

    private static func isLess(_ one: UInt32, _ other: UInt32) -> Bool { Int32(bitPattern: one &- other) < 0 }

    private static var now: UInt32 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt32(truncatingIfNeeded: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }
}
