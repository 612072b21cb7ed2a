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
    /// Nobody but terminals asked for it: it goes with the last of them.
    var isTerminalsOnly = false
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
    /// The prompt shows it, whoever else does.
    var isForPrompt = false
    /// The prompt's first frame is on screen.
    var isPromptShown = false
    /// Circles that are filled in the prompt.
    var filled: UInt32 = 0
    var isAnimated = true
    var parentWindow = ""
    /// What the finger has done in it.
    var finger = FingerProgress()
    /// Of a `policy` view.
    var evaluation: Evaluation?

    /// Turns a passcode on or off, or changes it.
    var isEdit: Bool { type == .once || type == .twice || type == .three }

    /// Somebody sees what the finger is for.
    var isShown: Bool { isHeadless || isPromptShown || !terminals.isEmpty }

    /// Back to the first step with nothing entered.
    mutating func restart(_ notice: ViewState.Notice = .none) {
        step = type.firstStep
        first = nil
        channel = nil
        finger.lapse()
        self.notice = notice
    }
}

/// What the finger has done in a view.
struct FingerProgress {
    /// There was a sensor while the view stood, so that one that is gone is missed.
    var hadSensor = false
    /// The button was pressed; `once` and `three` read no finger before.
    var isAsked = false
    /// Three fingers did not match: none is read until the button is pressed.
    var isDisarmed = false
    var noMatches = 0
    /// The finger that is going to touch, where the device cannot tell.
    var picked: Finger?
    /// Under FactorMode `all`: when (CLOCK_BOOTTIME, µs) the first of the two was given, and which it was.
    var half: (at: UInt64, method: Method)?

    /// What was given of two factors is forgotten.
    mutating func lapse() {
        half = nil
        isAsked = false
    }
}

/// An evaluation of a policy: what `EvaluatePolicy` was called for.
struct Evaluation {
    var policy: Policy
    /// A `biometrics` evaluation goes on with the passcode when the finger is locked out.
    var thenPasscode: Bool
    /// Nil: the default title; empty: no such button.
    var fallbackTitle: String?
    var cancelTitle: String
    /// The finger's turn is over.
    var isPasscodesTurn = false
    /// The fallback button comes after the first failure.
    var hasFailed = false
}

struct Waiter {
    var request: String
    var connection: String
    /// No finger stands in for the passcode.
    var requiresPasscode = false
}
