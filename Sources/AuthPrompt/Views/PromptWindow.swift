import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// The window's widgets. What they show is put on by ``apply(_:)``; what is done to them goes to ``actions``.
@LoopActor
final class PromptWindow {
    /// Room round the row, so that it can move: the parallax and the shake.
    nonisolated static let margin = 16.0
    nonisolated static let rowHeight = 44.0
    nonisolated static let fieldHeight = 46.0
    nonisolated static let fingerSide = 64.0
    nonisolated static let logoHeight = 32.0
    /// Above what is to be done, and what went wrong.
    static let describedSpace: Int32 = 28

    let actions: StageActions
    let window: Widget
    let header = Make.box(GTK_ORIENTATION_HORIZONTAL)
    let body = Make.box(GTK_ORIENTATION_VERTICAL)
    let title = Make.label("title")
    let logo = gtk_picture_new()!
    let cancel = Make.button("cancel")
    let owner = Make.label("small")
    let requester = Make.label("small")
    let reason = Make.label("small")
    let description = Make.label("description")
    let alert = Make.label("alert", role: GTK_ACCESSIBLE_ROLE_ALERT)
    let wait = Make.label("wait")
    let finger = gtk_button_new()!
    let fingerTitle = Make.label()
    let fingerImage = gtk_picture_new()!
    let choices = Columns.make()
    let line = Make.button()
    let fallback = Make.button()
    let account = Make.button()
    private(set) var background: Widget!
    private(set) var row: Widget!
    private(set) var field: Widget!
    private(set) var pad: Widget!
    private(set) var fingerGlyph: Widget!

    /// All that the window shows.
    let content = gtk_overlay_new()!
    private let scroller = gtk_scrolled_window_new()!
    private var scrolling: LoopSource?
    private let provider = gtk_css_provider_new()!
    private let scope: String
    var screen = Screen()
    var palette = Palette(Looks(), DesktopStyle())
    var looks = Looks()
    var picture: Picture?
    var hasFingerImage = false
    var hasLogo = false
    /// The looks whose pictures are there, or on their way.
    var loadedLooks: Looks?
    /// What moves, and the dots, as the model has them at the moment of drawing.
    var drawn = Drawn()
    /// From -1 to 1 each way; nil for no parallax.
    var pointer: (x: Double, y: Double)?
    var strokePointer: (x: Double, y: Double)?
    var strokeStart = (x: 0.0, y: 0.0)
    var inputMethod: UnsafeMutablePointer<GtkIMContext>?
    var keys: OpaquePointer?
    var choiceButtons: [Widget] = []
    /// Whether the keyboard moved about in the window last, not the pointer: then where it is is shown.
    var isSteered = false

