import AuthChannel
import Glibc
import Testing

@Suite struct CoverMessageTests {
    @Test func whatTheCoverTells() {
        #expect(CoverReport.mapped.bytes == Array("M".utf8))
        #expect(CoverReport.noGrab.bytes == Array("G".utf8))
        #expect(CoverReport.alive.bytes == Array("A".utf8))
        for report in [CoverReport.mapped, .noGrab, .alive] {
            #expect(report.bytes.withUnsafeBytes { CoverReport(datagram: $0) } == report)
        }
        for bytes in [[], Array("MM".utf8), Array("m".utf8)] as [[UInt8]] {
            #expect(bytes.withUnsafeBytes { CoverReport(datagram: $0) } == nil)
        }
    }

    @Test func whatTheCoverIsTold() {
        #expect(CoverOrder.prompt(window: 0x0102_0304).bytes == [0x50, 4, 3, 2, 1])
        #expect(CoverOrder.leave.bytes == Array("L".utf8))
        #expect(CoverOrder.ping.bytes == Array("?".utf8))
        for order in [CoverOrder.prompt(window: .max), .leave, .ping] {
            #expect(order.bytes.withUnsafeBytes { CoverOrder(datagram: $0) } == order)
        }
        for bytes in [[], [0x50], [0x50, 1, 2, 3], [0x50, 1, 2, 3, 4, 5], [0x4C, 0], [0x51]] as [[UInt8]] {
            #expect(bytes.withUnsafeBytes { CoverOrder(datagram: $0) } == nil)
        }
    }

    @Test func aDescriptorComesWithItsDatagram() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        defer { close(ends[1]) }
        try withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { buffer in
            #expect(DescriptorPassing.receive(into: buffer, from: ends[1]) == .nothing)
            #expect(DescriptorPassing.send([1, 2], descriptor: ends[0], over: ends[0]))
            #expect(DescriptorPassing.send([3], over: ends[0]))
            #expect(DescriptorPassing.send([UInt8](repeating: 4, count: 9), descriptor: ends[0], over: ends[0]))
            guard case .received(2, let passed?) = DescriptorPassing.receive(into: buffer, from: ends[1]) else {
                throw ChannelTestFailure()
            }
            #expect(Array(buffer[..<2]) == [1, 2])
            #expect(fcntl(passed, F_GETFD) & FD_CLOEXEC != 0)
            close(passed)
            #expect(DescriptorPassing.receive(into: buffer, from: ends[1]) == .received(1, descriptor: nil))
            #expect(DescriptorPassing.receive(into: buffer, from: ends[1]) == .refused)
            close(ends[0])
            // The refused datagram's descriptor is closed too, or the other end would live on.
            #expect(DescriptorPassing.receive(into: buffer, from: ends[1]) == .ended)
        }
    }

    private struct ChannelTestFailure: Error {}
}

@Suite struct FeedMessageTests {
    private func encoded(_ message: FeedMessage) -> [UInt8] {
        withUnsafeTemporaryAllocation(byteCount: FeedMessage.maximumSize, alignment: 1) { buffer in
            Array(buffer[..<message.encode(into: buffer)])
        }
    }

    @Test func aKeyAndItsText() throws {
        let key = FeedKey(keysym: 0xE9, modifiers: 0x81, phase: .press)
        let bytes = Array("é".utf8).withUnsafeBytes { encoded(.key(key, text: $0)) }
        #expect(bytes == [0x6B, 0xE9, 0, 0, 0, 0x81, 0, 0, 0, 1, 0xC3, 0xA9])
        try bytes.withUnsafeBytes { datagram in
            guard case .key(let read, let text)? = FeedMessage(datagram: datagram) else { throw NoKey() }
            #expect(read == key)
            #expect(Array(text) == Array("é".utf8))
            #expect(text.baseAddress == datagram.baseAddress! + 10, "lent, not copied")
        }
        let long = [UInt8](repeating: 0x61, count: FeedMessage.maximumTextSize + 1)
        #expect(long.withUnsafeBytes { encoded(.key(key, text: $0)) }.isEmpty)
    }

    @Test func thePointerAndTouches() throws {
        let pointer = FeedPointer(x: -1, y: 2, kind: .release, button: 3)
        let bytes = encoded(.pointer(pointer))
        #expect(bytes == [0x70, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 2, 3, 0, 0, 0])
        let touch = FeedTouch(x: 1, y: -2, kind: .begin, id: 9)
        try bytes.withUnsafeBytes {
            guard case .pointer(pointer)? = FeedMessage(datagram: $0) else { throw NoKey() }
        }
        try encoded(.touch(touch)).withUnsafeBytes {
            guard case .touch(touch)? = FeedMessage(datagram: $0) else { throw NoKey() }
        }
    }

    @Test func aGap() {
        #expect(encoded(.gap) == [0x67])
        #expect([UInt8(0x67)].withUnsafeBytes { if case .gap? = FeedMessage(datagram: $0) { true } else { false } })
        #expect([UInt8(0x67), 0].withUnsafeBytes { isNoMessage($0) })
    }

    @Test func nonsenseIsNoMessage() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            let bytes = (0..<Int.random(in: 0...90, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            // Whatever comes out, nothing is read beyond the datagram.
            bytes.withUnsafeBytes { _ = FeedMessage(datagram: $0) }
        }
        for bytes in [[0x6B], [UInt8](repeating: 0x70, count: 13), [0x70] + [UInt8](repeating: 9, count: 13)] {
            #expect(bytes.withUnsafeBytes { isNoMessage($0) })
        }
    }

    private func isNoMessage(_ datagram: UnsafeRawBufferPointer) -> Bool {
        if case nil = FeedMessage(datagram: datagram) { true } else { false }
    }

    private struct NoKey: Error {}
}
