import Glibc
import LoopTestKit
import MainLoop

/// libfprint's virtual sensor: the finger on it is a word, and what happens to it comes through a socket, which is
/// there while the device is open. Whoever opens the device answers on its own loop, so commands are sent from a thread.
final class VirtualSensor: Sendable {
    enum Kind {
        /// Verifies only.
        case plain
        /// Identifies, and keeps the prints itself.
        case storage
        /// Identifies by pictures; see ``show(_:)``.
        case image

        var variable: String { "FP_" + driver.uppercased() }
        var driver: String {
            switch self {
            case .plain: "virtual_device"
            case .storage: "virtual_device_storage"
            case .image: "virtual_image"
            }
        }
    }

    let path: String
    private let thread = WorkThread(name: "sensor")

    /// Sets this process's environment: the next libfprint context knows this sensor and no other.
    init(at path: String, _ kind: Kind) {
        self.path = path
        Self.forget()
        setenv(kind.variable, path, 1)
        for list in ["FP_DRIVERS_WHITELIST", "FP_DRIVERS_ALLOWLIST"] { setenv(list, kind.driver, 1) }
    }

    /// No context made from now on knows a sensor.
    static func forget() {
        for kind in [Kind.plain, .storage, .image] { unsetenv(kind.variable) }
        for list in ["FP_DRIVERS_WHITELIST", "FP_DRIVERS_ALLOWLIST"] { setenv(list, "none", 1) }
    }

    /// Whether somebody has the device open.
    var isOpen: Bool { Self.connect(path).map { close($0) } != nil }

    /// - Parameter limit: how long it may take until somebody has the device open; zero for one try.
    /// - Returns: the answer; nil when nobody had it open.
    @discardableResult
    @LoopActor
    func send(_ command: String, within limit: Duration = .seconds(2)) async -> String? {
        var answer: String?
        _ = await eventually(within: limit) {
            answer = await thread.run { [path] in Self.exchange(command, with: path) }
            return answer != nil
        }
        return answer
    }

    /// Sends bytes as soon as somebody has the device open, within 2 s; nothing is answered.
    @LoopActor
    func write(_ bytes: [UInt8]) async {
        _ = await eventually(within: .seconds(2)) { await thread.run { [path] in Self.deliver(bytes, to: path) } }
    }

    private static func deliver(_ bytes: [UInt8], to path: String) -> Bool {
        guard let socket = connect(path) else { return false }
        defer { close(socket) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(socket, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            done += count
        }
        return true
    }

    func scan(_ finger: String) async { await send("SCAN \(finger)") }

    private static func exchange(_ command: String, with path: String) -> String? {
        guard let socket = connect(path) else { return nil }
        defer { close(socket) }
        guard command.withCString({ Glibc.send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }) > 0 else {
            return nil
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = read(socket, &chunk, chunk.count)
            if count < 0 { return nil }
            if count == 0 { return String(decoding: answer, as: UTF8.self) }
            answer += chunk[..<count]
        }
    }

    private static func connect(_ path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        // A sensor that is served no more must not hold a test up.
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        guard code == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
