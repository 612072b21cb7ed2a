public import DBus

/// What the service tells a prompt. A datagram is the message's letter and, marshalled as D-Bus does, its arguments.
public enum ServiceMessage: Equatable, Sendable {
    /// `V`: the whole state, each time anything changes: GetView's keys, ``ViewChannelKey``'s, and the looks by the
    /// names of the Authenticator's properties.
    case view([String: Value])
    /// `O`: what became of the entry with this token.
    case outcome(EntryOutcome)
    /// `P`: whether the prompt is alive; it answers with the same number at once.
    case ping(UInt32)
    /// `D`: the view ended. The prompt plays the end and leaves.
    case dismiss(result: String, animated: Bool)

    /// The longest datagram that a prompt takes, in bytes.
    public static let limit = 64 << 10

    /// - Returns: nil where it is too long, or not well-formed.
    public var datagram: [UInt8]? {
        let arguments: [Value] =
            switch self {
            case .view(let dictionary): [.options(dictionary)]
            case .outcome(let outcome):
                [
                    .uint32(outcome.token), .string(outcome.result), .string(outcome.message),
                    .uint64(outcome.lockedOutUntil),
                ]
            case .ping(let number): [.uint32(number)]
            case .dismiss(let result, let animated): [.string(result), .bool(animated)]
            }
        guard let body = Value.marshalled(arguments), body.count < ServiceMessage.limit else { return nil }
        return [letter] + body
    }

    /// Reads a datagram; safe for any bytes.
    ///
    /// - Returns: nil for what is no message of a service.
    public init?(_ datagram: UnsafeRawBufferPointer) {
        guard let letter = datagram.first, datagram.count <= ServiceMessage.limit,
            let arguments = Value.unmarshalled(
                UnsafeRawBufferPointer(rebasing: datagram[1...]), limit: ServiceMessage.limit)
        else { return nil }
        switch letter {
        case Letter.view:
            guard arguments.count == 1, case .dictionary("s", "v", _) = arguments[0],
                let dictionary = arguments[0].asDictionary
            else { return nil }
            self = .view(dictionary)
        case Letter.outcome:
            guard arguments.count == 4, let token = arguments[0].asUInt32, let result = arguments[1].asString,
                let message = arguments[2].asString, let until = arguments[3].asUInt64
            else { return nil }
            self = .outcome(EntryOutcome(token: token, result: result, message: message, lockedOutUntil: until))
        case Letter.ping:
            guard arguments.count == 1, let number = arguments[0].asUInt32 else { return nil }
            self = .ping(number)
        case Letter.dismiss:
            guard arguments.count == 2, let result = arguments[0].asString, let animated = arguments[1].asBool else {
                return nil
            }
            self = .dismiss(result: result, animated: animated)
        default: return nil
        }
    }

    enum Letter {
        static let view = UInt8(ascii: "V")
        static let outcome = UInt8(ascii: "O")
        static let ping = UInt8(ascii: "P")
        static let dismiss = UInt8(ascii: "D")
    }

    private var letter: UInt8 {
        switch self {
        case .view: Letter.view
        case .outcome: Letter.outcome
        case .ping: Letter.ping
        case .dismiss: Letter.dismiss
        }
    }
}

/// What became of an entry or an account password.
public struct EntryOutcome: Equatable, Sendable {
    /// The token that the entry came with.
    public var token: UInt32
    /// `accepted`, `next`, `wrong`, `mismatch`, or an error's short name.
    public var result: String
    /// For people; may be empty.
    public var message: String
    /// End of the wait in µs of CLOCK_REALTIME; 0 for none.
    public var lockedOutUntil: UInt64

    public init(token: UInt32, result: String, message: String = "", lockedOutUntil: UInt64 = 0) {
        self.token = token
        self.result = result
        self.message = message
        self.lockedOutUntil = lockedOutUntil
    }
}
