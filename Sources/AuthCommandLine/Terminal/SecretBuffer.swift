import Glibc

/// Bytes of one entry: in locked memory that no core dump holds, wiped when they are let go.
///
/// Its size is fixed, so that growing never leaves a copy behind.
final class SecretBuffer {
    /// One byte more than the service takes, so that what is too long is told from what just fits.
    static let capacity = 4097

    private let memory: UnsafeMutableRawPointer
    private let size: Int
    private(set) var count = 0

    /// - Returns: nil without memory. Memory that cannot be locked (RLIMIT_MEMLOCK) is used all the same: swap is the
    ///   lesser risk than a passcode that cannot be typed.
    init?() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        size = (SecretBuffer.capacity + page - 1) / page * page
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

    var isEmpty: Bool { count == 0 }

    /// - Returns: whether there was room.
    @discardableResult
    func append(_ byte: UInt8) -> Bool {
        guard count < SecretBuffer.capacity else { return false }
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
        return true
    }

    /// Takes back the last character: a whole UTF-8 sequence.
    func removeLastCharacter() {
        var isContinuation = true
        while isContinuation && count > 0 {
            count -= 1
            isContinuation = memory.load(fromByteOffset: count, as: UInt8.self) & 0xc0 == 0x80
            memory.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        }
    }

    func removeAll() {
        explicit_bzero(memory, size)
        count = 0
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// The reading end of a pipe that holds these bytes and has ended, for the service to read; the caller closes it.
    ///
    /// A pipe, since its pages belong to the kernel and are never swapped, and since it is empty once it was read. It
    /// holds 64 KiB (pipe(7)), or one page where the user has many; an entry may be one byte over a page, so the write
    /// must not block.
    ///
    /// - Returns: nil without descriptors.
    func makePipe() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let written = withBytes { $0.isEmpty ? 0 : write(ends[1], $0.baseAddress, $0.count) }
        guard written == count else {
            close(ends[0])
            return nil
        }
        return ends[0]
    }
}
