import Glibc
public import MainLoop

/// Why a channel is over.
public enum ChannelEnd: Equatable, Sendable {
    /// The other end is gone.
    case closed
    /// The other end sent what is no message, or one out of place. The words are ours, never the other end's.
    case nonsense(String)
    /// The other end does not read: more messages wait than ``ChannelSocket/longestQueue``.
    case stalled
    /// A system call failed with this `errno`.
    case failed(Int32)
}

/// One end of a `SOCK_SEQPACKET` pair on the main loop: whole datagrams in and out, and neither ever waits.
///
/// What comes in is read into memory that is locked, left out of cores, and wiped after each datagram; what waits to
/// go out is kept in the same kind of memory where it holds a secret.
@LoopActor
public final class ChannelSocket {
    /// Messages that may wait for the other end to read.
    public static let longestQueue = 32
    /// How many datagrams are taken before the loop has its turn.
    private static let burst = 16

    /// A datagram that could not be sent yet.
    private enum Waiting {
        case plain([UInt8], isReplaceable: Bool)
        case secret(SecretBuffer)
    }

    private var descriptor: Int32
    private let memory: SecretBuffer
    private let limit: Int
    private var reading: LoopSource?
    private var writing: LoopSource?
    private var queue: [Waiting] = []
    private var onDatagram: (@LoopActor (UnsafeRawBufferPointer) -> String?)?
    private var onEnd: (@LoopActor (ChannelEnd) -> Void)?

    /// Both ends of a new channel, close-on-exec; nil with `errno`.
    public nonisolated static func makePair() -> (service: Int32, prompt: Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// - Parameters:
    ///   - descriptor: taken over, and closed in the end.
    ///   - limit: the longest datagram that is taken, in bytes.
    ///   - onDatagram: lent the datagram for the length of the call; answers what is wrong with it, or nil.
    ///   - onEnd: called once, never from within a call of the owner's but ``send(_:isReplaceable:)``'s next turn of
    ///     the loop; not after ``close()``.
    /// - Returns: nil without memory; the descriptor is closed then too.
    public init?(
        _ descriptor: Int32, limit: Int, onDatagram: @escaping @LoopActor (UnsafeRawBufferPointer) -> String?,
        onEnd: @escaping @LoopActor (ChannelEnd) -> Void
    ) {
        // One byte more, so that what is too long is told from what just fits.
        guard let memory = SecretBuffer(capacity: limit + 1) else {
            Glibc.close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.memory = memory
        self.limit = limit
        self.onDatagram = onDatagram
        self.onEnd = onEnd
        reading = .watch(descriptor, for: .readable) { [weak self] _ in self?.receive() ?? false }
    }

    isolated deinit { close() }

    /// Messages that wait for room.
    var waiting: Int { queue.count }

    /// Closes it and forgets what waits; a second call does nothing.
    public func close() {
        guard descriptor >= 0 else { return }
        reading?.cancel()
        writing?.cancel()
        Glibc.close(descriptor)
        descriptor = -1
        queue = []
        onDatagram = nil
        onEnd = nil
    }

    /// Sends a datagram, or puts it in line.
    ///
    /// - Parameter isReplaceable: whether a newer one of the same kind makes it void while it waits: it is taken out
    ///   of the line then, and the newer one goes to its end.
    public func send(_ datagram: [UInt8], isReplaceable: Bool = false) {
        if isReplaceable {
            queue.removeAll { if case .plain(_, isReplaceable: true) = $0 { true } else { false } }
        }
        enqueue(.plain(datagram, isReplaceable: isReplaceable))
    }

    /// Sends a datagram that holds a secret; the buffer is let go, and so wiped, once it is out.
    public func send(_ datagram: SecretBuffer) { enqueue(.secret(datagram)) }

    // MARK: out

    private func enqueue(_ datagram: Waiting) {
        guard descriptor >= 0 else { return }
        queue.append(datagram)
        guard writing == nil else {
            if queue.count > ChannelSocket.longestQueue { endSoon(.stalled) }
            return
        }
        flush()
    }

    private func flush() {
        while let next = queue.first {
            let sent =
                switch next {
                case .plain(let bytes, _): bytes.withUnsafeBytes(write)
                case .secret(let buffer): buffer.withBytes(write)
                }
            if sent {
                queue.removeFirst()
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                waitForRoom()
                return
            } else {
                // A broken pipe is told by the reading side, after what the other end still had to say.
                if errno == EPIPE || errno == ECONNRESET { queue = [] } else { endSoon(.failed(errno)) }
                break
            }
        }
        writing?.cancel()
        writing = nil
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        while true {
            let count = Glibc.send(
                descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            if count >= 0 { return true }
            if errno != EINTR { return false }
        }
    }

    private func waitForRoom() {
        guard writing == nil else { return }
        writing = .watch(descriptor, for: .writable) { [weak self] _ in
            self?.flush()
            return self?.writing != nil
        }
    }

    // MARK: in

    /// Takes what is there; false when the source is to go.
    private func receive() -> Bool {
        for _ in 0..<ChannelSocket.burst {
            guard descriptor >= 0 else { return false }
            var count = 0
            memory.fill { room in
                count = recv(
                    descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT | MSG_TRUNC))
                return count
            }
            let code = errno
            defer { memory.removeAll() }
            switch count {
            case 1...limit:
                if let fault = memory.withBytes({ onDatagram?($0) }) { return end(.nonsense(fault)) }
            case 0: return end(.closed)
            case limit...: return end(.nonsense("a message that is too long"))
            case _ where code == EINTR: continue
            case _ where code == EAGAIN || code == EWOULDBLOCK: return true
            case _ where code == ECONNRESET: return end(.closed)
            default: return end(.failed(code))
            }
        }
        return descriptor >= 0
    }

    /// Closes it and says why; answers that the source is to go.
    @discardableResult
    private func end(_ reason: ChannelEnd) -> Bool {
        let tell = onEnd
        close()
        tell?(reason)
        return false
    }

    /// From within a call of the owner's: it is told at the loop's next turn.
    private func endSoon(_ reason: ChannelEnd) {
        queue = []
        reading = .idle { [weak self] in self?.end(reason) }
    }
}
