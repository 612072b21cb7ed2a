internal import AuthSecrets
internal import CSodium

/// BLAKE2b of 32 bytes over parts, none of which can run into the next.
enum Hash {
    static let size = 32

    /// - Parameter key: 16 to 64 bytes; empty for a plain hash.
    static func of(_ parts: [[UInt8]], key: [UInt8] = []) -> [UInt8] {
        precondition(Sodium.isReady && (key.isEmpty || (16...64).contains(key.count)))
        let message = parts.flatMap { part in
            (0..<8).map { UInt8(truncatingIfNeeded: part.count >> ($0 * 8)) } + part
        }
        var digest = [UInt8](repeating: 0, count: size)
        let code = crypto_generichash(
            &digest, size, message, UInt64(message.count), key.isEmpty ? nil : key, key.count)
        precondition(code == 0)
        return digest
    }
}
