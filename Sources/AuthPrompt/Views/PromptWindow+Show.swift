import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// Puts values on the widgets.
extension PromptWindow {
    func apply(_ next: Screen) {
        let old = screen
        screen = next
        guard next != old || choiceButtons.isEmpty != next.choices.isEmpty else { return }
        gtk_window_set_title(cast(window), next.title)
        let showsLogo = next.showsLogo && hasLogo
        logo.setVisible(showsLogo)
        title.setText(showsLogo ? "" : next.title)
        smile_accessible_set_name(logo, next.title, "")
        showCancel(next.cancel)
        owner.setText(next.owner)
        requester.setText(next.requester)
        reason.setText(next.reason)
        description.setText(next.isAlert ? "" : next.description)
        alert.setLastingText(next.isAlert ? next.description : "", space: PromptWindow.describedSpace)
        wait.setText(next.wait)
        line.setTitle(next.line)
        fallback.setTitle(next.fallback)
        account.setTitle(next.account)
        applyEntry(next)
        applyFingers(next)
        if next.field != old.field { chooseInputMethod() }
        if next.field != old.field || isFocusLost, let entryWidget { gtk_widget_grab_focus(entryWidget) }
        redraw()
    }

    /// A caller's title leaves room for ours. A screen reader has all of it.
    private func showCancel(_ words: String) {
        cancel.setTitle(words)
        let isLong = words.count > 16
        let label = OpaquePointer(gtk_button_get_child(cast(cancel)))
        gtk_label_set_ellipsize(label, isLong ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE)
        gtk_label_set_width_chars(label, isLong ? 16 : -1)
    }

    /// The button that had it may be gone: a screen reader would have lost its place.
    private var isFocusLost: Bool {
        guard let focus = gtk_window_get_focus(cast(window)) else { return true }
        return gtk_widget_is_visible(focus) == 0 || gtk_widget_is_sensitive(focus) == 0
    }

    private func applyEntry(_ next: Screen) {
        row.setVisible(next.field == .row)
        field.setVisible(next.field == .text || next.field == .account)
        pad.setVisible(next.field == .pad)
        guard let entryWidget else { return }
        smile_accessible_set_name(entryWidget, next.entryName, next.entryHelp)
        if next.field == .row {
            smile_accessible_set_value(row, Double(next.filled), Double(next.digits), next.entryName)
        }
    }

    private func applyFingers(_ next: Screen) {
        finger.setVisible(next.finger != nil)
        if let button = next.finger {
            fingerTitle.setText(button.title)
            fingerGlyph.setVisible(!hasFingerImage)
            fingerImage.setVisible(hasFingerImage)
            finger.setSensitive(button.isSensitive)
            smile_accessible_set_name(finger, PromptTexts.finger, button.title)
        }
        choices.setVisible(!next.choices.isEmpty)
        if choiceButtons.count != next.choices.count { makeChoices(next.choices.count) }
        for (index, choice) in next.choices.enumerated() {
            let button = choiceButtons[index]
            button.setTitle(choice.title)
            button.setStyle("picked", choice.isPicked)
            button.setSensitive(choice.isSensitive)
            smile_accessible_set_pressed(button, choice.isPicked ? 1 : 0)
        }
    }

    private func makeChoices(_ count: Int) {
        Columns.removeAll(from: choices)
        choiceButtons = (0..<count).map { index in
            let button = Make.button("choice")
            gtk_widget_set_halign(button, GTK_ALIGN_FILL)
            Signals.on(button, "clicked") { [weak self] in
                guard let self, index < screen.choices.count else { return true }
                actions.button(.finger(screen.choices[index].finger))
                return true
            }
            Columns.append(button, to: choices)
            return button
        }
    }

    // MARK: on the screen

    /// Maps it, and says when its first frame has been drawn.
    ///
    /// - Parameters:
    ///   - isLock: whether it is the session's lock, which has the screen for itself.
    ///   - isCovered: whether a cover holds the input: then it lies above that, where no window manager's do.
    ///   - parent: of a window that is no lock, as Present's `parent_window` has it.
    /// - Returns: the number of the X window above a cover; 0 for every other.
    func present(isLock: Bool, isCovered: Bool, parent: String) -> UInt32 {
        var area = GdkRectangle()
        let hasArea = isLock && smile_monitor(gtk_widget_get_display(window), &area) != 0
        if isLock { gtk_window_set_decorated(cast(window), 0) }
        if hasArea {
            let scale = max(1, gtk_widget_get_scale_factor(window))
            gtk_window_set_default_size(cast(window), area.width / scale, area.height / scale)
        }
        gtk_widget_realize(window)
        var number: UInt32 = 0
        let surface = gtk_native_get_surface(OpaquePointer(window))
        if let surface, isLock, isCovered {
            number = smile_take_from_manager(surface)
        } else if let surface, !isLock {
            setParent(parent, surface)
        }
        // Where there are no such windows the compositor has to do it.
        if isLock, number == 0 { gtk_window_fullscreen(cast(window)) }
        if let clock = gtk_widget_get_frame_clock(window) {
            Signals.on(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in
                guard let self, gtk_widget_get_mapped(window) != 0 else { return true }
                actions.firstFrame()
                return true
            }
        }
        gtk_window_present(cast(window))
        if let surface, number != 0, hasArea { smile_place(surface, area.x, area.y, area.width, area.height) }
        return number
    }

    /// A window that stands becomes the session's lock, as far as a window can be one, or is one no more.
    func turn(toLock isLock: Bool) {
        gtk_window_set_decorated(cast(window), isLock ? 0 : 1)
        if isLock { gtk_window_fullscreen(cast(window)) } else { gtk_window_unfullscreen(cast(window)) }
    }

    private func setParent(_ parent: String, _ surface: OpaquePointer) {
        if parent.hasPrefix("x11:"), let id = UInt(parent.dropFirst(4), radix: 16) {
            smile_set_x11_parent(surface, id)
        } else if parent.hasPrefix("wayland:") {
            smile_set_wayland_parent(surface, String(parent.dropFirst(8)))
        }
    }

    func close() { gtk_window_destroy(cast(window)) }
}
