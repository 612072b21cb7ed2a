import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// Makers of what the pages are made of.
@LoopActor
enum Controls {
    /// Others' words for where an underscore makes a mnemonic of the letter after it.
    static func literal(_ words: String) -> String {
        words.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
    }

    /// A label whose lines begin at the side where the language begins.
    static func label(_ styles: String..., role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_LABEL) -> Widget {
        let label = smile_label_new(role)
        for style in styles { gtk_widget_add_css_class(label, style) }
        gtk_label_set_justify(OpaquePointer(label), GTK_JUSTIFY_LEFT)
        gtk_label_set_xalign(OpaquePointer(label), 0)
        gtk_widget_set_halign(label, GTK_ALIGN_FILL)
        return label
    }

    /// A button; its title may have a mnemonic.
    static func button(_ title: String, _ clicked: @escaping @LoopActor () -> Void) -> Widget {
        let button = gtk_button_new_with_mnemonic(title)!
        gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
        // GTK would tell the mnemonic's underscore, too.
        smile_accessible_rename(button, Texts.plain(title), "")
        Signals.on(button, "clicked") {
            clicked()
            return true
        }
        return button
    }

    /// Widgets beside each other. A grid, for a box of GTK 4.8 asks a text how narrow it can be *at that height*, and
    /// then gives it that much although there is less.
    static func line(spacing: guint = 12) -> Widget {
        let grid = gtk_grid_new()!
        gtk_grid_set_column_spacing(cast(grid), spacing)
        gtk_grid_set_row_spacing(cast(grid), 8)
        return grid
    }

    static func icon(_ name: String) -> Widget {
        let image = gtk_image_new_from_icon_name(name)!
        let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(image))
        image.setVisible(gtk_icon_theme_has_icon(theme, name) != 0)
        return image
    }

    /// Asks before what cannot be undone.
    static func ask(
        over window: Widget, _ question: String, _ more: String, yes: String, _ done: @escaping @LoopActor () -> Void
    ) {
        let dialog = smile_question_new(window, question, more)
        gtk_dialog_add_button(cast(dialog), Texts.cancel, GTK_RESPONSE_CANCEL.rawValue)
        let button = gtk_dialog_add_button(cast(dialog), yes, GTK_RESPONSE_ACCEPT.rawValue)!
        gtk_widget_add_css_class(button, "destructive-action")
        gtk_dialog_set_default_response(cast(dialog), GTK_RESPONSE_CANCEL.rawValue)
        nonisolated(unsafe) let shown = dialog
        Signals.onNumber(dialog, "response") { response in
            gtk_window_destroy(cast(shown))
            if response == GTK_RESPONSE_ACCEPT.rawValue { done() }
            return true
        }
        gtk_window_present(cast(dialog))
    }
}

/// Rows that belong together, below a title.
@LoopActor
final class Group {
    let widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
    let card = Make.box(GTK_ORIENTATION_VERTICAL)
    private let title = Controls.label("group-title", role: GTK_ACCESSIBLE_ROLE_HEADING)
    private let help = Controls.label("dim")

    init(_ name: String, _ explanation: String = "") {
        gtk_widget_add_css_class(card, "card")
        title.setText(name)
        help.setText(explanation)
        for part in [title, help, card] { gtk_box_append(cast(widget), part) }
        smile_accessible_set_name(card, name, explanation)
    }

    func add(_ row: Row) { gtk_box_append(cast(card), row.widget) }
    func add(_ widget: Widget) { gtk_box_append(cast(card), widget) }

    func removeAll() {
        while let child = gtk_widget_get_first_child(card) { gtk_box_remove(cast(card), child) }
    }
}

/// How much room there is for a page, by the size of its text.
enum Room: Equatable, Sendable {
    case tiny, narrow, wide
}

