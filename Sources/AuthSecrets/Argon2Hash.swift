internal import CSodium

/// A stored Argon2id hash taken apart, so that comparing tells "another passcode" from "no memory".
///
/// `crypto_pwhash_str_verify` does not: it answers −1 with EINVAL for both (libsodium 1.0.18).
struct Argon2Hash {
    let parameters: Argon2Parameters
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// - Returns: nil unless `phc` is a string that libsodium wrote: 16 bytes of salt, 32 of hash.
    init?(phc: String) {
        guard let parameters = Argon2Parameters(phc: phc) else { return nil }
        let parts = phc.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, let salt = Self.bytes(parts[4], count: Int(crypto_pwhash_saltbytes())),
            let hash = Self.bytes(parts[5], count: 32)
        else { return nil }
        self.parameters = parameters
        self.salt = salt
        self.hash = hash
    }

    /// Whether the passcode gives the same hash, in a time that does not depend on the bytes; nil when there is not
    /// enough memory to tell.
    func matches(_ passcode: UnsafePointer<CChar>, count: Int) -> Bool? {
        var computed = [UInt8](repeating: 0, count: hash.count)
        let failed = crypto_pwhash(
            &computed, UInt64(computed.count), passcode, UInt64(count), salt, UInt64(parameters.passes),
            parameters.memory * 1024, crypto_pwhash_alg_argon2id13())
        defer { sodium_memzero(&computed, computed.count) }
        return failed == 0 ? sodium_memcmp(computed, hash, hash.count) == 0 : nil
    }

    /// Base64 without padding, as PHC strings have it, of exactly `count` bytes.
    private static func bytes(_ text: Substring, count: Int) -> [UInt8]? {
        var decoded = [UInt8](repeating: 0, count: count)
        var length = 0
        let encoded = Array(text.utf8)
        let failed = encoded.withUnsafeBytes { bytes in
            sodium_base642bin(
                &decoded, decoded.count, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, nil,
                &length, nil, sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
        }
        return failed == 0 && length == count ? decoded : nil
    }
}
