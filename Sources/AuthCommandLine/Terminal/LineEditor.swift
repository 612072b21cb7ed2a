import MainLoop

/// Makes entries of the bytes that a terminal sends without echo. No I/O.
///
/// The terminal is not in its own line mode: that one would cut a line at 4,095 bytes and keep it in the kernel.
struct LineEditor {
    enum Event: Equatable {
        case none
        /// Enter: the buffer holds the entry.
        case entry
        /// Enter after more than the buffer takes; nothing is kept.
        case tooLong
        /// Control-D on an empty line.
        case end
    }

    private enum State { case text, escape, sequence }
    private var state = State.text
    private var isTooLong = false

    mutating func take(_ byte: UInt8, into buffer: SecretBuffer) -> Event {
        switch (state, byte) {
        case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): state = .sequence
        case (.escape, 0x20...): state = .text
        // Keys that send a sequence (arrows, Home) are no text, and would be an invisible part of the entry.
        case (.sequence, 0x40...0x7e): state = .text
        case (.sequence, 0x20...0x3f): break
        case (_, 0x0a), (_, 0x0d): return finish(buffer)
        case (_, 0x04): return buffer.isEmpty && !isTooLong ? .end : .none
        case (_, 0x08), (_, 0x7f): buffer.removeLastCharacter()
        case (_, 0x15), (_, 0x17): clear(buffer)  // Control-U and, since words cannot be seen, Control-W
        case (_, 0x1b): state = .escape
        case (_, 0..<0x20): break
        default: if !buffer.append(byte) { isTooLong = true }
        }
        return .none
    }

    private mutating func finish(_ buffer: SecretBuffer) -> Event {
        let event: Event = isTooLong || buffer.count == SecretBuffer.capacity ? .tooLong : .entry
        if event == .tooLong { clear(buffer) }
        self = LineEditor()
        return event
    }

    private mutating func clear(_ buffer: SecretBuffer) {
        buffer.removeAll()
        isTooLong = false
    }
}
