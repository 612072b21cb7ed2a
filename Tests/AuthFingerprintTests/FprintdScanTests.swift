import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// Scans on the real fprintd: results, retries, and who is believed.
@Suite struct FprintdScanTests {
    @Test func whatIsThereIsKnownAfterTheStart() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            try await rig.enroll(.leftThumb, as: "other")
            let (backend, seen) = try await rig.backend()
            #expect(backend.state.isPresent)
            #expect(backend.state.backend == .fprintd)
            #expect(backend.state.deviceName == "Virtual device for debugging")
            #expect(backend.state.scanType == "swipe")
            #expect(backend.state.enrollStages == 5)
            #expect(backend.state.fingers == [.leftThumb, .rightIndex])
            #expect(backend.state.basis == .names)
            #expect(backend.state.set?.digest.count == 32)
            #expect(!backend.state.canIdentify)
            #expect(seen.events == [.changed(backend.state)])
        }
    }

    @Test func aScanRetriesCountsAndMatches() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            seen.forget()
            let clock = ContinuousClock.now
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            #expect(clock.duration(to: .now) < .seconds(1))
            for (number, reason) in [(0, RetryReason.general), (1, .tooShort), (2, .centerFinger), (3, .removeFinger)] {
                try await rig.sensor("RETRY \(number)")
                #expect(await seen.has(.retry(1, reason)))
            }
            try await rig.sensor("SCAN stranger")
            #expect(await seen.has(.noMatch(1)))
            #expect(await eventually { seen.count { $0 == .armed(1) } == 2 })
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(1, .rightIndex)))
            #expect(
                seen.answers == [
                    .armed(1), .retry(1, .general), .retry(1, .tooShort), .retry(1, .centerFinger),
                    .retry(1, .removeFinger), .noMatch(1), .armed(1), .match(1, .rightIndex),
                ])
            await backend.settle()
            #expect(await rig.isFree())
        }
    }

    @Test func aChangeOfTheSetIsToldBeforeAnythingCanMatch() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            let before = backend.state.set
            // Deletions are not signalled by fprintd.
            try await rig.call("Claim", "")
            try await rig.call("DeleteEnrolledFinger", Finger.rightIndex.rawValue)
            try await rig.call("Release")
            try await rig.enroll(.leftThumb, as: "theirs")
            seen.forget()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            try await rig.sensor("SCAN theirs")
            #expect(await seen.has(.match(1, .leftThumb)))
            guard case .changed(let state)? = seen.events.first else {
                Issue.record("\(seen.events)")
                return
            }
            #expect(state.fingers == [.leftThumb])
            #expect(state.set != nil && state.set != before)
        }
    }

    @Test func aFingerEnrolledBySomebodyElseIsSeenWithoutAnOrder() async throws {
        try await FprintdRig.with { rig in
            let (backend, _) = try await rig.backend()
            #expect(backend.state.fingers == [])
            let empty = backend.state.set
            #expect(empty != nil)
            try await rig.enroll(.rightIndex, as: "mine")
            #expect(await eventually(within: .seconds(2)) { backend.state.fingers == [.rightIndex] })
            #expect(backend.state.set != empty)
        }
    }

    @Test func oneFingerOfSeveralIsThePickedOne() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            try await rig.enroll(.leftThumb, as: "other")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, .leftThumb))
            #expect(await seen.has(.armed(1)))
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.noMatch(1)))
            try await rig.sensor("SCAN other")
            #expect(await seen.has(.match(1, .leftThumb)))
            #expect(!backend.state.canIdentify)
        }
    }

    @Test func aDeviceThatIdentifiesIsFoundOutAtTheFirstScan() async throws {
        try await FprintdRig.with(["DRIVER": "virtual_device_storage"]) { rig in
            try await rig.enroll(.rightIndex, as: "mine", stages: 6)
            try await rig.enroll(.leftThumb, as: "other", stages: 6)
            let (backend, seen) = try await rig.backend()
            #expect(!backend.state.canIdentify)
            backend.take(.scan(1, .rightIndex))
            #expect(await seen.has(.armed(1)))
            #expect(backend.state.canIdentify)
            try await rig.sensor("SCAN other")
            #expect(await seen.has(.noMatch(1)))
            backend.take(.stop(1))
            backend.take(.scan(2, nil))
            #expect(await seen.has(.armed(2)))
            try await rig.sensor("SCAN other")
            #expect(await seen.has(.match(2, nil)))
        }
    }

    @Test func nobodyElseIsBelieved() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let bus = try Connection.open(.address(rig.address))
            let backend = FprintdBackend(system: bus) { _ in }
            let seen = SensorRecorder()
            backend.onEvent = { seen.note($0) }
            await backend.start()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            for word in ["verify-match", "verify-no-match", "verify-unknown-error", "verify-retry-scan"] {
                rig.forge(word)
                rig.forge(word, to: bus.uniqueName)
            }
            // What comes from fprintd after them has overtaken none.
            try await rig.sensor("RETRY 1")
            #expect(await seen.has(.retry(1, .tooShort)))
            #expect(seen.answers == [.armed(1), .retry(1, .tooShort)])
            try await rig.sensor("SCAN mine")
            #expect(await seen.has(.match(1, .rightIndex)))
        }
    }

    @Test func whatComesOutsideOfAVerificationIsVoid() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            // Another program's match, of the same finger and really fprintd's.
            try await rig.call("Claim", "")
            backend.take(.scan(1, nil))
            #expect(await seen.has(.interrupted(1, .busy)))
            try await rig.call("VerifyStart", "any")
            let theirs = SignalLatch(rig.other, "VerifyStatus") { $0.first == .string("verify-match") }
            try await rig.sensor("SCAN mine")
            #expect(await eventually { theirs.hasCome })
            try await rig.call("VerifyStop")
            try await rig.call("Release")
            #expect(await seen.has(.armed(1)))
            #expect(seen.answers == [.interrupted(1, .busy), .armed(1)])
        }
    }

    @Test(arguments: [false, true]) func aMatchAfterTheStopIsVoid(_ isFollowed: Bool) async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            for round in 1...20 {
                let number = UInt64(round)
                backend.take(.scan(number, nil))
                #expect(await seen.has(.armed(number)))
                let result = SignalLatch(rig.other, "VerifyStatus") { $0.first == .string("verify-match") }
                _ = try await rig.call("ListEnrolledFingers", "")
                // Frozen, so that the finger is there before the stop, and the match comes after it.
                try await rig.signalFprintd(SIGSTOP)
                async let scanned = rig.sensor("SCAN mine")
                await wait(.milliseconds(5))
                seen.forget()
                backend.take(.stop(number))
                if isFollowed { backend.take(.scan(100 + number, nil)) }
                try await rig.signalFprintd(SIGCONT)
                _ = try await scanned
                #expect(await eventually { result.hasCome })
                if isFollowed { #expect(await seen.has(.armed(100 + number))) }
                backend.take(.stop(100 + number))
                await backend.settle()
                #expect(seen.answers == (isFollowed ? [.armed(100 + number)] : []))
            }
            #expect(await rig.isFree())
        }
    }

    @Test func aStopGivesTheSensorBack() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.armed(1)))
            #expect(await rig.isFree() == false)
            seen.forget()
            let asked = ContinuousClock.now
            backend.take(.stop(1))
            await backend.settle()
            #expect(asked.duration(to: .now) < .seconds(1))
            #expect(await rig.isFree())
            #expect(seen.answers == [])
            // And one that comes before it could be claimed.
            backend.take(.scan(2, nil))
            backend.take(.stop(2))
            await backend.settle()
            #expect(await rig.isFree())
            #expect(seen.answers == [])
            backend.take(.scan(3, nil))
            backend.take(.scan(4, nil))
            #expect(await seen.has(.armed(4)))
            #expect(seen.answers == [.armed(4)])
        }
    }

    @Test func nothingEnrolledIsSaidAndWaitedFor() async throws {
        try await FprintdRig.with { rig in
            let (backend, seen) = try await rig.backend()
            backend.take(.scan(1, nil))
            #expect(await seen.has(.interrupted(1, .notEnrolled)))
            await wait(.milliseconds(50))
            try await rig.enroll(.rightIndex, as: "mine")
            #expect(await seen.has(.armed(1)))
        }
    }

    @Test func whatPolkitRefusesIsDenied() async throws {
        try await FprintdRig.with { rig in
            try await rig.enroll(.rightIndex, as: "mine")
            let (backend, seen) = try await rig.backend()
            try await rig.allow()
            backend.take(.scan(1, nil))
            #expect(
                await eventually {
                    if case .interrupted(1, .denied(let why))? = seen.answers.first { !why.isEmpty } else { false }
                })
            try await rig.allow("verify")
            #expect(await seen.has(.armed(1)))
        }
    }
}
