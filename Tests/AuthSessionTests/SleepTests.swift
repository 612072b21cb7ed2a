import AuthCore
import DBus
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSession

/// PrepareForSleep and the inhibitor, on a real logind that suspends.
@Suite struct SleepTests {
    @Test func holdsASuspendUntilItIsAllowed() async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            #expect(seen.events == [.arrived(source: "logind")])
            #expect(monitor.sources == ["logind"])
            #expect(monitor.sessionID == rig.session)
            #expect(monitor.holdsInhibitor)
            #expect(monitor.inhibitDelay == .seconds(5))
            #expect(try await rig.inhibitors() == 1)
            for round in 1...25 {
                seen.forget()
                _ = try await rig.manager("Suspend", [.bool(false)])
                #expect(await seen.has(.began(.sleep, source: "logind")))
                #expect(monitor.isAsleep)
                #expect(rig.suspends == round - 1, "held up")
                #expect(try await rig.inhibitors() == 1)
                monitor.allowSleep()
                monitor.allowSleep()
                #expect(!monitor.holdsInhibitor)
                #expect(await seen.has(.ended(.sleep, source: "logind")))
                #expect(seen.events == [.began(.sleep, source: "logind"), .ended(.sleep, source: "logind")])
                #expect(rig.suspends == round)
                #expect(await eventually { monitor.holdsInhibitor })
                #expect(try await rig.inhibitors() == 1)
                monitor.allowSleep()
                #expect(monitor.holdsInhibitor, "a late word does not let the next sleep go")
            }
        }
    }

    @Test func keepsAnInhibitorThatLogindStoppedWaitingFor() async throws {
        try await LogindRig.with(["SLEEP_SECS": "0.05", "LOGIND_CONF": "InhibitDelayMaxSec=0.3"]) { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            #expect(monitor.inhibitDelay == .milliseconds(300))
            _ = try await rig.manager("Suspend", [.bool(false)])
            #expect(await seen.has(.ended(.sleep, source: "logind")))
            #expect(monitor.holdsInhibitor)
            #expect(try await rig.inhibitors() == 1)
        }
    }
}
