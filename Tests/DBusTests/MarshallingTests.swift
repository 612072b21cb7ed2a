import DBus
import Testing

@Suite struct MarshallingTests {
    private func read(_ bytes: [UInt8], limit: Int = 4096) -> [Value]? {
        bytes.withUnsafeBytes { Value.unmarshalled($0, limit: limit) }
    }

    @Test func whatGoesInComesOut() throws {
        let values: [Value] = [
            .options([
                "name": .string("Grüße"), "count": .uint32(7), "list": .stringArray(["a", ""]),
                "deep": .variant(.structure([.byte(1), .double(0.5), .options([:])])),
            ]),
            .bool(true), .int64(.min), .uint64(.max), .objectPath("/a/b"), .signature("a{sv}"), .byteArray([0, 255]),
        ]
        let bytes = try #require(Value.marshalled(values))
        #expect(read(bytes) == values)
        // At any address: a channel has a letter in front of it.
        #expect(
            ([0x56] + bytes).withUnsafeBytes {
                Value.unmarshalled(UnsafeRawBufferPointer(rebasing: $0[1...]), limit: 4096)
            } == values)
        #expect(read(try #require(Value.marshalled([]))) == [])
    }

    @Test func itIsTheFormOfTheSpecification() throws {
        let bytes = try #require(Value.marshalled([.uint32(0x0102_0304)]))
        // Byte order, type 4 (a signal), flags, version 1, body length 4, serial 1; the body is the last four bytes.
        #expect(bytes[0] == UInt8(ascii: "l") && bytes[1] == 4 && bytes[3] == 1)
        #expect(Array(bytes[4..<12]) == [4, 0, 0, 0, 1, 0, 0, 0])
        #expect(Array(bytes.suffix(4)) == [4, 3, 2, 1])
    }

    @Test func descriptorsAndWhatIsIllFormedAreRefused() {
        #expect(Value.marshalled([.unixFD(0)]) == nil)
        #expect(Value.marshalled([.array(of: "v", [.variant(.unixFD(0))])]) == nil)
        #expect(Value.marshalled([.objectPath("no path")]) == nil)
        #expect(Value.marshalled([.array(of: "s", [.byte(1)])]) == nil)
    }

    @Test func notOneMessageIsNone() throws {
        let bytes = try #require(Value.marshalled([.string("text")]))
        #expect(read([]) == nil)
        for count in 0..<bytes.count { #expect(read(Array(bytes[..<count])) == nil) }
        #expect(read(bytes + [0]) == nil)
        #expect(read(bytes + bytes) == nil)
        #expect(read(bytes, limit: 3) == nil)
        #expect(read(bytes, limit: 4) == [.string("text")])
    }

    @Test func anyBytesAreSafe() throws {
        var random = Seeded(state: 7)
        let good = try #require(
            Value.marshalled([.options(["a": .stringArray(["b"]), "c": .variant(.structure([.uint32(1)]))])]))
        for number in 0..<20_000 {
            var bytes = good
            if number % 4 == 0 {
                bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
                // Past the first check, which noise hardly ever passes.
                if bytes.count > 16 { bytes.replaceSubrange(0..<4, with: [0x6c, 4, 1, 1]) }
            } else {
                for _ in 0...Int.random(in: 0...3, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            _ = read(bytes)
        }
        #expect(read(good) != nil)
    }
}
