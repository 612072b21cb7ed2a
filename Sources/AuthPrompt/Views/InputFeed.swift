import AuthChannel
import AuthLooks
internal import CGLib
internal import CGtk
internal import CLinux
import Glibc
import MainLoop

/// What a person does at a covered screen: the cover holds the input, and hands it on over descriptor 4.
///
/// GTK makes no events of it, so the few things that a pointer does here are done by hand.
@LoopActor
final class InputFeed {
    nonisolated static let descriptor: Int32 = 4

    private let memory: SecretBuffer
    private let window: PromptWindow
    private let ended: @LoopActor () -> Void
    private var source: LoopSource?
    /// The button that the pointer went down on.
    private var pressed: Widget?
    private var hovered: Widget?
    private var isDrawing = false
    private var finger: UInt32?
    /// The key that repeats itself as long as it is down.
    private var held: UInt32?
    /// Since when keys are meant for this prompt, in seconds of CLOCK_MONOTONIC.
    private var began = InputFeed.now

    /// Whether the process was started with a feed.
    nonisolated static var isThere: Bool { Program.isChannel(descriptor) }

    /// - Parameter ended: called once, when the cover is gone.
    /// - Returns: nil where there is no feed.
    init?(_ window: PromptWindow, ended: @escaping @LoopActor () -> Void) {
        guard InputFeed.isThere, let memory = SecretBuffer(capacity: FeedMessage.maximumSize) else { return nil }
        _ = fcntl(InputFeed.descriptor, F_SETFD, FD_CLOEXEC)
        smile_date_datagrams(InputFeed.descriptor)
        self.memory = memory
        self.window = window
        self.ended = ended
        source = .watch(InputFeed.descriptor, for: .readable) { [weak self] _ in self?.receive() ?? false }
    }

    /// Takes what is there; false when the source is to go.
    private func receive() -> Bool {
        for _ in 0..<32 {
            var count = 0
            var age: Int64 = 0
            memory.fill { room in
                count = smile_receive_dated(InputFeed.descriptor, room.baseAddress, room.count, &age)
                return count
            }
            defer { memory.removeAll() }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { return true }
            guard count > 0 else {
                ended()
                return false
            }
            // What is malformed is no input.
            guard count <= FeedMessage.maximumSize else { continue }
            memory.withBytes { bytes in
                guard let message = FeedMessage(datagram: bytes) else { return }
                if age <= Int64(FeedMessage.freshness) * 1000 { take(message, age) } else { miss(message) }
            }
        }
        return true
    }

    private static var now: Double { Double(g_get_monotonic_time()) / 1_000_000 }

    /// This process got no time, or was stopped: what is old by now is lost.
    private func miss(_ message: FeedMessage) {
        switch message {
        case .key(let key, _) where key.phase == .release: if held == key.keysym { held = nil }
        case .pointer(let pointer) where pointer.kind != .press && !isDrawing: hover(nil)
        default: lose()
        }
    }

    private func lose() {
        if let pressed, pressed != window.pad { gtk_widget_unset_state_flags(pressed, GTK_STATE_FLAG_ACTIVE) }
        if isDrawing { window.abandonStroke() }
        isDrawing = false
        pressed = nil
        finger = nil
        held = nil
        began = InputFeed.now
        window.actions.lost()
    }

    /// - Parameter age: since it was sent, in microseconds.
    private func take(_ message: FeedMessage, _ age: Int64) {
        switch message {
        case .gap: lose()
        case .key(let key, let text): take(key, text, age)
        case .pointer(let pointer):
            switch pointer.kind {
            case .motion: move(pointer.x, pointer.y)
            case .press: if pointer.button == 1 { down(pointer.x, pointer.y) } else { window.point() }
            case .release: if pointer.button == 1 { up(pointer.x, pointer.y) }
            case .leave: hover(nil)
            }
        case .touch(let touch):
            switch touch.kind {
            case .begin where finger == nil:
                finger = touch.id
                down(touch.x, touch.y)
            case .update where finger == touch.id: move(touch.x, touch.y)
            case .end where finger == touch.id:
                finger = nil
                up(touch.x, touch.y)
            default: break
            }
        }
    }

