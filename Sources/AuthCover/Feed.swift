import AuthChannel
import Glibc
import MainLoop

/// The writing end of a prompt's input. It never waits: what a prompt does not read is lost to it.
@LoopActor
final class Feed {
    private let descriptor: Int32
    private(set) var isOpen = true

    /// - Parameter descriptor: taken over.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    isolated deinit { close(descriptor) }

    /// Writes one message; its bytes are wiped before this returns.
    func send(_ message: FeedMessage) {
        guard isOpen, !(isMotion(message) && isCrowded) else { return }
        withUnsafeTemporaryAllocation(byteCount: FeedMessage.maximumSize, alignment: 1) { buffer in
            defer { explicit_bzero(buffer.baseAddress!, buffer.count) }
            let count = message.encode(into: buffer)
            guard count > 0 else { return }
            while Glibc.send(descriptor, buffer.baseAddress, count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN && errno != EWOULDBLOCK { isOpen = false }
                return
            }
        }
    }

    private func isMotion(_ message: FeedMessage) -> Bool {
        switch message {
        case .pointer(let pointer): pointer.kind == .motion
        case .touch(let touch): touch.kind == .update
        case .key: false
        }
    }

    /// Whether a prompt that is slow has enough to read for now. A pointer that moves a thousand times a second would
    /// otherwise leave no room for keys.
    private var isCrowded: Bool {
        var waiting: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0 && waiting > Feed.crowd
    }

    /// In the kernel's bytes, some 800 for a message; it takes 200,000 by default.
    private static let crowd: Int32 = 40_000
}
