import CLinux
import Glibc

/// What is typed passes through this process: it leaves no memory behind.
enum Hardening {
    /// No core, neither as a file nor through a handler, and no debugger of the same user.
    static func apply() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        if smile_forbid_dumps() != 0 { log("cannot forbid core dumps: \(String(cString: strerror(errno)))") }
    }
}
