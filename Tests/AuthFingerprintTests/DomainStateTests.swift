import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Synchronization
import Testing

@testable import AuthFingerprint

/// "Did the enrolled fingers change?", on real prints.
@Suite(.serialized) struct DomainStateTests {
    @Test func theOrderOfEnrollingDoesNotShow() async throws {
        let words: [(Finger, String)] = [(.leftThumb, "a"), (.leftIndex, "b"), (.rightRing, "c")]
        let sets = Mutex<[FingerSet?]>([])
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            try await SensorRig.with { rig in
                for index in order { #expect(isDone(await rig.enroll(words[index].0, words[index].1))) }
                sets.withLock { $0.append(rig.backend.state.set) }
                await rig.start()
                sets.withLock { $0.append(rig.backend.state.set) }
            }
        }
        let all = sets.withLock { $0 }
        #expect(all.count == 6)
        #expect(all[0] != nil)
        #expect(all.allSatisfy { $0 == all[0] })
    }

    @Test func addAndRemoveIsNoChange() async throws {
        try await SensorRig.with { rig in
            let none = rig.backend.state.set
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let one = rig.backend.state.set
            #expect(one != none)
            #expect(isDone(await rig.enroll(.leftIndex, "b")))
            #expect(rig.backend.state.set != one)
            #expect(isDone(await rig.delete(.leftIndex)))
            #expect(rig.backend.state.set == one)
            #expect(isDone(await rig.delete(nil)))
            #expect(rig.backend.state.set == none)
        }
    }

    @Test func anotherFingerUnderTheSameNameIsAChange() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let first = rig.backend.state.set
            #expect(isDone(await rig.delete(.leftThumb)))
            #expect(isDone(await rig.enroll(.leftThumb, "b")))
            #expect(rig.backend.state.set != first)
            // The same finger under another name, too.
            #expect(isDone(await rig.delete(.leftThumb)))
            #expect(isDone(await rig.enroll(.leftIndex, "a")))
            #expect(rig.backend.state.set != first)
        }
    }

    @Test func whoEnrolledItAndWhenDoesNotShow() async throws {
        try await SensorRig.with { rig in
            #expect(isDone(await rig.enroll(.leftThumb, "a")))
            let set = rig.backend.state.set
            let bytes = try #require(rig.bytes(of: "left-thumb"))
            // The day of enrolling: the four bytes before the template, which begins at a multiple of eight.
            let template = try #require(bytes.lastIndex(of: UInt8(ascii: "a")))
            var changed = bytes
            changed[template - 8] ^= 1
            #expect(changed != bytes)
            rig.write(changed, to: "left-thumb")
            #expect(isDone(await rig.look()))
            #expect(rig.backend.state.fingers == [.leftThumb])
            #expect(rig.backend.state.set == set)
        }
    }

    @Test func applicationsSeeDifferentBytesAndAlwaysTheSame() async throws {
        let folder = ScratchFolder()
        let path = folder.path + "/smileauth/domain-key"
        let said = Mutex<[String]>([])
        let load = { @Sendable in await DomainState.load(path: path) { line in said.withLock { $0.append(line) } } }
        let set = FingerSet(of: [[1], [2]], basis: .prints)
        let other = FingerSet(of: [[1], [3]], basis: .prints)
        let one = try #require(AuthenticatorID(application: "org.example.One"))
        let two = try #require(AuthenticatorID(application: "org.example.Two"))
        let state = await load()
        let bytes = state.bytes(of: set, for: one)
        #expect(bytes.count == 32)
        #expect(bytes != set.digest)
        #expect(Set([bytes, state.bytes(of: set, for: two), state.bytes(of: other, for: one)]).count == 3)
        #expect(state.bytes(of: set, for: .session) != bytes)
        #expect(await load().bytes(of: set, for: one) == bytes)
        var status = stat()
        #expect(lstat(path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(status.st_size == 32)
        #expect(said.withLock { $0 } == [])

        // Another key: everything remembered is another set, which asks for the passcode.
        truncate(path, 31)
        let fresh = await load()
        #expect(fresh.bytes(of: set, for: one) != bytes)
        #expect(await load().bytes(of: set, for: one) == fresh.bytes(of: set, for: one))
        #expect(access(path + ".broken", F_OK) == 0)
        #expect(said.withLock { $0.count } == 1)
        unlink(path)
        mkdir(path, 0o700)
        let unkept = await load()
        #expect(await load().bytes(of: set, for: one) != unkept.bytes(of: set, for: one))
    }

    @Test func namesAndPrintsAreNeverTheSameSet() {
        let name = Array(Finger.leftThumb.rawValue.utf8)
        #expect(FingerSet(of: [name], basis: .names) != FingerSet(of: [name], basis: .prints))
        #expect(FingerSet(of: [[1], [2]], basis: .prints) == FingerSet(of: [[2], [1]], basis: .prints))
        #expect(FingerSet(of: [[1, 2]], basis: .prints) != FingerSet(of: [[1], [2]], basis: .prints))
    }
}
