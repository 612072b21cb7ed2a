import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// The view in a window of GTK's, above the cover where one hands the input on.
@LoopActor
final class WindowStage: Stage {
    private var window: PromptWindow!
    private let actions: StageActions
    private var feed: InputFeed?
    private var ticking: guint = 0
    private var frame: (@LoopActor () -> (drawn: Drawn, isMoving: Bool))?
    private var style = DesktopStyle()

    let locks = false

    init(_ actions: StageActions) {
        self.actions = actions
        var own = actions
        // Under a cover no window has the focus: whoever is fed has it.
        own.focus = { [weak self] isFocused in if self?.feed == nil { actions.focus(isFocused) } }
        window = PromptWindow(own)
    }

    /// Maps it.
    ///
    /// - Parameter tellNumber: gets the X window's number where a cover is to keep it above itself.
    func present(_ view: PromptView, tellNumber: (UInt32) -> Void) {
        // Where a cover holds the input it is for the lock, whatever is told when.
        let isCovered = view.isSession && InputFeed.isThere
        let number = window.present(
            isLock: view.covers || isCovered, isCovered: isCovered, parent: view.parentWindow)
        if number != 0 { tellNumber(number) }
        guard isCovered else { return }
        feed = InputFeed(window) { [weak self] in self?.feed = nil }
        if feed != nil { actions.focus(true) }
    }

    func turn(toLock isLock: Bool) { if feed == nil { window.turn(toLock: isLock) } }

    func show(_ screen: Screen, _ drawn: Drawn) {
        window.drawn = drawn
        window.apply(screen)
        window.redraw()
    }

    func leave() -> Bool { true }

    func close() {
        feed = nil
        window.close()
    }

    // MARK: motions

    func animate(_ frame: @escaping @LoopActor () -> (drawn: Drawn, isMoving: Bool)) {
        self.frame = frame
        guard ticking == 0 else { return }
        ticking = gtk_widget_add_tick_callback(
            window.window,
            { _, _, data in
                let stage = Unmanaged<WindowStage>.fromOpaque(data!).takeUnretainedValue()
                return LoopActor.assumeIsolated { stage.tick() ? 1 : 0 }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    private func tick() -> Bool {
        guard let (drawn, isMoving) = frame?() else { return false }
        window.drawn = drawn
        window.redraw()
        if !isMoving { ticking = 0 }
        return isMoving
    }

    // MARK: looks

    func restyle(_ looks: Looks, _ style: DesktopStyle) {
        window.looks = looks
        self.style = style
        dress()
    }

    private func dress() {
        window.palette = Palette(window.looks, style, picture: window.picture?.extremes)
        window.pointer = window.looks.hasParallax && style.hasAnimations ? (window.pointer ?? (0, 0)) : nil
        window.restyle()
    }

    /// Read once the first frame is on the screen, and again where the looks name others.
    func loadPictures() {
        window.loadPictures(of: window.looks) { [weak self] in
            guard let self, let window = self.window else { return }
            dress()
            // Applied anew: which of two widgets is shown hangs on it.
            let screen = window.screen
            window.screen = Screen()
            window.apply(screen)
        }
    }
}
