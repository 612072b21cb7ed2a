import AuthWire

/// The page of the passcode, as values.
struct PasscodePage: Equatable, Sendable {
    var use: RowState
    var isOn: Bool
    var change: RowState
    var require: RowState
    var isRequired: Bool
    var kind: Wire.PasscodeKind
    var kindRow: RowState
    var length: UInt32
    var lengthRow: RowState
    var hasLength: Bool
    /// What turning it on is to name: every setting weaker than its default, and the fingers (section 9 of the contract).
    var before: [String]

    init(_ facts: Facts) {
        let lock = facts.state.session
        let isKnown = lock.store == .ready || lock.store == .unset
        isOn = lock.hasPasscode && facts.state.isReady
        use = facts.row(.passcode, Self.status(lock), isSensitive: isKnown && lock.factors != .finger)
        change = facts.row(.change, Texts.changePasscodeHelp, isSensitive: lock.store == .ready)
        require = facts.row(.requirePasscode, Texts.requirePasscodeHelp)
        isRequired = lock.requiresPasscodeForChanges
        kind = facts.kind
        kindRow = facts.row(.passcode, Texts.kindHelp(facts.kind))
        length = facts.length
        lengthRow = facts.row(.passcode, Texts.lengthHelp)
        // A notice is said once.
        (kindRow.notice, lengthRow.notice) = (nil, nil)
        hasLength = facts.kind == .digits
        before = lock.store == .unset ? Self.weaknesses(lock, facts.state.fingers?.count ?? 0) : []
        if !facts.state.isReady { before = [] }
    }

    private static func status(_ lock: LockState) -> String {
        switch lock.store {
        case .unset: return lock.factors == .finger ? Texts.offByFinger : Texts.off
        case .unavailable: return Texts.unknown
        case .lost: return Texts.storeLost
        case .ready:
            let on = Texts.on(lock.kind, digits: lock.digits)
            return lock.failCount > 0 ? on + " " + Texts.failures(lock.failCount) : on
        }
    }

    static func weaknesses(_ lock: LockState, _ fingers: Int) -> [String] {
        var lines: [String] = []
        if lock.grace > 0 { lines.append(Texts.grace(lock.grace)) }
        lines += LockState.Cause.allCases.filter { !lock.lockOn.contains($0) }.map(Texts.doesNotLock)
        if lock.reuse > 0 { lines.append(Texts.reuse(lock.reuse)) }
        if lock.isFingerEnabled || fingers == 0 { lines.append(Texts.openers(fingers)) }
        return lines
    }
}
