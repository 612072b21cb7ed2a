/// What time alone brings about.
extension StateMachine {
    /// `once`, `twice` and `three` end after this long without an entry.
    static let entryPatience = UInt64.seconds(120)
    /// An enrolment and a test end after this long without a touch: they keep the sensor from views.
    static let touchPatience = UInt64.seconds(120)
    /// A view takes the account password after the store has been away this long.
    static let accountPatience = UInt64.seconds(60)

    /// CLOCK_BOOTTIME in µs at which to send ``Event/deadlinePassed``; nil when nothing waits for time to pass.
    public var nextDeadline: UInt64? {
        var earliest = min(sleepDeadline ?? .max, touchDeadline)
        for id in timed {
            if let authenticator = authenticators[id] { earliest = min(earliest, deadline(authenticator)) }
        }
        return earliest == .max ? nil : earliest
    }

    /// `UInt64.max` for none.
    func deadline(_ authenticator: Authenticator) -> UInt64 {
        min(
            waitDeadline(authenticator), entryDeadline(authenticator), awayDeadline(authenticator),
            halfDeadline(authenticator))
    }

    private var touchDeadline: UInt64 {
        switch sensorJob?.use {
        case .test, .enrolment: (sensorJob?.lastTouch ?? 0) + Self.touchPatience
        case .view, .deletion, nil: .max
        }
    }

    private func waitDeadline(_ authenticator: Authenticator) -> UInt64 {
        authenticator.attempts.wait > 0 ? authenticator.attempts.until : .max
    }

    private func entryDeadline(_ authenticator: Authenticator) -> UInt64 {
        guard let view = authenticator.view, view.isEdit, view.isPresented, !isStoring(authenticator) else {
            return .max
        }
        return view.lastEntry + Self.entryPatience
    }

    /// One of two factors lapses when the other does not come.
    private func halfDeadline(_ authenticator: Authenticator) -> UInt64 {
        authenticator.view?.finger.half.map { $0.at + Self.halfPatience } ?? .max
    }

    private func awayDeadline(_ authenticator: Authenticator) -> UInt64 {
        guard let since = authenticator.unavailableSince, !authenticator.isLongAway, authenticator.isLockable else {
            return .max
        }
        return since + Self.accountPatience
    }

    func expire() {
        if let deadline = sleepDeadline, deadline <= now.boottime { releaseSleep() }
        if touchDeadline <= now.boottime { endTask(Refusal(.systemCancel, "Nobody touched the sensor for 2 minutes")) }
        if account.wait > 0, account.waitEnd(at: now) == nil { account.endWait() }
        var due: [AuthenticatorID] = []
        for id in timed {
            if let authenticator = authenticators[id], deadline(authenticator) <= now.boottime { due.append(id) }
        }
        for id in due.sorted() { if let authenticator = touch(id) { expire(authenticator) } }
    }

    private func expire(_ authenticator: Authenticator) {
        if waitDeadline(authenticator) <= now.boottime {
            // Written, so that a reboot does not start a wait anew that is over; what an operation is counting has
            // written more than this knows.
            authenticator.attempts.endWait()
            authenticator.lockedOutUntil = 0
            if authenticator.operation == nil { writeAttempts(authenticator) }
        }
        if halfDeadline(authenticator) <= now.boottime { authenticator.view?.finger.half = nil }
        if awayDeadline(authenticator) <= now.boottime { authenticator.isLongAway = true }
        if entryDeadline(authenticator) <= now.boottime { endView(authenticator, .systemCancel) }
    }

    private func isStoring(_ authenticator: Authenticator) -> Bool {
        switch authenticator.operation?.phase {
        case .storing, .removing: true
        default: false
        }
    }
}
