import CLinux
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSession

/// The clocks are moved by Tests/Rigs/boottime_shim.c, preloaded into a second run of this very test program: only
/// there does the probe below do anything.
@Suite struct ClockWatchTests {
    init() { TestLoop.running }

    private static let probe = "SMILEAUTH_CLOCK_PROBE"

    @Test func theGapIsSteady() {
        let first = ClockWatch.gapMicroseconds()
        #expect(first > -1_000)
        for _ in 0..<1000 { #expect(abs(ClockWatch.gapMicroseconds() - first) < 100_000) }
    }

    @Test func growthIsNoticedOnceAndInASleepOnlyNoted() async throws {
        let folder = TemporaryFolder()
        let shim = folder.path + "/shim.so"
        try await Processes.run(["cc", "-shared", "-fPIC", "-o", shim, Processes.rigs + "/boottime_shim.c"])
        try await Processes.run(
            ["/proc/self/exe", "--testing-library", "swift-testing", "--filter", "clockProbe"],
            environment: ["LD_PRELOAD": shim, "BOOTTIME_OFFSET_FILE": folder.path + "/offset", Self.probe: "1"])
    }

    @LoopActor
    private final class State {
        var isSleepKnown = false
        var sleeps = 0
    }

    @Test @LoopActor func clockProbe() async {
        guard getenv(Self.probe) != nil, let path = getenv("BOOTTIME_OFFSET_FILE").map({ String(cString: $0) }) else {
            return
        }
        let state = State()
        let watch = ClockWatch(isSleepKnown: { state.isSleepKnown }, slept: { state.sleeps += 1 })
        let put: (Int) -> Void = { offset in
            let file = fopen(path, "we")
            fputs("\(offset)", file)
            fclose(file)
        }
        let check: (Int) -> Int = { offset in
            put(offset)
            watch.check()
            watch.check()
            return state.sleeps
        }
        #expect(check(0) == 0)
        #expect(check(1) == 0)
        #expect(check(1) == 0)
        #expect(check(3) == 1, "two short ones add up")
        #expect(check(90) == 2)
        state.isSleepKnown = true
        #expect(check(190) == 2)
        state.isSleepKnown = false
        #expect(check(190) == 2)
        #expect(check(193) == 3)
        // The timer wakes us without a message, and goes on to.
        for round in 1...2 {
            put(193 + round * 10)
            #expect(isArmedForEver(watch.timer))
            var soon = itimerspec()
            soon.it_value.tv_nsec = 1_000_000
            #expect(timerfd_settime(watch.timer, 0, &soon, nil) == 0)
            #expect(await eventually { state.sleeps == 3 + round })
        }
        #expect(isArmedForEver(watch.timer))
    }

    private func isArmedForEver(_ timer: Int32) -> Bool {
        var left = itimerspec()
        return timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec > 1_000_000_000
    }
}
