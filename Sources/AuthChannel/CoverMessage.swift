/// What the cover tells the service, one datagram each. The first two mean that every monitor is covered.
public enum CoverReport: UInt8, Sendable {
    /// Covered, and keyboard and pointer are held. Said again whenever they are held anew.
    case mapped = 0x4D  // 'M'
    /// Covered, but another client has the keyboard or the pointer; said once. ``mapped`` follows when they are free.
    case noGrab = 0x47  // 'G'
    /// The answer to ``CoverOrder/ping``.
    case alive = 0x41  // 'A'

    /// - Returns: nil for anything but one of these bytes.
    public init?(datagram: UnsafeRawBufferPointer) {
        guard datagram.count == 1 else { return nil }
        self.init(rawValue: datagram[0])
    }

    /// The datagram.
    public var bytes: [UInt8] { [rawValue] }
}

/// What the service tells the cover, one datagram each.
public enum CoverOrder: Equatable, Sendable {
    /// The X window of the session's newest prompt. The datagram carries one end of a socket pair: that prompt's feed
    /// (``FeedMessage``).
    case prompt(window: UInt32)
    /// Uncover and exit with 0. Sent to a cover that has only just started it removes what a dead one left behind.
    case leave
    /// Whether it is alive; it answers at once.
    case ping

    /// Longer than any datagram there is.
    public static let maximumSize = 8

    /// - Returns: nil for what is malformed.
    public init?(datagram: UnsafeRawBufferPointer) {
        switch (datagram.first, datagram.count) {
        case (0x50, 5):  // 'P'
            self = .prompt(
                window: UInt32(littleEndian: datagram.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
        case (0x4C, 1): self = .leave  // 'L'
        case (0x3F, 1): self = .ping  // '?'
        default: return nil
        }
    }

    /// The datagram.
    public var bytes: [UInt8] {
        switch self {
        case .prompt(let window): [0x50] + withUnsafeBytes(of: window.littleEndian) { Array($0) }
        case .leave: [0x4C]
        case .ping: [0x3F]
        }
    }
}
