import Glibc
import MainLoop

/// The person's terminal: entries without echo, and the screen they belong to.
@LoopActor
final class Terminal {
    enum Input {
        case entry(SecretBuffer)
        case tooLong
        /// Control-D, or the terminal is gone.
        case end
    }

    private let descriptor: Int32
    private var source: LoopSource?
    private var editor = LineEditor()
    private var buffer: SecretBuffer
    private var deliver: ((Input) -> Void)?

    let style: Style

    /// Opens the controlling terminal, as sudo and ssh do, so that standard input may be a pipe.
    ///
    /// - Returns: nil without one.
    init?(_ style: Style) {
        let opened = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { return nil }
        guard let buffer = SecretBuffer() else {
            Glibc.close(opened)
            return nil
        }
        descriptor = opened
        self.buffer = buffer
        self.style = style
    }

    /// Takes the terminal and hands over each line from here on, until ``pause()``; lines typed in between wait in
    /// the kernel.
    func listen(_ deliver: @escaping (Input) -> Void) {
        guard TerminalMode.take(descriptor) else { return deliver(.end) }
        self.deliver = deliver
        if source == nil {
            source = .watch(descriptor, for: .readable) { [weak self] ready in self?.read(ready) ?? false }
        }
    }

    /// Hands nothing over, and forgets what was typed of a line.
    func pause() {
        source?.cancel()
        source = nil
        deliver = nil
        buffer.removeAll()
        editor = LineEditor()
    }

    /// Takes echo away without listening: before the first prompt, and for a wait. Control-C works.
    func hush() { _ = TerminalMode.take(descriptor) }

    /// Drops what was typed and not read yet: keys hit during a wait are no entry.
    func flushInput() { tcflush(descriptor, TCIFLUSH) }

    func close() {
        pause()
        TerminalMode.restore()
    }

    func write(_ text: String) { Output.write(text, to: descriptor) }
    func line(_ text: String = "") { write(text + "\n") }

    /// Replaces the line that the cursor is in.
    func rewrite(_ text: String) { write("\r\u{1b}[K" + text) }

    /// One byte a call: what comes after Enter belongs to the next step and stays in the kernel.
    private func read(_ ready: LoopSource.Readiness) -> Bool {
        var byte: UInt8 = 0
        let count = Glibc.read(descriptor, &byte, 1)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return true }
        let event = count == 1 ? editor.take(byte, into: buffer) : .end
        byte = 0
        switch event {
        case .none: return true
        case .tooLong: deliver?(.tooLong)
        case .end: deliver?(.end)
        case .entry:
            let entry = buffer
            guard let fresh = SecretBuffer() else {
                deliver?(.end)
                break
            }
            buffer = fresh
            deliver?(.entry(entry))
        }
        return source != nil
    }
}
