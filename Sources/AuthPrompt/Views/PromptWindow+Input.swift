import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// Keys, the pointer and the focus.
extension PromptWindow {
    func connectInput() {
        connectKeys()
        connectPointer()
        connectPad()
        Signals.onChange(window, of: "is-active") { [weak self] in
            guard let self else { return }
            actions.focus(gtk_window_is_active(cast(window)) != 0)
        }
        Signals.onChange(window, of: "focus-visible") { [weak self] in
            // GTK hides it after 3 s, and one would not know what Enter does.
            guard let self, isSteered, gtk_window_get_focus_visible(cast(window)) == 0 else { return }
            gtk_window_set_focus_visible(cast(window), 1)
        }
        Signals.onChange(window, of: "focus-widget") { [weak self] in
            self?.chooseInputMethod()
            self?.redraw()
        }
    }

    // MARK: keys

    private func connectKeys() {
        let controller = gtk_event_controller_key_new()!
        // Before any widget: no entry widget exists, and none must see them.
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Signals.onKey(controller) { [weak self] press in self?.take(press) ?? false }
        gtk_widget_add_controller(window, controller)
        keys = controller
    }

    /// - Returns: whether the key goes no further.
    private func take(_ press: Signals.KeyPress) -> Bool {
        steer(press.value)
        let combining =
            GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue | GDK_META_MASK.rawValue
        guard press.state.rawValue & combining == 0 else {
            actions.key(.other)
            return true
        }
        switch Int32(bitPattern: press.value) {
        case GDK_KEY_Tab, GDK_KEY_ISO_Left_Tab, GDK_KEY_KP_Tab:
            actions.key(.other)
            return false
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space, GDK_KEY_KP_Space:
            if isOnButton {
                // The button's own key; it still ends a Background.
                actions.key(.other)
                return false
            }
        default: break
        }
        actions.key(key(press.value))
        return true
    }

    enum Fed { case taken, text }

    /// A key that the cover hands on.
    ///
    /// - Returns: whether it is the text of it that counts.
    func fedKey(_ value: UInt32, isCombined: Bool) -> Fed {
        steer(value)
        switch Int32(bitPattern: value) {
        case _ where isCombined: actions.key(.other)
        case GDK_KEY_Tab, GDK_KEY_KP_Tab:
            actions.key(.other)
            gtk_widget_child_focus(window, GTK_DIR_TAB_FORWARD)
        case GDK_KEY_ISO_Left_Tab:
            actions.key(.other)
            gtk_widget_child_focus(window, GTK_DIR_TAB_BACKWARD)
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space, GDK_KEY_KP_Space:
            if isOnButton, let button = gtk_window_get_focus(cast(window)) {
                actions.key(.other)
                smile_click(button)
            } else {
                actions.key(key(value))
            }
        default:
            let plain = key(value)
            // What a key types in a text may be more than its own letter: dead keys, compose.
            if screen.field == .text || screen.field == .account, case .character = plain { return .text }
            actions.key(plain)
        }
        return .taken
    }

    /// Keys that GTK does not see move its focus about too, and it shows it only then.
    private func steer(_ value: UInt32) {
        switch Int32(bitPattern: value) {
        case GDK_KEY_Tab, GDK_KEY_KP_Tab, GDK_KEY_ISO_Left_Tab, GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up, GDK_KEY_Down:
            isSteered = true
            gtk_window_set_focus_visible(cast(window), 1)
        default: break
        }
    }

    private var isOnButton: Bool { smile_is_button(gtk_window_get_focus(cast(window))) != 0 }

    private func key(_ value: UInt32) -> Key {
        Key(
            keysym: value, scalar: gdk_keyval_to_unicode(value),
            typesDigits: screen.field == .row || screen.field == .pad)
    }

    /// Texts go through GTK's own compose tables, for letters with accents; digits through nothing, and neither ever
    /// through an input method that is a process of its own.
    func chooseInputMethod() {
        guard let keys else { return }
        let wants = (screen.field == .text || screen.field == .account) && !isOnButton
        if wants, inputMethod == nil {
            let context = gtk_im_context_simple_new()!
            inputMethod = context
            gtk_im_context_set_client_widget(context, window)
            Signals.onCommit(context) { [weak self] text in
                self?.commit(text)
            }
        }
        if let inputMethod { gtk_im_context_reset(inputMethod) }
        gtk_event_controller_key_set_im_context(keys, wants ? inputMethod : nil)
    }

    /// Decodes in place: a passcode's characters are never in a String.
    private func commit(_ text: UnsafePointer<CChar>) {
        var next = text
        while next.pointee != 0 {
            if let scalar = Unicode.Scalar(g_utf8_get_char(next)) { actions.text(scalar) }
            next += Int(UTF8.width(Unicode.Scalar(g_utf8_get_char(next)) ?? "?"))
        }
    }

    // MARK: the pointer

    private func connectPointer() {
        let motion = gtk_event_controller_motion_new()!
        gtk_event_controller_set_propagation_phase(motion, GTK_PHASE_CAPTURE)
        Signals.onPoint(motion, "motion") { [weak self] x, y in self?.follow(x, y) }
        gtk_widget_add_controller(window, motion)
        let click = gtk_gesture_click_new()!
        gtk_gesture_single_set_button(click, 0)
        gtk_event_controller_set_propagation_phase(click, GTK_PHASE_CAPTURE)
        Signals.onPressed(click) { [weak self] in self?.point() }
        gtk_widget_add_controller(window, click)
    }

    /// A button of the pointer, or a finger on the screen, went down.
    func point() {
        isSteered = false
        gtk_window_set_focus_visible(cast(window), 0)
        actions.touch()
    }

    func follow(_ x: Double, _ y: Double) {
        guard pointer != nil else { return }
        let width = Double(max(1, gtk_widget_get_width(content)))
        let height = Double(max(1, gtk_widget_get_height(content)))
        pointer = (x / width * 2 - 1, y / height * 2 - 1)
        if picture != nil { background.redraw() }
        row.redraw()
        field.redraw()
    }

    // MARK: the pad

    private func connectPad() {
        let drag = gtk_gesture_drag_new()!
        Signals.onPoint(drag, "drag-begin") { [weak self] x, y in
            self?.beginStroke((x, y))
        }
        Signals.onPoint(drag, "drag-update") { [weak self] x, y in
            guard let self else { return }
            continueStroke((strokeStart.x + x, strokeStart.y + y))
        }
        Signals.onPoint(drag, "drag-end") { [weak self] _, _ in
            self?.endStroke()
        }
        gtk_widget_add_controller(pad, drag)
    }

    func beginStroke(_ point: (x: Double, y: Double)) {
        gtk_widget_grab_focus(pad)
        strokeStart = point
        strokePointer = point
        actions.strokeBegan()
        actions.stroke(padGeometry.dots(from: point, to: point))
    }

    func continueStroke(_ point: (x: Double, y: Double)) {
        guard let last = strokePointer else { return }
        strokePointer = point
        actions.stroke(padGeometry.dots(from: last, to: point))
    }

    /// What is left of it is lost; nothing comes of it.
    func abandonStroke() { strokePointer = nil }

    func endStroke() {
        strokePointer = nil
        actions.strokeEnded()
    }

    private var padGeometry: PadGeometry {
        PadGeometry(width: Double(gtk_widget_get_width(pad)), height: Double(gtk_widget_get_height(pad)))
    }
}
