import Glibc

/// Bytes of one entry: in locked memory that no core dump holds, wiped when they are let go.
///
/// Its size is fixed, so that growing never leaves a copy behind.
public final class SecretBuffer {
    /// One byte more than the service takes, so that what is too long is told from what just fits.
    public static let capacity = 4097

    private let memory: UnsafeMutableRawPointer
    private let size: Int
    /// In bytes.
    public let capacity: Int
    public private(set) var count = 0

    /// - Returns: nil without memory. Memory that cannot be locked (RLIMIT_MEMLOCK) is used all the same: swap is the
    ///   lesser risk than a passcode that cannot be typed.
    public init?(capacity: Int = SecretBuffer.capacity) {
        self.capacity = capacity
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        size = (capacity + page - 1) / page * page
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { return nil }
        memory = mapped
        mlock(memory, size)
        madvise(memory, size, Int32(MADV_DONTDUMP))
        madvise(memory, size, Int32(MADV_WIPEONFORK))
    }

    deinit {
        explicit_bzero(memory, size)
        munmap(memory, size)
    }

    public var isEmpty: Bool { count == 0 }

    /// - Returns: whether there was room.
    @discardableResult
    public func append(_ byte: UInt8) -> Bool {
        guard count < capacity else { return false }
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
        return true
    }

    /// - Returns: whether there was room; nothing is taken where there was not.
    @discardableResult
    public func append(contentsOf bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= capacity - count else { return false }
        if let start = bytes.baseAddress { (memory + count).copyMemory(from: start, byteCount: bytes.count) }
        count += bytes.count
        return true
    }

    /// Has `fill` write all of it in place; it answers how many bytes it wrote.
    public func fill(_ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        count = max(0, min(fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity)), capacity))
    }

    /// Takes back the last character: a whole UTF-8 sequence.
    public func removeLastCharacter() {
        var isContinuation = true
        while isContinuation && count > 0 {
            count -= 1
            isContinuation = memory.load(fromByteOffset: count, as: UInt8.self) & 0xc0 == 0x80
            memory.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        }
    }

    public func removeAll() {
        explicit_bzero(memory, size)
        count = 0
    }

    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
