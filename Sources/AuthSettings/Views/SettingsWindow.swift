import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// The window: a list of pages and the one that is chosen, beside each other where there is room, else one at a time.
@LoopActor
final class SettingsWindow {
    /// Narrower windows show the list or the page: in pixels, at the usual size of text.
    private static let twoColumns = 620.0
    /// Of a line of such text.
    private static let lineHeight = 19.0

    struct Page {
        var name: String
        var title: String
        var icon: String
        var view: PageView
    }

    let window = gtk_window_new()!
    let pages: [Page]
    let looks: LooksView
    private let header = gtk_header_bar_new()!
    private let back = gtk_button_new()!
    private let heading = gtk_label_new("")!
    private let banner = Controls.line()
    private let bannerText = Controls.label(role: GTK_ACCESSIBLE_ROLE_STATUS)
    private let bannerAlert = Controls.label("failure", role: GTK_ACCESSIBLE_ROLE_ALERT)
    private let start: Widget
    private let unlock: Widget
    private let list = gtk_list_box_new()!
    private let sidebar = gtk_scrolled_window_new()!
    private let room = Make.box(GTK_ORIENTATION_VERTICAL)
    private var isNarrow = false
    /// Whether the narrow window shows the list.
    private var showsList = true
    private var shownBanner: Banner?

    init(_ model: SettingsModel, close: @escaping @LoopActor () -> Void) {
        looks = LooksView(model)
        pages = [
            Page(
                name: "passcode", title: Texts.passcode, icon: "dialog-password-symbolic", view: PasscodeView(model)),
            Page(name: "fingers", title: Texts.fingers, icon: "auth-fingerprint-symbolic", view: FingersView(model)),
            Page(
                name: "locking", title: Texts.locking, icon: "system-lock-screen-symbolic", view: LockingView(model)),
            Page(name: "looks", title: Texts.looks, icon: "preferences-desktop-appearance-symbolic", view: looks),
            Page(name: "apps", title: Texts.apps, icon: "view-app-grid-symbolic", view: AppsView(model)),
        ]
        start = Controls.button(Texts.startService) { [model] in model.link.start() }
        unlock = Controls.button(Texts.unlock) { [model] in model.unlock() }
        assemble()
        connect(close)
        gtk_list_box_select_row(OpaquePointer(list), gtk_list_box_get_row_at_index(OpaquePointer(list), 0))
        choose()
        fold()
    }

    // MARK: the tree

    private func assemble() {
        gtk_window_set_title(cast(window), Texts.window)
        gtk_window_set_default_size(cast(window), 980, 700)
        gtk_widget_add_css_class(window, "settings")
        assembleHeader()
        gtk_list_box_set_selection_mode(OpaquePointer(list), GTK_SELECTION_BROWSE)
        gtk_widget_add_css_class(list, "sidebar-list")
        for page in pages { addToList(page) }
        smile_accessible_set_name(list, Texts.window, "")
        gtk_widget_add_css_class(sidebar, "sidebar")
        gtk_scrolled_window_set_policy(OpaquePointer(sidebar), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_child(OpaquePointer(sidebar), list)
        gtk_widget_set_focusable(sidebar, 0)
        // No stack: a page that does not show is not there for who hears it either.
        for page in pages { gtk_box_append(cast(room), page.view.whole) }
        gtk_widget_set_hexpand(room, 1)
        banner.setStyle("banner", true)
        gtk_widget_set_hexpand(bannerText, 1)
        gtk_widget_set_hexpand(bannerAlert, 1)
        for (index, part) in [bannerText, bannerAlert, start, unlock].enumerated() {
            gtk_grid_attach(cast(banner), part, Int32(index), 0, 1, 1)
        }
        let columns = Make.box(GTK_ORIENTATION_HORIZONTAL)
        for part in [sidebar, room] { gtk_box_append(cast(columns), part) }
        gtk_widget_set_vexpand(columns, 1)
        let content = Make.box(GTK_ORIENTATION_VERTICAL)
        for part in [banner, columns] { gtk_box_append(cast(content), part) }
        gtk_window_set_child(cast(window), content)
    }

    private func assembleHeader() {
        gtk_label_set_ellipsize(OpaquePointer(heading), PANGO_ELLIPSIZE_END)
        gtk_widget_add_css_class(heading, "title")
        gtk_header_bar_set_title_widget(OpaquePointer(header), heading)
        gtk_button_set_icon_name(cast(back), "go-previous-symbolic")
        smile_accessible_set_name(back, Texts.plain(Texts.back), "")
        gtk_widget_set_tooltip_text(back, Texts.plain(Texts.back))
        gtk_header_bar_pack_start(OpaquePointer(header), back)
        gtk_window_set_titlebar(cast(window), header)
    }

    private func addToList(_ page: Page) {
        let row = gtk_list_box_row_new()!
        let line = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10)
        let label = Controls.label()
        gtk_label_set_text_with_mnemonic(OpaquePointer(label), page.title)
        gtk_label_set_wrap(OpaquePointer(label), 0)
        gtk_label_set_mnemonic_widget(OpaquePointer(label), row)
        for part in [Controls.icon(page.icon), label] { gtk_box_append(cast(line), part) }
        gtk_list_box_row_set_child(cast(row), line)
        gtk_list_box_append(OpaquePointer(list), row)
        Signals.onNumber(row, "mnemonic-activate") { [weak self] _ in
            self?.open(page.name)
            return true
        }
    }

    // MARK: what is done to it

