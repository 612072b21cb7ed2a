import AuthCore
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// Scanning with libfprint, on a virtual sensor that verifies only.
@Suite(.serialized) struct LibfprintScanTests {
    @Test func tellsWhatIsThere() async throws {
        try await SensorRig.with { rig in
            var state = SensorState()
            state.backend = .libfprint
            state.isPresent = true
            state.deviceName = "Virtual device for debugging"
            state.scanType = "swipe"
            state.enrollStages = 5
            state.set = FingerSet(of: [], basis: .prints)
            #expect(rig.backend.state == state)
            #expect(rig.events == [.changed(state)])
            #expect(rig.backend.access == .open)
            #expect(await rig.isClosed())
            #expect(!rig.sensor.isOpen)
        }
    }

    @Test func withoutASensorThereIsNone() async throws {
        try await SensorRig.with { rig in
            VirtualSensor.forget()
            await rig.start()
            #expect(rig.backend.access == .none)
            #expect(!rig.backend.state.isPresent)
            let scan = rig.order { .scan($0, nil) }
            #expect(await rig.has(.interrupted(scan, .gone)))
            let enrolment = rig.order { .enroll($0, .leftThumb) }
            #expect(await rig.has(.ended(enrolment, .gone)))
        }
    }

    @Test func countsEachNoMatchOnceAndStopsAtAMatch() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            rig.forget()
            let scan = await rig.scan()
            for finger in ["arch", "loop", "arch"] { await rig.sensor.scan(finger) }
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.match(scan, .rightIndex)))
            #expect(
                rig.events == [
                    .armed(scan), .noMatch(scan), .noMatch(scan), .noMatch(scan), .match(scan, .rightIndex),
                ])
            #expect(await rig.isClosed())
            #expect(rig.events.count == 5)
        }
    }

    @Test func retriesAreNoFailures() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            rig.forget()
            let scan = await rig.scan()
            for reason in 0...3 { await rig.sensor.send("RETRY \(reason)") }
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.match(scan, .rightIndex)))
            #expect(
                rig.events == [
                    .armed(scan), .retry(scan, .general), .retry(scan, .tooShort), .retry(scan, .centerFinger),
                    .retry(scan, .removeFinger), .match(scan, .rightIndex),
                ])
        }
    }

    @Test func readsTheFingerThatIsNamed() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            #expect(isDone(await rig.enroll(.leftThumb, "arch")))
            #expect(rig.backend.state.fingers == [.leftThumb, .rightIndex])
            let named = await rig.scan(.rightIndex)
            await rig.sensor.scan("arch")
            #expect(await rig.has(.noMatch(named)))
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.match(named, .rightIndex)))
            // It cannot identify: the first of them.
            let unnamed = await rig.scan()
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.noMatch(unnamed)))
            await rig.sensor.scan("arch")
            #expect(await rig.has(.match(unnamed, .leftThumb)))
            let missing = rig.order { .scan($0, .leftLittle) }
            #expect(await rig.has(.interrupted(missing, .notEnrolled)))
            #expect(await rig.isClosed())
        }
    }

    @Test func afterAStopNothingIsAnswered() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            for round in 0..<20 {
                rig.forget()
                let scan = await rig.scan()
                // The finger is on its way.
                if round % 2 == 0 { await rig.sensor.send("SLEEP 30") }
                async let touch = rig.sensor.send("SCAN whorl", within: .zero)
                rig.backend.take(.stop(scan))
                rig.forget()
                _ = await touch
                #expect(await rig.isClosed())
                #expect(rig.answers == [])
            }
        }
    }

    @Test func aNewScanReplacesTheOneThatStands() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            let first = await rig.scan()
            let second = await rig.scan()
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.match(second, .rightIndex)))
            #expect(!rig.events.contains(.match(first, .rightIndex)))
        }
    }

    @Test func anErrorInterruptsAndTheSensorIsClaimedAnew() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            rig.forget()
            let scan = await rig.scan()
            await rig.sensor.send("ERROR 0")
            #expect(await rig.has(.interrupted(scan, .failed("An unspecified error occurred!"))))
            #expect(await eventually(within: .seconds(2)) { rig.count(.armed(scan)) == 2 })
            // Another program has it.
            await rig.sensor.send("ERROR 4")
            #expect(await rig.has(.interrupted(scan, .busy)))
            #expect(rig.backend.state.isPresent)
            #expect(await eventually(within: .seconds(2)) { rig.count(.armed(scan)) == 3 })
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.match(scan, .rightIndex)))
            #expect(!rig.events.contains(.noMatch(scan)))
        }
    }

    @Test func anUnpluggedSensorIsSaidAtOnceAndComesBack() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            rig.forget()
            let set = rig.backend.state.set
            let scan = await rig.scan()
            await rig.sensor.send("UNPLUG")
            #expect(await rig.has(.interrupted(scan, .gone), within: .milliseconds(300)))
            #expect(!rig.backend.state.isPresent)
            #expect(await eventually(within: .seconds(2)) { rig.count(.armed(scan)) == 2 })
            #expect(rig.backend.state.isPresent)
            #expect(rig.backend.state.set == set)
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.match(scan, .rightIndex)))
            #expect(!rig.events.contains(.noMatch(scan)))
        }
    }

    @Test func aSensorThatNobodyWaitsForComesBackToo() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            let scan = await rig.scan()
            await rig.sensor.send("UNPLUG")
            #expect(await rig.has(.interrupted(scan, .gone)))
            rig.backend.take(.stop(scan))
            #expect(await eventually(within: .seconds(3)) { rig.backend.state.isPresent })
            #expect(await rig.isClosed())
        }
    }

    @Test func atMostFiveTimesAMinuteByItself() {
        var budget = OpenBudget()
        var now = ContinuousClock.now
        let start = now
        var opens: [Duration] = []
        for _ in 0..<12 {
            now += budget.wait(at: now)
            budget.spend(at: now)
            opens.append(start.duration(to: now))
            budget.lost(at: now)
        }
        #expect(Array(opens.prefix(5)) == [0, 250, 750, 1750, 3750].map(Duration.milliseconds))
        for index in 5..<12 { #expect(opens[index] - opens[index - 5] >= .seconds(60)) }
    }

    @Test func settlesBeforeASleep() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            for _ in 0..<5 {
                let scan = await rig.scan()
                rig.backend.take(.stop(scan))
                let start = ContinuousClock.now
                await rig.backend.settle()
                #expect(start.duration(to: .now) < .milliseconds(500))
                #expect(!rig.sensor.isOpen)
            }
            let scan = await rig.scan()
            await rig.backend.settle()
            #expect(!rig.sensor.isOpen)
            #expect(await rig.has(.interrupted(scan, .gone)))
            let enrolment = rig.order { .enroll($0, .leftThumb) }
            #expect(await eventually { rig.sensor.isOpen })
            await rig.backend.settle()
            #expect(!rig.sensor.isOpen)
            #expect(await rig.has(.ended(enrolment, .failed("the machine goes to sleep"))))
        }
    }

    @Test func aDriverThatDoesNotAnswerHoldsNothingUp() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            let scan = await rig.scan()
            await rig.sensor.send("SET_CANCELLATION_ENABLED 0")
            rig.backend.take(.stop(scan))
            let start = ContinuousClock.now
            await rig.backend.settle()
            #expect(start.duration(to: .now) < .milliseconds(1200))
            let next = rig.order { .scan($0, nil) }
            #expect(
                await rig.has(
                    .interrupted(next, .failed("the sensor does not answer")), within: .milliseconds(2100)))
            rig.forget()
            // A finger brings it to life again; it counts for the scan that stands, and once.
            await rig.sensor.scan("whorl")
            #expect(await rig.has(.match(next, .rightIndex)))
            #expect(rig.answers == [.armed(next), .match(next, .rightIndex)])
        }
    }
}
