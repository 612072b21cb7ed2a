/// What a person does at the covered screen, on its way from the cover to the session's prompt: one datagram each, raw
/// and little endian.
///
/// The text of a key is part of a passcode. It is never copied here: it is read from, and written to, buffers of the
/// caller's, who wipes them.
public enum FeedMessage {
    /// A key, with the text that it types in UTF-8: empty for keys that type none, and for releases. The bytes are
    /// those of the buffer the message was read from.
    case key(FeedKey, text: UnsafeRawBufferPointer)
    case pointer(FeedPointer)
    case touch(FeedTouch)
    /// Something before this is lost: what was begun is void.
    case gap

    /// What is older when it is read is no input, in milliseconds: whoever sees nothing come of what they type begins
    /// anew, and the two together would be a wrong entry.
    public static let freshness: UInt32 = 2_000
    /// The longest text of a key, in bytes. What a compose file makes of some keys may be longer; it is dropped.
    public static let maximumTextSize = 64
    /// The longest datagram, in bytes.
    public static let maximumSize = 10 + maximumTextSize

    /// Reads a datagram.
    ///
    /// - Returns: nil for what is malformed.
    public init?(datagram: UnsafeRawBufferPointer) {
        func word(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: datagram.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        switch (datagram.first, datagram.count) {
        case (0x6B, 10...Self.maximumSize):  // 'k'
            guard let phase = FeedKey.Phase(rawValue: datagram[9]) else { return nil }
            self = .key(
                FeedKey(keysym: word(1), modifiers: word(5), phase: phase),
                text: UnsafeRawBufferPointer(rebasing: datagram[10...]))
        case (0x70, 14):  // 'p'
            guard let kind = FeedPointer.Kind(rawValue: datagram[9]) else { return nil }
            self = .pointer(
                FeedPointer(
                    x: Int32(bitPattern: word(1)), y: Int32(bitPattern: word(5)), kind: kind, button: word(10)))
        case (0x67, 1):  // 'g'
            self = .gap
        case (0x74, 14):  // 't'
            guard let kind = FeedTouch.Kind(rawValue: datagram[9]) else { return nil }
            self = .touch(
                FeedTouch(x: Int32(bitPattern: word(1)), y: Int32(bitPattern: word(5)), kind: kind, id: word(10)))
        default: return nil
        }
    }

    /// Writes the datagram to the start of `buffer`, which has room for ``maximumSize`` bytes.
    ///
    /// - Returns: its length; 0 where the text is longer than ``maximumTextSize``.
    public func encode(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        func put(_ word: UInt32, _ offset: Int) {
            buffer.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
        }
        switch self {
        case .key(let key, let text):
            guard text.count <= Self.maximumTextSize else { return 0 }
            buffer[0] = 0x6B
            put(key.keysym, 1)
            put(key.modifiers, 5)
            buffer[9] = key.phase.rawValue
            UnsafeMutableRawBufferPointer(rebasing: buffer[10...]).copyMemory(from: text)
            return 10 + text.count
        case .pointer(let pointer):
            buffer[0] = 0x70
            put(UInt32(bitPattern: pointer.x), 1)
            put(UInt32(bitPattern: pointer.y), 5)
            buffer[9] = pointer.kind.rawValue
            put(pointer.button, 10)
        case .touch(let touch):
            buffer[0] = 0x74
            put(UInt32(bitPattern: touch.x), 1)
            put(UInt32(bitPattern: touch.y), 5)
            buffer[9] = touch.kind.rawValue
            put(touch.id, 10)
        case .gap:
            buffer[0] = 0x67
            return 1
        }
        return 14
    }
}

/// A key that went down or came up.
public struct FeedKey: Equatable, Sendable {
    public enum Phase: UInt8, Sendable {
        case release, press
        /// Pressed again by the keyboard's own repetition.
        case repetition
    }

    /// X's name of it, for instance 0xFF0D for Return. Of a composed character: that character's.
    public var keysym: UInt32
    /// X's modifier mask: Shift 1, Lock 2, Control 4, Mod1 to Mod5 8 to 128.
    public var modifiers: UInt32
    public var phase: Phase

    public init(keysym: UInt32, modifiers: UInt32, phase: Phase) {
        self.keysym = keysym
        self.modifiers = modifiers
        self.phase = phase
    }
}

/// The pointer over the prompt's window, or dragged out of it with a button held.
public struct FeedPointer: Equatable, Sendable {
    public enum Kind: UInt8, Sendable {
        case motion, press, release
        /// It left the window.
        case leave
    }

    /// In the screen's own pixels, whatever the window's scale, from the top left corner of the prompt's window;
    /// outside of it where it is dragged there.
    public var x, y: Int32
    public var kind: Kind
    /// From 1, 4 to 7 for the wheels; 0 where no button changed.
    public var button: UInt32

    public init(x: Int32, y: Int32, kind: Kind, button: UInt32 = 0) {
        self.x = x
        self.y = y
        self.kind = kind
        self.button = button
    }
}

/// A finger on a touch screen that was put down on the prompt's window.
public struct FeedTouch: Equatable, Sendable {
    public enum Kind: UInt8, Sendable { case update, begin, end }

    /// As ``FeedPointer/x``.
    public var x, y: Int32
    public var kind: Kind
    /// The same from begin to end.
    public var id: UInt32

    public init(x: Int32, y: Int32, kind: Kind, id: UInt32) {
        self.x = x
        self.y = y
        self.kind = kind
        self.id = id
    }
}
