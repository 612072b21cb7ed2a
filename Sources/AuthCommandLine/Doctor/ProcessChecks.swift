import Glibc

/// What `/proc` tells of the service's process.
enum ProcessChecks {
    static func run(_ pid: UInt32) -> [Finding] {
        [
            coreDumps(limits: SmallFile.read("/proc/\(pid)/limits")),
            backtraces(environment: SmallFile.read("/proc/\(pid)/environ")),
            privileges(status: SmallFile.read("/proc/\(pid)/status")),
        ]
    }

    /// - Parameter limits: proc(5), "Max core file size  SOFT  HARD  bytes".
    static func coreDumps(limits: String?) -> Finding {
        let subject = "Core dumps"
        guard let limits, let line = limits.split(separator: "\n").first(where: { $0.hasPrefix("Max core file size") })
        else { return .warn(subject, "the service's limits cannot be read") }
        let soft = line.dropFirst("Max core file size".count).split(separator: " ").first
        return soft == "0"
            ? .ok(subject, "off for the service")
            : .fail(
                subject, "the service may leave cores with what was in its memory",
                mend: "Start it from its unit or by the bus; both set LimitCORE=0 or let the service do it.")
    }

    /// Swift's crash handler prints memory. A process that cannot be looked into keeps its environment to itself.
    static func backtraces(environment: String?) -> Finding {
        let subject = "Crash reports"
        guard let environment else { return .ok(subject, "the service's memory is closed to other processes") }
        let settings = environment.split(separator: "\0").first { $0.hasPrefix("SWIFT_BACKTRACE=") }
        return settings?.contains("enable=no") == true
            ? .ok(subject, "off for the service")
            : .fail(
                subject, "Swift's crash handler is on, and prints memory",
                mend: "Start the service with SWIFT_BACKTRACE=enable=no; its unit and activation file do.")
    }

    /// - Parameter status: proc(5), "NoNewPrivs:  0".
    static func privileges(status: String?) -> Finding {
        let subject = "Account check"
        guard let status, let line = status.split(separator: "\n").first(where: { $0.hasPrefix("NoNewPrivs:") }) else {
            return .warn(subject, "the service's status cannot be read")
        }
        return line.hasSuffix("0")
            ? .ok(subject, "the service may run PAM's helper")
            : .fail(
                subject, "the service runs with no_new_privs: PAM's unix_chkpwd cannot check the account password",
                mend: "Take sandbox options that imply it out of the service's unit.")
    }
}

/// Small files of /proc and /etc.
enum SmallFile {
    /// - Returns: nil when it cannot be read; at most 64 KiB.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
