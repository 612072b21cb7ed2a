public import Glibc
import MainLoop

/// Runs programs for the tests. Everything blocks on a thread of its own.
public enum Processes {
    public struct Failed: Error { public let command: [String], status: Int32, output: String }

    private static let thread = WorkThread(name: "test programs")

    /// The folder with the scripts that bring real services up.
    public static let rigs =
        String(#filePath.split(separator: "/").dropLast(2).reduce(into: "") { $0 += "/" + $1 }) + "/Rigs"

    /// Runs `command` to its end and returns what it printed, standard error included, less trailing newlines.
    @discardableResult
    public static func run(_ command: [String], environment: [String: String] = [:]) async throws -> String {
        let (status, output) = await thread.run { () -> (Int32, String) in
            let (pid, pipe) = start(command, environment)
            guard pid > 0 else { return (-1, "") }
            let output = readAll(pipe)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            return (status, output)
        }
        guard status == 0 else { throw Failed(command: command, status: status, output: output) }
        return output
    }

    /// Starts `command` and returns its pid and the first line that it prints.
    public static func spawn(
        _ command: [String], environment: [String: String] = [:]
    ) async -> (pid: pid_t, line: String) {
        await thread.run {
            let (pid, pipe) = start(command, environment)
            defer { close(pipe) }
            var line: [UInt8] = []
            var byte: UInt8 = 0
            while pid > 0, read(pipe, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
            return (pid, String(decoding: line, as: UTF8.self))
        }
    }

    /// Ends a process that ``spawn(_:environment:)`` started, and waits for it.
    public static func end(_ pid: pid_t, with signal: Int32 = SIGTERM) async {
        guard pid > 0 else { return }
        _ = await thread.run {
            kill(pid, signal)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            return status
        }
    }

    /// Removes a folder and all that is in it.
    public static func remove(_ folder: String) {
        let (pid, pipe) = start(["rm", "-rf", folder], [:])
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        close(pipe)
    }

    private static func start(_ command: [String], _ additions: [String: String]) -> (pid: pid_t, pipe: Int32) {
        var ends: [Int32] = [0, 0]
        // Not a pipe: its close-on-exec flag can only be set later, and another test may start a program in between.
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        var variables = environmentNow().merging(additions) { $1 }.map { strdup($0.key + "=" + $0.value) } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var pid: pid_t = 0
        // The threads of a Swift program block signals; a child that inherits that could not be ended, and a shell that
        // hears no SIGCHLD waits for ever.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let failure = posix_spawnp(&pid, command[0], &actions, &attributes, &arguments, &variables)
        return (failure == 0 ? pid : -1, ends[0])
    }

    private static func environmentNow() -> [String: String] {
        var result: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return result
    }

    private static func readAll(_ descriptor: Int32) -> String {
        defer { close(descriptor) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        while all.last == UInt8(ascii: "\n") { all.removeLast() }
        return String(decoding: all, as: UTF8.self)
    }
}

/// A folder of the test's own, removed with everything in it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() {
        var template = Array("/tmp/smileauth-test-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
    }

    deinit { Processes.remove(path) }
}
