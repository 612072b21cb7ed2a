import AuthCore
import Glibc
import LoopTestKit
import Testing

@testable import AuthSession

@Suite struct LockStateFileTests {
    private let folder = TemporaryFolder()
    private var file: LockStateFile { LockStateFile(runtimeDirectory: folder.path) }
    private var path: String { folder.path + "/smileauth/lock-state" }
    private let app = AuthenticatorID(application: "org.example.App")!

    private func contents() -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    private func put(_ text: String) {
        let file = fopen(path, "we")
        fputs(text, file)
        fclose(file)
    }

    @Test func nothingThereIsANewSession() {
        #expect(file.read(session: "c1") == .fresh)
    }

    @Test func keepsWhatIsWritten() {
        let states: [AuthenticatorID: Bool] = [.session: true, app: false]
        #expect(file.write(states, session: "c1"))
        #expect(file.read(session: "c1") == .record(states: states, gapGrew: false))
        #expect(file.write([:], session: "c1"))
        #expect(file.read(session: "c1") == .record(states: [:], gapGrew: false))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(stat(folder.path + "/smileauth", &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test func ofAnotherLoginSessionItIsFresh() {
        #expect(file.write([.session: true], session: "c1"))
        #expect(file.read(session: "c2") == .fresh)
    }

    @Test func whereTheSessionIsNotKnownTheRecordCounts() {
        #expect(file.write([.session: true], session: "c1"))
        #expect(file.read(session: "") == .record(states: [.session: true], gapGrew: false))
        #expect(file.write([.session: true], session: ""))
        #expect(file.read(session: "c1") == .record(states: [.session: true], gapGrew: false))
    }

    @Test func aSessionIdMayBeAnything() {
        for id in ["c 1", "c\n1", "ü", "%20"] {
            #expect(file.write([.session: true], session: id))
            #expect(file.read(session: id) == .record(states: [.session: true], gapGrew: false))
            #expect(file.read(session: "c1") == .fresh)
        }
    }

    @Test func growthOfTheGapIsSeen() {
        #expect(file.write([.session: false], session: "c1"))
        let now = ClockWatch.gapMicroseconds()
        for (gap, grew) in [(now - 1_000_000, false), (now - 3_000_000, true), (now + 9_000_000, false), (.min, true)] {
            put("smileauth lock-state 1\nsession c1\ngap \(gap)\nopen \nend\n")
            #expect(file.read(session: "c1") == .record(states: [.session: false], gapGrew: grew))
        }
    }

    @Test func everyCutOffRecordIsUnreadable() {
        #expect(file.write([.session: true, app: false], session: "c1"))
        let whole = Array(contents().utf8)
        for length in 0..<whole.count {
            put(String(decoding: whole[..<length], as: UTF8.self))
            #expect(file.read(session: "c1") == .unreadable, "\(length) bytes of it")
        }
    }

    @Test(arguments: [
        "", "\n", "end\n",
        "smileauth lock-state 2\nsession c1\ngap 0\nend\n",
        "smileauth lock-state 1\nsession c1\ngap x\nend\n",
        "smileauth lock-state 1\nsession c1\ngap 0\nclosed \nend\n",
        "smileauth lock-state 1\nsession c1\ngap 0\nopen a\nend\n",
        "smileauth lock-state 1\nsession c1\ngap 0\nopen \nlocked \nend\n",
        "smileauth lock-state 1\nsession c1\ngap 0\nopen \nend\nend",
    ]) func nonsenseIsUnreadable(_ text: String) {
        #expect(file.write([:], session: "c1"))
        put(text)
        #expect(file.read(session: "c1") == .unreadable)
    }

    @Test func notAFileOfOursIsUnreadable() {
        #expect(file.write([.session: false], session: "c1"))
        // A link, also to a sound record.
        rename(path, folder.path + "/elsewhere")
        symlink(folder.path + "/elsewhere", path)
        #expect(file.read(session: "c1") == .unreadable)
        unlink(path)
        mkfifo(path, 0o600)
        #expect(file.read(session: "c1") == .unreadable)
        unlink(path)
        mkdir(path, 0o700)
        #expect(file.read(session: "c1") == .unreadable)
        #expect(!file.write([.session: false], session: "c1"))
        rmdir(path)
        put(String(repeating: "x", count: (1 << 20) + 1))
        #expect(file.read(session: "c1") == .unreadable)
        // A record takes the place of whatever can be replaced.
        #expect(file.write([.session: true], session: "c1"))
        #expect(file.read(session: "c1") == .record(states: [.session: true], gapGrew: false))
    }

    @Test func withoutARuntimeFolderNothingIsOpen() {
        let file = LockStateFile(runtimeDirectory: nil)
        #expect(!file.write([.session: false], session: "c1"))
        #expect(file.read(session: "c1") == .unreadable)
    }

    @Test func aFolderThatIsALinkIsNotUsed() {
        mkdir(folder.path + "/other", 0o700)
        symlink(folder.path + "/other", folder.path + "/smileauth")
        #expect(!file.write([.session: false], session: "c1"))
        #expect(file.read(session: "c1") == .unreadable)
    }

    @Test func onAFullDiskTheRecordIsEmptiedAndReadsAsLocked() async throws {
        // A tmpfs with room for the first record and no other; root's file system calls know no other limit.
        try await Processes.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", folder.path])
        #expect(file.write([.session: false], session: "c1"))
        try await Processes.run(["sh", "-c", "dd if=/dev/zero of=\(folder.path)/filler bs=1k 2>/dev/null || true"])
        let before = file.read(session: "c1")
        #expect(before == .record(states: [.session: false], gapGrew: false))
        let isWritten = file.write([.session: true], session: "c1")
        let after = file.read(session: "c1")
        try await Processes.run(["umount", folder.path])
        #expect(!isWritten)
        #expect(after == .unreadable)
    }

    @Test func aThousandFit() {
        var states: [AuthenticatorID: Bool] = [.session: true]
        for number in 0..<1024 {
            let application = "org.example." + String(repeating: "a", count: 230) + "\(number)"
            states[AuthenticatorID(application: application)!] = true
        }
        #expect(file.write(states, session: "c1"))
        #expect(file.read(session: "c1") == .record(states: states, gapGrew: false))
    }
}
