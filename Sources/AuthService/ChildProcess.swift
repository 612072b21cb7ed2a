import Glibc
import MainLoop

/// A program of ours, started with channels as its descriptors from 3 on and nothing else of this process.
@LoopActor
final class ChildProcess {
    private static let firstDescriptor: Int32 = 3

    private let pid: pid_t
    private var reaping: LoopSource?
    private var onEnd: ((Int32) -> Void)?
    /// What waitpid(2) said of it: from then on its number may be another process's.
    private var status: Int32?

    /// Starts it with this process's environment, but for Swift's crash handler: that prints memory. Swift's threads
    /// block every signal and a child inherits that, so its mask and handlers are reset.
    ///
    /// - Parameter descriptors: become its 3, 4 and so on; taken over.
    /// - Returns: nil with `errno`.
    init?(_ program: String, descriptors: [Int32]) {
        let count = Int32(descriptors.count)
        // Out of the way of the numbers that they are to have: one could be another's.
        let sources = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, Self.firstDescriptor + count) }
        for descriptor in descriptors { close(descriptor) }
        defer { for source in sources where source >= 0 { close(source) } }
        guard sources.allSatisfy({ $0 >= 0 }) else { return nil }
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
        for (number, source) in zip(Self.firstDescriptor..., sources) {
            posix_spawn_file_actions_adddup2(&actions, source, number)
        }
        var pid = pid_t()
        let error = program.withCString { path in
            Self.withEnvironment { environment in
                var arguments: [UnsafeMutablePointer<CChar>?] = [UnsafeMutablePointer(mutating: path), nil]
                return posix_spawn(&pid, path, &actions, &attributes, &arguments, environment)
            }
        }
        guard error == 0 else {
            errno = error
            return nil
        }
        self.pid = pid
    }

    private static func withEnvironment<Result>(
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let name = "SWIFT_BACKTRACE="
        var environment: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let entry = next.pointee {
            if strncmp(entry, name, name.utf8.count) != 0 { environment.append(entry) }
            next += 1
        }
        let off = strdup(name + "enable=no")
        defer { free(off) }
        environment += [off, nil]
        return environment.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    /// Ends it at once, whatever it does, and sees that it leaves nothing behind. Told once.
    func kill() {
        guard status == nil else { return }
        _ = Glibc.kill(pid, SIGKILL)
        if reaping == nil { reap(after: .milliseconds(1)) }
    }

    /// Waits for one that is about to end by itself.
    ///
    /// - Parameter body: called once, with what waitpid(2) says of it; at once where it has ended already.
    func whenEnded(_ body: @escaping @LoopActor (Int32) -> Void) {
        if let status { return body(status) }
        onEnd = body
        if reaping == nil { reap(after: .milliseconds(1)) }
    }

    /// A process that is being killed can stay for as long as a system call of its keeps it; nobody waits for that.
    private func reap(after wait: Duration) {
        var said: Int32 = 0
        let found = waitpid(pid, &said, WNOHANG)
        guard found == 0 else {
            let status = found == pid ? said : 0
            self.status = status
            reaping = nil
            let tell = onEnd
            onEnd = nil
            tell?(status)
            return
        }
        reaping = .after(wait) { [self] in reap(after: min(wait * 2, .seconds(5))) }
    }
}
