internal import CLinux
internal import Glibc
public import MainLoop

/// Notices a suspend that nobody announced: CLOCK_BOOTTIME counts on in a suspend, CLOCK_MONOTONIC does not.
///
/// A CLOCK_REALTIME timer with TFD_TIMER_CANCEL_ON_SET (timerfd_create(2)) becomes readable when the clock jumps, which
/// a resume makes it do; it never expires by itself, so there is no wake-up without a reason. Where it cannot be had,
/// ``check()`` before each message still notices.
@LoopActor
public final class ClockWatch {
    /// How much the gap may grow before it counts, in microseconds: 2 s.
    public nonisolated static let tolerance: Int64 = 2_000_000

    private let slept: @LoopActor () -> Void
    private let isSleepKnown: @LoopActor () -> Bool
    private var gap = ClockWatch.gapMicroseconds()
    /// The timer's descriptor; −1 where it cannot be had.
    private(set) var timer: Int32 = -1
    private var source: LoopSource?

    /// - Parameters:
    ///   - isSleepKnown: whether an announced sleep is under way; growth in it is only noted.
    ///   - slept: called once for each growth outside of one.
    public init(isSleepKnown: @escaping @LoopActor () -> Bool, slept: @escaping @LoopActor () -> Void) {
        self.isSleepKnown = isSleepKnown
        self.slept = slept
        arm()
    }

    isolated deinit {
        source?.cancel()
        if timer >= 0 { close(timer) }
    }

    /// Compares the clocks; to be called before each message. Takes under a microsecond.
    public func check() {
        let now = Self.gapMicroseconds()
        // Growth within the tolerance is not forgotten, or many short suspends would go unnoticed.
        guard now - gap > Self.tolerance else {
            gap = min(gap, now)
            return
        }
        gap = now
        if !isSleepKnown() { slept() }
    }

    /// CLOCK_BOOTTIME − CLOCK_MONOTONIC in microseconds: the time that this boot has spent suspended.
    public nonisolated static func gapMicroseconds() -> Int64 {
        var best: (window: Int64, gap: Int64)?
        // Between two reads the process may be put aside; the closest pair of a few tries is taken.
        for _ in 0..<4 {
            let before = microseconds(CLOCK_MONOTONIC)
            let boot = microseconds(CLOCK_BOOTTIME)
            let after = microseconds(CLOCK_MONOTONIC)
            if best.map({ after - before < $0.window }) ?? true { best = (after - before, boot - after) }
            if after - before < 1000 { break }
        }
        return best?.gap ?? 0
    }

    private nonisolated static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    private func arm() {
        if timer < 0 {
            timer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            guard timer >= 0 else { return }
        }
        var never = itimerspec()
        never.it_value.tv_sec = time_t.max
        let flags = Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET)
        guard timerfd_settime(timer, flags, &never, nil) == 0 else { return }
        guard source == nil else { return }
        source = .watch(timer, for: .readable) { [weak self] _ in
            guard let self else { return false }
            jumped()
            return true
        }
    }

    private func jumped() {
        var expirations: UInt64 = 0
        // Fails with ECANCELED, the news itself. Anything else would be readable for ever: armed anew all the same.
        _ = read(timer, &expirations, MemoryLayout<UInt64>.size)
        arm()
        check()
    }
}