    private func connect(_ close: @escaping @LoopActor () -> Void) {
        Signals.on(list, "selected-rows-changed") { [weak self] in
            self?.choose()
            return true
        }
        // Also of the row that is selected already: in a narrow window that leads to its page.
        Signals.onActivation(list, "row-activated") { [weak self] in self?.enter() }
        Signals.on(back, "clicked") { [weak self] in
            self?.goBack()
            return true
        }
        Signals.on(window, "close-request") {
            close()
            return true
        }
        // In a list of GTK's the Tab key goes from row to row.
        let tabs = gtk_event_controller_key_new()!
        gtk_event_controller_set_propagation_phase(tabs, GTK_PHASE_CAPTURE)
        Signals.onKey(tabs) { [weak self] press in self?.leaveList(press) ?? false }
        gtk_widget_add_controller(list, tabs)
        let keys = gtk_event_controller_key_new()!
        Signals.onKey(keys) { [weak self] press in self?.take(press, close) ?? false }
        gtk_widget_add_controller(window, keys)
        Signals.on(window, "realize") { [weak self] in
            guard let self, let surface = gtk_native_get_surface(OpaquePointer(window)) else { return true }
            Signals.onChange(UnsafeMutableRawPointer(surface), of: "width") { [weak self] in self?.fold() }
            return true
        }
    }

    private func take(_ press: Signals.KeyPress, _ close: @LoopActor () -> Void) -> Bool {
        let isControl = press.state.rawValue & GDK_CONTROL_MASK.rawValue != 0
        let isAlt = press.state.rawValue & GDK_ALT_MASK.rawValue != 0
        switch Int32(bitPattern: press.value) {
        case GDK_KEY_q where isControl, GDK_KEY_w where isControl: close()
        case GDK_KEY_Escape, GDK_KEY_Back: return goBack()
        case GDK_KEY_Left where isAlt, GDK_KEY_Right where isAlt: return goBack()
        case GDK_KEY_Page_Down where isControl: step(1)
        case GDK_KEY_Page_Up where isControl: step(-1)
        default: return false
        }
        return true
    }

    private func leaveList(_ press: Signals.KeyPress) -> Bool {
        switch Int32(bitPattern: press.value) {
        case GDK_KEY_Tab, GDK_KEY_KP_Tab:
            let target = isNarrow ? header : room
            return gtk_widget_child_focus(target, GTK_DIR_TAB_FORWARD) != 0
        case GDK_KEY_ISO_Left_Tab:
            return [banner, header].contains { gtk_widget_child_focus($0, GTK_DIR_TAB_BACKWARD) != 0 }
        default: return false
        }
    }

    private func step(_ steps: Int) {
        open(pages[(chosen + steps + pages.count) % pages.count].name)
    }

    @discardableResult
    private func goBack() -> Bool {
        guard isNarrow, !showsList else { return false }
        showsList = true
        show()
        focusList()
        return true
    }

    /// Opens a page by its name; false where there is none of it.
    @discardableResult
    func open(_ name: String) -> Bool {
        guard let index = pages.firstIndex(where: { $0.name == name }),
            let row = gtk_list_box_get_row_at_index(OpaquePointer(list), Int32(index))
        else { return false }
        gtk_list_box_select_row(OpaquePointer(list), row)
        enter()
        if !isNarrow { gtk_widget_grab_focus(cast(row)) }
        return true
    }

    /// Where the keyboard begins.
    func focusList() {
        if let row = gtk_list_box_get_selected_row(OpaquePointer(list)) { gtk_widget_grab_focus(cast(row)) }
    }

    private var chosen: Int {
        gtk_list_box_get_selected_row(OpaquePointer(list)).map { Int(gtk_list_box_row_get_index($0)) } ?? 0
    }

    private func choose() {
        guard pages.indices.contains(chosen) else { return }
        for (index, page) in pages.enumerated() { page.view.whole.setVisible(index == chosen) }
        show()
    }

    private func enter() {
        showsList = false
        choose()
        if isNarrow { gtk_widget_child_focus(room, GTK_DIR_TAB_FORWARD) }
    }

    // MARK: how wide it is

    private func fold() {
        let width = gtk_native_get_surface(OpaquePointer(window)).map(gdk_surface_get_width) ?? 980
        var (natural, line): (Int32, Int32) = (0, 0)
        gtk_widget_measure(heading, GTK_ORIENTATION_VERTICAL, -1, nil, &line, nil, nil)
        let scale = max(1, Double(line) / Self.lineHeight)
        isNarrow = Double(width) < Self.twoColumns * scale
        gtk_widget_measure(sidebar, GTK_ORIENTATION_HORIZONTAL, -1, nil, &natural, nil, nil)
        let left = isNarrow ? width : width - natural
        for page in pages { page.view.fit(width: left, scale: scale) }
        show()
    }

    private func show() {
        sidebar.setVisible(!isNarrow || showsList)
        room.setVisible(!isNarrow || !showsList)
        back.setVisible(isNarrow && !showsList)
        gtk_widget_set_hexpand(sidebar, isNarrow ? 1 : 0)
        sidebar.setStyle("alone", isNarrow)
        let title = isNarrow && showsList ? Texts.window : Texts.plain(pages[chosen].title)
        gtk_label_set_text(OpaquePointer(heading), title)
    }

    // MARK: what it says

    func apply(_ facts: Facts) {
        let next = Banner(facts)
        if next != shownBanner {
            shownBanner = next
            banner.setVisible(!next.text.isEmpty)
            banner.setStyle("alert", next.isAlert)
            bannerText.setText(next.isAlert ? "" : next.text)
            bannerAlert.setText(next.isAlert ? next.text : "")
            // The keyboard's focus is not lost with a button.
            let hadFocus = [start, unlock].contains { gtk_widget_has_focus($0) != 0 }
            start.setVisible(next.offersStart)
            unlock.setVisible(next.offersUnlock)
            if hadFocus, !next.offersStart, !next.offersUnlock { focusList() }
        }
        for page in pages { page.view.apply(facts) }
    }
}
