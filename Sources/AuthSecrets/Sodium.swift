internal import CSodium

/// libsodium, set up once for the process.
package enum Sodium {
    /// False when there is no randomness to be had; every use refuses then.
    package static let isReady: Bool = sodium_init() >= 0

    /// `count` random bytes as lowercase hexadecimal.
    static func randomHex(count: Int) -> String {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return hexadecimal(bytes)
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
