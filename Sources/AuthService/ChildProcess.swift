import Glibc
import MainLoop

/// A program of ours, started with one end of a channel as its descriptor 3 and nothing else of this process.
@LoopActor
final class ChildProcess {
    private let pid: pid_t
    private var reaping: LoopSource?

    /// Starts it with this process's environment. Swift's threads block every signal and a child inherits that, so its
    /// mask and handlers are reset.
    ///
    /// - Parameter descriptor: its end of the channel, taken over.
    /// - Returns: nil with `errno`.
    init?(_ program: String, channel descriptor: Int32) {
        defer { close(descriptor) }
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        // To one's own number too: that clears close-on-exec.
        posix_spawn_file_actions_adddup2(&actions, descriptor, 3)
        var pid = pid_t()
        let error = program.withCString { path in
            var arguments: [UnsafeMutablePointer<CChar>?] = [UnsafeMutablePointer(mutating: path), nil]
            return posix_spawn(&pid, path, &actions, &attributes, &arguments, environ)
        }
        guard error == 0 else {
            errno = error
            return nil
        }
        self.pid = pid
    }

    /// Ends it at once, whatever it does, and sees that it leaves nothing behind. Told once.
    func kill() {
        guard reaping == nil else { return }
        _ = Glibc.kill(pid, SIGKILL)
        reap(after: .milliseconds(1))
    }

    /// A process that is being killed can stay for as long as a system call of its keeps it; nobody waits for that.
    private func reap(after wait: Duration) {
        guard waitpid(pid, nil, WNOHANG) == 0 else { return }
        reaping = .after(wait) { [self] in reap(after: min(wait * 2, .seconds(5))) }
    }
}
