internal import AuthCore
internal import CSodium

extension FingerSet {
    private static let hashSize = Int(crypto_generichash_BYTES)

    /// The digest of a set of enrolled fingers: BLAKE2b (crypto_generichash) over the basis and the sorted BLAKE2b
    /// hashes of the elements, so that neither order nor history shows in it.
    ///
    /// - Parameter elements: what tells one finger from another: a print's stable bytes, or a finger's name. One that is
    ///   there twice counts once.
    init(of elements: some Sequence<[UInt8]>, basis: DomainStateBasis) {
        let hashes = Set(elements.map(Self.hash)).sorted { $0.lexicographicallyPrecedes($1) }
        self.init(digest: Self.hash(Self.hash(Array(basis.rawValue.utf8)) + hashes.joined()))
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: hashSize)
        // It needs no set-up, and cannot fail with these sizes (libsodium, generic hashing).
        crypto_generichash(&result, hashSize, bytes, UInt64(bytes.count), nil, 0)
        return result
    }
}
