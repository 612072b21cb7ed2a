import AuthCore
import AuthSecrets
import AuthWire
import CGLib
import DBus
import Glibc
import MainLoop
import Synchronization

/// Passcodes on their way in: bytes from a message or a descriptor, kept nowhere else.
@LoopActor
enum PasscodeInput {
    /// A string argument, which is overwritten in the message at once.
    static func argument(_ index: Int, of call: MethodCall) -> Result<any Passcode, Refusal> {
        let read: Result<any Passcode, Refusal>? = call.withSecret(at: index) { bytes in
            guard bytes.count <= Wire.Limit.argument else {
                return .failure(Refusal(.limitsExceeded, "An argument has \(Wire.Limit.argument) bytes at most"))
            }
            return SodiumPasscode(bytes: bytes).map { .success($0) } ?? .failure(outOfMemory)
        }
        return read ?? .failure(outOfMemory)
    }

    nonisolated static let outOfMemory = Refusal(.limitsExceeded, "No locked memory is left for a passcode")

    /// How many descriptors are read at a time; a peer can make each take its second.
    private static let readers = 16
    fileprivate static var reading = 0

    /// Reads a descriptor to its end, on a thread of its own: whatever is behind it may block. Closes it.
    ///
    /// `done` is called once, 1 s later at the latest: LimitsExceeded over 4 KiB, InvalidArgs where it cannot be read
    /// or does not end in time.
    static func descriptor(_ descriptor: Int32, _ done: @escaping @LoopActor (Result<any Passcode, Refusal>) -> Void) {
        guard reading < readers else {
            close(descriptor)
            return done(.failure(Refusal(.limitsExceeded, "\(readers) descriptors are being read already")))
        }
        reading += 1
        let job = Job(descriptor)
        job.done = done
        job.timer = .after(.seconds(1)) { job.finish(.failure(tooSlow)) }
        let body: GThreadFunc = { data in
            Unmanaged<Job>.fromOpaque(data!).takeRetainedValue().run()
            return nil
        }
        let thread = g_thread_try_new("descriptor", body, Unmanaged.passRetained(job).toOpaque(), nil)
        if let thread {
            g_thread_unref(thread)
        } else {
            Unmanaged.passUnretained(job).release()
            close(descriptor)
            reading -= 1
            job.finish(.failure(Refusal(.limitsExceeded, "No thread is left to read the descriptor")))
        }
    }

    fileprivate nonisolated static let tooSlow = Refusal(.invalidArguments, "The descriptor did not end within 1 s")

    private final class Job: Sendable {
        private let descriptor: Int32
        @LoopActor var done: (@LoopActor (Result<any Passcode, Refusal>) -> Void)?
        @LoopActor var timer: LoopSource?

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// The first result counts; a read that comes back after its second is thrown away.
        @LoopActor func finish(_ result: Result<any Passcode, Refusal>) {
            timer?.cancel()
            timer = nil
            let done = self.done
            self.done = nil
            done?(result)
        }

        /// On the thread.
        func run() {
            let result = read()
            onLoop { [self] in
                PasscodeInput.reading -= 1
                finish(result)
            }
        }

        /// The descriptor's flags are its sender's too and are left alone: it is polled instead.
        private func read() -> Result<any Passcode, Refusal> {
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
                return .failure(Refusal(.invalidArguments, "The descriptor cannot be read"))
            }
            var refusal: Refusal?
            // One byte more than is allowed tells a passcode that is too long, and another a newline behind the longest.
            let passcode = SodiumPasscode(count: Wire.Limit.argument + 2) { buffer in
                var count = 0
                let end = ContinuousClock.now + .seconds(1)
                while count < buffer.count {
                    guard let wait = Self.milliseconds(until: end) else {
                        refusal = PasscodeInput.tooSlow
                        return nil
                    }
                    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                    let ready = Glibc.poll(&poll, 1, wait)
                    if ready == 0 || (ready < 0 && errno == EINTR) { continue }
                    let got = Glibc.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
                    if got < 0, errno == EINTR || errno == EAGAIN { continue }
                    guard got >= 0 else {
                        refusal = Refusal(.invalidArguments, "The descriptor cannot be read")
                        return nil
                    }
                    if got == 0 { break }
                    count += got
                }
                if count > 0, buffer[count - 1] == UInt8(ascii: "\n") { count -= 1 }
                if count > Wire.Limit.argument {
                    refusal = Refusal(.limitsExceeded, "A passcode has \(Wire.Limit.argument) bytes at most")
                    return nil
                }
                return count
            }
            return passcode.map { .success($0) } ?? .failure(refusal ?? PasscodeInput.outOfMemory)
        }

        private static func milliseconds(until end: ContinuousClock.Instant) -> Int32? {
            let left = end - .now
            guard left > .zero else { return nil }
            return Int32(
                min(1_000, left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1))
        }
    }
}
