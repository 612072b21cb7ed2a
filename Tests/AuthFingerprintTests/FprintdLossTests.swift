import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// fprintd or the sensor that goes, hangs, is somebody else's, or was never there; and the way back.
@Suite struct FprintdLossTests {
    @Test(arguments: ["run", "activatable"]) func aKilledFprintdIsToldAndComesBack(_ manner: String) async throws {
        try await FprintdRig.with(["MANNER": manner]) { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            let killed = ContinuousClock.now
            try await rig.killFprintd()
            #expect(await seen.has(.interrupted(1, .gone), within: .seconds(2)))
            if manner == "run" {
                #expect(await eventually(within: .seconds(2)) { !backend.state.isPresent })
                seen.forget()
                try await rig.startFprintd()
            }
            #expect(await eventually { seen.answers.last == .armed(1) })
            #expect(killed.duration(to: .now) < .seconds(4))
            #expect(backend.state.fingers == [.rightIndex])
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(1, .rightIndex)))
        }
    }

    @Test func oneThatLeavesWithNothingToDoIsNotStartedAgain() async throws {
        try await FprintdRig.with(["MANNER": "activatable"]) { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            let state = backend.state
            seen.forget()
            try await rig.killFprintd()
            await wait(.seconds(1))
            #expect(await rig.owner() == nil)
            #expect(seen.events == [])
            #expect(backend.state == state)
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1), within: .seconds(2)))
            #expect(seen.answers == [.armed(1)])
        }
    }

    /// Somebody used it just before: a look is due that would start it again.
    @Test func aLookThatWasPutOffDoesNotStartItAgain() async throws {
        try await FprintdRig.with(["MANNER": "activatable"]) { rig in
            let (backend, _) = try await rig.backend()
            try await rig.enroll(.rightIndex, as: "mine")
            try await rig.killFprintd()
            await wait(.seconds(1))
            #expect(await rig.owner() == nil)
            _ = backend
        }
    }

    @Test func withoutFprintdThereIsNoDeviceAtOnce() async throws {
        try await FprintdRig.with(["MANNER": "none"]) { rig in
            let (backend, seen) = try await rig.backend(started: false)
            let took = await ContinuousClock().measure { await backend.start() }
            #expect(took < .milliseconds(500))
            #expect(!backend.state.isPresent)
            backend.take(.scan(1, nil))
            #expect(await seen.has(.interrupted(1, .gone), within: .seconds(2)))
            backend.take(.enroll(2, .leftThumb))
            #expect(await seen.has(.ended(2, .gone), within: .seconds(2)))
            backend.take(.delete(3, nil))
            #expect(await seen.has(.ended(3, .gone), within: .seconds(2)))
            backend.take(.look(4))
            #expect(await seen.has(.ended(4, .gone), within: .seconds(2)))
            // It is installed meanwhile.
            try await rig.startFprintd()
            #expect(await eventually(within: .seconds(2)) { backend.state.isPresent })
        }
    }

    @Test func oneThatHangsKeepsNobodyWaiting() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            try await rig.signalFprintd(SIGSTOP)
            let (backend, seen) = try await rig.backend(started: false)
            let took = await ContinuousClock().measure { await backend.start() }
            #expect(took < .milliseconds(2100))
            #expect(!backend.state.isPresent)
            for order in [SensorOrder.enroll(2, .leftThumb), .delete(3, nil), .scan(4, nil)] {
                let asked = ContinuousClock.now
                seen.forget()
                backend.take(order)
                #expect(await eventually { !seen.answers.isEmpty })
                #expect(asked.duration(to: .now) < .milliseconds(2100), "\(order)")
            }
            #expect(seen.answers == [.interrupted(4, Fprintd.silence)])
            let settling = await ContinuousClock().measure { await backend.settle() }
            #expect(settling < .milliseconds(1100))
            backend.take(.scan(5, nil))
            try await rig.signalFprintd(SIGCONT)
            #expect(await seen.has(.armed(5)))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(5, .rightIndex)))
            await backend.settle()
            #expect(await rig.isFree())
        }
    }

    @Test func oneThatHangsWhileItScansIsNoMatch() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            try await rig.signalFprintd(SIGSTOP)
            backend.take(.stop(1))
            backend.take(.scan(2, nil))
            #expect(await seen.has(.interrupted(2, Fprintd.silence), within: .milliseconds(2200)))
            try await rig.signalFprintd(SIGCONT)
            #expect(await seen.has(.armed(2)))
            #expect(seen.answers == [.armed(1), .interrupted(2, Fprintd.silence), .armed(2)])
        }
    }

    @Test func anUnpluggedSensorIsGone() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            try await rig.sensor("UNPLUG")
            #expect(await seen.has(.interrupted(1, .gone), within: .seconds(2)))
            #expect(await eventually(within: .seconds(2)) { !backend.state.isPresent })
            #expect(backend.state.set == nil)
            // A virtual one is plugged in again by a new fprintd only.
            try await rig.killFprintd()
            seen.forget()
            try await rig.startFprintd()
            #expect(await seen.has(.armed(1)))
            #expect(backend.state.isPresent)
        }
    }

    @Test func anUnplugWithoutAnOrderIsSeen() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            seen.forget()
            try await rig.call("Claim", "")
            try await rig.sensor("UNPLUG")
            // It stays until whoever has it open lets go of it.
            _ = try? await rig.call("Release")
            #expect(await eventually(within: .seconds(2)) { !backend.state.isPresent })
            #expect(seen.answers == [])
        }
    }

    @Test func anErrorOfTheSensorInterruptsAndIsGotOver() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            try await rig.sensor("ERROR 0")
            #expect(await seen.has(.interrupted(1, .failed("verify-unknown-error"))))
            #expect(await eventually { seen.answers.last == .armed(1) })
            // FP_DEVICE_ERROR_PROTO
            try await rig.sensor("ERROR 5")
            #expect(await seen.has(.interrupted(1, .gone)))
            #expect(await eventually { seen.answers.last == .armed(1) })
            #expect(seen.answers.count == 5)
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(1, .rightIndex)))
        }
    }

    @Test func aBusySensorIsTakenOverWhenItIsFree() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            try await rig.call("Claim", "")
            for order in [SensorOrder.enroll(1, .leftThumb), .delete(2, .rightIndex)] { backend.take(order) }
            #expect(await seen.has(.ended(2, .busy)))
            backend.take(.scan(3, nil))
            #expect(await seen.has(.interrupted(3, .busy)))
            await wait(.milliseconds(700))
            try await rig.call("Release")
            #expect(await seen.has(.armed(3), within: .seconds(5)))
            #expect(seen.answers == [.ended(2, .busy), .interrupted(3, .busy), .armed(3)])
            #expect(backend.state.isPresent)
        }
    }

    @Test func aSensorThatFailsForEverIsClaimedFiveTimesAMinute() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.pace.pace.waits = [.milliseconds(20)]
            backend.take(.scan(1, nil))
            let end = ContinuousClock.now + .seconds(3)
            while ContinuousClock.now < end {
                if seen.answers.last == .armed(1) {
                    try await rig.sensor("ERROR 0")
                    _ = await eventually(within: .seconds(1)) { seen.answers.last != .armed(1) }
                }
                await wait(.milliseconds(20))
            }
            // The order's own, and five.
            #expect(seen.count { $0 == .armed(1) } == 6)
            #expect(rig.claims == 1 + 6)
        }
    }

    @Test func thePaceIsKeptOverAnyMinute() {
        var pace = FprintdPace()
        var now = ContinuousClock.now
        var claims: [ContinuousClock.Instant] = []
        for round in 0..<200 {
            let wait = round % 7 == 3 ? .zero : pace.next()
            if round % 3 == 0 { pace.reset() }
            now += wait
            now += pace.delay(now)
            pace.claimed(now)
            claims.append(now)
        }
        for (index, claim) in claims.enumerated() where index >= 5 {
            #expect(claims[index - 5].duration(to: claim) >= .seconds(60))
        }
        var patient = FprintdPace()
        let waits = (0..<9).map { _ in patient.next() / .milliseconds(1) }
        #expect(waits == [500, 2000, 6000, 15000, 30000, 60000, 120_000, 300_000, 300_000])
    }

    @Test func nothingIsAskedWhileNothingHappens() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            await wait(.milliseconds(500))
            let before = rig.log
            await wait(.seconds(2))
            #expect(rig.log == before)
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            await wait(.milliseconds(500))
            let armed = rig.log
            await wait(.seconds(2))
            #expect(rig.log == armed)
            backend.stop()
            #expect(await eventually { await rig.isFree() })
        }
    }
}
