internal import CWayland
import Glibc
import MainLoop

/// A keyboard: the compositor says which keys go down, xkbcommon what they mean.
@LoopActor
final class Keyboard {
    /// The longest text of one key or one composed character, in bytes.
    private static let longestText = 256

    private let pointer: OpaquePointer
    private let version: UInt32
    private let style: SeatStyle
    private let report: @LoopActor (SurfaceInput) -> Void
    private let context = xkb_context_new(XKB_CONTEXT_NO_FLAGS)
    private var map: OpaquePointer?
    private var state: OpaquePointer?
    private var compose: OpaquePointer?
    private var hasCompose = false
    private var focus: OpaquePointer?
    private let text = SecretBuffer(capacity: Keyboard.longestText)
    /// Milliseconds until a held key comes again, and from then on.
    private var delay = 600
    private var interval = 40
    private var held: UInt32?
    private var repeating: LoopSource?

    init(
        _ pointer: OpaquePointer, version: UInt32, _ style: SeatStyle,
        report: @escaping @LoopActor (SurfaceInput) -> Void
    ) {
        self.pointer = pointer
        self.version = version
        self.style = style
        self.report = report
        wl_keyboard_add_listener(pointer, Keyboard.listener, Callbacks.data(self))
    }

    func release() {
        left()
        if version >= 3 { wl_keyboard_release(pointer) } else { wl_keyboard_destroy(pointer) }
        xkb_compose_state_unref(compose)
        xkb_state_unref(state)
        xkb_keymap_unref(map)
        xkb_context_unref(context)
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(wl_keyboard_listener()) {
        $0.keymap = { data, _, format, descriptor, size in
            Callbacks.call(data, Keyboard.self) {
                if format == WL_KEYBOARD_KEYMAP_FORMAT_XKB_V1.rawValue { $0.use(descriptor, Int(size)) }
            }
            Glibc.close(descriptor)
        }
        $0.enter = { data, _, _, surface, _ in
            nonisolated(unsafe) let surface = surface
            Callbacks.call(data, Keyboard.self) { $0.entered(surface) }
        }
        $0.leave = { data, _, _, _ in Callbacks.call(data, Keyboard.self) { $0.left() } }
        $0.key = { data, _, _, _, key, state in
            Callbacks.call(data, Keyboard.self) {
                // The kernel's numbers and X's are 8 apart (wl_keyboard.keymap).
                $0.changed(key + 8, isDown: state == WL_KEYBOARD_KEY_STATE_PRESSED.rawValue)
            }
        }
        $0.modifiers = { data, _, _, down, latched, locked, group in
            Callbacks.call(data, Keyboard.self) {
                if let state = $0.state { xkb_state_update_mask(state, down, latched, locked, 0, 0, group) }
            }
        }
        $0.repeat_info = { data, _, rate, delay in
            Callbacks.call(data, Keyboard.self) {
                $0.interval = rate > 0 ? max(1, 1000 / Int(rate)) : 0
                $0.delay = max(1, Int(delay))
            }
        }
    }

    private func use(_ descriptor: Int32, _ size: Int) {
        guard size > 0, let bytes = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), bytes != MAP_FAILED
        else { return }
        defer { munmap(bytes, size) }
        let characters = bytes.assumingMemoryBound(to: CChar.self)
        let length = strnlen(characters, size)
        guard
            let made = xkb_keymap_new_from_buffer(
                context, characters, length, XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS),
            let state = xkb_state_new(made)
        else { return }
        xkb_state_unref(self.state)
        xkb_keymap_unref(map)
        map = made
        self.state = state
    }

    // MARK: focus

    private func entered(_ surface: OpaquePointer?) {
        focus = surface
        if let compose { xkb_compose_state_reset(compose) }
        tell(.focus(true))
    }

    private func left() {
        stopRepeating()
        guard focus != nil else { return }
        tell(.focus(false))
        focus = nil
    }

    private func tell(_ event: InputEvent) { report(SurfaceInput(event: event, surface: focus)) }

    // MARK: keys

    private func changed(_ code: UInt32, isDown: Bool) {
        guard isDown else {
            if held == code { stopRepeating() }
            return
        }
        stopRepeating()
        press(code, isRepeat: false)
        guard let map, interval > 0, xkb_keymap_key_repeats(map, code) != 0 else { return }
        held = code
        repeating = .after(.milliseconds(delay)) { [weak self] in
            guard let self else { return }
            repeating = .every(.milliseconds(interval)) { [weak self] in self?.press(code, isRepeat: true) }
            press(code, isRepeat: true)
        }
    }

    private func stopRepeating() {
        held = nil
        repeating = nil
    }

    private func press(_ code: UInt32, isRepeat: Bool) {
        guard let state, let text else { return }
        defer { text.removeAll() }
        let keysym = xkb_state_key_get_one_sym(state, code)
        // Control, Mod1 (Alt) and Mod4 (the logo) make combinations, Mod5 (AltGr) letters.
        let isCombined = ["Control", "Mod1", "Mod4"].contains { (name: String) in
            xkb_state_mod_name_is_active(state, name, XKB_STATE_MODS_EFFECTIVE) > 0
        }
        var press = KeyPress(
            keysym: keysym, scalar: xkb_keysym_to_utf32(keysym), isCombined: isCombined, isRepeat: isRepeat,
            isPart: false)
        if !isCombined { fill(text, state, code, &press) }
        text.withBytes { tell(.key(press, $0)) }
    }

    /// Writes what the key types into `text`.
    private func fill(_ text: SecretBuffer, _ state: OpaquePointer, _ code: UInt32, _ press: inout KeyPress) {
        func take(_ write: (UnsafeMutablePointer<CChar>, Int) -> Int32) {
            text.fill { room in
                // With its end; what does not fit is no text.
                let length = Int(write(room.baseAddress!.assumingMemoryBound(to: CChar.self), room.count))
                return length < room.count ? max(0, length) : 0
            }
        }
        if style.composes, let compose = composing() {
            xkb_compose_state_feed(compose, press.keysym)
            switch xkb_compose_state_get_status(compose) {
            case XKB_COMPOSE_COMPOSING:
                press.isPart = true
                return
            case XKB_COMPOSE_COMPOSED:
                take { Int32(xkb_compose_state_get_utf8(compose, $0, $1)) }
                press.keysym = xkb_compose_state_get_one_sym(compose)
                press.scalar = xkb_keysym_to_utf32(press.keysym)
                xkb_compose_state_reset(compose)
                return
            case XKB_COMPOSE_CANCELLED:
                press.isPart = true
                xkb_compose_state_reset(compose)
                return
            default: break
            }
        }
        take { Int32(xkb_state_key_get_utf8(state, code, $0, $1)) }
    }

    /// The locale's table, read when it is first needed.
    private func composing() -> OpaquePointer? {
        guard !hasCompose else { return compose }
        hasCompose = true
        let locale = setlocale(LC_CTYPE, nil).map { String(cString: $0) } ?? "C"
        // Locales without a table of their own have the one that most others have, too.
        let found = [locale, "en_US.UTF-8"].lazy.compactMap { [context] (name: String) in
            xkb_compose_table_new_from_locale(context, name, XKB_COMPOSE_COMPILE_NO_FLAGS)
        }
        guard let table = found.first else { return nil }
        compose = xkb_compose_state_new(table, XKB_COMPOSE_STATE_NO_FLAGS)
        xkb_compose_table_unref(table)
        return compose
    }
}
