import MainLoop

/// Limits how often something is done that another client may provoke without end.
@LoopActor
final class Pace {
    private static let burst = 20
    private let pause: Duration
    private var began = ContinuousClock.now
    private var last = ContinuousClock.now
    private var count = 0
    private var timer: LoopSource?

    /// - Parameter pause: the time between two goes once there were twenty within a second.
    init(each pause: Duration) { self.pause = pause }

    /// Whether it may be done now; where not, `again` is called when it may.
    func allows(_ again: @escaping @LoopActor () -> Void) -> Bool {
        let now = ContinuousClock.now
        if now - began > .seconds(1) {
            began = now
            count = 0
        }
        count += 1
        if count > Self.burst, now - last < pause {
            timer = .after(pause, again)
            return false
        }
        last = now
        return true
    }
}
