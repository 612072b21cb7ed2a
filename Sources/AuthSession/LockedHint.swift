/// Whose a `LockedHint` is, and what to do about it. Pure: the caller sends and reports.
///
/// The hint follows the session's lock. One that a screen locker sets is a cause; one that we set is none, also when
/// an earlier run of the service set it (see ``HintMarker``): nobody else would ever clear it.
struct LockedHint {
    /// What the session's lock asks for; nil until the service has said so.
    private(set) var wanted: Bool?
    /// logind's value; nil while there is no session to ask.
    private(set) var observed: Bool?
    /// We asked for true and have not seen it become false since.
    private(set) var isOurs = false
    /// How often another program's false was answered since the lock last changed: two lockers must not fight for ever.
    private var answers = 0
    private static let answerLimit = 8

    /// Whether another program says that the screen is locked.
    var isCause: Bool { observed == true && !isOurs }

    /// - Returns: the value to send to logind, nil for none.
    mutating func want(_ locked: Bool) -> Bool? {
        wanted = locked
        answers = 0
        return settle()
    }

    /// logind's value changed.
    mutating func observe(_ value: Bool) -> Bool? {
        observed = value
        if value { return nil }
        if wanted != true { isOurs = false }
        guard wanted == true, answers < Self.answerLimit else { return nil }
        answers += 1
        return settle()
    }

    /// A session was resolved, with this value; `isMarked` tells that an earlier run of ours set its hint.
    mutating func attach(_ value: Bool, isMarked: Bool) -> Bool? {
        observed = value
        isOurs = value && (isOurs || isMarked)
        return settle()
    }

    /// No session, no hint. Whose it was is remembered: logind may come back with it.
    mutating func detach() { observed = nil }

    /// logind answered what ``want(_:)``, ``observe(_:)`` or ``attach(_:isMarked:)`` had sent.
    mutating func answered(_ value: Bool, succeeded: Bool) {
        if value, !succeeded, observed != true { isOurs = false }
        if !value, succeeded, wanted != true { isOurs = false }
    }

    private mutating func settle() -> Bool? {
        guard let observed, let wanted else { return nil }
        if wanted {
            // Another's true is left alone, so that its end is still seen; then ours follows.
            guard !isCause, !(observed && isOurs) else { return nil }
            isOurs = true
            return true
        }
        // Another's true is not ours to clear.
        return isOurs ? false : nil
    }
}
