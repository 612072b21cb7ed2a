public import AuthCore

/// A passcode in ordinary memory, for tests.
public final class FakePasscode: Passcode {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public convenience init(_ text: String) { self.init(Array(text.utf8)) }

    public var count: Int { bytes.count }

    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withUnsafeBytes(body)
    }

    public func isEqual(to other: any Passcode) -> Bool { other.withBytes { $0.elementsEqual(bytes) } }

    public func copy(of bytes: UnsafeRawBufferPointer) -> (any Passcode)? { FakePasscode(Array(bytes)) }

    /// Knows one composition, of `e` and the combining acute accent; enough to see that it is asked for.
    public func composed() -> (any Passcode)? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\u{301}", scalars.last == "e" {
                scalars.removeLast()
                scalars.append("\u{E9}")
            } else {
                scalars.append(scalar)
            }
        }
        return FakePasscode(String(scalars))
    }
}

/// A random number generator that gives the same numbers for the same seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to and without `bound`, fast rather than perfectly even.
    public mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(bound)) }

    public mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
