import Glibc
import MainLoop

/// Keeps memory that held a passcode out of files and out of crash reports.
///
/// The process stays dumpable: the service reads `/proc/PID` of its callers to tell sandboxed ones apart.
enum Hardening {
    /// No core file; and Swift's crash handler, which prints memory, is off.
    ///
    /// The handler reads SWIFT_BACKTRACE before `main`, so a process without it starts itself once more.
    static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        CrashReports.turnOff()
    }
}
