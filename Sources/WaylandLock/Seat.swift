internal import CWayland
import MainLoop

/// A person's keyboard, pointer and touch screen.
@LoopActor
final class Seat {
    let name: UInt32
    private let pointer: OpaquePointer
    private let version: UInt32
    private unowned let compositor: Compositor
    private let style: SeatStyle
    private let report: @LoopActor (SurfaceInput) -> Void
    private var keyboard: Keyboard?
    private var mouse: Mouse?
    private var touch: Touch?

    init(
        _ pointer: OpaquePointer, name: UInt32, version: UInt32, _ compositor: Compositor, _ style: SeatStyle,
        report: @escaping @LoopActor (SurfaceInput) -> Void
    ) {
        self.pointer = pointer
        self.name = name
        self.version = version
        self.compositor = compositor
        self.style = style
        self.report = report
        wl_seat_add_listener(pointer, Seat.listener, Callbacks.data(self))
    }

    func release() {
        update(0)
        if version >= 5 { wl_seat_release(pointer) } else { wl_seat_destroy(pointer) }
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(wl_seat_listener()) {
        $0.capabilities = { data, _, capabilities in
            Callbacks.call(data, Seat.self) { $0.update(capabilities) }
        }
        $0.name = { _, _, _ in }
    }

    private func update(_ capabilities: UInt32) {
        func has(_ capability: wl_seat_capability) -> Bool { capabilities & capability.rawValue != 0 }
        if !has(WL_SEAT_CAPABILITY_KEYBOARD) {
            keyboard?.release()
            keyboard = nil
        } else if keyboard == nil, let made = wl_seat_get_keyboard(pointer) {
            keyboard = Keyboard(made, version: version, style, report: report)
        }
        if !has(WL_SEAT_CAPABILITY_POINTER) {
            mouse?.release()
            mouse = nil
        } else if mouse == nil, let made = wl_seat_get_pointer(pointer) {
            mouse = Mouse(made, version: version, compositor, style, report: report)
        }
        if !has(WL_SEAT_CAPABILITY_TOUCH) {
            touch?.release()
            touch = nil
        } else if touch == nil, let made = wl_seat_get_touch(pointer) {
            touch = Touch(made, version: version, report: report)
        }
    }
}
