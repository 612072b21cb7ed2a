import Glibc

/// Swift's crash reports, which print memory.
public enum CrashReports {
    /// Starts the program over with them turned off; returns at once where they are. The runtime reads
    /// `SWIFT_BACKTRACE` before any of our code runs, so it is too late for this process.
    ///
    /// Returns also where the program cannot be started over, with `errno`: there the environment has to do it.
    public static func turnOff() {
        guard getenv("SWIFT_BACKTRACE") == nil else { return }
        setenv("SWIFT_BACKTRACE", "enable=no", 1)
        // By its own path: the process keeps its name, which others are told it by.
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count - 1)
        guard length > 0 else { return }
        execv(path, CommandLine.unsafeArgv)
    }
}
