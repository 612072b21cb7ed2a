import AuthChannel
import Glibc
import MainLoop

/// The writing end of a prompt's input. It never waits: what a prompt does not read is lost to it, and it is told so
/// before anything else, for half an entry is none.
@LoopActor
final class Feed {
    private let descriptor: Int32
    private(set) var isOpen = true
    private var hasGap = false

    /// - Parameter descriptor: taken over.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    isolated deinit { close(descriptor) }

    /// Writes one message; its bytes are wiped before this returns.
    ///
    /// - Parameter isPart: whether what comes after it means something else without it.
    func send(_ message: FeedMessage, isPart: Bool = true) {
        guard isOpen else { return }
        if isMotion(message) && isCrowded {
            if isPart { hasGap = true }
        } else if !hasGap || write(.gap) {
            hasGap = !write(message) && isPart
        }
    }

    /// What the person did then is not handed on.
    func lose() { if isOpen { hasGap = !write(.gap) } }

    /// - Returns: false where the prompt has not read for so long that there is no room.
    private func write(_ message: FeedMessage) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: FeedMessage.maximumSize, alignment: 1) { buffer in
            defer { explicit_bzero(buffer.baseAddress!, buffer.count) }
            let count = message.encode(into: buffer)
            guard count > 0 else { return true }
            while Glibc.send(descriptor, buffer.baseAddress, count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN || errno == EWOULDBLOCK { return false }
                isOpen = false
                return true
            }
            return true
        }
    }

    private func isMotion(_ message: FeedMessage) -> Bool {
        switch message {
        case .pointer(let pointer): pointer.kind == .motion
        case .touch(let touch): touch.kind == .update
        case .key, .gap: false
        }
    }

    /// Whether a prompt that is slow has enough to read for now. A pointer that moves a thousand times a second would
    /// otherwise leave no room for keys.
    private var isCrowded: Bool {
        var waiting: Int32 = 0
        return ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0 && waiting > Feed.crowd
    }

    /// In the kernel's bytes, some 800 for a message; it takes 200,000 by default.
    private static let crowd: Int32 = 120_000
}
