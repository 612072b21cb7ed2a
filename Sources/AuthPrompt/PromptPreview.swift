package import AuthLooks
import AuthTexts
import AuthWire
internal import CGLib
internal import CGtk
package import MainLoop

/// The prompt's own contents with a view that nobody answers: what looks do to it.
@LoopActor
package final class PromptPreview {
    private static let style = "smileauth-preview"

    /// All that the prompt's window has in it; takes no keys, no pointer and no focus.
    package let widget: Widget
    private let window: PromptWindow
    private var looks: Looks?
    private var desktop = DesktopStyle()
    private var later: LoopSource?

    package init() {
        let none: @LoopActor () -> Void = {}
        window = PromptWindow(
            StageActions(
                button: { _ in }, key: { _ in }, text: { _ in }, touch: none, focus: { _ in }, strokeBegan: none,
                stroke: { _ in }, strokeEnded: none, lost: none, close: none, firstFrame: none), scope: ".\(Self.style)"
        )
        widget = window.content
        // The window that it was made in never shows; ours keeps its contents.
        g_object_ref(UnsafeMutableRawPointer(widget))
        gtk_window_set_child(cast(window.window), nil)
        gtk_widget_add_css_class(widget, Self.style)
        gtk_widget_set_can_focus(widget, 0)
        smile_accessible_hide(widget)
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        // Its buttons do nothing; the picture follows the pointer as it will.
        gtk_widget_set_can_target(window.header, 0)
        gtk_widget_set_can_target(window.body, 0)
        let motion = gtk_event_controller_motion_new()!
        Signals.onPoint(motion, "motion") { [weak self] x, y in self?.window.follow(x, y) }
        gtk_widget_add_controller(widget, motion)
    }

    /// Shows what these looks make of it. Pictures come once it is on the screen.
    package func show(_ looks: Looks, _ desktop: DesktopStyle) {
        guard looks != self.looks || desktop != self.desktop else { return }
        self.looks = looks
        self.desktop = desktop
        restyle()
        loadPictures()
    }

    /// Pictures are made for the size that they are shown at: read once there is one. To be called when it is mapped.
    package func loadPictures() {
        guard let looks, gtk_widget_get_mapped(widget) != 0 else { return }
        guard gtk_widget_get_width(widget) > 0 else {
            later = .after(.milliseconds(20)) { [weak self] in self?.loadPictures() }
            return
        }
        window.loadPictures(of: looks) { [weak self] in self?.restyle() }
    }

    private func restyle() {
        guard let looks else { return }
        window.looks = looks
        window.palette = Palette(looks, desktop, picture: window.picture?.extremes)
        window.pointer = looks.hasParallax && desktop.hasAnimations ? (window.pointer ?? (0, 0)) : nil
        window.drawn.filled = 2
        window.screen = Screen()
        window.apply(Self.sample(looks))
        window.restyle()
    }

    /// The unlock of a session with four digits, two of them entered.
    private static func sample(_ looks: Looks) -> Screen {
        var screen = Screen()
        screen.title = translated("Enter Passcode")
        screen.showsLogo = !looks.logo.isEmpty
        screen.description = counted("Enter %ld digit passcode", 4)
        screen.field = .row
        screen.digits = 4
        screen.filled = 2
        screen.entryName = PromptTexts.digits(2, of: 4)
        screen.cancel = PromptTexts.cancel
        screen.finger = Screen.FingerButton(state: .armed, title: PromptTexts.finger(.armed), isSensitive: true)
        return screen
    }
}
