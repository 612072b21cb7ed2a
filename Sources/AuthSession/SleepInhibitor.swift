internal import DBus
import Glibc
internal import MainLoop

/// logind's delay inhibitor (`Inhibit`, org.freedesktop.login1(5)): a descriptor that holds a suspend up, for
/// InhibitDelayMaxUSec at most, until it is closed.
///
/// It is taken when logind appears, closed once for each sleep, and taken again only after PrepareForSleep(false):
/// in between logind answers OperationInProgress.
@LoopActor
final class SleepInhibitor {
    private enum Phase {
        case awake
        /// PrepareForSleep(true) came; the descriptor still holds the suspend up.
        case preparing
        /// This sleep has its permission; a descriptor that comes late is closed at once.
        case allowed
    }

    private let bus: Connection
    private var owner: String?
    private var phase = Phase.awake
    private var descriptor: Int32?
    /// The logind that gave the descriptor.
    private var giver: String?
    /// The newest request's number. The descriptor that answers an older one is closed.
    private var request = 0
    private var retry: LoopSource?
    private var backoff = Backoff()

    /// Whether a suspend waits for ``allow()``.
    var isHeld: Bool { descriptor != nil }

    init(bus: Connection) { self.bus = bus }

    isolated deinit { closeDescriptor() }

    /// Asks the logind that owns `owner` for an inhibitor; returns with its answer.
    ///
    /// A descriptor of an earlier logind is kept until then: a restarted logind honours it (it finds the FIFO below
    /// /run/systemd/inhibit again).
    func logindArrived(at owner: String) async {
        self.owner = owner
        backoff.reset()
        await take()
    }

    /// Nothing is tried until logind is back.
    func logindLeft() {
        owner = nil
        request += 1
        retry = nil
        phase = .awake
    }

    /// The bus itself is gone, and with it whoever could honour the descriptor.
    func busLost() {
        logindLeft()
        closeDescriptor()
    }

    func sleepBegan() {
        guard phase == .awake else { return }
        phase = .preparing
        retry = nil
    }

    func sleepEnded() {
        guard phase != .awake else { return }
        phase = .awake
        backoff.reset()
        // Still held (nobody allowed this sleep, or elogind's pair of signals 2 ms apart): it goes on to count.
        guard descriptor == nil || giver != owner else { return }
        onLoop { [weak self] in await self?.take() }
    }

    /// Lets the announced sleep go on. Without one, or a second time, this does nothing.
    func allow() {
        guard phase == .preparing else { return }
        phase = .allowed
        closeDescriptor()
    }

    private func closeDescriptor() {
        guard let open = descriptor else { return }
        descriptor = nil
        close(open)
    }

    private func take() async {
        guard let owner, phase == .awake else { return }
        request += 1
        retry = nil
        let mine = request
        do {
            let reply = try await bus.call(
                owner, Login1.path, Login1.manager, "Inhibit",
                [.string("sleep"), .string("SmileAuth"), .string("Lock before sleeping"), .string("delay")],
                takesDescriptors: true)
            received(reply, for: mine)
        } catch {
            tryLater(mine)
        }
    }

    private func received(_ reply: [Value], for answered: Int) {
        guard case .unixFD(let new)? = reply.first else { return tryLater(answered) }
        guard answered == request, phase != .allowed else {
            close(new)
            return
        }
        _ = fcntl(new, F_SETFD, FD_CLOEXEC)  // or the prompt would hold the suspend up after us
        closeDescriptor()
        descriptor = new
        giver = owner
        backoff.reset()
    }

    private func tryLater(_ answered: Int) {
        // During a sleep PrepareForSleep(false) is what brings the next try.
        guard answered == request, owner != nil, phase == .awake else { return }
        retry = .after(backoff.next()) { [weak self] in
            onLoop { [weak self] in await self?.take() }
        }
    }
}
