import AuthChannel
import DBus
import Testing

@Suite struct MessageTests {
    private func service(_ bytes: [UInt8]) -> ServiceMessage? { bytes.withUnsafeBytes { ServiceMessage($0) } }

    private func prompt(_ bytes: [UInt8]) -> (PromptMessage, [UInt8])? {
        bytes.withUnsafeBytes { PromptMessage.read($0).map { ($0.message, Array($0.secret)) } }
    }

    @Test(arguments: [
        ServiceMessage.view(["title": .string("Enter Passcode"), "digits": .uint32(6), "busy": .bool(false)]),
        .view([:]),
        .outcome(EntryOutcome(token: 7, result: "wrong", message: "1 failed", lockedOutUntil: 1 << 50)),
        .dismiss(result: "success", animated: true),
    ]) func aServiceMessageComesBack(message: ServiceMessage) throws {
        let datagram = try #require(message.datagram)
        #expect(service(datagram) == message)
    }

    @Test func lettersAreTheContracts() throws {
        #expect(try #require(ServiceMessage.view([:]).datagram).first == UInt8(ascii: "V"))
        #expect(try #require(ServiceMessage.outcome(EntryOutcome(token: 1, result: "next")).datagram).first == 0x4f)
        #expect(try #require(ServiceMessage.dismiss(result: "", animated: false).datagram).first == 0x44)
        #expect(PromptMessage.hello(version: 1).datagram == [0x48, 1, 0, 0, 0])
        #expect(PromptMessage.window(0x0140_0003).datagram == [0x57, 3, 0, 0x40, 1])
        #expect(PromptMessage.pong(1).datagram == [0x50, 1, 0, 0, 0])
        #expect(PromptMessage.shown.datagram == [0x53])
        #expect(PromptMessage.entry(token: 0x0403_0201).datagram == [0x45, 1, 2, 3, 4])
        #expect(PromptMessage.accountPassword(token: 2).datagram == [0x41, 2, 0, 0, 0])
        #expect(PromptMessage.filled(300).datagram == [0x4e, 0x2c, 1, 0, 0])
        #expect(PromptMessage.finger("left-thumb").datagram == [0x46] + Array("left-thumb".utf8))
        #expect(PromptMessage.fallback.datagram == [0x42])
        #expect(PromptMessage.cancel.datagram == [0x43])
        #expect(PromptMessage.key.datagram == [0x4b])
    }

    @Test func theSecretIsWhatFollowsTheToken() throws {
        let (message, secret) = try #require(prompt([0x45, 9, 0, 0, 0] + Array("1234".utf8)))
        #expect(message == .entry(token: 9))
        #expect(secret == Array("1234".utf8))
        let (empty, none) = try #require(prompt([0x41, 1, 0, 0, 0]))
        #expect(empty == .accountPassword(token: 1) && none.isEmpty)
    }

    @Test(arguments: [
        [], [0], [0x45], [0x45, 1, 0, 0], [0x48, 1, 0, 0], [0x48, 1, 0, 0, 0, 0], [0x4e, 1, 0, 0, 0, 9], [0x53, 0],
        [0x43, 0x43], [0x46, 0], [0x46, 0x2f], [0x46] + [UInt8](repeating: 0x61, count: 65), [0x56, 1, 2, 3], [0x58],
    ]) func whatIsNoPromptMessageIsNone(bytes: [UInt8]) { #expect(prompt(bytes) == nil) }

    @Test func whatIsNoServiceMessageIsNone() throws {
        let body = try #require(Value.marshalled([.string("success"), .bool(true)]))
        #expect(service([0x44] + body) == .dismiss(result: "success", animated: true))
        // The right values under another letter, the wrong ones under a right one, and no body at all.
        for letter: UInt8 in [0x56, 0x4f, 0, 0x58] { #expect(service([letter] + body) == nil) }
        let more = try #require(Value.marshalled([.string("success"), .bool(true), .byte(0)]))
        #expect(service([0x44] + more) == nil)
        #expect(service([0x44]) == nil)
        #expect(service([]) == nil)
        let texts = Value.dictionary(key: "s", value: "s", [])
        #expect(service([0x56] + (try #require(Value.marshalled([texts])))) == nil)
    }

    @Test func aViewThatIsTooLongIsNotMade() {
        let long = String(repeating: "a", count: ServiceMessage.limit)
        #expect(ServiceMessage.view(["reason": .string(long)]).datagram == nil)
    }

    @Test func aViewsKeysAreOfTheirTypes() {
        #expect(
            ViewChannelKey.allCases.map(\.rawValue) == [
                "application", "is_session", "takes_keys", "animated", "parent_window", "busy", "covers",
            ])
        #expect(ViewChannelKey.allCases.map(\.signature) == ["s", "b", "b", "b", "s", "b", "b"])
    }
}
