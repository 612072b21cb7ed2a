/// One authenticator's whole state. Only the state machine touches it.
final class Authenticator {
    let id: AuthenticatorID
    var settings = Settings()
    var hasStoredSettings = false
    /// The files have been read and the object is on the bus.
    var isOpen = false
    /// The store has answered at least once.
    var isLoaded = false
    /// An answer of the store is on its way.
    var isLoading = false
    /// Something changed while it was: ask once more.
    var mustLoadAgain = false
    /// One answer was passed over already for a newer one.
    var hasWaitedLonger = false
    /// CLOCK_BOOTTIME in µs at which it was asked.
    var loadBegan: UInt64 = 0
    var store = StoreReading.unavailable(hasMarker: false)
    /// CLOCK_BOOTTIME in µs since which the store is away.
    var unavailableSince: UInt64?
    /// For long enough that the account password opens it.
    var isLongAway = false
    /// The store has shown its passcode in this run, so that one which is gone is lost, not off.
    var hasSeenPasscode = false
    /// A removal failed, and may have taken effect all the same.
    var removalIsUncertain = false
    var attempts = AttemptRecord()
    /// CLOCK_REALTIME in µs at which the wait ends, fixed when it begins so that it does not wander.
    var lockedOutUntil: UInt64 = 0
    /// The file was missing or broken: beside a stored passcode that is the longest wait.
    var attemptsAreMissing = false

    var isAuthenticated = false
    /// CLOCK_BOOTTIME in µs of the success that the grace counts from; nil when there is no grace.
    var lastSuccess: UInt64?
    /// It was authenticated when it went to the background, so Foreground asks for it.
    var returns = true
    /// It fell by Background, Lock or a restart while locked, and nothing has opened it since.
    var isLocked = false
    var view: View?
    var holds: [Hold] = []
    /// When a connection last gave a right passcode (CLOCK_BOOTTIME, µs); gone with every fall to unauthenticated.
    var credits: [String: UInt64] = [:]
    /// The same for a finger that matched in a view of the connection's.
    var fingerCredits: [String: UInt64] = [:]
    /// A sensor is there, and fingers are enrolled with it.
    var fingersAreThere = false
    /// A finger that did not match, until it is on the disk.
    var miss: StateMachine.Miss?
    /// The write that counts it; nil once it is answered.
    var fingerCount: UInt64?
    /// A finger that did not match could not be counted durably; until one can, none is tried.
    var cannotCountFingers = false
    /// What the domain state of a set is; computed once for each set.
    var domainState: (set: FingerSet, bytes: [UInt8])?
    var namedBy: Set<String> = []
    var operation: Operation?
    var settingChanges: [SettingChange] = []
    var presentedContext = ""
    /// Calls that wait for the store's answer.
    var deferred: [DeferredCall] = []
    /// Calls that wait for a remembered domain state, by the operation's number.
    var memories: [UInt64: (token: ReplyToken, connection: String)] = [:]
    /// GetAuthenticator calls that do.
    var naming: [(token: ReplyToken, connection: String)] = []

    init(_ id: AuthenticatorID) { self.id = id }

    var verifier: Verifier? {
        if case .ready(let verifier) = store { verifier } else { nil }
    }

    var isSession: Bool { id == .session }

    /// SPEC 6. Under `finger` no passcode can be stored, so there the store has no say.
    var unlockRoute: UnlockRoute {
        if settings.factorMode == .finger { return .fingerprint }
        switch store {
        case .unset, .unavailable(hasMarker: false): return .login
        case .ready, .lost, .unavailable(hasMarker: true): break
        }
        if settings.factorMode == .all { return .fingerprintAndPasscode }
        return settings.fingerprintEnabled && fingersAreThere ? .fingerprintOrPasscode : .passcode
    }

    /// Whether there is something to lock may still be on its way from the store: then it is locked once it shows.
    var mayBeLockable: Bool { isLockable || store != .unset }

    var isLockable: Bool { unlockRoute != .login }

    /// SPEC 7: what an iOS view hides by standing, an app here must hide itself.
    var shouldCover: Bool {
        guard isLockable, !isAuthenticated else { return false }
        if let view, view.isEdit, view.remembered { return false }
        return true
    }

    /// Authenticated, or to be so again when the view that stands is cancelled.
    var wasAuthenticated: Bool { isAuthenticated || (view.map { $0.isEdit && $0.remembered } ?? false) }

    func hasGrace(at now: Instant) -> Bool {
        guard let lastSuccess, now.boottime >= lastSuccess else { return false }
        return Double(now.boottime - lastSuccess) < settings.timeoutInterval * 1_000_000
    }
}

/// A connection that keeps the authenticator.
struct Hold {
    var cookie: UInt32
    var connection: String
    /// The app shows the views that the lifecycle and Lock() bring up.
    var isHeadless: Bool
    var confirmsCover: Bool
    /// Covered() was called since ShouldCover is true.
    var hasCovered = false
    /// There has been a success since the hold began, and since then no fall (its own ChangeAuthentication(false)
    /// aside) and no counted failure.
    var isTrusted = false
}

struct SettingChange {
    var property: Property
    var value: PropertyValue
    var caller: Caller
    /// Nil when the caller has gone.
    var token: ReplyToken?
    /// What is being written; nil until its turn has come.
    var settings: Settings?
}

struct DeferredCall {
    var call: Call
    var caller: Caller
    var token: ReplyToken
}
