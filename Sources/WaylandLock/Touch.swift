internal import CWayland
import MainLoop

/// A touch screen. Each finger stays with the surface that it went down on.
@LoopActor
final class Touch {
    private struct Finger {
        var surface: OpaquePointer?
        var place: (x: Double, y: Double)
    }

    private let pointer: OpaquePointer
    private let version: UInt32
    private let report: @LoopActor (SurfaceInput) -> Void
    private var fingers: [Int32: Finger] = [:]

    init(_ pointer: OpaquePointer, version: UInt32, report: @escaping @LoopActor (SurfaceInput) -> Void) {
        self.pointer = pointer
        self.version = version
        self.report = report
        wl_touch_add_listener(pointer, Touch.listener, Callbacks.data(self))
    }

    func release() {
        if version >= 3 { wl_touch_release(pointer) } else { wl_touch_destroy(pointer) }
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(wl_touch_listener()) {
        $0.down = { data, _, _, _, surface, id, x, y in
            nonisolated(unsafe) let surface = surface
            let place = (wl_fixed_to_double(x), wl_fixed_to_double(y))
            Callbacks.call(data, Touch.self) {
                $0.fingers[id] = Finger(surface: surface, place: place)
                $0.tell(.press, id)
            }
        }
        $0.up = { data, _, _, _, id in
            Callbacks.call(data, Touch.self) {
                $0.tell(.release, id)
                $0.fingers[id] = nil
            }
        }
        $0.motion = { data, _, _, id, x, y in
            let place = (wl_fixed_to_double(x), wl_fixed_to_double(y))
            Callbacks.call(data, Touch.self) {
                $0.fingers[id]?.place = place
                $0.tell(.motion, id)
            }
        }
        $0.frame = { _, _ in }
        $0.cancel = { data, _ in
            Callbacks.call(data, Touch.self) {
                $0.fingers = [:]
                $0.report(SurfaceInput(event: .touchCancelled, surface: nil))
            }
        }
        $0.shape = { _, _, _, _, _ in }
        $0.orientation = { _, _, _, _ in }
    }

    private func tell(_ stage: InputEvent.Stage, _ id: Int32) {
        guard let finger = fingers[id] else { return }
        report(
            SurfaceInput(
                event: .touch(stage, id: id, x: finger.place.x, y: finger.place.y), surface: finger.surface))
    }
}
