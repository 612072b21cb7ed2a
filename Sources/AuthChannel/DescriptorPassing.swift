internal import CLinux
import Glibc

/// Datagrams that carry a descriptor, over a `SOCK_SEQPACKET` socket.
public enum DescriptorPassing {
    /// Sends one datagram and, where it is not nil, a copy of `descriptor`.
    ///
    /// - Returns: false where the other end is gone or has not read for so long that its queue is full.
    public static func send(_ bytes: [UInt8], descriptor: Int32? = nil, over socket: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            while true {
                let sent = smile_send_descriptor(socket, bytes.baseAddress, bytes.count, descriptor ?? -1)
                if sent < 0, errno == EINTR { continue }
                return sent == bytes.count
            }
        }
    }

    public enum Outcome: Equatable {
        /// So many bytes; the descriptor, if one came, belongs to the caller.
        case received(Int, descriptor: Int32?)
        /// Nothing is there now.
        case nothing
        /// A datagram larger than the buffer, or with more than one descriptor. It is gone.
        case refused
        /// The other end is gone.
        case ended
    }

    /// Receives one datagram. The socket is non-blocking.
    public static func receive(into buffer: UnsafeMutableRawBufferPointer, from socket: Int32) -> Outcome {
        while true {
            var descriptor: Int32 = -1
            let count = smile_receive_descriptor(socket, buffer.baseAddress, buffer.count, &descriptor)
            if count > 0 { return .received(count, descriptor: descriptor < 0 ? nil : descriptor) }
            if descriptor >= 0 { close(descriptor) }
            guard count < 0 else { return .ended }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothing
            case EMSGSIZE: return .refused
            default: return .ended
            }
        }
    }
}
