import AuthCore
import Glibc
import Synchronization
import Testing

@testable import AuthSecrets

@Suite struct FilesTests {
    let folder = TemporaryFolder()
    let said = Lines()
    var files: AuthenticatorFiles { AuthenticatorFiles(folder: folder.path + "/smileauth") { [said] in said.add($0) } }

    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(folder.path + "/" + name, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func whatIsWrittenIsRead() async throws {
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        #expect(await files.read(.settings, of: app) == .missing)
        #expect(await files.storedIDs() == [])
        let fields = ["a": "1", "text": "ü \\ = [x]\nline two  "]
        #expect(await files.write(.settings, fields: fields, of: app))
        #expect(await files.read(.settings, of: app) == .fields(fields))
        #expect(mode("smileauth/app/org.example.App/settings") == 0o600)
        for made in ["smileauth", "smileauth/app", "smileauth/app/org.example.App"] { #expect(mode(made) == 0o700) }
        #expect(await files.write(.attempts, fields: ["n": "0"], of: .session))
        #expect(await files.storedIDs() == [.session, app])
        #expect(await files.remove(.settings, of: app))
        #expect(await files.remove(.settings, of: app))
        #expect(mode("smileauth/app/org.example.App") == nil)
        #expect(await files.storedIDs() == [.session])
        #expect(await files.writeAccountAttempts(fields: ["n": "3"]))
        #expect(await files.readAccountAttempts() == .fields(["n": "3"]))
    }

    @Test func unknownKeysAndGroupsAreKept() async {
        mkdir(folder.path + "/smileauth", 0o700)
        mkdir(folder.path + "/smileauth/session", 0o700)
        let file = "smileauth/session/settings"
        folder.write("# by hand\n[smileauth]\nnewer=yes\nold=1\n[later]\nx=y\n", to: file)
        #expect(await files.write(.settings, fields: ["mine": "2"], removing: ["old", "never"], of: .session))
        #expect(await files.read(.settings, of: .session) == .fields(["newer": "yes", "mine": "2"]))
        #expect(folder.text(of: file)?.contains("[later]\nx=y") == true)
    }

    @Test(arguments: [
        "", "\n", "[smileauth]", "[smileauth]\na=1", "[other]\na=1\n", "a=1\n", "[smileauth]\nnonsense\n",
        "[smileauth]\na=1\u{0}2\n", String(repeating: "x", count: 300_000),
    ])
    func aBrokenFileIsSaidAndSetAside(_ text: String) async {
        mkdir(folder.path + "/smileauth", 0o700)
        mkdir(folder.path + "/smileauth/session", 0o700)
        folder.writeBytes(Array(text.utf8), to: "smileauth/session/settings")
        guard case .broken = await files.read(.settings, of: .session) else {
            Issue.record("read as \(await files.read(.settings, of: .session))")
            return
        }
        let files = files
        #expect(await files.write(.settings, fields: ["a": "1"], of: .session))
        #expect(await files.read(.settings, of: .session) == .fields(["a": "1"]))
        #expect(folder.text(of: "smileauth/session/settings.broken") == String(text.prefix(65536)))
        #expect(said.all.count == 1)
    }

    @Test func whatIsNoFileIsUnreadableAndStays() async {
        mkdir(folder.path + "/smileauth", 0o700)
        mkdir(folder.path + "/smileauth/session", 0o700)
        folder.write("[smileauth]\na=1\n", to: "elsewhere")
        symlink(folder.path + "/elsewhere", folder.path + "/smileauth/session/settings")
        mkfifo(folder.path + "/smileauth/session/attempts", 0o600)
        mkdir(folder.path + "/smileauth/session/marker", 0o700)
        for file in AuthenticatorFile.allCases {
            guard case .unreadable = await files.read(file, of: .session) else {
                Issue.record("\(file) was read")
                continue
            }
            #expect(await !files.write(file, fields: ["a": "2"], of: .session))
        }
        #expect(folder.text(of: "elsewhere") == "[smileauth]\na=1\n")
    }

    @Test func valuesThatNoFileHoldsAreRefused() async {
        #expect(await !files.write(.settings, fields: ["a": "1\u{0}2"], of: .session))
        for key in ["", "a b", "a=b", "[a]", "ü"] {
            #expect(await !files.write(.settings, fields: [key: "1"], of: .session))
        }
    }

    @Test(.enabled(if: getuid() == 0))
    func aFullDiskLeavesTheOldFile() async throws {
        let disk = try #require(SmallDisk(at: folder.path + "/smileauth"))
        defer { disk.unmount() }
        let files = files
        #expect(await files.write(.attempts, fields: ["n": "1"], of: .session))
        disk.fill()
        #expect(await !files.write(.attempts, fields: ["n": "2"], of: .session))
        #expect(await files.read(.attempts, of: .session) == .fields(["n": "1"]))
        #expect(said.all.contains { $0.contains("No space left") })
        disk.empty()
        #expect(await files.write(.attempts, fields: ["n": "3"], of: .session))
        #expect(await files.read(.attempts, of: .session) == .fields(["n": "3"]))
    }
}
