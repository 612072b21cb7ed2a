import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// One page: groups below each other, in a room of a comfortable width, that scrolls.
@LoopActor
class PageView {
    /// Of the groups, in pixels.
    private static let comfortable: Int32 = 640

    let widget = gtk_scrolled_window_new()!
    /// What stands in the window: the page, with what is beside it.
    let whole = Make.box(GTK_ORIENTATION_HORIZONTAL)
    let model: SettingsModel
    private let column = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 24)
    private var rows: [Row] = []
    private var room = Room.wide

    init(_ model: SettingsModel) {
        self.model = model
        // Sideways only where not even the narrowest form has room: nothing is cut off.
        gtk_scrolled_window_set_policy(OpaquePointer(widget), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC)
        // Its controls are the stops of the Tab key.
        gtk_widget_set_focusable(widget, 0)
        column.setMargins(18, 20)
        gtk_scrolled_window_set_child(OpaquePointer(widget), column)
        if let viewport = gtk_scrolled_window_get_child(OpaquePointer(widget)) {
            // What has the focus by the keyboard is in sight.
            gtk_viewport_set_scroll_to_focus(OpaquePointer(viewport), 1)
        }
        gtk_widget_set_hexpand(widget, 1)
        gtk_widget_set_vexpand(widget, 1)
        gtk_box_append(cast(whole), widget)
    }

    func prepend(_ widget: Widget) { gtk_box_prepend(cast(column), widget) }

    func add(_ widget: Widget) { gtk_box_append(cast(column), widget) }

    @discardableResult
    func add(_ group: Group, _ rows: [Row]) -> Group {
        for row in rows { add(row, to: group) }
        gtk_box_append(cast(column), group.widget)
        return group
    }

    func add(_ row: Row, to group: Group) {
        group.add(row)
        rows.append(row)
        row.fit(room)
    }

    func remove(_ row: Row, from group: Group) {
        // The keyboard's focus goes to what is next, not away.
        let state = gtk_widget_get_state_flags(row.widget).rawValue
        if state & GTK_STATE_FLAG_FOCUS_WITHIN.rawValue != 0,
            gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) == 0
        {
            gtk_widget_child_focus(widget, GTK_DIR_TAB_BACKWARD)
        }
        gtk_box_remove(cast(group.card), row.widget)
        rows.removeAll { $0 === row }
    }

    /// - Parameters:
    ///   - width: of the room for the page, in pixels.
    ///   - scale: of the text; 1 for the usual one.
    func fit(width: Int32, scale: Double) {
        let ems = Double(width) / scale
        let room: Room = ems < 300 ? .tiny : ems < 480 ? .narrow : .wide
        let comfortable = Int32(Double(Self.comfortable) * scale)
        let margin = max(room == .wide ? 18 : 12, (width - comfortable) / 2)
        gtk_widget_set_margin_start(column, margin)
        gtk_widget_set_margin_end(column, margin)
        guard room != self.room else { return }
        self.room = room
        for row in rows { row.fit(room) }
    }

    /// Brings the widgets up to the facts.
    func apply(_ facts: Facts) {}

    /// The window that the page is in.
    var window: Widget? {
        gtk_widget_get_root(widget).map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self) }
    }
}
