import AuthChannel
import Glibc
import MainLoop

/// The cover's end of the service's channel.
@LoopActor
final class ServiceLine {
    enum Arrival {
        case prompt(window: UInt32, feed: Int32)
        case leave
        case ping
        /// The service is gone, or talks nonsense; nothing more is read.
        case ended
    }

    private let descriptor: Int32
    private var reading: LoopSource?
    private var isOpen = true

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Tells the service. It never waits: there are few reports, and room for hundreds.
    func send(_ report: CoverReport) {
        if isOpen { _ = DescriptorPassing.send(report.bytes, over: descriptor) }
    }

    /// Calls `arrived` with every order, and once with the end.
    func watch(_ arrived: @escaping @LoopActor (Arrival) -> Void) {
        reading = .watch(descriptor, for: .readable) { [unowned self] _ in
            while let arrival = receive() { arrived(arrival) }
            return isOpen
        }
    }

    /// The next order; nil where none is there now.
    func receive() -> Arrival? {
        guard isOpen else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: CoverOrder.maximumSize, alignment: 1) { buffer in
            switch DescriptorPassing.receive(into: buffer, from: descriptor) {
            case .nothing: return nil
            case .received(let count, let passed):
                let order = CoverOrder(datagram: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                switch (order, passed) {
                case (.prompt(let window), let feed?): return .prompt(window: window, feed: feed)
                case (.leave, nil): return .leave
                case (.ping, nil): return .ping
                default:
                    if let passed { close(passed) }
                    return end("an order that is none")
                }
            case .refused: return end("an order that is none")
            case .ended: return end("the service is gone")
            }
        }
    }

    private func end(_ why: String) -> Arrival {
        log(why + "; staying")
        isOpen = false
        close(descriptor)
        return .ended
    }
}
