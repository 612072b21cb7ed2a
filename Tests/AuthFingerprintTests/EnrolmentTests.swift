import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// Enrolling, deleting and the files of the prints, on a virtual sensor that verifies only.
@Suite(.serialized) struct EnrolmentTests {
    @Test func fiveStagesWithRetriesBetween() async throws {
        try await SensorRig.with { rig in
            rig.forget()
            let order = rig.order { .enroll($0, .rightIndex) }
            for retry in ["RETRY 1", nil, "RETRY 3", nil, nil] {
                await rig.sensor.scan("whorl")
                if let retry { await rig.sensor.send(retry) }
            }
            #expect(await rig.has(.ended(order, nil)))
            let stage = { SensorEvent.stagePassed(order, stage: $0, stages: 5) }
            #expect(
                rig.answers == [
                    stage(1), .retry(order, .tooShort), stage(2), stage(3), .retry(order, .removeFinger), stage(4),
                    stage(5), .ended(order, nil),
                ])
            #expect(rig.backend.state.fingers == [.rightIndex])
            #expect(rig.events.dropLast().last == .changed(rig.backend.state), "the state comes before the answer")
            #expect(await rig.isClosed())

            var status = stat()
            #expect(lstat("\(rig.place)/right-index-finger", &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o600)
            #expect(lstat(rig.place, &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o700)
            #expect(rig.names() == ["right-index-finger"])
        }
    }

    @Test func aStoppedEnrolmentLeavesNothing() async throws {
        try await SensorRig.with { rig in
            for stages in 0...4 {
                rig.forget()
                let order = rig.order { .enroll($0, .rightIndex) }
                #expect(await eventually { rig.sensor.isOpen })
                for stage in 0..<stages {
                    await rig.sensor.scan("whorl")
                    #expect(await rig.has(.stagePassed(order, stage: UInt32(stage + 1), stages: 5)))
                }
                rig.backend.take(.stop(order))
                rig.forget()
                #expect(await rig.isClosed())
                #expect(rig.events == [])
                #expect(rig.names() == [])
            }
            // The finger is on its last stage.
            let order = rig.order { .enroll($0, .rightIndex) }
            for _ in 0..<4 { await rig.sensor.scan("whorl") }
            #expect(await rig.has(.stagePassed(order, stage: 4, stages: 5)))
            async let last = rig.sensor.scan("whorl")
            _ = await eventually { rig.events.contains(.stagePassed(order, stage: 5, stages: 5)) }
            rig.backend.take(.stop(order))
            let isEnrolled = rig.events.contains(.ended(order, nil))
            _ = await last
            #expect(await rig.isClosed())
            #expect(rig.names() == (isEnrolled ? ["right-index-finger"] : []))
            #expect(rig.backend.state.fingers == (isEnrolled ? [.rightIndex] : []))
        }
    }

    @Test func anErrorEndsAnEnrolment() async throws {
        try await SensorRig.with { rig in
            let broken = rig.order { .enroll($0, .leftThumb) }
            await rig.sensor.scan("whorl")
            await rig.sensor.send("ERROR 0")
            #expect(await rig.has(.ended(broken, .failed("An unspecified error occurred!"))))
            let full = rig.order { .enroll($0, .leftThumb) }
            await rig.sensor.send("ERROR 8")
            #expect(await rig.has(.ended(full, .deviceFull)))
            let unplugged = rig.order { .enroll($0, .leftThumb) }
            await rig.sensor.scan("whorl")
            await rig.sensor.send("UNPLUG")
            #expect(await rig.has(.ended(unplugged, .gone), within: .seconds(2)))
            #expect(rig.names() == [])
            #expect(await eventually(within: .seconds(3)) { rig.backend.state.isPresent })
            #expect(isDone(await rig.enroll(.leftThumb, "whorl")))
        }
    }

    @Test func aFingerIsEnrolledOnce() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.rightIndex, "whorl")))
            let set = rig.backend.state.set
            #expect(failure(await rig.enroll(.rightIndex, "arch")) == .duplicate(.rightIndex))
            #expect(failure(await rig.enroll(.leftIndex, "whorl")) == .duplicate(.rightIndex))
            #expect(rig.backend.state.fingers == [.rightIndex])
            #expect(rig.backend.state.set == set)
        }
    }

    @Test func deletesOneAndAll() async throws {
        try await SensorRig.with { rig in
            #expect(failure(await rig.delete(.leftThumb)) == .notEnrolled)
            #expect(isDone(await rig.delete(nil)))
            for (finger, word) in [(Finger.leftThumb, "a"), (.leftIndex, "b"), (.rightRing, "c")] {
                #expect(isDone(await rig.enroll(finger, word)))
            }
            #expect(isDone(await rig.delete(.leftIndex)))
            #expect(rig.backend.state.fingers == [.leftThumb, .rightRing])
            #expect(rig.names() == ["left-thumb", "right-ring-finger"])
            let scan = rig.order { .scan($0, .leftIndex) }
            #expect(await rig.has(.interrupted(scan, .notEnrolled)))
            #expect(isDone(await rig.delete(nil)))
            #expect(rig.backend.state.fingers == [])
            #expect(rig.names() == [])
        }
    }

    @Test func aDeletedFingerIsNoLongerReadByAScanThatStands() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let scan = await rig.scan()
            #expect(isDone(await rig.delete(.leftThumb)))
            #expect(await rig.has(.interrupted(scan, .notEnrolled)))
            await rig.sensor.send("SCAN a", within: .milliseconds(25))
            #expect(await rig.isClosed())
            #expect(!rig.events.contains(.match(scan, .leftThumb)))
        }
    }

    @Test func printsOutliveARestart() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            #expect(isDone(await rig.enroll(.rightRing, "b")))
            let state = rig.backend.state
            await rig.start()
            #expect(rig.backend.state == state)
            let scan = await rig.scan(.rightRing)
            await rig.sensor.scan("b")
            #expect(await rig.has(.match(scan, .rightRing)))
        }
    }

    // MARK: Files that are no prints

    @Test func aTruncatedPrintIsNoPrintWhereverItIsCut() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            #expect(isDone(await rig.enroll(.rightRing, "arch")))
            let state = rig.backend.state
            let path = "\(rig.place)/right-ring-finger"
            let whole = try #require(rig.bytes(of: "right-ring-finger"))
            #expect(whole.count == 57)
            for length in 0..<whole.count {
                rig.write(Array(whole[..<length]), to: "right-ring-finger")
                rig.forgetLines()
                #expect(isDone(await rig.look()))
                #expect(rig.backend.state.fingers == [.leftThumb])
                #expect(rig.backend.state.set != state.set)
                #expect(rig.bytes(of: "right-ring-finger") == Array(whole[..<length]), "it is kept")
            }
            await rig.start()
            #expect(rig.backend.state.fingers == [.leftThumb])
            #expect(rig.lines == ["\(path): not a print that counts: truncated or damaged"])
            rig.write(whole, to: "right-ring-finger")
            #expect(isDone(await rig.look()))
            #expect(rig.backend.state == state)
        }
    }

    @Test func aForeignOrUnreadableFileIsNamedAndLeavesTheOthersAlone() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            #expect(isDone(await rig.enroll(.rightRing, "b")))
            let ring = try #require(rig.bytes(of: "right-ring-finger"))
            let other = Array(String(decoding: ring, as: UTF8.self).replacing("virtual_", with: "").utf8)
            rig.write(Array("FP3 rather not".utf8), to: "left-index-finger")
            rig.write(ring, to: "right-thumb")
            rig.write([UInt8](repeating: 0x5a, count: 300_000), to: "right-little-finger")
            rig.write(other, to: "left-middle-finger")
            #expect(mkfifo("\(rig.place)/left-ring-finger", 0o600) == 0)
            #expect(symlink("left-thumb", "\(rig.place)/left-little-finger") == 0)
            #expect(mkdir("\(rig.place)/right-middle-finger", 0o700) == 0)
            rig.write(Array("what is this".utf8), to: "notes.txt")
            await rig.start()
            #expect(rig.backend.state.fingers == [.leftThumb, .rightRing])
            let said = rig.lines.map { String($0.dropFirst(rig.place.count + 1)) }
            #expect(
                said == [
                    "left-index-finger: not a print that counts: truncated or damaged",
                    "left-middle-finger: not a print that counts: truncated or damaged",
                    "left-ring-finger: not a print that counts: Invalid argument",
                    "left-little-finger: not a print that counts: Too many levels of symbolic links",
                    "right-thumb: not a print that counts: of another finger",
                    "right-middle-finger: not a print that counts: Invalid argument",
                    "right-little-finger: not a print that counts: too large",
                ])
            let names = rig.names()
            let scan = await rig.scan(.rightRing)
            await rig.sensor.scan("b")
            #expect(await rig.has(.match(scan, .rightRing)))
            #expect(rig.names() == names)

            // Enrolled anew: what was there is set aside.
            #expect(isDone(await rig.enroll(.leftIndex, "c")))
            #expect(rig.bytes(of: "left-index-finger.broken") == Array("FP3 rather not".utf8))
            #expect(isDone(await rig.enroll(.rightThumb, "d")))
            #expect(rig.bytes(of: "right-thumb.broken") == ring)
            #expect(rig.backend.state.fingers == [.leftThumb, .leftIndex, .rightThumb, .rightRing])
            #expect(failure(await rig.delete(.rightLittle)) == .notEnrolled)
            #expect(isDone(await rig.delete(nil)))
            #expect(rig.backend.state.fingers == [])
            #expect(rig.names().count == 8)
        }
    }

    @Test func aPrintOfAnotherSensorIsNone() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let bytes = try #require(rig.bytes(of: "left-thumb"))
            let other = bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            #expect(other.contains("virtual_device"))
            var changed = bytes
            // `virtual_device` → `virtual_devicf`
            changed[20] += 1
            rig.write(changed, to: "left-thumb")
            #expect(isDone(await rig.look()))
            #expect(rig.backend.state.fingers == [])
            #expect(rig.lines.last?.hasSuffix("left-thumb: not a print that counts: of another sensor") == true)
        }
    }

    @Test func aFullDiskInMidEnrolmentLeavesTheOthersAndNothingElse() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let state = rig.backend.state
            signal(SIGXFSZ, SIG_IGN)
            var limits = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            let order = rig.order { .enroll($0, .rightRing) }
            for _ in 0..<4 { await rig.sensor.scan("b") }
            #expect(await rig.has(.stagePassed(order, stage: 4, stages: 5)))
            // No file may grow beyond half a print.
            var small = rlimit(rlim_cur: 32, rlim_max: limits.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small)
            await rig.sensor.scan("b")
            let isSaid = await rig.has(.ended(order, .notStored))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            #expect(isSaid)
            #expect(rig.backend.state == state)
            #expect(rig.names() == ["left-thumb"])
            #expect(rig.lines == ["\(rig.place)/right-ring-finger: not written: File too large"])
            #expect(isDone(await rig.enroll(.rightRing, "b")))
        }
    }
}
