/// What a prompt tells the service. A datagram is the message's letter and its fields, numbers in little endian.
///
/// The passcode of an entry is no part of this value: it stays in the datagram, which is memory that is wiped.
public enum PromptMessage: Equatable, Sendable {
    /// `H`: the version of this protocol; the first message, and only once.
    case hello(version: UInt32)
    /// `P`: the answer to a ping, with its number.
    case pong(UInt32)
    /// `W`: the X window of a session's prompt, for the cover to keep above itself.
    case window(UInt32)
    /// `S`: the first frame is on the screen.
    case shown
    /// `E`: an entry follows the token.
    case entry(token: UInt32)
    /// `A`: the account password follows the token.
    case accountPassword(token: UInt32)
    /// `N`: how many circles are filled.
    case filled(UInt32)
    /// `F`: the finger button; the finger that was picked, or empty.
    case finger(String)
    /// `B`: the fallback button.
    case fallback
    /// `C`: the cancel button, or Escape.
    case cancel
    /// `K`: a key or a pointer's button while the view takes none.
    case key

    /// The version that this source speaks.
    public static let version: UInt32 = 1
    /// The longest datagram that a service takes, in bytes.
    public static let limit = 8 << 10
    /// What a datagram with a secret has before it: the letter and the token.
    static let secretOffset = 5
    /// The longest finger's name.
    private static let longestName = 64

    /// The datagram, for an entry without its secret.
    public var datagram: [UInt8] {
        switch self {
        case .hello(let number), .pong(let number), .window(let number), .filled(let number), .entry(let number),
            .accountPassword(let number):
            [letter] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        case .finger(let name): [letter] + name.utf8
        case .shown, .fallback, .cancel, .key: [letter]
        }
    }

    /// Whether a secret follows.
    public var carriesSecret: Bool {
        switch self {
        case .entry, .accountPassword: true
        default: false
        }
    }

    /// Reads a datagram; safe for any bytes.
    ///
    /// - Returns: the message and its secret, which lies within `datagram` and is empty for all but entries; nil for
    ///   what is no message of a prompt.
    public static func read(
        _ datagram: UnsafeRawBufferPointer
    ) -> (message: PromptMessage, secret: UnsafeRawBufferPointer)? {
        guard let letter = datagram.first, datagram.count <= limit else { return nil }
        let body = UnsafeRawBufferPointer(rebasing: datagram[1...])
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        if let message = bare(letter) { return body.isEmpty ? (message, none) : nil }
        if letter == Letter.finger { return name(body).map { (.finger($0), none) } }
        guard body.count >= 4 else { return nil }
        let number = (0..<4).reduce(UInt32(0)) { $0 | UInt32(body[$1]) << (UInt32($1) * 8) }
        let rest = UnsafeRawBufferPointer(rebasing: body[4...])
        switch letter {
        case Letter.entry: return (.entry(token: number), rest)
        case Letter.accountPassword: return (.accountPassword(token: number), rest)
        case Letter.hello where rest.isEmpty: return (.hello(version: number), none)
        case Letter.pong where rest.isEmpty: return (.pong(number), none)
        case Letter.window where rest.isEmpty: return (.window(number), none)
        case Letter.filled where rest.isEmpty: return (.filled(number), none)
        default: return nil
        }
    }

    private static func bare(_ letter: UInt8) -> PromptMessage? {
        switch letter {
        case Letter.shown: .shown
        case Letter.fallback: .fallback
        case Letter.cancel: .cancel
        case Letter.key: .key
        default: nil
        }
    }

    /// Fingers' names are of small letters and dashes; nothing else goes on to whoever reads it.
    private static func name(_ bytes: UnsafeRawBufferPointer) -> String? {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let isName = bytes.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
        return isName && bytes.count <= longestName ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private enum Letter {
        static let hello = UInt8(ascii: "H")
        static let pong = UInt8(ascii: "P")
        static let window = UInt8(ascii: "W")
        static let shown = UInt8(ascii: "S")
        static let entry = UInt8(ascii: "E")
        static let accountPassword = UInt8(ascii: "A")
        static let filled = UInt8(ascii: "N")
        static let finger = UInt8(ascii: "F")
        static let fallback = UInt8(ascii: "B")
        static let cancel = UInt8(ascii: "C")
        static let key = UInt8(ascii: "K")
    }

    private var letter: UInt8 {
        switch self {
        case .hello: Letter.hello
        case .pong: Letter.pong
        case .window: Letter.window
        case .shown: Letter.shown
        case .entry: Letter.entry
        case .accountPassword: Letter.accountPassword
        case .filled: Letter.filled
        case .finger: Letter.finger
        case .fallback: Letter.fallback
        case .cancel: Letter.cancel
        case .key: Letter.key
        }
    }
}
