import Glibc

/// Spans of time as people read them, and the clocks they are counted by.
enum Span {
    /// `0:59`, `12:05`, `1:00:00`; begun seconds count whole, so that nothing says 0:00 while there is time left.
    static func clock(microseconds: UInt64) -> String {
        let seconds = microseconds / 1_000_000 + (microseconds % 1_000_000 == 0 ? 0 : 1)
        func two(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds / 60 % 60
        return seconds < 3600
            ? "\(minutes):\(two(seconds % 60))" : "\(seconds / 3600):\(two(minutes)):\(two(seconds % 60))"
    }

    /// `90 s`, `2 min`, `1.5 s`.
    static func seconds(_ seconds: Double) -> String {
        if seconds >= 60, seconds.truncatingRemainder(dividingBy: 60) == 0 { return "\(Int(seconds / 60)) min" }
        return JSON.double(seconds).render() + " s"
    }

    /// Microseconds of CLOCK_BOOTTIME, which goes on in sleep and is not set.
    static func boottime() -> UInt64 { now(CLOCK_BOOTTIME) }

    /// Microseconds since 1970.
    static func realtime() -> UInt64 { now(CLOCK_REALTIME) }

    private static func now(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
