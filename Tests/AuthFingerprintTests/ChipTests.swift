import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// A virtual sensor that identifies, keeps the prints itself and finds duplicates. It forgets them when its device is
/// made anew.
@Suite(.serialized) struct ChipTests {
    @Test func identifiesAmongAll() async throws {
        try await SensorRig.with(.storage) { rig in
            #expect(rig.backend.state.canIdentify)
            for (finger, word) in [(Finger.leftThumb, "a"), (.leftIndex, "b"), (.rightRing, "c")] {
                #expect(isDone(await rig.enroll(finger, word)))
            }
            rig.forget()
            let scan = await rig.scan()
            await rig.sensor.scan("nobody")
            await rig.sensor.send("RETRY 2")
            await rig.sensor.scan("b")
            #expect(await rig.has(.match(scan, .leftIndex)))
            #expect(
                rig.events == [.armed(scan), .noMatch(scan), .retry(scan, .centerFinger), .match(scan, .leftIndex)])
            let named = await rig.scan(.rightRing)
            await rig.sensor.scan("b")
            #expect(await rig.has(.noMatch(named)))
            await rig.sensor.scan("c")
            #expect(await rig.has(.match(named, .rightRing)))
        }
    }

    @Test func deletesOnTheChip() async throws {
        try await SensorRig.with(.storage) { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            #expect(isDone(await rig.enroll(.leftIndex, "b")))
            #expect(await rig.onChip() == ["a", "b"])
            #expect(isDone(await rig.delete(.leftThumb)))
            #expect(await rig.onChip() == ["b"])
            #expect(rig.backend.state.fingers == [.leftIndex])
            #expect(rig.names() == ["left-index-finger"])
            #expect(isDone(await rig.delete(nil)))
            #expect(await rig.onChip() == [])
            #expect(rig.names() == [])
            #expect(isDone(await rig.enroll(.rightThumb, "a")))
        }
    }

    @Test func aPrintThatIsNoLongerOnTheChipDoesNotCount() async throws {
        try await SensorRig.with(.storage) { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            #expect(isDone(await rig.enroll(.leftIndex, "b")))
            let state = rig.backend.state
            _ = await rig.onChip(after: ["REMOVE a"])
            #expect(isDone(await rig.look()))
            #expect(rig.backend.state.fingers == [.leftIndex])
            #expect(rig.lines == ["\(rig.place)/left-thumb: not a print that counts: no longer in the sensor"])
            _ = await rig.onChip(after: ["INSERT a"])
            #expect(isDone(await rig.look()))
            #expect(rig.backend.state == state)
        }
    }

    @Test func theChipRefusesAFingerThatItKnows() async throws {
        try await SensorRig.with(.storage) { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            #expect(failure(await rig.enroll(.leftIndex, "a")) == .duplicate(nil))
            #expect(await rig.onChip() == ["a"])
            #expect(rig.backend.state.fingers == [.leftThumb])
            #expect(rig.names() == ["left-thumb"])
        }
    }

    @Test func aFullDiskTakesThePrintOffTheChipAgain() async throws {
        try await SensorRig.with(.storage) { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            // Nothing can be written where a file is in a folder's place.
            let place = rig.place
            #expect(rename(place, place + ".away") == 0)
            close(open(place, O_WRONLY | O_CREAT, 0o600))
            #expect(failure(await rig.enroll(.leftIndex, "b")) == .notStored)
            #expect(await rig.onChip() == ["a"])
            unlink(place)
            #expect(rename(place + ".away", place) == 0)
            #expect(rig.names() == ["left-thumb"])
            #expect(rig.backend.state.fingers == [.leftThumb])
            #expect(rig.lines == ["\(place)/left-index-finger: not written: Not a directory"])
        }
    }

    @Test func aStopOnTheLastStageLeavesNothingOnTheChip() async throws {
        try await SensorRig.with(.storage) { rig in
            let order = rig.order { .enroll($0, .leftThumb) }
            for _ in 0..<4 { await rig.sensor.scan("a") }
            #expect(await rig.has(.stagePassed(order, stage: 4, stages: 5)))
            rig.stopAtNextEvent(order)
            await rig.sensor.scan("a")
            #expect(await rig.isClosed(within: .seconds(4)))
            #expect(await rig.onChip() == [])
            #expect(rig.names() == [])
            #expect(rig.backend.state.fingers == [])
            #expect(!rig.events.contains(.ended(order, nil)))
        }
    }
}
