import Glibc
import MainLoop

/// Reads entries from the descriptor of `--passcode-fd`: one a line, the last one with or without its newline.
@LoopActor
final class DescriptorReader {
    private let descriptor: Int32

    /// - Throws: a usage error where `descriptor` is not open for reading, or is a terminal, which would show what is
    ///   typed.
    init(_ descriptor: Int32) throws(CommandFailure) {
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & O_ACCMODE != O_WRONLY else {
            throw .usage("--passcode-fd: descriptor \(descriptor) is not open for reading")
        }
        guard isatty(descriptor) == 0 else {
            throw .usage("--passcode-fd: descriptor \(descriptor) is a terminal; leave the option out to type")
        }
        self.descriptor = descriptor
        // No child of ours may inherit it, and there is none: this is for the one who adds it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// The next line without its newline; nil at the end. Waits for it on the loop, so Control-C still works.
    ///
    /// - Throws: when the descriptor cannot be read, or the line is longer than the service takes.
    func next() async throws(CommandFailure) -> SecretBuffer? {
        guard let buffer = SecretBuffer() else { throw CommandFailure(.refused, "out of memory") }
        let result: Result<Bool, CommandFailure> = await withCheckedContinuation { continuation in
            waiting = continuation
            source = .watch(descriptor, for: .readable) { [weak self] _ in
                guard let self, let result = self.readByte(into: buffer) else { return true }
                self.finish(result)
                return false
            }
        }
        return try result.get() ? buffer : nil
    }

    private var source: LoopSource?
    private var waiting: CheckedContinuation<Result<Bool, CommandFailure>, Never>?

    private func finish(_ result: Result<Bool, CommandFailure>) {
        source = nil
        waiting?.resume(returning: result)
        waiting = nil
    }

    /// Whether a line is complete, or the descriptor has ended (false); nil when more has to come.
    private func readByte(into buffer: SecretBuffer) -> Result<Bool, CommandFailure>? {
        var byte: UInt8 = 0
        let count = read(descriptor, &byte, 1)
        defer { byte = 0 }
        switch count {
        case 1 where byte == UInt8(ascii: "\n"): return .success(true)
        case 1 where buffer.append(byte) && buffer.count < SecretBuffer.capacity: return nil
        case 1: return .failure(.refused("the passcode is longer than \(SecretBuffer.capacity - 1) bytes"))
        case 0: return .success(!buffer.isEmpty)
        case _ where errno == EINTR || errno == EAGAIN: return nil
        default: return .failure(.usage("--passcode-fd: descriptor \(descriptor) cannot be read"))
        }
    }
}
