import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthChannel

/// A service's end under test, and the bare other end of its channel.
@LoopActor
private final class Rig {
    let other: Int32
    var messages: [PromptMessage] = []
    var secrets: [[UInt8]] = []
    var ends: [ChannelEnd] = []
    var channel: ServiceChannel?

    init() throws {
        let pair = try #require(ChannelSocket.makePair())
        other = pair.prompt
        channel = ServiceChannel(
            pair.service,
            onMessage: { [weak self] message, secret in
                self?.messages.append(message)
                self?.secrets.append(Array(secret))
            }, onEnd: { [weak self] in self?.ends.append($0) })
    }

    isolated deinit { if other >= 0 { close(other) } }

    func write(_ bytes: [UInt8]) { _ = Glibc.send(other, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// The next datagram that came, or nil.
    func read() -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: 70_000)
        let count = recv(other, &room, room.count, Int32(MSG_DONTWAIT))
        return count > 0 ? Array(room[..<count]) : nil
    }
}

@Suite struct ChannelTests {
    private let hello = PromptMessage.hello(version: 1).datagram

    init() { TestLoop.running }

    @Test @LoopActor func messagesComeInTheirOrder() async throws {
        let rig = try Rig()
        rig.write(hello)
        rig.write(PromptMessage.shown.datagram)
        rig.write(PromptMessage.entry(token: 5).datagram + Array("0000".utf8))
        #expect(await eventually { rig.messages.count == 3 })
        #expect(rig.messages == [.hello(version: 1), .shown, .entry(token: 5)])
        #expect(rig.secrets == [[], [], Array("0000".utf8)])
        #expect(rig.ends.isEmpty)
    }

    @Test @LoopActor func theOtherEndGoingEndsIt() async throws {
        let pair = try #require(ChannelSocket.makePair())
        var ends: [ChannelEnd] = []
        let channel = ServiceChannel(pair.service, onMessage: { _, _ in }, onEnd: { ends.append($0) })
        close(pair.prompt)
        #expect(await eventually { ends == [.closed] })
        #expect(channel?.send(.view([:])) == true)
    }

    @Test(arguments: [
        [PromptMessage.shown.datagram],
        [PromptMessage.hello(version: 2).datagram],
        [PromptMessage.hello(version: 1).datagram, PromptMessage.hello(version: 1).datagram],
        [PromptMessage.hello(version: 1).datagram, [0x5a]],
        [PromptMessage.hello(version: 1).datagram, [UInt8](repeating: 0x45, count: PromptMessage.limit + 1)],
    ]) @LoopActor func nonsenseEndsIt(datagrams: [[UInt8]]) async throws {
        let rig = try Rig()
        for datagram in datagrams { rig.write(datagram) }
        #expect(await eventually { !rig.ends.isEmpty })
        let isNonsense = if case .nonsense = rig.ends.first { true } else { false }
        #expect(isNonsense)
        #expect(rig.ends.count == 1)
        #expect(rig.messages.count == datagrams.count - 1)
        // Our end is closed: what comes after it is heard by nobody.
        #expect(send(rig.other, hello, hello.count, Int32(MSG_NOSIGNAL)) == -1)
    }

    @Test @LoopActor func theLongestEntryFits() async throws {
        let rig = try Rig()
        rig.write(hello)
        rig.write(PromptMessage.entry(token: 1).datagram + [UInt8](repeating: 0x31, count: PromptMessage.limit - 5))
        #expect(await eventually { rig.messages.count == 2 })
        #expect(rig.secrets.last?.count == PromptMessage.limit - 5)
    }

