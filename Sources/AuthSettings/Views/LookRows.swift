import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

extension Colour {
    /// `#rrggbb`.
    var hex: String {
        "#"
            + [red, green, blue].map {
                let number = Int((max(0, min(1, $0)) * 255).rounded())
                return (number < 16 ? "0" : "") + String(number, radix: 16)
            }.joined()
    }
}

/// A row with a colour, and a button that brings the usual one back.
@LoopActor
final class ColourRow: Row {
    private let button = gtk_color_button_new()!
    private let reset: Widget?
    private var isApplying = false

    /// - Parameters:
    ///   - reset: what the other button is called by who hears it; nil for none.
    ///   - changed: called with nil for the usual one.
    init(_ name: String, reset: String?, _ changed: @escaping @LoopActor (Colour?) -> Void) {
        self.reset = reset.map { _ in Controls.button(Texts.reset) { changed(nil) } }
        super.init(name, button)
        gtk_color_button_set_title(OpaquePointer(button), Texts.plain(name))
        if let widget = self.reset, let reset {
            smile_accessible_rename(widget, reset, "")
            gtk_grid_attach(cast(line), widget, 2, 0, 1, 1)
        }
        Signals.on(button, "color-set") { [weak self] in
            guard let self, !isApplying else { return true }
            var colour = GdkRGBA()
            gtk_color_chooser_get_rgba(OpaquePointer(button), &colour)
            changed(Colour(Double(colour.red), Double(colour.green), Double(colour.blue)))
            return true
        }
    }

    func apply(_ colour: Colour, _ state: RowState) {
        isApplying = true
        var value = GdkRGBA(
            red: Float(colour.red), green: Float(colour.green), blue: Float(colour.blue), alpha: 1)
        gtk_color_chooser_set_rgba(OpaquePointer(button), &value)
        isApplying = false
        reset?.setSensitive(state.isSensitive)
        apply(state)
        nameInside(name + " " + colour.hex)
    }
}

/// A row with the path of a picture or the name of an icon.
@LoopActor
final class PictureRow: Row {
    private let entry = gtk_entry_new()!
    private let choose: Widget
    private let remove: Widget
    private let changed: @LoopActor (String) -> Void
    private let spoken: String
    private let box = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
    private let buttons = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8)
    private var shown = ""
    private var chooser: OpaquePointer?

    init(_ name: String, _ changed: @escaping @LoopActor (String) -> Void) {
        self.changed = changed
        spoken = Texts.plain(name)
        weak var weakSelf: PictureRow?
        choose = Controls.button(Texts.choose) { weakSelf?.openChooser() }
        remove = Controls.button(Texts.remove) { changed("") }
        super.init(name, entry, isWide: true)
        weakSelf = self
        smile_accessible_rename(choose, Texts.choose(spoken), "")
        smile_accessible_rename(remove, Texts.remove(spoken), "")
        gtk_entry_set_placeholder_text(cast(entry), Texts.none)
        gtk_editable_set_width_chars(OpaquePointer(entry), 12)
        gtk_widget_set_hexpand(entry, 1)
        // The entry has a line of its own, with its buttons: a path is long.
        g_object_ref(UnsafeMutableRawPointer(entry))
        gtk_grid_remove(cast(line), entry)
        for part in [choose, remove] { gtk_box_append(cast(buttons), part) }
        for part in [entry, buttons] { gtk_box_append(cast(box), part) }
        g_object_unref(UnsafeMutableRawPointer(entry))
        gtk_widget_set_margin_top(box, 4)
        gtk_box_insert_child_after(cast(widget), box, line)
        Signals.on(entry, "activate") { [weak self] in
            self?.take()
            return true
        }
        let focus = gtk_event_controller_focus_new()!
        Signals.on(UnsafeMutableRawPointer(focus), "leave") { [weak self] in
            self?.take()
            return true
        }
        gtk_widget_add_controller(entry, focus)
    }

    override func fit(_ room: Room) {
        let isBelow = room != .wide
        gtk_orientable_set_orientation(
            OpaquePointer(box), isBelow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL)
        gtk_orientable_set_orientation(
            OpaquePointer(buttons), room == .tiny ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL)
        gtk_widget_set_halign(buttons, GTK_ALIGN_END)
    }

    private func take() {
        let text = gtk_editable_get_text(OpaquePointer(entry)).map { String(cString: $0) } ?? ""
        if text != shown { changed(text) }
    }

    func apply(_ name: String, _ state: RowState) {
        // What was refused stays there to be mended; what is set is said by the other rows and the preview.
        let isEdited = gtk_widget_get_state_flags(entry).rawValue & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0
        if name != shown || state.notice == nil && !isEdited {
            shown = name
            let old = gtk_editable_get_text(OpaquePointer(entry)).map { String(cString: $0) }
            if old != name { gtk_editable_set_text(OpaquePointer(entry), name) }
        }
        // The keyboard's focus is not lost with it.
        if name.isEmpty, gtk_widget_has_focus(remove) != 0 { gtk_widget_grab_focus(choose) }
        remove.setVisible(!name.isEmpty)
        choose.setSensitive(state.isSensitive)
        remove.setSensitive(state.isSensitive)
        apply(state)
        nameInside(spoken)
    }

    private func openChooser() {
        guard chooser == nil, let root = gtk_widget_get_root(widget) else { return }
        let made = gtk_file_chooser_native_new(
            spoken, cast(UnsafeMutableRawPointer(root).assumingMemoryBound(to: GtkWidget.self)),
            GTK_FILE_CHOOSER_ACTION_OPEN, nil, nil)!
        chooser = made
        let filter = gtk_file_filter_new()!
        gtk_file_filter_set_name(filter, Texts.images)
        gtk_file_filter_add_pixbuf_formats(filter)
        gtk_file_chooser_add_filter(made, filter)
        Signals.onNumber(UnsafeMutableRawPointer(made), "response") { [weak self] response in
            guard let self, let chooser else { return true }
            if response == GTK_RESPONSE_ACCEPT.rawValue, let file = gtk_file_chooser_get_file(chooser) {
                if let path = g_file_get_path(file) {
                    changed(String(cString: path))
                    g_free(path)
                }
                g_object_unref(UnsafeMutableRawPointer(file))
            }
            self.chooser = nil
            g_object_unref(UnsafeMutableRawPointer(chooser))
            return true
        }
        gtk_native_dialog_show(UnsafeMutableRawPointer(made).assumingMemoryBound(to: GtkNativeDialog.self))
    }
}
