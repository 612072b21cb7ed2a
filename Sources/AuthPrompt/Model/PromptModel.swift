import AuthChannel
import AuthLooks
import AuthWire
import MainLoop

/// A moment by both clocks.
struct Moment: Equatable, Sendable {
    /// In seconds of CLOCK_MONOTONIC: for what the window times itself.
    var monotonic: Double
    /// In µs of CLOCK_REALTIME: for the wait's end.
    var realtime: UInt64
}

/// A key, as far as the window cares.
enum Key: Equatable, Sendable {
    /// A character, space included.
    case character(Unicode.Scalar)
    case backspace, enter, escape
    case left, right, up, down
    /// Modifiers, function keys and combinations: no part of any entry.
    case other
}

/// What is to be done, in this order.
enum Effect: Equatable, Sendable {
    case send(PromptMessage)
    /// Sends the entry's bytes with this message, then ``PromptModel/wasSent()``.
    case submit(PromptMessage)
    /// The window closes, and the program ends with this status.
    case quit(Int32)
}

/// The window without its looks: what a message, a key, the pointer and the time do to it. Times come in as values.
///
/// The entry's bytes are in ``entry``, wiped as soon as they have gone out (a pattern's, which is on the screen anyway,
/// once its line has gone).
struct PromptModel {
    /// Keys count only once the window has had the focus for so long, in seconds.
    static let focusTime = 0.3
    /// How long a full row stands before it is submitted, in seconds.
    static let submitTime = 0.3

    var view: PromptView?
    let entry: SecretBuffer
    /// Digits, characters or dots of the entry; those of one that is being checked too.
    var count = 0
    /// Whether the account password is what is typed.
    var usesAccount = false
    /// The pattern's line, on the screen or not.
    var isLineHidden = false
    /// The pad's dot that the arrow keys have reached.
    var cursor = 5
    var isDrawing = false
    var motion: Motion?
    /// What the window itself has to say of the last entry.
    var notice: String?
    /// Whether the last entry was wrong: the description says so.
    var hasFailed = false
    /// The token of the entry that is being checked.
    var pending: UInt32?
    var submitAt: Double?
    var quitAt: Double?
    var focusedSince: Double?
    /// Whether PAM has a service of ours that knows whether an account password is right.
    var hasAccountService = true
    /// No motions: the desktop's wish.
    var isStill = false
    private var lastToken: UInt32 = 0

    init(entry: SecretBuffer) { self.entry = entry }

    /// What moves, and since when.
    struct Motion: Equatable, Sendable {
        enum Kind: Equatable, Sendable {
            case shake
            /// The row with so many filled circles goes, an empty one comes.
            case slide(filled: Int)
            /// So many were filled already.
            case fill(from: Int)
        }

        var kind: Kind
        var start: Double

        var duration: Double {
            switch kind {
            case .shake: Curves.shakeDuration
            case .slide: 2 * Curves.slideDuration
            case .fill: Curves.fillDuration
            }
        }
    }

    /// What is typed into.
    enum Field: Equatable, Sendable { case none, row, text, pad, account }

    var field: Field {
        guard let view = view?.view else { return .none }
        if usesAccount || view.demand == .account { return .account }
        if view.demand == .finger { return .none }
        return switch view.kind {
        case .digits: .row
        case .text: .text
        case .pattern: .pad
        }
    }

    /// Seconds of the wait that are left, rounded up; 0 for none. A wait is for the passcode: the account password has
    /// one of its own.
    func wait(_ now: Moment) -> Int {
        guard let until = view?.view.lockedOutUntil, until > now.realtime, field != .account else { return 0 }
        return Int(min((until - now.realtime + 999_999) / 1_000_000, 360_000))
    }

    /// When the model is to be looked at again, in seconds of CLOCK_MONOTONIC; nil for never.
    func deadline(_ now: Moment) -> Double? {
        var times = [submitAt, quitAt, motion.map { $0.start + $0.duration }].compactMap { $0 }
        if let until = view?.view.lockedOutUntil, wait(now) > 0 {
            // The next whole second of the countdown.
            let left = Double(until - now.realtime) / 1_000_000
            let part = left - left.rounded(.down)
            times.append(now.monotonic + (part > 0.001 ? part : 1))
        }
        return times.min()
    }

    /// Does what has fallen due.
    mutating func tick(_ now: Moment) -> [Effect] {
        if let moved = motion, now.monotonic >= moved.start + moved.duration - 0.0005 {
            motion = nil
            if case .shake = moved.kind { clear() }
        }
        if let at = quitAt, now.monotonic >= at - 0.0005 { return [.quit(0)] }
        if let at = submitAt, now.monotonic >= at - 0.0005 {
            submitAt = nil
            return submit(now)
        }
        return []
    }

    /// Sends what was entered.
    mutating func submit(_ now: Moment) -> [Effect] {
        guard !entry.isEmpty, pending == nil, view != nil else { return [] }
        lastToken &+= 1
        pending = lastToken
        notice = nil
        return [.submit(field == .account ? .accountPassword(token: lastToken) : .entry(token: lastToken))]
    }

    /// The entry is on its way: its bytes are wiped, but for a pattern's.
    mutating func wasSent() {
        if field != .pad { entry.removeAll() }
    }

    /// Forgets the entry.
    mutating func clear() {
        entry.removeAll()
        count = 0
        submitAt = nil
        isDrawing = false
    }

    /// The service knows how many circles are filled; of nothing else does it know how long it is.
    func filledMessage(before: Int) -> [Effect] {
        field == .row && count != before ? [.send(.filled(UInt32(count)))] : []
    }

    mutating func start(_ kind: Motion.Kind, _ now: Moment) {
        motion = isStill ? nil : Motion(kind: kind, start: now.monotonic)
    }
}
