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
    var namedBy: Set<String> = []
    var operation: Operation?
    var settingChanges: [SettingChange] = []
    var presentedContext = ""
    /// Calls that wait for the store's answer.
    var deferred: [DeferredCall] = []
    /// GetAuthenticator calls that do.
    var naming: [(token: ReplyToken, connection: String)] = []

    init(_ id: AuthenticatorID) { self.id = id }

    var verifier: Verifier? {
        if case .ready(let verifier) = store { verifier } else { nil }
    }

    var isSession: Bool { id == .session }

    var unlockRoute: UnlockRoute {
        switch store {
        case .ready, .lost, .unavailable(hasMarker: true): .passcode
        case .unset, .unavailable(hasMarker: false): .login
        }
    }

    var isLockable: Bool { unlockRoute != .login }

    /// SPEC 7: what an iOS view hides by standing, an app here must hide itself.
    var shouldCover: Bool {
        guard isLockable, !isAuthenticated else { return false }
        if let view, view.type != .touchid, view.remembered { return false }
        return true
    }

    /// Authenticated, or to be so again when the view that stands is cancelled.
    var wasAuthenticated: Bool { isAuthenticated || (view.map { $0.type != .touchid && $0.remembered } ?? false) }

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

/// A view of the authenticator, in front or in line.
struct View {
    /// Tells it from its successors.
    let number: UInt64
    var type: SecurityType
    var step: Step
    /// The kind and length of a passcode to be set.
    var kind: PasscodeKind
    var digits: Int
    var reason: String
    var requester: Caller?
    /// The passcode to be set, until it was entered again.
    var first: (any Passcode)?
    /// Whether it was authenticated before `once`, `twice` or `three` came up.
    var remembered = false
    /// `ui: none`: the app shows it, outside the line.
    var isHeadless = false
    var terminals: Set<String> = []
    /// Connections whose Present brought it up or joined it.
    var presenters: Set<String> = []
    /// The connection that answered the first step.
    var channel: String?
    /// A Present or the lifecycle asked for it, so it stays without waiters.
    var isAsked = false
    var waiters: [Waiter] = []
    var notice = ViewState.Notice.none
    /// CLOCK_BOOTTIME in µs.
    var lastEntry: UInt64
    /// AuthViewPresented was sent for this stay in front.
    var isPresented = false

    /// Back to the first step with nothing entered.
    mutating func restart(_ notice: ViewState.Notice = .none) {
        step = type.firstStep
        first = nil
        channel = nil
        self.notice = notice
    }
}

struct Waiter {
    var request: String
    var connection: String
}

/// Something under way that takes the store, the hasher or the account's authority. One per authenticator.
struct Operation {
    enum Purpose {
        /// An entry into the view.
        case entry
        case verify
        case set(new: any Passcode, PasscodeKind, length: Int)
        case clear
        case reset
        case remove
        case rehash
    }

    enum Phase {
        /// The verifier is being read.
        case reading
        /// The failure is being counted, before anything is compared.
        case counting(AttemptRecord, Verifier?)
        case comparing(AttemptRecord, Verifier)
        case checkingAccount(AttemptRecord)
        case storing
        case removing
    }

    var number: UInt64
    var purpose: Purpose
    var phase: Phase
    var passcode: (any Passcode)?
    var caller: Caller
    /// Nil when the caller has gone, or nobody waits.
    var token: ReplyToken?
    /// Overtaken: nothing is granted, its count stays.
    var isVoid = false

    /// It has a place among the verifications.
    var verifies: Bool {
        switch phase {
        case .reading, .counting, .comparing: if case .remove = purpose { false } else { true }
        default: false
        }
    }
}
