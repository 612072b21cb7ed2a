import AuthCore
import DBus
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSession

/// What our session's object at a real logind says.
@Suite struct SessionStateTests {
    @Test func followsIdleHintAndLockedHint() async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            seen.forget()
            try await rig.onSession("SetIdleHint", [.bool(true)])
            #expect(await seen.has(.began(.idle, source: "logind")))
            try await rig.onSession("SetIdleHint", [.bool(false)])
            #expect(await seen.has(.ended(.idle, source: "logind")))
            try await rig.onSession("SetLockedHint", [.bool(true)])
            #expect(await seen.has(.began(.screenLock, source: "logind")))
            try await rig.onSession("SetLockedHint", [.bool(false)])
            #expect(await seen.has(.ended(.screenLock, source: "logind")))
            #expect(seen.events.count == 4)
        }
    }

    @Test func lockIsARequestAndUnlockIsNothing() async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            seen.forget()
            try await rig.manager("LockSession", [.string(rig.session)])
            #expect(await seen.has(.lockRequested))
            try await rig.manager("UnlockSession", [.string(rig.session)])
            try await rig.manager("LockSession", [.string(rig.session)])
            #expect(await eventually { seen.count(.lockRequested) == 2 })
            #expect(seen.events.count == 2)
        }
    }

    @Test func anotherSessionInFrontIsASwitch() async throws {
        try await LogindRig.with(["NOVT": "1"], session: false) { rig in
            try await rig.newSession(seat: ["seat0", "0"])
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            let other = try await rig.newSession(seat: ["seat0", "0"])
            try await rig.manager("ActivateSession", [.string(other.id)])
            #expect(await seen.has(.began(.away, source: "logind")))
            // What happens to the other session is nothing to us.
            try await rig.manager("LockSession", [.string(other.id)])
            try await rig.manager("ActivateSession", [.string(rig.session)])
            #expect(await seen.has(.ended(.away, source: "logind")))
            #expect(seen.count(.lockRequested) == 0)
        }
    }

    @Test func aStandingStateIsDeliveredAtStart() async throws {
        try await LogindRig.with(["SLEEP_SECS": "2"]) { rig in
            try await rig.onSession("SetIdleHint", [.bool(true)])
            try await rig.onSession("SetLockedHint", [.bool(true)])
            _ = try await rig.manager("Suspend", [.bool(false)])
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            #expect(
                seen.events.prefix(2) == [.arrived(source: "logind"), .began(.sleep, source: "logind")])
            #expect(seen.count(.began(.idle, source: "logind")) == 1)
            #expect(seen.count(.began(.screenLock, source: "logind")) == 1)
            #expect(seen.events.count == 4)
            #expect(monitor.isAsleep)
            #expect(!monitor.holdsInhibitor, "logind gives none during a sleep")
            #expect(await seen.has(.ended(.sleep, source: "logind")))
            #expect(await eventually { monitor.holdsInhibitor })
        }
    }

    @Test func aHintOfOursIsNoCauseNeitherNowNorInTheNextRun() async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            var monitor = try rig.monitor(seen)
            await monitor.start()
            seen.forget()
            monitor.setLockedHint(true)
            try await waitForHint(true, rig)
            // Killed while locked: logind keeps the hint.
            monitor = try rig.monitor(seen)
            await monitor.start()
            #expect(seen.events == [.arrived(source: "logind")])
            monitor.setLockedHint(false)
            try await waitForHint(false, rig)
            // The next one is another program's.
            try await rig.onSession("SetLockedHint", [.bool(true)])
            #expect(await seen.has(.began(.screenLock, source: "logind")))
            monitor = try rig.monitor(seen)
            seen.forget()
            await monitor.start()
            #expect(seen.events == [.arrived(source: "logind"), .began(.screenLock, source: "logind")])
        }
    }

    @Test func theHintFollowsOurLockWhateverOthersSay() async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            monitor.setLockedHint(true)
            try await waitForHint(true, rig)
            try await rig.onSession("SetLockedHint", [.bool(false)])
            try await waitForHint(true, rig)
            #expect(seen.events == [.arrived(source: "logind")])
            monitor.setLockedHint(false)
            try await waitForHint(false, rig)
            #expect(seen.events == [.arrived(source: "logind")])
        }
    }

    @Test func findsTheSessionWithoutItsName() async throws {
        try await LogindRig.with { rig in
            for name in [nil, "nonsense", ""] as [String?] {
                let monitor = try rig.monitor(Recorder(), loginSession: .some(name))
                await monitor.start()
                #expect(monitor.sessionID == rig.session)
            }
        }
    }

    @Test func aSessionThatComesLaterIsFound() async throws {
        try await LogindRig.with(session: false) { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen, loginSession: .some(nil))
            await monitor.start()
            #expect(monitor.sources == ["logind"])
            #expect(monitor.sessionID == "")
            #expect(monitor.holdsInhibitor)
            try await rig.newSession()
            #expect(await eventually { monitor.sessionID == rig.session })
            try await rig.onSession("SetIdleHint", [.bool(true)])
            #expect(await seen.has(.began(.idle, source: "logind")))
        }
    }

    @LoopActor
    private func waitForHint(_ value: Bool, _ rig: LogindRig) async throws {
        for _ in 0..<400 {
            if try await rig.lockedHint() == value { return }
            _ = await eventually(within: .milliseconds(10)) { false }
        }
        Issue.record("LockedHint did not become \(value)")
    }
}
