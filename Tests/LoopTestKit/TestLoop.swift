import Glibc
import MainLoop

/// The main loop of a test process, on a thread of its own: without one, whatever is on the loop's actor waits for ever.
public enum TestLoop {
    /// To be touched before anything on the actor is awaited; starts the thread once.
    public static let running: Void = {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                MainLoop.run()
                return nil
            }, nil)
        pthread_detach(thread)
    }()
}

/// Waits until `condition` holds, looking every 5 ms; false when it does not within `limit`.
@LoopActor
public func eventually(
    within limit: Duration = .seconds(10), _ condition: @LoopActor () async -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if await condition() { return true }
        var timer: LoopSource?
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            timer = .after(.milliseconds(5)) { done.resume() }
        }
        timer?.cancel()
    }
    return await condition()
}
