/// Something under way that takes the store, the hasher or the account's authority. One per authenticator.
struct Operation {
    enum Purpose {
        /// An entry into the view.
        case entry
        /// The account password, into the view.
        case account
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
    /// The changed set of fingers that the view spoke of when the entry came; nil where it spoke of none.
    var fingers: [UInt8]?

    /// It asks the account's authority, which is asked one question at a time.
    var asksAccount: Bool {
        switch purpose {
        case .reset, .account: true
        default: false
        }
    }

    /// It has a place among the verifications.
    var verifies: Bool {
        switch phase {
        case .reading, .counting, .comparing: if case .remove = purpose { false } else { true }
        default: false
        }
    }
}