/// A title, what it means, a control, and below them what there is to say.
@LoopActor
class Row {
    let widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 4)
    let line = Controls.line()
    let text = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 2)
    let title = Controls.label("row-title")
    private let subtitle = Controls.label("dim")
    private let hint = Controls.label("hint", role: GTK_ACCESSIBLE_ROLE_STATUS)
    private let failure = Controls.label("failure", role: GTK_ACCESSIBLE_ROLE_ALERT)
    let control: Widget?
    /// Whether the control goes below the words in a narrow window; others do so in a tiny one.
    private let isWide: Bool

    /// The control's name for who hears it; nil where the title is its label.
    private let spoken: String?

    /// - Parameters:
    ///   - name: may have a mnemonic, which leads to the control.
    ///   - spoken: what the control is called instead of `name` by who hears it; the mnemonic is its own then.
    init(_ name: String, _ control: Widget? = nil, isWide: Bool = false, spoken: String? = nil) {
        self.control = control
        self.spoken = spoken
        self.isWide = isWide
        gtk_widget_add_css_class(widget, "row")
        gtk_widget_set_valign(text, GTK_ALIGN_CENTER)
        gtk_widget_set_hexpand(text, 1)
        gtk_label_set_text_with_mnemonic(OpaquePointer(title), name)
        for part in [title, subtitle] { gtk_box_append(cast(text), part) }
        title.setVisible(!name.isEmpty)
        subtitle.setVisible(false)
        gtk_grid_attach(cast(line), text, 0, 0, 1, 1)
        if let control {
            gtk_widget_set_valign(control, GTK_ALIGN_CENTER)
            gtk_grid_attach(cast(line), control, 1, 0, 1, 1)
            if let spoken {
                smile_accessible_rename(control, spoken, "")
            } else {
                // Makes it the label for who hears it, too.
                gtk_label_set_mnemonic_widget(OpaquePointer(title), control)
            }
        }
        for part in [line, hint, failure] { gtk_box_append(cast(widget), part) }
        hint.setVisible(false)
        failure.setVisible(false)
    }

    func setTitle(_ name: String) { title.setText(name) }

    func apply(_ state: RowState) {
        subtitle.setText(state.subtitle)
        let isFailure = state.notice?.kind == .failure
        failure.setText(isFailure ? state.notice?.text ?? "" : "")
        hint.setText(isFailure ? "" : state.notice?.text ?? "")
        hint.setStyle("done", state.notice?.kind == .done)
        guard let control else { return }
        control.setSensitive(state.isSensitive)
        let words = [state.subtitle, state.notice?.text ?? ""].filter { !$0.isEmpty }
        smile_accessible_set_description(control, words.joined(separator: " "))
    }

    /// The part of the control that takes the focus, where that is not the control itself: it needs the name, too.
    func nameInside(_ words: String) {
        guard let control, let inside = gtk_widget_get_first_child(control) else { return }
        smile_accessible_rename(inside, words, String(cString: gtk_label_get_text(OpaquePointer(subtitle))))
    }

    /// The title's words.
    var name: String { String(cString: gtk_label_get_text(OpaquePointer(title))) }

    func fit(_ room: Room) {
        guard let control else { return }
        let isBelow = room == .tiny || isWide && room == .narrow
        if let place = gtk_layout_manager_get_layout_child(gtk_widget_get_layout_manager(line), control) {
            gtk_grid_layout_child_set_column(OpaquePointer(place), isBelow ? 0 : 1)
            gtk_grid_layout_child_set_row(OpaquePointer(place), isBelow ? 1 : 0)
        }
        gtk_widget_set_halign(control, isBelow && isWide ? GTK_ALIGN_FILL : GTK_ALIGN_END)
    }
}

/// A row with a switch. It shows what it is told, not what was pressed.
@LoopActor
final class SwitchRow: Row {
    private let toggle = gtk_switch_new()!
    private var back: LoopSource?
    private var isOn = false
    private var isApplying = false

    init(_ name: String, _ changed: @escaping @LoopActor (Bool) -> Void) {
        super.init(name, toggle)
        Signals.onNumber(toggle, "state-set") { [weak self] isOn in
            guard let self, !isApplying else { return true }
            changed(isOn != 0)
            // Until the service says so it is not. Later, for GTK has not done with the switch.
            back = .after(.zero) { [weak self] in self?.show() }
            return true
        }
    }

    private func show() {
        isApplying = true
        gtk_switch_set_active(OpaquePointer(toggle), isOn ? 1 : 0)
        gtk_switch_set_state(OpaquePointer(toggle), isOn ? 1 : 0)
        isApplying = false
    }

    func apply(_ isOn: Bool, _ state: RowState) {
        self.isOn = isOn
        show()
        apply(state)
    }
}

/// A row with a choice of words.
@LoopActor
final class ChoiceRow: Row {
    private let menu: Widget
    private var back: LoopSource?
    private var names: [String] = []
    private var shown = 0
    private var isApplying = false

    /// - Parameter isOwn: whether what is chosen stands without anybody's consent.
    init(_ name: String, isOwn: Bool = false, _ changed: @escaping @LoopActor (Int) -> Void) {
        menu = gtk_drop_down_new(nil, nil)!
        super.init(name, menu, isWide: true)
        Signals.onChange(menu, of: "selected") { [weak self] in
            guard let self, !isApplying else { return }
            let index = Int(gtk_drop_down_get_selected(OpaquePointer(menu)))
            guard names.indices.contains(index) else { return }
            if isOwn { shown = index }
            changed(index)
            back = .after(.zero) { [weak self] in self?.show() }
        }
    }

    func apply(_ names: [String], _ chosen: Int, _ state: RowState) {
        isApplying = true
        if names != self.names {
            self.names = names
            let list = gtk_string_list_new(nil)!
            for name in names { gtk_string_list_append(list, name) }
            gtk_drop_down_set_model(OpaquePointer(menu), list)
            g_object_unref(UnsafeMutableRawPointer(list))
        }
        isApplying = false
        shown = chosen
        show()
        apply(state)
    }

    private func show() {
        isApplying = true
        if names.indices.contains(shown), gtk_drop_down_get_selected(OpaquePointer(menu)) != guint(shown) {
            gtk_drop_down_set_selected(OpaquePointer(menu), guint(shown))
        }
        isApplying = false
        nameInside(names.indices.contains(shown) ? name + " " + names[shown] : name)
    }
}

/// A row with a button.
@LoopActor
final class ButtonRow: Row {
    /// - Parameter spoken: the button's name for who hears it.
    init(_ name: String, button title: String, spoken: String, _ clicked: @escaping @LoopActor () -> Void) {
        super.init(name, Controls.button(title, clicked), spoken: spoken)
    }
}
