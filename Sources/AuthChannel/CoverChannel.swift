import Glibc
public import MainLoop

/// The service's end of a cover's channel: it never waits for the cover, and takes nothing from it but reports.
@LoopActor
public final class CoverChannel {
    /// How many reports are taken before the loop has its turn.
    private static let burst = 16

    private var descriptor: Int32
    private var reading: LoopSource?

    /// - Parameters:
    ///   - descriptor: taken over.
    ///   - onReport: every report, in order.
    ///   - onEnd: once, and not after ``close()``; the cover is of no use any more.
    public init(
        _ descriptor: Int32, onReport: @escaping @LoopActor (CoverReport) -> Void,
        onEnd: @escaping @LoopActor (ChannelEnd) -> Void
    ) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        reading = .watch(descriptor, for: .readable) { [weak self] _ in self?.receive(onReport, onEnd) ?? false }
    }

    isolated deinit { close() }

    /// Sends an order and, where it is not nil, a copy of `feed`.
    ///
    /// - Returns: false where the cover is gone, or has not read for so long that its queue is full.
    public func send(_ order: CoverOrder, feed: Int32? = nil) -> Bool {
        descriptor >= 0 && DescriptorPassing.send(order.bytes, descriptor: feed, over: descriptor)
    }

    /// A second call does nothing.
    public func close() {
        guard descriptor >= 0 else { return }
        reading?.cancel()
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Takes what is there; false when the source is to go.
    private func receive(
        _ onReport: @LoopActor (CoverReport) -> Void, _ onEnd: @LoopActor (ChannelEnd) -> Void
    ) -> Bool {
        for _ in 0..<CoverChannel.burst {
            guard descriptor >= 0 else { return false }
            let (report, end) = next()
            if let report {
                onReport(report)
            } else if let end {
                close()
                onEnd(end)
                return false
            } else {
                return true
            }
        }
        return descriptor >= 0
    }

    /// Neither where nothing is there now.
    private func next() -> (CoverReport?, ChannelEnd?) {
        withUnsafeTemporaryAllocation(byteCount: CoverOrder.maximumSize, alignment: 1) { buffer in
            switch DescriptorPassing.receive(into: buffer, from: descriptor) {
            case .nothing: return (nil, nil)
            case .ended: return (nil, .closed)
            case .refused: return (nil, .nonsense("a message that is too long"))
            case .received(let count, let passed):
                // It has nothing to pass.
                if let passed { Glibc.close(passed) }
                let report = CoverReport(datagram: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                guard let report, passed == nil else { return (nil, .nonsense("what is no report")) }
                return (report, nil)
            }
        }
    }
}