    // MARK: keys

    /// Keys that went down before this prompt took any were meant for something else, however long they are held, and
    /// however late they are read.
    private func take(_ key: FeedKey, _ text: UnsafeRawBufferPointer, _ age: Int64) {
        switch key.phase {
        case .release: if held == key.keysym { held = nil }
        case .repetition: if held == key.keysym { press(key, text) }
        case .press:
            let isMeant = InputFeed.now - Double(age) / 1_000_000 >= began + PromptModel.focusTime
            held = isMeant ? key.keysym : nil
            if isMeant { press(key, text) }
        }
    }

    private func press(_ key: FeedKey, _ text: UnsafeRawBufferPointer) {
        // Control, Mod1 (Alt) and Mod4 (Super) make combinations, Mod5 (AltGr) letters.
        let isCombined = key.modifiers & (4 | 8 | 64) != 0
        switch window.fedKey(key.keysym, isCombined: isCombined) {
        case .taken: return
        case .text:
            var rest = text[...]
            while !rest.isEmpty, let (scalar, length) = InputFeed.first(of: rest) {
                if scalar.value >= 0x20 { window.actions.text(scalar) }
                rest = rest.dropFirst(length)
            }
        }
    }

    /// The first scalar of UTF-8, in place: a passcode's characters are never in a String.
    private static func first(of bytes: Slice<UnsafeRawBufferPointer>) -> (Unicode.Scalar, Int)? {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        guard case .valid(let encoded) = parser.parseScalar(from: &iterator) else { return nil }
        return (Unicode.UTF8.decode(encoded), encoded.count)
    }

    // MARK: the pointer

    private func place(_ x: Int32, _ y: Int32) -> (x: Double, y: Double) {
        let scale = Double(max(1, gtk_widget_get_scale_factor(window.window)))
        return (Double(x) / scale, Double(y) / scale)
    }

    /// The button or the pad under a point of the window.
    private func target(_ point: (x: Double, y: Double)) -> Widget? {
        var widget = gtk_widget_pick(window.window, point.x, point.y, GTK_PICK_DEFAULT)
        while let found = widget, found != window.pad, smile_is_button(found) == 0 {
            widget = gtk_widget_get_parent(found)
        }
        return widget
    }

    private func onPad(_ point: (x: Double, y: Double)) -> (x: Double, y: Double) {
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(window.window, window.pad, point.x, point.y, &x, &y)
        return (x, y)
    }

    private func down(_ x: Int32, _ y: Int32) {
        let point = place(x, y)
        window.point()
        pressed = target(point)
        if pressed == window.pad {
            isDrawing = true
            window.beginStroke(onPad(point))
        } else if let pressed {
            gtk_widget_set_state_flags(pressed, GTK_STATE_FLAG_ACTIVE, 0)
        }
    }

    private func move(_ x: Int32, _ y: Int32) {
        let point = place(x, y)
        window.follow(point.x, point.y)
        if isDrawing { window.continueStroke(onPad(point)) } else { hover(target(point)) }
    }

    private func up(_ x: Int32, _ y: Int32) {
        if isDrawing {
            isDrawing = false
            window.endStroke()
        } else if let button = pressed {
            gtk_widget_unset_state_flags(button, GTK_STATE_FLAG_ACTIVE)
            if target(place(x, y)) == button { smile_click(button) }
        }
        pressed = nil
    }

    private func hover(_ widget: Widget?) {
        guard widget != hovered else { return }
        if let hovered { gtk_widget_unset_state_flags(hovered, GTK_STATE_FLAG_PRELIGHT) }
        if let widget { gtk_widget_set_state_flags(widget, GTK_STATE_FLAG_PRELIGHT, 0) }
        hovered = widget
    }
}