    @Test @LoopActor func aNewerViewTakesThePlaceOfOneThatWaits() async throws {
        let rig = try Rig()
        let channel = try #require(rig.channel)
        // Fills the socket's own buffer, so that what follows waits.
        let filler = String(repeating: "x", count: 60_000)
        var sent = 0
        while channel.waiting == 0 {
            channel.send(.dismiss(result: filler, animated: false))
            sent += 1
        }
        channel.send(.view(["fail_count": .uint32(1)]))
        channel.send(.outcome(EntryOutcome(token: 1, result: "wrong")))
        for count in 2...100 { channel.send(.view(["fail_count": .uint32(UInt32(count))])) }
        #expect(channel.waiting == 3)
        var got: [ServiceMessage] = []
        #expect(
            await eventually {
                while let bytes = rig.read() { bytes.withUnsafeBytes { ServiceMessage($0) }.map { got.append($0) } }
                return got.count == sent + 2
            })
        #expect(
            Array(got.suffix(2)) == [
                .outcome(EntryOutcome(token: 1, result: "wrong")), .view(["fail_count": .uint32(100)]),
            ])
        #expect(rig.ends.isEmpty)
    }

    @Test @LoopActor func aPromptThatDoesNotReadEndsIt() async throws {
        let rig = try Rig()
        for _ in 0..<20_000 where rig.ends.isEmpty {
            rig.channel?.send(.outcome(EntryOutcome(token: 1, result: "wrong")))
        }
        #expect(await eventually { rig.ends == [.stalled] })
    }

    @Test @LoopActor func thePromptsEndGreetsAndSendsSecrets() async throws {
        let pair = try #require(ChannelSocket.makePair())
        var got: [(PromptMessage, [UInt8])] = []
        let service = ServiceChannel(pair.service, onMessage: { got.append(($0, Array($1))) }, onEnd: { _ in })
        var heard: [ServiceMessage] = []
        let prompt = PromptChannel(pair.prompt, onMessage: { heard.append($0) }, onEnd: { _ in })
        let secret = try #require(SecretBuffer())
        for byte in "1234".utf8 { secret.append(byte) }
        #expect(prompt?.send(.entry(token: 3), secret: secret) == true)
        // A secret goes out with its own call only.
        prompt?.send(.entry(token: 4))
        prompt?.send(.cancel)
        #expect(await eventually { got.count == 3 })
        #expect(got.map(\.0) == [.hello(version: 1), .entry(token: 3), .cancel])
        #expect(got[1].1 == Array("1234".utf8))
        service?.send(.dismiss(result: "success", animated: true))
        #expect(await eventually { heard == [.dismiss(result: "success", animated: true)] })
    }

    @Test @LoopActor func tenThousandRandomDatagramsGrantNothing() async throws {
        var random = Generator(state: 11)
        var entries = 0
        var ended = 0
        var sent = 0
        while sent < 10_000 {
            let rig = try Rig()
            if Bool.random(using: &random) { rig.write(hello) }
            for _ in 0..<8 {
                var bytes = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                // Half of them begin as a message does.
                if Bool.random(using: &random) { bytes[0] = Array("HSEANFBCKVOD".utf8).randomElement(using: &random)! }
                rig.write(bytes)
                sent += 1
            }
            rig.write(PromptMessage.cancel.datagram)
            #expect(await eventually { !rig.ends.isEmpty || rig.messages.last == .cancel })
            ended += rig.ends.count
            entries += rig.messages.count(where: \.carriesSecret)
            // Whatever came through is a message that says the same again.
            for (message, secret) in zip(rig.messages, rig.secrets) {
                let again = (message.datagram + secret).withUnsafeBytes { PromptMessage.read($0)?.message }
                #expect(again == message)
            }
        }
        #expect(ended > 1000 && entries > 10)
    }

    @Test func tenThousandRandomDatagramsDoThePromptNoHarm() throws {
        var random = Generator(state: 12)
        let good = try #require(
            ServiceMessage.view(["title": .string("t"), "fingers": .stringArray(["a"]), "digits": .uint32(4)]).datagram)
        for _ in 0..<10_000 {
            var bytes = good
            for _ in 0...Int.random(in: 0...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            if bytes.withUnsafeBytes({ ServiceMessage($0) }) != nil { continue }
        }
    }
}

/// A generator whose runs can be repeated (SplitMix64).
private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
