import Glibc
import MainLoop

extension SecretBuffer {
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
