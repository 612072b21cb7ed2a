import CGLib
import Glibc

/// A folder with password files, and the probe in a mount namespace where they are the machine's.
final class AccountRig {
    private let folder: String

    init?() {
        var template = Array("/tmp/smileauth-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { return nil }
        folder = String(cString: made)
    }

    deinit { _ = spawn(["rm", "-rf", folder], input: "") }

    func write(_ text: String, to name: String) {
        let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = text.withCString { Glibc.write(file, $0, strlen($0)) }
        close(file)
    }

    /// What the probe answers; nil when it did not run.
    func run(_ options: [String], _ arguments: [String], input: String) -> String? {
        guard let program = Self.besideThis("AccountProbe") else { return nil }
        let script = Self.repository + "/Tests/Rigs/account.sh"
        guard spawn([script, folder] + options + [program] + arguments, input: input) == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let file = open(folder + "/output", O_RDONLY)
        defer { close(file) }
        let count = read(file, &bytes, bytes.count)
        guard count > 0, bytes[count - 1] == UInt8(ascii: "\n") else { return nil }
        return String(decoding: bytes[..<(count - 1)], as: UTF8.self)
    }

    /// The exit status; the output is in the folder.
    private func spawn(_ arguments: [String], input: String) -> Int32? {
        var ends: [Int32] = [0, 0]
        guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, folder + "/output", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var argv = arguments.map { strdup($0) } + [nil]
        let variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "SWIFT_BACKTRACE=enable=no"]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in argv + environment { free(text) } }
        var child: pid_t = 0
        let failed = posix_spawnp(&child, arguments[0], &actions, nil, &argv, &environment)
        close(ends[0])
        let bytes = Array(input.utf8)
        if failed == 0 && !bytes.isEmpty { _ = Glibc.write(ends[1], bytes, bytes.count) }
        close(ends[1])
        guard failed == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }

    private static var repository: String {
        #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    }

    /// A program that was built together with this one.
    private static func besideThis(_ name: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // `swift test` may run the bundle by a helper of the toolchain: its arguments name the bundle then.
        for candidate in [path] + CommandLine.arguments.filter({ $0.contains(".xctest") }) {
            guard let slash = candidate.lastIndex(of: "/") else { continue }
            let program = candidate[..<slash] + "/" + name
            if access(String(program), X_OK) == 0 { return String(program) }
        }
        return nil
    }
}
