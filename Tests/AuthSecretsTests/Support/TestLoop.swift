import Glibc
import MainLoop

/// Runs the loop on a thread of its own for the whole test process.
enum TestLoop {
    static let running: Void = {
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

/// Waits until `condition` holds; false when it did not within `limit`.
@LoopActor
func eventually(within limit: Duration = .seconds(5), _ condition: @LoopActor () async -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if await condition() { return true }
        await pause(.milliseconds(5))
    }
    return await condition()
}

@LoopActor
private func pause(_ duration: Duration) async {
    var source: LoopSource?
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        source = .after(duration) { done.resume() }
    }
    source?.cancel()
}
