internal import CWayland
import MainLoop

/// A pointer, and its picture.
@LoopActor
final class Mouse {
    /// linux/input-event-codes.h
    private static let leftButton: UInt32 = 0x110

    private let pointer: OpaquePointer
    private let version: UInt32
    private unowned let compositor: Compositor
    private let style: SeatStyle
    private let report: @LoopActor (SurfaceInput) -> Void
    private var focus: OpaquePointer?
    private var place = (x: 0.0, y: 0.0)
    private var picture: (surface: OpaquePointer, buffer: Buffer)?

    init(
        _ pointer: OpaquePointer, version: UInt32, _ compositor: Compositor, _ style: SeatStyle,
        report: @escaping @LoopActor (SurfaceInput) -> Void
    ) {
        self.pointer = pointer
        self.version = version
        self.compositor = compositor
        self.style = style
        self.report = report
        wl_pointer_add_listener(pointer, Mouse.listener, Callbacks.data(self))
    }

    func release() {
        if version >= 3 { wl_pointer_release(pointer) } else { wl_pointer_destroy(pointer) }
        if let picture {
            wl_surface_destroy(picture.surface)
            picture.buffer.destroy()
        }
        picture = nil
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(wl_pointer_listener()) {
        $0.enter = { data, _, serial, surface, x, y in
            nonisolated(unsafe) let surface = surface
            let place = (wl_fixed_to_double(x), wl_fixed_to_double(y))
            Callbacks.call(data, Mouse.self) {
                $0.focus = surface
                $0.showPicture(serial)
                $0.move(.enter, place)
            }
        }
        $0.leave = { data, _, _, _ in
            Callbacks.call(data, Mouse.self) {
                $0.move(.leave, $0.place)
                $0.focus = nil
            }
        }
        $0.motion = { data, _, _, x, y in
            let place = (wl_fixed_to_double(x), wl_fixed_to_double(y))
            Callbacks.call(data, Mouse.self) { $0.move(.motion, place) }
        }
        $0.button = { data, _, _, _, button, state in
            let isDown = state == WL_POINTER_BUTTON_STATE_PRESSED.rawValue
            Callbacks.call(data, Mouse.self) {
                if button == Mouse.leftButton {
                    $0.move(isDown ? .press : .release, $0.place)
                } else if isDown {
                    $0.report(SurfaceInput(event: .otherButton, surface: $0.focus))
                }
            }
        }
        $0.axis = { _, _, _, _, _ in }
        $0.frame = { _, _ in }
        $0.axis_source = { _, _, _ in }
        $0.axis_stop = { _, _, _, _ in }
        $0.axis_discrete = { _, _, _, _ in }
    }

    private func move(_ stage: InputEvent.Stage, _ place: (x: Double, y: Double)) {
        self.place = place
        report(SurfaceInput(event: .pointer(stage, x: place.x, y: place.y), surface: focus))
    }

    /// Whoever the pointer enters says how it looks; else it keeps the look of the client before.
    private func showPicture(_ serial: UInt32) {
        guard let cursor = style.cursor else { return }
        if picture == nil { picture = paint(cursor) }
        guard let picture else { return }
        wl_pointer_set_cursor(pointer, serial, picture.surface, Int32(cursor.hotX), Int32(cursor.hotY))
        wl_surface_attach(picture.surface, picture.buffer.pointer, 0, 0)
        wl_surface_damage(picture.surface, 0, 0, Int32(cursor.width), Int32(cursor.height))
        wl_surface_commit(picture.surface)
    }

    private func paint(_ cursor: Cursor) -> (OpaquePointer, Buffer)? {
        // Below version 3 a surface has no scale, and the pointer is twice its size.
        let (width, height) = (cursor.width * Cursor.scale, cursor.height * Cursor.scale)
        guard let factory = compositor.surfaces, let memory = compositor.memory,
            let buffer = Buffer(memory, width: width, height: height, .translucent, freed: { _ in }),
            let surface = wl_compositor_create_surface(factory)
        else { return nil }
        let area = PixelArea(x: 0, y: 0, width: width, height: height)
        cursor.paint(LockSurface.Canvas(memory: buffer.memory, width: width, height: height, area: area))
        if compositor.surfacesVersion >= 3 { wl_surface_set_buffer_scale(surface, Int32(Cursor.scale)) }
        return (surface, buffer)
    }
}
