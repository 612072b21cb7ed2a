import Glibc
import MainLoop
import Testing

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

@Suite struct MainLoopTests {
    init() { TestLoop.running }

    @Test func aTaskStaysOnTheLoop() async {
        let isolated = await withCheckedContinuation { done in
            onLoop {
                _ = await WorkThread(name: "test").run { 1 }
                LoopActor.assumeIsolated { done.resume(returning: true) }
            }
        }
        #expect(isolated)
    }

    @Test @LoopActor func aTimerFiresOnceAndNotEarly() async {
        let clock = ContinuousClock()
        let start = clock.now
        var source: LoopSource?
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            source = .after(.milliseconds(20)) { done.resume() }
        }
        source?.cancel()
        #expect(clock.now - start >= .milliseconds(20))
    }
}
