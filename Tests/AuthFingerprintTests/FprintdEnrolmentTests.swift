import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// Enrolling, deleting and what is known of the set afterwards, on the real fprintd.
@Suite struct FprintdEnrolmentTests {
    @Test func anEnrolmentGoesThroughItsStages() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            seen.forget()
            backend.take(.enroll(1, .rightIndex))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.stagePassed(1, stage: 1, stages: 5)))
            for (number, reason) in [(0, RetryReason.general), (1, .tooShort), (2, .centerFinger), (3, .removeFinger)] {
                try await rig.sensor("RETRY \(number)")
                #expect(await seen.has(.retry(1, reason)))
            }
            for stage in 2...5 as ClosedRange<UInt32> {
                try await rig.sensor("SCAN mine")
                #expect(await seen.has(.stagePassed(1, stage: stage, stages: 5)))
            }
            #expect(await seen.has(.ended(1, nil)))
            let state = backend.state
            #expect(state.fingers == [.rightIndex])
            #expect(
                seen.events == [
                    .stagePassed(1, stage: 1, stages: 5), .retry(1, .general), .retry(1, .tooShort),
                    .retry(1, .centerFinger), .retry(1, .removeFinger), .stagePassed(1, stage: 2, stages: 5),
                    .stagePassed(1, stage: 3, stages: 5), .stagePassed(1, stage: 4, stages: 5),
                    .stagePassed(1, stage: 5, stages: 5), .changed(state), .ended(1, nil),
                ])
            await backend.settle()
            #expect(await rig.isFree())
            backend.take(.scan(2, nil))
            #expect(await seen.has(.armed(2)))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(2, .rightIndex)))
        }
    }

    /// Enrols through the back end.
    @LoopActor
    private func enroll(
        _ finger: Finger, _ word: String, _ number: UInt64, _ backend: FprintdBackend, _ seen: SensorRecorder,
        _ rig: FprintdRig, stages: Int = 5
    ) async throws {
        backend.take(.enroll(number, finger))
        for stage in 1...UInt32(stages) {
            try await rig.sensor("SCAN \(word)")
            #expect(await seen.has(.stagePassed(number, stage: stage, stages: UInt32(stages))))
        }
        #expect(await seen.has(.ended(number, nil)))
    }

    @Test func theSetHasNoHistory() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            let none = try #require(backend.state.set)
            try await enroll(.rightIndex, "a", 1, backend, seen, rig)
            let one = try #require(backend.state.set)
            try await enroll(.leftThumb, "b", 2, backend, seen, rig)
            let both = try #require(backend.state.set)
            backend.take(.delete(3, .leftThumb))
            #expect(await seen.has(.ended(3, nil)))
            #expect(backend.state.set == one)
            backend.take(.delete(4, nil))
            #expect(await seen.has(.ended(4, nil)))
            #expect(backend.state.set == none)
            #expect(backend.state.fingers == [])
            try await enroll(.leftThumb, "b", 5, backend, seen, rig)
            let other = try #require(backend.state.set)
            try await enroll(.rightIndex, "a", 6, backend, seen, rig)
            #expect(backend.state.set == both)
            #expect(Set([none, one, both, other].map(\.digest)).count == 4)
        }
    }

    @Test func theDigestIsOfTheSetAlone() {
        let names = ["left-thumb", "right-thumb", "right-index-finger"].map { Array($0.utf8) }
        let digest = FingerSet(of: names, basis: .names)
        #expect(FingerSet(of: names.reversed(), basis: .names) == digest)
        #expect(FingerSet(of: names + names, basis: .names) == digest)
        #expect(FingerSet(of: names, basis: .prints) != digest)
        #expect(FingerSet(of: names.dropLast(), basis: .names) != digest)
        // Where one ends and the next begins counts.
        #expect(FingerSet(of: [[1, 2], [3]], basis: .prints) != FingerSet(of: [[1], [2, 3]], basis: .prints))
        #expect(digest.digest.count == 32)
    }

    @Test func aFingerUnderItsOwnNameIsRefusedBeforeItIsOverwritten() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.enroll(1, .rightIndex))
            #expect(await seen.has(.ended(1, .duplicate(.rightIndex))))
            backend.take(.scan(2, nil))
            #expect(await seen.has(.armed(2)))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(2, .rightIndex)))
        }
    }

    @Test func aFingerUnderAnotherNameIsADuplicateWhereTheDeviceCanTell() async throws {
        try await FprintdRig.with(["DRIVER": "virtual_device_storage"]) { rig in
            let (backend, seen) = try await rig.backend()
            try await enroll(.rightIndex, "mine", 1, backend, seen, rig, stages: 6)
            #expect(seen.answers.dropLast() == (1...6).map { .stagePassed(1, stage: $0, stages: 6) }[...])
            backend.take(.enroll(2, .leftThumb))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.ended(2, .duplicate(nil))))
            await backend.settle()
            #expect(backend.state.fingers == [.rightIndex])
            #expect(await rig.isFree())
        }
    }

    @Test(arguments: [
        ("ERROR 8", SensorFailure.deviceFull), ("ERROR 5", .gone), ("ERROR 0", .failed("enroll-unknown-error")),
    ]) func whatFailsIsNamed(_ command: String, _ failure: SensorFailure) async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.leftThumb, as: "other")
            let (backend, seen) = try await rig.backend()
            backend.take(.enroll(1, .rightIndex))
            try await rig.sensor("SCAN mine")
            try await rig.sensor(command)
            #expect(await seen.has(.ended(1, failure)))
            await backend.settle()
            #expect(await rig.isFree())
            #expect(backend.state.fingers == [.leftThumb])
            try await enroll(.rightIndex, "mine", 2, backend, seen, rig)
        }
    }

    @Test func anUnplugAndAKillEndAnEnrolment() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            backend.take(.enroll(1, .rightIndex))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.stagePassed(1, stage: 1, stages: 5)))
            try await rig.killFprintd()
            #expect(await seen.has(.ended(1, .gone), within: .seconds(2)))
            try await rig.startFprintd()
            #expect(await eventually { backend.state.isPresent })
            backend.take(.enroll(2, .rightIndex))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.stagePassed(2, stage: 1, stages: 5)))
            try await rig.sensor("UNPLUG")
            #expect(await seen.has(.ended(2, .gone), within: .seconds(2)))
            #expect(await eventually(within: .seconds(2)) { !backend.state.isPresent })
        }
    }

    @Test func aStoppedEnrolmentLeavesNothing() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            backend.take(.enroll(1, .rightIndex))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.stagePassed(1, stage: 1, stages: 5)))
            seen.forget()
            backend.take(.stop(1))
            await backend.settle()
            #expect(await rig.isFree())
            #expect(seen.events == [])
            #expect(backend.state.fingers == [])
        }
    }

    @Test func aPrintThatCannotBeWrittenIsSaid() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            try rig.spoilStore()
            backend.take(.enroll(1, .rightIndex))
            for _ in 1...5 { try await rig.sensor("SCAN mine") }
            #expect(await seen.has(.ended(1, .notStored)))
            #expect(backend.state.fingers == [])
        }
    }

    @Test func aPasswordMayTakeItsTime() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            // As an agent that asks; the claim and the list are asked about too.
            try await rig.hang("enroll")
            backend.take(.enroll(1, .rightIndex))
            await wait(.seconds(3))
            #expect(seen.answers == [])
            try await rig.letGo()
            for _ in 1...5 { try await rig.sensor("SCAN mine") }
            #expect(await seen.has(.ended(1, nil)))
        }
    }

    @Test func whoGivesUpWhileThePasswordIsAskedForGetsTheSensorBack() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            for order in [SensorOrder.enroll(1, .leftThumb), .delete(2, nil)] {
                try await rig.hang("enroll")
                backend.take(order)
                #expect(await eventually { await rig.isAsking() })
                backend.take(.stop(1))
                backend.take(.scan(3, nil))
                #expect(await seen.has(.armed(3), within: .seconds(1)))
                // The password comes after all.
                try await rig.letGo()
                try await rig.sensor("SCAN mine")
                #expect(await seen.has(.match(3, .rightIndex)))
                await backend.settle()
                #expect(await rig.isFree())
                #expect(seen.answers == [.armed(3), .match(3, .rightIndex)])
                #expect(backend.state.fingers == [.rightIndex])
                seen.forget()
            }
        }
    }

    @Test func whatPolkitRefusesIsDenied() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            try await rig.allow("verify")
            for order in [SensorOrder.enroll(1, .leftThumb), .delete(2, .rightIndex), .delete(3, nil)] {
                seen.forget()
                backend.take(order)
                #expect(
                    await eventually {
                        if case .ended(_, .denied(let why))? = seen.answers.first { !why.isEmpty } else { false }
                    })
            }
            #expect(backend.state.fingers == [.rightIndex])
        }
    }

    @Test func deletingNamesWhatIsNotThere() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.delete(1, .leftThumb))
            #expect(await seen.has(.ended(1, .notEnrolled)))
            backend.take(.delete(2, .rightIndex))
            #expect(await seen.has(.ended(2, nil)))
            #expect(backend.state.fingers == [])
            backend.take(.delete(3, nil))
            #expect(await seen.has(.ended(3, nil)))
            await backend.settle()
            #expect(await rig.isFree())
        }
    }

    @Test func aLookFindsWhatWasDeletedBehindOurBack() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            try await rig.call("DeleteEnrolledFingers", "")
            seen.forget()
            backend.take(.look(1))
            #expect(await seen.has(.ended(1, nil)))
            #expect(backend.state.fingers == [])
            #expect(seen.events == [.changed(backend.state), .ended(1, nil)])
        }
    }
}
