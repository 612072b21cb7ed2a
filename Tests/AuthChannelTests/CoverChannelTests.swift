import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthChannel

@Suite struct CoverChannelTests {
    init() { TestLoop.running }

    /// A service's end under test, and the bare other end of its channel.
    @LoopActor
    private final class Rig {
        private(set) var other: Int32
        var reports: [CoverReport] = []
        var ends: [ChannelEnd] = []
        var channel: CoverChannel?

        init() throws {
            let pair = try #require(ChannelSocket.makePair())
            other = pair.prompt
            channel = CoverChannel(
                pair.service, onReport: { [weak self] in self?.reports.append($0) },
                onEnd: { [weak self] in self?.ends.append($0) })
        }

        isolated deinit { close() }

        func close() {
            if other >= 0 { Glibc.close(other) }
            other = -1
        }

        func write(_ bytes: [UInt8], descriptor: Int32? = nil) {
            _ = DescriptorPassing.send(bytes, descriptor: descriptor, over: other)
        }
    }

    @Test @LoopActor func reportsComeInTheirOrderAndThenTheEnd() async throws {
        let rig = try Rig()
        for report in [CoverReport.noGrab, .mapped, .alive] { rig.write(report.bytes) }
        rig.close()
        #expect(await eventually { !rig.ends.isEmpty })
        #expect(rig.reports == [.noGrab, .mapped, .alive])
        #expect(rig.ends == [.closed])
    }

    @Test @LoopActor func ordersGoOutAndTheFeedWithThem() async throws {
        let rig = try Rig()
        let feed = try #require(ChannelSocket.makePair())
        #expect(rig.channel?.send(.prompt(window: 7), feed: feed.service) == true)
        #expect(rig.channel?.send(.leave) == true)
        close(feed.service)
        var passed: Int32?
        withUnsafeTemporaryAllocation(byteCount: CoverOrder.maximumSize, alignment: 1) { buffer in
            guard case .received(let count, let descriptor) = DescriptorPassing.receive(into: buffer, from: rig.other)
            else { return }
            #expect(CoverOrder(datagram: UnsafeRawBufferPointer(rebasing: buffer[..<count])) == .prompt(window: 7))
            passed = descriptor
            #expect(DescriptorPassing.receive(into: buffer, from: rig.other) == .received(1, descriptor: nil))
        }
        let end = try #require(passed)
        #expect(Glibc.send(end, [1], 1, 0) == 1)
        var byte: UInt8 = 0
        #expect(recv(feed.prompt, &byte, 1, Int32(MSG_DONTWAIT)) == 1 && byte == 1)
        close(end)
        close(feed.prompt)
    }

    @Test @LoopActor func nonsenseEndsIt() async throws {
        for bytes in [[0x4C], [0x4D, 0x4D], [0x4D, 0], [UInt8](repeating: 0x4D, count: 9)] as [[UInt8]] {
            let rig = try Rig()
            rig.write(CoverReport.mapped.bytes)
            rig.write(bytes)
            rig.write(CoverReport.mapped.bytes)
            #expect(await eventually { !rig.ends.isEmpty })
            guard case .nonsense? = rig.ends.first else {
                Issue.record("\(bytes) ended it with \(rig.ends)")
                continue
            }
            #expect(rig.reports == [.mapped], "nothing is taken after it")
            #expect(rig.channel?.send(.ping) == false)
        }
    }

    @Test @LoopActor func aCoverHasNothingToPass() async throws {
        let rig = try Rig()
        let pair = try #require(ChannelSocket.makePair())
        rig.write(CoverReport.mapped.bytes, descriptor: pair.service)
        close(pair.service)
        #expect(await eventually { rig.ends == [.nonsense("what is no report")] })
        // And what it passed is not kept: the other end sees it go.
        var byte: UInt8 = 0
        #expect(recv(pair.prompt, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
        close(pair.prompt)
    }

    @Test @LoopActor func oneThatDoesNotReadIsNotWaitedFor() throws {
        let rig = try Rig()
        var count = 0
        while rig.channel?.send(.ping) == true, count < 100_000 { count += 1 }
        #expect(count > 0 && count < 100_000)
        #expect(rig.ends.isEmpty, "that it is no use is for the caller to say")
    }

    @Test @LoopActor func randomDatagramsAreReportsOrTheEnd() async throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let rig = try Rig()
            for _ in 0..<20 where rig.ends.isEmpty {
                let bytes = (0..<Int.random(in: 1...10, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                rig.write(bytes)
            }
            rig.close()
            #expect(await eventually { rig.ends.count == 1 })
        }
    }
}
