import AuthChannel
import AuthLooks
import AuthTexts
internal import CGLib
internal import CGtk
import Glibc
import MainLoop
import WaylandLock

/// The view as the session's lock on Wayland: the compositor shows it and nothing else, on every monitor.
///
/// Drawn without GTK, whose widgets know no lock surfaces: so screen readers do not see it.
@LoopActor
final class LockStage: Stage {
    let actions: StageActions
    let lock: SessionLock
    let texts: LockTexts
    let isRightToLeft = Catalogs.isRightToLeft
    let locks = true

    /// Where the view is; on all others there is the background alone.
    var main: LockSurface?
    var screen = Screen()
    var drawn = Drawn()
    var layout = LockLayout()
    var touch = LockTouch()
    var finger: Int32?
    var looks = Looks()
    var style = DesktopStyle()
    var palette = Palette(Looks(), DesktopStyle())
    let pictures = LockPictures()
    /// What has to be painted on the main surface.
    var damage: PixelArea?
    var frame: (@LoopActor () -> (drawn: Drawn, isMoving: Bool))?
    private var isShown = false

    /// Locks, or begins to.
    ///
    /// - Returns: nil where there is no Wayland, or a compositor without the lock: there a window has to do.
    init?(_ actions: StageActions) {
        guard let compositor = LockStage.connect() else { return nil }
        self.actions = actions
        lock = SessionLock(compositor)
        texts = LockTexts(isRightToLeft: isRightToLeft)
        compositor.onEnd = { Program.end(1, "the compositor is gone: \($0)") }
        lock.onLocked = { [weak self] in
            ScreenMark.set()
            self?.checkShown()
        }
        lock.onDenied = { count in
            if count == 1 { Program.say("another program has locked the session; trying again") }
        }
        lock.onSurface = { [weak self] surface in self?.appeared(surface) }
        lock.onSurfaceGone = { [weak self] surface in self?.vanished(surface) }
        lock.onInput = { [weak self] input in self?.take(input) }
        lock.setCursor(LockCursor.arrow)
        pictures.changed = { [weak self] in self?.dress() }
        compositor.run()
        lock.ask()
    }

    /// - Returns: a compositor that offers the lock; nil where there is none.
    static func connect() -> Compositor? {
        guard getenv("WAYLAND_DISPLAY").map({ $0.pointee != 0 }) ?? false else { return nil }
        do throws(Compositor.Failure) {
            let compositor = try Compositor(patience: .milliseconds(1_500))
            if compositor.offersLock { return compositor }
            compositor.close()
            Program.say("the compositor offers no session lock; asking in a window, which covers nothing for sure")
            return nil
        } catch .silent {
            // The service starts another one.
            Program.end(1, "the compositor does not answer")
        } catch {
            return nil
        }
    }

    // MARK: surfaces

    private func appeared(_ surface: LockSurface) {
        surface.onConfigure = { [weak self] in self?.configured($0) }
        surface.onFrame = { [weak self] in self?.frameIsDue($0) }
        if main == nil { main = surface }
    }

    private func vanished(_ surface: LockSurface) {
        guard main === surface else { return }
        cancelStroke()
        main = nil
        if let next = lock.surfaces.first { moveTo(next) }
    }

    private func configured(_ surface: LockSurface) {
        if surface === main {
            arrange()
            redraw()
        } else {
            paintBackground(surface)
        }
        pictures.require(lock.surfaces)
        checkShown()
    }

    /// The view goes to where the person is.
    func moveTo(_ surface: LockSurface) {
        guard surface !== main else { return }
        let former = main
        main = surface
        touch.hovered = nil
        touch.pressed = nil
        frame = nil
        arrange()
        if let former { paintBackground(former) }
        redraw()
    }

    /// Told once the compositor has locked and every monitor has its first frame: from then on nothing else is seen.
    private func checkShown() {
        guard !isShown, lock.isLocked, lock.surfaces.allSatisfy(\.hasContent) else { return }
        isShown = true
        lock.whenHandled { [weak self] in self?.actions.firstFrame() }
    }

    // MARK: Stage

    func show(_ screen: Screen, _ drawn: Drawn) {
        let isSame = screen == self.screen
        guard !isSame || drawn != self.drawn else { return }
        let field = self.screen.field
        self.screen = screen
        self.drawn = drawn
        if screen.field != field {
            lock.composes = screen.field == .text || screen.field == .account
            touch.focus = .entry
            cancelStroke()
        }
        if isSame { return redrawEntry() }
        arrange()
        redraw()
    }

    func restyle(_ looks: Looks, _ style: DesktopStyle) {
        self.looks = looks
        self.style = style
        dress()
        arrange()
        redraw()
    }

    func loadPictures() { pictures.load(looks, lock.surfaces) }

    func animate(_ frame: @escaping @LoopActor () -> (drawn: Drawn, isMoving: Bool)) {
        guard self.frame == nil else { return }
        self.frame = frame
        redrawEntry()
    }

    func leave() -> Bool {
        guard lock.isLocked else { return true }
        guard lock.unlock(within: .seconds(1)) else { return false }
        ScreenMark.clear()
        return true
    }

    /// A compositor that has locked stays so until the view ends.
    func turn(toLock isLock: Bool) {}

    func close() {}
}
