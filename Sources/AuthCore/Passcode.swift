/// The three kinds of passcode.
public enum PasscodeKind: String, Sendable, CaseIterable {
    /// 4 to 64 ASCII digits.
    case digits
    /// UTF-8 in NFC, 4 to 64 Unicode scalars.
    case text
    /// 4 to 9 distinct dots of a 3×3 pad, written as digits 1–9 row by row.
    case pattern
}

/// A passcode in memory: bytes that are wiped when the last reference goes.
///
/// The core never looks at how they are kept; the adapter keeps them in locked pages that no core dump holds.
public protocol Passcode: AnyObject, Sendable {
    /// Length in bytes.
    var count: Int { get }
    /// Lends the bytes for the length of the call.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    /// Compares in a time that depends on the lengths alone.
    func isEqual(to other: any Passcode) -> Bool
    /// A copy of other bytes, kept as this one is kept.
    func copy(of bytes: UnsafeRawBufferPointer) -> (any Passcode)?
    /// The text in Unicode Normalization Form C; nil when it is not UTF-8.
    func composed() -> (any Passcode)?
}

/// What is stored of a passcode: enough to check one, not enough to have it.
public struct Verifier: Sendable, Equatable {
    /// Argon2id in PHC string format, parameters and salt included.
    public var hash: String
    public var kind: PasscodeKind
    /// Digits, dots or Unicode scalars.
    public var length: Int
    /// Names this passcode in the marker; a fresh random one for each change.
    public var id: String

    public init(hash: String, kind: PasscodeKind, length: Int, id: String) {
        self.hash = hash
        self.kind = kind
        self.length = length
        self.id = id
    }
}