    /// - Parameter scope: a selector that the style sheet is kept to; empty for the whole program.
    init(_ actions: StageActions, scope: String = "") {
        self.actions = actions
        self.scope = scope
        window = gtk_window_new()!
        gtk_widget_add_css_class(window, "smileauth")
        gtk_style_context_add_provider_for_display(
            gtk_widget_get_display(window), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        background = Make.area(GTK_ACCESSIBLE_ROLE_PRESENTATION) { [weak self] in self?.drawBackground($0, $1, $2) }
        row = Make.area(GTK_ACCESSIBLE_ROLE_METER) { [weak self] in self?.drawRow($0, $1, $2) }
        field = Make.area(GTK_ACCESSIBLE_ROLE_TEXT_BOX) { [weak self] in self?.drawField($0, $1, $2) }
        pad = Make.area(GTK_ACCESSIBLE_ROLE_GROUP) { [weak self] in self?.drawPad($0, $1, $2) }
        fingerGlyph = Make.area(GTK_ACCESSIBLE_ROLE_PRESENTATION) { [weak self] in self?.drawFinger($0, $1, $2) }
        assemble()
        connectButtons()
        connectInput()
    }

    // MARK: the tree

    private func assemble() {
        gtk_window_set_title(cast(window), "SmileAuth")
        gtk_window_set_default_size(cast(window), 420, 620)
        assembleHeader()
        assembleBody()
        gtk_scrolled_window_set_policy(OpaquePointer(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(OpaquePointer(scroller), body)
        gtk_widget_set_vexpand(scroller, 1)
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))!
        Signals.on(adjustment, "changed") { [weak self] in
            // Once what is in it has its place too.
            self?.scrolling = .after(.zero) { [weak self] in self?.scrollToFocus() }
            return true
        }
        let column = Make.box(GTK_ORIENTATION_VERTICAL)
        gtk_box_append(cast(column), header)
        gtk_box_append(cast(column), scroller)
        gtk_overlay_set_child(OpaquePointer(content), background)
        gtk_overlay_add_overlay(OpaquePointer(content), column)
        gtk_overlay_set_measure_overlay(OpaquePointer(content), column, 1)
        gtk_window_set_child(cast(window), content)
    }

    /// GTK scrolls to what gets the focus, not to what has it when the window becomes too small for all.
    private func scrollToFocus() {
        scrolling = nil
        guard let focus = gtk_window_get_focus(cast(window)), gtk_widget_is_ancestor(focus, body) != 0,
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
        else { return }
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(focus, scroller, 0, 0, &x, &y)
        let top = gtk_adjustment_get_value(adjustment) + y
        gtk_adjustment_clamp_page(adjustment, top, top + Double(gtk_widget_get_height(focus)))
    }

    private func assembleHeader() {
        gtk_widget_add_css_class(header, "header")
        gtk_label_set_wrap(OpaquePointer(title), 0)
        gtk_label_set_max_width_chars(OpaquePointer(title), -1)
        gtk_label_set_ellipsize(OpaquePointer(title), PANGO_ELLIPSIZE_END)
        let middle = Make.box(GTK_ORIENTATION_HORIZONTAL)
        gtk_box_append(cast(middle), logo)
        gtk_box_append(cast(middle), title)
        logo.setVisible(false)
        // As large as they are, not as the room.
        for picture in [logo, fingerImage] {
            gtk_picture_set_content_fit(OpaquePointer(picture), GTK_CONTENT_FIT_SCALE_DOWN)
        }
        let bar = gtk_center_box_new()!
        gtk_center_box_set_start_widget(OpaquePointer(bar), cancel)
        gtk_center_box_set_center_widget(OpaquePointer(bar), middle)
        gtk_widget_set_valign(cancel, GTK_ALIGN_CENTER)
        gtk_label_set_wrap(OpaquePointer(gtk_button_get_child(cast(cancel))), 0)
        gtk_widget_set_hexpand(bar, 1)
        gtk_box_append(cast(header), bar)
    }

    private func assembleBody() {
        gtk_widget_set_valign(body, GTK_ALIGN_CENTER)
        body.setMargins(20, 24)
        finger.setStyle("finger", true)
        gtk_widget_set_halign(finger, GTK_ALIGN_CENTER)
        let inside = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        gtk_drawing_area_set_content_width(cast(fingerGlyph), Int32(PromptWindow.fingerSide))
        gtk_drawing_area_set_content_height(cast(fingerGlyph), Int32(PromptWindow.fingerSide))
        gtk_widget_set_halign(fingerGlyph, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(fingerImage, GTK_ALIGN_CENTER)
        for part in [fingerGlyph!, fingerImage, fingerTitle] { gtk_box_append(cast(inside), part) }
        gtk_button_set_child(cast(finger), inside)
        for area in [row!, field!, pad!] {
            gtk_widget_set_focusable(area, 1)
            gtk_widget_set_halign(area, GTK_ALIGN_FILL)
        }
        gtk_drawing_area_set_content_height(cast(row), Int32(PromptWindow.rowHeight + 2 * PromptWindow.margin))
        gtk_drawing_area_set_content_height(cast(field), Int32(PromptWindow.fieldHeight + 2 * PromptWindow.margin))
        gtk_drawing_area_set_content_height(cast(pad), 284)
        let spaces: [(Widget, Int32)] = [
            (owner, 0), (requester, 2), (reason, 2), (description, PromptWindow.describedSpace), (alert, 0), (row, 14),
            (field, 14),
            (pad, 18), (wait, 8),
            (finger, 18), (choices, 18), (line, 14), (fallback, 14), (account, 12),
        ]
        for (widget, space) in spaces {
            gtk_widget_set_margin_top(widget, space)
            gtk_box_append(cast(body), widget)
        }
    }

    private func connectButtons() {
        let buttons: [(Widget, PromptModel.Button)] = [
            (cancel, .cancel), (finger, .fingerprint), (line, .line), (fallback, .fallback), (account, .account),
        ]
        for (widget, button) in buttons {
            Signals.on(widget, "clicked") { [actions] in
                actions.button(button)
                return true
            }
        }
        Signals.on(window, "close-request") { [actions] in
            actions.close()
            return true
        }
    }

    /// Puts the style sheet on.
    func restyle() {
        let sheet = Style.sheet(palette, isHeaderLined: !looks.isHeaderTranslucent, scope: scope)
        gtk_css_provider_load_from_data(provider, sheet, -1)
        redraw()
    }

    func redraw() { for area in [background, row, field, pad, fingerGlyph] { area?.redraw() } }

    /// The widget that an entry is typed into, where there is one.
    var entryWidget: Widget? {
        switch screen.field {
        case .none: nil
        case .row: row
        case .text, .account: field
        case .pad: pad
        }
    }
}
