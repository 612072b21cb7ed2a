import AuthCore
import AuthSecrets
import CGLib
import Testing

@Suite struct PasscodeTests {
    func passcode(_ text: String) -> SodiumPasscode? { text.utf8.withContiguous { SodiumPasscode(bytes: $0) } }
    func bytes(_ passcode: (any Passcode)?) -> [UInt8]? { passcode?.withBytes { Array($0) } }

    @Test func itKeepsItsBytesAndShowsNone() throws {
        let kept = try #require(passcode("4711"))
        #expect(bytes(kept) == Array("4711".utf8))
        #expect(kept.count == 4)
        var shown = ""
        dump(kept, to: &shown)
        #expect(!"\(kept)\(shown)".contains("4711"))
    }

    @Test func anEmptyOneIsFine() throws {
        let empty = try #require(passcode(""))
        #expect(empty.count == 0)
        #expect(empty.isEqual(to: try #require(passcode(""))))
        #expect(bytes(empty.composed()) == [])
    }

    @Test func equalityIsOfAllBytes() throws {
        let one = try #require(passcode("123456"))
        #expect(one.isEqual(to: try #require(passcode("123456"))))
        #expect(!one.isEqual(to: try #require(passcode("123457"))))
        #expect(!one.isEqual(to: try #require(passcode("12345"))))
    }

    @Test(arguments: [[0x61, 0], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0x65, 0xcc, 0x81, 0]] as [[UInt8]])
    func whatIsNoTextIsNotComposed(_ bytes: [UInt8]) throws {
        let kept = try #require(bytes.withUnsafeBytes { SodiumPasscode(bytes: $0) })
        #expect(kept.composed() == nil)
    }

    @Test func composingIsWhatGLibMakesOfEveryScalar() throws {
        for value in [UInt32(1)...0x3fff, 0xa800...0xabff, 0xf900...0xfbff, 0x11000...0x119ff, 0x1d100...0x1d1ff]
            .joined()
        {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(Character(scalar))
            if bytes(passcode(text)?.composed()) != glibComposed(text) {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test func composingIsWhatGLibMakesOfRandomText() throws {
        // What combines and what blocks: Latin and its marks of several classes, Hangul, exclusions, Indic.
        let pool: [UInt32] = [
            0x41, 0x61, 0x65, 0x6f, 0x300, 0x301, 0x302, 0x308, 0x30a, 0x323, 0x327, 0x328, 0x31b, 0x345, 0xe9, 0x1e69,
            0x1100, 0x1161, 0x11a8, 0xac00, 0xac01, 0x915, 0x93c, 0x958, 0x9c7, 0x9be, 0x3b1, 0x313, 0x342, 0x1f80,
            0x212b, 0x2126, 0x344, 0x2000, 0xfb1d, 0x5d9, 0x5b4, 0x1d15e, 0xf71, 0xf72, 0xf74, 0x11099, 0x110ba,
        ]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let count = Int.random(in: 1...8, using: &random)
            var text = String.UnicodeScalarView()
            for _ in 0..<count {
                if let scalar = pool.randomElement(using: &random).flatMap({ Unicode.Scalar($0) }) {
                    text.append(scalar)
                }
            }
            let ours = bytes(passcode(String(text))?.composed())
            #expect(ours == glibComposed(String(text)), "\(text.map { String($0.value, radix: 16) })")
        }
    }

    private func glibComposed(_ text: String) -> [UInt8]? {
        guard let composed = g_utf8_normalize(text, -1, G_NORMALIZE_NFC) else { return nil }
        defer { g_free(composed) }
        return Array(String(cString: composed).utf8)
    }
}

extension String.UTF8View {
    fileprivate func withContiguous<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(self).withUnsafeBytes(body)
    }
}
