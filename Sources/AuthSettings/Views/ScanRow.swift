import AuthLooks
import AuthWire
internal import CGLib
internal import CGtk
import MainLoop

/// A button that begins a scan, and how far it is while it is under way.
@LoopActor
final class ScanRow: Row {
    private let begin: Widget?
    private let cancel: Widget
    private let bar = gtk_progress_bar_new()!
    private let instruction = Controls.label("instruction", role: GTK_ACCESSIBLE_ROLE_STATUS)
    private let glyph: Widget
    private let progress = Controls.line(spacing: 14)

    /// - Parameter title: of the button; nil where another row has it.
    init(_ title: String?, begin: @escaping @LoopActor () -> Void, cancel: @escaping @LoopActor () -> Void) {
        self.begin = title.map { Controls.button($0, begin) }
        self.cancel = Controls.button(Texts.cancel, cancel)
        glyph = Make.area(GTK_ACCESSIBLE_ROLE_PRESENTATION) { cairo, width, height in
            let side = min(width, height)
            cairo_translate(cairo, (width - side) / 2, (height - side) / 2)
            Drawing.finger(cairo, side: side, colour: Colour(1, 45.0 / 255, 85.0 / 255))
        }
        let buttons = Make.box(GTK_ORIENTATION_HORIZONTAL)
        for button in [self.begin, self.cancel].compactMap(\.self) { gtk_box_append(cast(buttons), button) }
        super.init("", nil)
        title.map { _ in gtk_widget_add_css_class(self.begin!, "suggested-action") }
        self.title.setVisible(false)
        gtk_drawing_area_set_content_width(cast(glyph), 48)
        gtk_drawing_area_set_content_height(cast(glyph), 48)
        gtk_widget_set_valign(glyph, GTK_ALIGN_CENTER)
        let column = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 8)
        gtk_widget_set_hexpand(column, 1)
        gtk_widget_set_valign(column, GTK_ALIGN_CENTER)
        gtk_progress_bar_set_show_text(OpaquePointer(bar), 1)
        for part in [instruction, bar] { gtk_box_append(cast(column), part) }
        for (index, part) in [glyph, column].enumerated() {
            gtk_grid_attach(cast(progress), part, Int32(index), 0, 1, 1)
        }
        gtk_box_append(cast(text), progress)
        gtk_widget_set_valign(buttons, GTK_ALIGN_CENTER)
        gtk_widget_set_halign(buttons, GTK_ALIGN_END)
        gtk_grid_attach(cast(line), buttons, 1, 0, 1, 1)
    }

    /// - Parameters:
    ///   - scan: nil while there is none.
    ///   - words: how far it is.
    func apply(_ scan: SettingsModel.Scan?, _ words: String, _ state: RowState) {
        apply(RowState(subtitle: "", isSensitive: true, notice: state.notice))
        // The keyboard's focus goes along: it must not be lost with the button.
        let hadFocus = [begin, cancel].compactMap(\.self).contains { gtk_widget_has_focus($0) != 0 }
        progress.setVisible(scan != nil)
        cancel.setVisible(scan != nil)
        begin?.setVisible(scan == nil)
        if hadFocus { gtk_widget_grab_focus(scan == nil ? begin ?? cancel : cancel) }
        begin?.setSensitive(state.isSensitive)
        guard let scan else { return }
        instruction.setText(scan.hint)
        bar.setVisible(scan.stages > 0)
        guard scan.stages > 0 else { return }
        gtk_progress_bar_set_fraction(OpaquePointer(bar), min(1, Double(scan.done) / Double(scan.stages)))
        gtk_progress_bar_set_text(OpaquePointer(bar), words)
        smile_accessible_set_name(bar, words, scan.hint)
        smile_accessible_set_value(bar, Double(scan.done), Double(scan.stages), words)
    }
}

/// The choice between the factors, with what each means.
@LoopActor
final class FactorRows {
    private(set) var rows: [Row] = []
    private var buttons: [Widget] = []
    private let note = Row("")
    private var shown: [FingersPage.Factor] = []
    private var back: LoopSource?
    private var isApplying = false

    init(_ chosen: @escaping @LoopActor (LockState.Factors) -> Void) {
        for factors in LockState.Factors.allCases {
            let button = smile_radio_new()
            if let first = buttons.first { gtk_check_button_set_group(cast(button), cast(first)) }
            buttons.append(button)
            rows.append(Row(Texts.factors(factors), button))
            Signals.on(button, "toggled") { [weak self] in
                guard let self, !isApplying, gtk_check_button_get_active(cast(button)) != 0 else { return true }
                chosen(factors)
                // Until the service says so it is not.
                back = .after(.zero) { [weak self] in self?.show() }
                return true
            }
        }
        note.title.setVisible(false)
        rows.append(note)
    }

    func apply(_ factors: [FingersPage.Factor], _ notice: Notice?) {
        shown = factors
        show()
        for (index, factor) in factors.enumerated() { rows[index].apply(factor.row) }
        note.apply(RowState(notice: notice))
        note.widget.setVisible(notice != nil)
    }

    private func show() {
        isApplying = true
        for (index, factor) in shown.enumerated() {
            gtk_check_button_set_active(cast(buttons[index]), factor.isChosen ? 1 : 0)
        }
        isApplying = false
    }
}
