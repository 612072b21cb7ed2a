import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// A suspend as fprintd sees it: it suspends its devices in the same moment as we hear of it.
@Suite struct FprintdSleepTests {
    /// - Parameter stop: when the order is stopped: as the service does it, at once; or by ``FprintdBackend/settle()``.
    @Test(arguments: [true, false]) func theSensorComesBackAfterASleep(_ isStoppedAtOnce: Bool) async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            let asleep = SignalLatch(rig.other, "VerifyStatus") { $0.first == .string("verify-unknown-error") }
            for round in 1...3 as ClosedRange<UInt64> {
                backend.take(.scan(round, nil))
                #expect(await seen.has(.armed(round)))
                try await rig.sleep(true)
                #expect(await eventually { asleep.hasCome })
                if isStoppedAtOnce { backend.take(.stop(round)) }
                let settling = await ContinuousClock().measure { await backend.settle() }
                #expect(settling < .seconds(1))
                seen.forget()
                try await rig.sleep(false)
                backend.take(.scan(10 + round, nil))
                #expect(await seen.has(.armed(10 + round), within: .seconds(2)))
                try await rig.sensor("SCAN mine")
                #expect(await seen.has(.match(10 + round, .rightIndex)))
                #expect(seen.count { if case .noMatch = $0 { true } else { false } } == 0)
                await backend.settle()
                #expect(await rig.isFree())
            }
        }
    }

    @Test func whatWasKeptIsGivenBackAfterTheSleepWithoutAnOrder() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            try await rig.sleep(true)
            await wait(.milliseconds(50))
            await backend.settle()
            try await rig.sleep(false)
            #expect(await eventually(within: .seconds(2)) { await rig.isFree() })
        }
    }

    @Test func aScanThatStandsGoesOnAfterTheSleep() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            try await rig.sleep(true)
            #expect(await seen.has(.interrupted(1, .failed("verify-unknown-error")), within: .seconds(2)))
            let claims = rig.claims
            await wait(.seconds(1))
            #expect(rig.claims == claims)
            try await rig.sleep(false)
            #expect(await eventually(within: .seconds(3)) { seen.answers.last == .armed(1) })
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(1, .rightIndex)))
        }
    }

    @Test func aLogindThatLeavesIsAnEndOfTheSleep() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let bus = try Connection.open(.address(rig.address))
            let sleep = FprintdSleep(bus)
            try await rig.sleep(true)
            #expect(await eventually { sleep.isAsleep })
            try await rig.other.releaseName("org.freedesktop.login1")
            #expect(await eventually(within: .seconds(2)) { !sleep.isAsleep })
            // Nobody but its owner is believed.
            rig.other.emit(
                path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager",
                member: "PrepareForSleep", [.bool(true)], to: bus.uniqueName)
            await wait(.milliseconds(50))
            #expect(!sleep.isAsleep)
        }
    }

    @Test func oneThatCanOpenItsSensorNoMoreIsLeftAloneUntilItEnds() async throws {
        try await FprintdRig.with(["MANNER": "activatable"]) { rig in
            let (backend, seen) = try await rig.backend()
            backend.take(.enroll(1, .rightIndex))
            for stage in 1...5 as ClosedRange<UInt32> {
                try await rig.sensor("SCAN mine")
                #expect(await seen.has(.stagePassed(1, stage: stage, stages: 5)))
            }
            #expect(await seen.has(.ended(1, nil)))
            await backend.settle()
            let broken = await rig.owner()
            try await rig.wedge()
            seen.forget()
            let asked = ContinuousClock.now
            backend.take(.scan(2, nil))
            #expect(
                await eventually(within: .seconds(2)) {
                    if case .interrupted(2, .failed)? = seen.answers.first { true } else { false }
                })
            // It ends by itself, 30 s after the last one who used it has left the bus.
            #expect(await eventually(within: .seconds(45)) { seen.answers.last == .armed(2) })
            #expect(asked.duration(to: .now) > .seconds(25))
            #expect(await rig.owner() != broken)
            #expect(backend.state.isPresent)
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(2, .rightIndex)))
            #expect(seen.answers.count == 3)
        }
    }
}
