import CGLib
import Glibc

/// A program that a test started, and ends by its pid.
final class Child: @unchecked Sendable {  // one test uses it
    let pid: pid_t
    private var isReaped = false

    /// - Parameters:
    ///   - input: what the program reads from its standard input.
    ///   - output: the file its standard output and error go to.
    init?(_ arguments: [String], environment: [String: String], input: String = "", output: String) {
        var ends: [Int32] = [0, 0]
        guard g_unix_open_pipe(&ends, FD_CLOEXEC, nil) != 0 else { return nil }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var argv = arguments.map { strdup($0) } + [nil]
        var env = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + env { free(text) } }
        var child: pid_t = 0
        let failed = posix_spawnp(&child, arguments[0], &actions, nil, &argv, &env)
        close(ends[0])
        _ = input.withCString { write(ends[1], $0, strlen($0)) }
        close(ends[1])
        guard failed == 0 else { return nil }
        pid = child
    }

    deinit { end() }

    func send(_ signal: Int32) { if !isReaped { kill(pid, signal) } }

    /// Ends it, stopped or not, and waits for that.
    func end() {
        guard !isReaped else { return }
        kill(pid, SIGKILL)
        kill(pid, SIGCONT)
        _ = wait()
    }

    /// Its exit status; −1 when a signal ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        isReaped = true
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -1
    }
}
