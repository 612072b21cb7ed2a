public import AuthCore
internal import CSodium

/// A passcode in memory of its own pages: locked as far as RLIMIT_MEMLOCK goes, left out of core dumps, between guard
/// pages, and wiped when the last reference goes (libsodium's `sodium_malloc` and `sodium_free`).
public final class SodiumPasscode: Passcode, CustomStringConvertible, CustomReflectable {
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer  // written in init only
    public let count: Int

    /// A copy of `bytes`; the caller wipes its own.
    ///
    /// - Returns: nil when the memory cannot be had.
    public convenience init?(bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { memory in
            if !bytes.isEmpty { memory.copyMemory(from: bytes) }
            return bytes.count
        }
    }

    /// Room for `count` bytes that `fill` writes in place, so that no other copy is made; it answers how many it wrote.
    ///
    /// - Returns: nil when the memory cannot be had or `fill` answers nil.
    public init?(count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Int?) {
        // One byte at least: what malloc makes of none is nobody's promise.
        guard Sodium.isReady, let memory = sodium_malloc(max(count, 1)) else { return nil }
        guard let used = fill(UnsafeMutableRawBufferPointer(start: memory, count: count)), used <= count else {
            sodium_free(memory)
            return nil
        }
        self.memory = memory
        self.count = used
        sodium_mprotect_readonly(memory)
    }

    deinit { sodium_free(memory) }

    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    public func isEqual(to other: any Passcode) -> Bool {
        guard count == other.count else { return false }
        return withBytes { mine in
            other.withBytes { theirs in
                mine.isEmpty || sodium_memcmp(mine.baseAddress!, theirs.baseAddress!, mine.count) == 0
            }
        }
    }

    public func copy(of bytes: UnsafeRawBufferPointer) -> (any Passcode)? { SodiumPasscode(bytes: bytes) }

    public func composed() -> (any Passcode)? { withBytes { Normalization.composed($0) } }

    public var description: String { "(redacted)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
