package import AuthCore

extension FingerSet {
    /// The set of these prints, in whatever order they come.
    ///
    /// - Parameter hashes: one for each print, over what of it stays the same for as long as it is enrolled.
    package init(prints hashes: [[UInt8]]) {
        self.init(digest: Hash.of([Array("prints".utf8)] + hashes.sorted { $0.lexicographicallyPrecedes($1) }))
    }

    /// The set of these names: fprintd shows no more of a finger.
    package init(names: [Finger]) {
        self.init(digest: Hash.of([Array("names".utf8)] + Set(names).sorted().map { Array($0.rawValue.utf8) }))
    }
}
