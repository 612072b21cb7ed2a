import CLinux
import Glibc

/// Keeps passcodes out of what a crash leaves behind.
enum Hardening {
    /// Starts the program over with Swift's crash reports off, which would print memory; returns at once where they
    /// are. The runtime reads the variable before any of our code runs.
    static func withoutBacktraces() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        log("cannot start over without crash reports: \(String(cString: strerror(errno)))")
    }

    /// No core, neither as a file nor through a handler, and no debugger of the same user.
    static func withoutCores() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        if smile_forbid_dumps() != 0 { log("cannot forbid core dumps: \(String(cString: strerror(errno)))") }
    }
}
