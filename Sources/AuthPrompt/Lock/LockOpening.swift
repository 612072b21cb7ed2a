import AuthChannel
internal import CGtk
import MainLoop
import WaylandLock

/// Opens a session that prompts before this one have left locked: it locks once more, which a compositor grants when
/// the client that held the lock is gone, and unlocks.
@LoopActor
final class LockOpening {
    /// A lock that stays somebody else's is none that we have left.
    private static let patience = Duration.seconds(5)

    private let lock: SessionLock
    private var timer: LoopSource?

    /// Ends the process when it is done.
    init() {
        guard ScreenMark.isSet else { Program.end(0, nil) }
        guard let compositor = LockStage.connect() else {
            ScreenMark.clear()
            Program.end(0, nil)
        }
        lock = SessionLock(compositor)
        compositor.onEnd = { Program.end(1, "the compositor is gone: \($0)") }
        lock.onLocked = { [weak self] in self?.open() }
        lock.onSurface = { surface in
            surface.onConfigure = { surface in
                surface.paint(asksForFrame: false) { canvas in
                    // White, as the lock is in most looks: nothing flashes.
                    canvas.memory.initializeMemory(
                        as: UInt8.self, repeating: 0xff, count: canvas.stride * canvas.height)
                }
            }
        }
        timer = .after(LockOpening.patience) {
            ScreenMark.clear()
            Program.end(0, "another program has locked the session")
        }
        compositor.run()
        lock.ask()
    }

    private func open() {
        guard lock.unlock(within: .seconds(1)) else { Program.end(1, "the compositor does not open the session") }
        ScreenMark.clear()
        Program.end(0, nil)
    }
}
