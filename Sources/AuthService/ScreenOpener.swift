import AuthChannel
import Glibc
import MainLoop

/// Opens a screen that a compositor keeps locked for a prompt that is gone: the session was opened on a terminal while
/// no prompt lived, or the prompt died before it could. On X11 nothing of this happens.
@LoopActor
final class ScreenOpener {
    /// The program has patience of its own; this is for one that hangs.
    private static let patience = Duration.seconds(10)
    private static let waits: [Duration] = [0, 100, 1_000, 5_000].map { .milliseconds($0) }

    private let program: String
    /// Whether the session is open, and no prompt of ours is about to open the screen itself.
    private let isWanted: @LoopActor () -> Bool
    /// Whether there may be something to open: looking costs a system call.
    private var mayBeLocked = true
    private var process: ChildProcess?
    private var channel: ServiceChannel?
    private var overdue: LoopSource?
    private var retry: LoopSource?
    private var tries = 0

    init(_ program: String, isWanted: @escaping @LoopActor () -> Bool) {
        self.program = program
        self.isWanted = isWanted
    }

    /// A prompt is being started that may lock the screen.
    func screenMayBeLocked() { mayBeLocked = true }

    /// Starts or ends what is to open the screen, as things stand now.
    func settle() {
        guard mayBeLocked else { return }
        guard isWanted() else { return end() }
        guard process == nil, retry == nil else { return }
        guard ScreenMark.isSet else {
            mayBeLocked = false
            tries = 0
            return
        }
        start()
    }

    func end() {
        retry = nil
        tries = 0
        process?.kill()
        forget()
    }

    private func start() {
        log("the screen is locked and the session is open: opening it")
        guard let ends = ChannelSocket.makePair() else { return again() }
        let channel = ServiceChannel(
            ends.service, onMessage: { _, _ in },
            onEnd: { [weak self] _ in
                self?.process?.kill()
                self?.forget()
                self?.again()
            })
        guard let channel else {
            close(ends.prompt)
            return again()
        }
        guard let process = ChildProcess(program, descriptors: [ends.prompt]) else {
            channel.close()
            return again()
        }
        self.channel = channel
        self.process = process
        // An end without a view is the order to open.
        channel.send(.dismiss(result: "success", animated: false))
        overdue = .after(Self.patience) { [unowned self] in
            process.kill()
            forget()
            again()
        }
    }

    private func forget() {
        channel?.close()
        channel = nil
        process = nil
        overdue = nil
    }

    /// Looks whether it is open now, and tries once more where it is not.
    private func again() {
        let wait = Self.waits[min(tries, Self.waits.count - 1)]
        tries += 1
        retry = .after(wait) { [unowned self] in
            retry = nil
            settle()
        }
    }
}
