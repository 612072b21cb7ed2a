import CLinux
import Glibc
import MainLoop

/// Keeps what is typed out of what a crash leaves behind, and away from debuggers.
enum Hardening {
    /// No core file, no tracing by the same user, and Swift's crash handler, which prints memory, is off.
    static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // May start the program over, so it comes before what that would undo.
        CrashReports.turnOff()
        if smile_forbid_dumps() != 0 { Program.say("cannot forbid core dumps: \(String(cString: strerror(errno)))") }
    }
}
