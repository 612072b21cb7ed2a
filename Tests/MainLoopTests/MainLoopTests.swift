import Glibc
import LoopTestKit
import MainLoop
import Testing

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
