import AuthChannel
import CX11
import Glibc
import MainLoop

/// Makes keysyms and text of keys, by the layout and the compose file of the person at the desk.
@LoopActor
final class Keyboard {
    private let server: XServer
    private var method: XIM?
    private var context: XIC?
    private var isOpen = false

    init(_ server: XServer) { self.server = server }

    isolated deinit {
        if let context { XDestroyIC(context) }
        if let method { XCloseIM(method) }
    }

    /// Reads the compose file: 5 to 20 ms, so not before the screen is covered.
    func open() {
        guard !isOpen else { return }
        isOpen = true
        // The method inside Xlib, whatever the environment asks for: no other process is shown what is typed.
        unsetenv("XMODIFIERS")
        XSetLocaleModifiers("@im=local")
        method = XOpenIM(server.display, nil, nil, nil)
        // The root stands for all windows: no sheet's end ends it.
        if let method { context = smile_create_input_context(method, server.roots[0]) }
        if let context { XSetICFocus(context) } else { log("no compose sequences") }
    }

    /// Hands on what a key event means; nothing while it is part of an unfinished sequence. What a finished one means
    /// comes as an event of its own: see ``finish(_:send:)``.
    func read(_ event: XIDeviceEvent, send: (FeedKey, UnsafeRawBufferPointer) -> Void) {
        open()
        let isPress = event.evtype == XI_KeyPress
        var key = XEvent()
        key.xkey.type = isPress ? KeyPress : KeyRelease
        key.xkey.serial = event.serial
        key.xkey.display = server.display
        key.xkey.window = server.roots[0]
        key.xkey.root = server.roots[0]
        key.xkey.time = event.time
        key.xkey.state = UInt32(event.mods.effective) & 0xFF | UInt32(event.group.effective & 3) << 13
        key.xkey.keycode = UInt32(event.detail)
        key.xkey.same_screen = 1
        guard XFilterEvent(&key, 0) == 0 else { return }
        guard isPress else {
            // A release types nothing; its keysym is found without the input method.
            return send(FeedKey(keysym: plainKeysym(&key), modifiers: modifiers(key), phase: .release), .empty)
        }
        let isRepeated = event.flags & XIKeyRepeat != 0
        look(&key, isRepeated ? .repetition : .press, send)
    }

    /// A sequence is complete: Xlib has put a key event with no keycode into its queue. Others' forgeries, which the
    /// server marks, are none.
    func finish(_ event: inout XEvent, send: (FeedKey, UnsafeRawBufferPointer) -> Void) {
        guard event.xkey.send_event == 0, event.xkey.keycode == 0 else { return }
        look(&event, .press, send)
    }

    private func look(
        _ key: inout XEvent, _ phase: FeedKey.Phase, _ send: (FeedKey, UnsafeRawBufferPointer) -> Void
    ) {
        var keysym = KeySym(NoSymbol)
        withUnsafeTemporaryAllocation(byteCount: FeedMessage.maximumTextSize, alignment: 1) { buffer in
            defer { explicit_bzero(buffer.baseAddress!, buffer.count) }
            let text = buffer.bindMemory(to: CChar.self)
            var count: Int32 = 0
            if let context {
                var status: Int32 = 0
                count = Xutf8LookupString(
                    context, &key.xkey, text.baseAddress, Int32(text.count), &keysym, &status)
                switch status {
                case XLookupChars: keysym = KeySym(NoSymbol)
                case XLookupBoth: break
                // Also a text that is too long: half of it would be worse than none.
                default: count = 0
                }
            } else {
                count = XLookupString(&key.xkey, text.baseAddress, Int32(text.count), &keysym, nil)
                // Latin 1: all that is the same in UTF-8.
                if count != 1 || text[0] < 0 { count = 0 }
            }
            // Control characters are keys, not text.
            if count == 1, buffer[0] < 0x20 || buffer[0] == 0x7F { count = 0 }
            send(
                FeedKey(keysym: UInt32(truncatingIfNeeded: keysym), modifiers: modifiers(key), phase: phase),
                UnsafeRawBufferPointer(rebasing: buffer[..<max(0, Int(count))]))
        }
    }

    private func plainKeysym(_ key: inout XEvent) -> UInt32 {
        var keysym = KeySym(NoSymbol)
        _ = XkbLookupKeySym(
            server.display, KeyCode(truncatingIfNeeded: key.xkey.keycode), key.xkey.state, nil, &keysym)
        return UInt32(truncatingIfNeeded: keysym)
    }

    private func modifiers(_ key: XEvent) -> UInt32 { key.xkey.state & 0xFF }
}

extension UnsafeRawBufferPointer {
    fileprivate static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
