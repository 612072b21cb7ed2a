import CGLib
import Glibc
import Testing

@testable import AuthService

/// What a caller on the host is called.
@Suite struct RequesterTests {
    /// A copy of `sleep` under another name, running.
    private final class Sleeper {
        let path: String
        private let folder: String
        private(set) var pid: pid_t = 0

        init?(_ name: String) {
            var template = Array("/tmp/smileauth-test-XXXXXX".utf8CString)
            guard let made = mkdtemp(&template) else { return nil }
            folder = String(cString: made)
            path = folder + "/" + name
            var contents: UnsafeMutablePointer<CChar>?
            var length: gsize = 0
            guard g_file_get_contents("/usr/bin/sleep", &contents, &length, nil) != 0,
                g_file_set_contents(path, contents, gssize(length), nil) != 0
            else { return nil }
            g_free(contents)
            chmod(path, 0o700)
            var argv = [strdup(path), strdup("60"), nil]
            defer { for text in argv { free(text) } }
            guard posix_spawn(&pid, path, nil, nil, &argv, environ) == 0 else { return nil }
        }

        deinit {
            if pid > 0 {
                kill(pid, SIGKILL)
                waitpid(pid, nil, 0)
            }
            unlink(path)
            rmdir(folder)
        }
    }

    @Test func aLongNameIsWhole() throws {
        let sleeper = try #require(Sleeper("smileauth-settings-of-old"))
        #expect(Sandbox.command(of: UInt32(sleeper.pid)) == "smileauth-settings-of-old")
        // An update of the program does not show.
        unlink(sleeper.path)
        #expect(Sandbox.command(of: UInt32(sleeper.pid)) == "smileauth-settings-of-old")
    }

    @Test func aNameDoesNotTurnTheTextAround() throws {
        let sleeper = try #require(Sleeper("a\u{202e}b\nc\u{1b}[31m"))
        #expect(Sandbox.command(of: UInt32(sleeper.pid)) == "abc[31m")
    }

    @Test func whoIsGoneHasNoName() { #expect(Sandbox.command(of: 0x7fff_fffe).isEmpty) }
}
