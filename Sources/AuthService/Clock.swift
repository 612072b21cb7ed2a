import AuthCore
import Glibc

extension Instant {
    /// Now, by the kernel's clocks.
    static var now: Instant {
        Instant(boottime: read(CLOCK_BOOTTIME), realtime: read(CLOCK_REALTIME))
    }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(max(0, time.tv_nsec)) / 1_000
    }
}

enum Boot {
    /// The kernel's random id of this boot; empty where /proc has none, which makes every boot a new one.
    static var id: String {
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return "" }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
