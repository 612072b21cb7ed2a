import Glibc

/// Whether the compositor has locked the session for a prompt of ours: a file in the runtime folder, which outlives
/// both programs. The prompt sets and clears it; a service that finds it without a lock of its own has the session
/// opened, for a compositor goes on locking when its client is gone (ext-session-lock-v1).
public enum ScreenMark {
    /// The compositor is named too: another one that has come since has locked nothing.
    public static func set() {
        guard let path, let compositor else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var line = compositor
        line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
    }

    public static func clear() {
        if let path { unlink(path) }
    }

    /// Whether it stands, for the compositor that runs now.
    public static var isSet: Bool {
        guard let path, access(path, F_OK) == 0, let compositor else { return false }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // What cannot be read is believed: to open what is open already does no harm.
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &buffer, buffer.count)
        return count <= 0 || String(decoding: buffer[..<count], as: UTF8.self) == compositor
    }

    private static var path: String? { runtime.map { $0 + "/smileauth/screen-locked" } }

    private static var runtime: String? { environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil } }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The socket's own numbers: its name is used again.
    private static var compositor: String? {
        guard let display = environment("WAYLAND_DISPLAY"), !display.isEmpty else { return nil }
        guard let socket = display.hasPrefix("/") ? display : runtime.map({ $0 + "/" + display }) else { return nil }
        var status = stat()
        guard stat(socket, &status) == 0 else { return nil }
        return "\(status.st_dev) \(status.st_ino) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)\n"
    }
}
