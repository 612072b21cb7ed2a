public import AuthCore
import Glibc
internal import MainLoop
internal import Synchronization

/// Whether a password is that of the account this process runs as, by PAM (service `smileauth`).
///
/// PAM blocks, for seconds after a wrong password: it has a thread of its own, one check at a time.
public final class AccountAuthority: Sendable {
    private let thread = WorkThread(name: "account")
    /// After this long the answer is "unavailable", and one that comes later is thrown away.
    static let patience = Duration.seconds(30)

    public init() {}

    public func check(_ password: any Passcode) async -> AccountAnswer {
        await withCheckedContinuation { (done: CheckedContinuation<AccountAnswer, Never>) in
            let answer = Mutex<CheckedContinuation<AccountAnswer, Never>?>(done)
            let box = AnswerBox(answer)
            onLoop {
                box.timer = .after(Self.patience) { box.give(.unavailable("PAM does not answer")) }
            }
            thread.submit {
                let result = PamConversation.check(password)
                onLoop {
                    box.timer?.cancel()
                    box.timer = nil
                    box.give(result)
                }
            }
        }
    }

    /// The first answer counts.
    private final class AnswerBox: Sendable {
        private let waiting: Mutex<CheckedContinuation<AccountAnswer, Never>?>
        @LoopActor var timer: LoopSource?

        init(_ waiting: consuming sending Mutex<CheckedContinuation<AccountAnswer, Never>?>) { self.waiting = waiting }

        func give(_ answer: AccountAnswer) {
            let done = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            done?.resume(returning: answer)
        }
    }
}
