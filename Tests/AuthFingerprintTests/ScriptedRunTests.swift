import AuthCore
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// What happens at a sensor, in any order.
@Suite(.serialized) struct ScriptedRunTests {
    /// xorshift; the same runs every time.
    private struct Dice {
        var state: UInt64
        mutating func roll(_ sides: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(sides))
        }
    }

    @Test func twoHundredRunsCountRightAndNeverHang() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            #expect(isDone(await rig.enroll(.rightIndex, "b")))
            var dice = Dice(state: 0x5eed)
            for run in 0..<200 {
                await rig.isPlugged()
                rig.forget()
                let (finger, word) = [(Finger.leftThumb, "a"), (.rightIndex, "b")][dice.roll(2)]
                let scan = rig.order { .scan($0, finger) }
                #expect(await rig.has(.armed(scan), within: .seconds(2)), "run \(run)")
                var expected: [SensorEvent] = [.armed(scan)]
                var isOver = false
                // The third loss in a row is tried again after a second only.
                var losses = 0
                for _ in 0..<(1 + dice.roll(6)) where !isOver {
                    switch dice.roll(losses < 2 ? 12 : 8) {
                    case 0...3:
                        expected.append(.noMatch(scan))
                        await rig.sensor.scan(["c", word == "a" ? "b" : "a"][dice.roll(2)])
                    case 4...7:
                        let reason = dice.roll(4)
                        expected.append(.retry(scan, RetryReason.allCases[reason]))
                        await rig.sensor.send("RETRY \(reason)")
                    case 8:
                        losses += 1
                        expected += [.interrupted(scan, .busy), .armed(scan)]
                        await rig.sensor.send("ERROR 4")
                        #expect(await rig.told(expected), "run \(run)")
                    case 9:
                        losses += 1
                        let text = "An unspecified error occurred!"
                        expected += [.interrupted(scan, .failed(text)), .armed(scan)]
                        await rig.sensor.send("ERROR 0")
                        #expect(await rig.told(expected), "run \(run)")
                    case 10 where run % 4 == 0:
                        losses += 1
                        // What is still to be done at the sensor goes with it.
                        #expect(await rig.told(expected), "run \(run)")
                        expected += [.interrupted(scan, .gone), .armed(scan)]
                        await rig.sensor.send("UNPLUG")
                        #expect(await rig.told(expected), "run \(run)")
                    default: isOver = true
                    }
                }
                #expect(await rig.told(expected), "run \(run)")
                if dice.roll(2) == 0 {
                    expected.append(.match(scan, finger))
                    await rig.sensor.scan(word)
                    #expect(await rig.told(expected), "run \(run)")
                } else {
                    let touch = dice.roll(3)
                    if touch == 1 { await rig.sensor.send("SLEEP 20") }
                    rig.backend.take(.stop(scan))
                    if touch > 0 { await rig.sensor.send("SCAN \(word)", within: .zero) }
                }
                #expect(await rig.isClosed(), "run \(run)")
                #expect(rig.answers == expected, "run \(run)")
            }
            #expect(rig.backend.state.fingers == [.leftThumb, .rightIndex])
        }
    }

    @Test func twoHundredOrdersInABurstLeaveTheSensorFree() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            var dice = Dice(state: 0xb00)
            var jobs: [UInt64] = []
            var standing: [UInt64] = []
            for _ in 0..<200 {
                switch dice.roll(5) {
                case 0, 1: standing.append(rig.order { .scan($0, nil) })
                case 2: jobs.append(rig.order { .look($0) })
                case 3: standing.append(rig.order { .enroll($0, .rightIndex) })
                default: if let last = standing.popLast() { rig.backend.take(.stop(last)) }
                }
                if dice.roll(4) == 0 { _ = await rig.told([], within: .zero) }
            }
            for order in standing { rig.backend.take(.stop(order)) }
            #expect(await eventually(within: .seconds(2)) { jobs.allSatisfy { rig.count(.ended($0, nil)) == 1 } })
            #expect(await rig.isClosed())
            #expect(rig.backend.state.fingers == [.leftThumb])
            let scan = await rig.scan()
            await rig.sensor.scan("a")
            #expect(await rig.has(.match(scan, .leftThumb)))
        }
    }

    @Test func aMatchIsToldAtOnce() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            var times: [Duration] = []
            for _ in 0..<51 {
                let scan = await rig.scan()
                var told: ContinuousClock.Instant?
                rig.watch { if $0 == .match(scan, .leftThumb) { told = .now } }
                let start = ContinuousClock.now
                await rig.sensor.scan("a")
                #expect(await rig.has(.match(scan, .leftThumb)))
                times.append(start.duration(to: try #require(told)))
                #expect(await rig.isClosed())
            }
            // From before the command is sent: the sensor's own time is in it.
            #expect(times.sorted()[25] < .milliseconds(5))
        }
    }
}
