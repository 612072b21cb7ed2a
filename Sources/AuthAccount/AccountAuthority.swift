public import AuthCore
internal import MainLoop
internal import Synchronization

/// Whether a password is that of the account this process runs as, by PAM (service `smileauth`).
///
/// PAM blocks, for seconds after a wrong password: it has a thread of its own, one check at a time.
public final class AccountAuthority: Sendable {
    private let thread = WorkThread(name: "account")
    private let patience: Duration

    public convenience init() { self.init(patience: .seconds(30)) }

    /// - Parameter patience: after this long the answer is "unavailable", and one that comes later is thrown away.
    package init(patience: Duration) { self.patience = patience }

    /// ``AccountAnswer/right`` only where PAM asked for the password and the account may be used. The main loop must
    /// run.
    public func check(_ password: any Passcode) async -> AccountAnswer {
        await withCheckedContinuation { done in
            let check = Check(done)
            onLoop { [patience] in
                check.timer = .after(patience) { check.end(.unavailable("PAM does not answer")) }
            }
            thread.submit {
                // One that waited behind a module that hangs has been answered already: nothing is tried for nobody.
                guard check.isAwaited else { return }
                let answer = PamConversation.check(password)
                onLoop { check.end(answer) }
            }
        }
    }

    /// The first answer counts.
    private final class Check: Sendable {
        private let continuation: Mutex<CheckedContinuation<AccountAnswer, Never>?>
        @LoopActor var timer: LoopSource?

        init(_ continuation: CheckedContinuation<AccountAnswer, Never>) { self.continuation = Mutex(continuation) }

        var isAwaited: Bool { continuation.withLock { $0 != nil } }

        @LoopActor func end(_ answer: AccountAnswer) {
            timer?.cancel()
            timer = nil
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume(returning: answer)
        }
    }
}
