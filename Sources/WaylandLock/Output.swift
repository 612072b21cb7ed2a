internal import CWayland
package import MainLoop

/// A monitor, as the compositor tells of it.
@LoopActor
package final class Output {
    enum Event { case appeared, rescaled, vanished }

    let pointer: OpaquePointer
    let name: UInt32
    private let version: UInt32
    /// Pixels of a buffer for one of the surface's, each way; a whole number, at least 1.
    package private(set) var scale: Int32 = 1
    private var next: Int32 = 1
    private let changed: @LoopActor (Output) -> Void

    init(
        _ pointer: OpaquePointer, name: UInt32, version: UInt32, changed: @escaping @LoopActor (Output) -> Void
    ) {
        self.pointer = pointer
        self.name = name
        self.version = version
        self.changed = changed
        wl_output_add_listener(pointer, Output.listener, Callbacks.data(self))
    }

    func release() {
        if version >= 3 { wl_output_release(pointer) } else { wl_output_destroy(pointer) }
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(wl_output_listener()) {
        $0.geometry = { _, _, _, _, _, _, _, _, _, _ in }
        $0.mode = { _, _, _, _, _, _ in }
        $0.scale = { data, _, factor in Callbacks.call(data, Output.self) { $0.next = max(1, factor) } }
        // What was told comes into force together.
        $0.done = { data, _ in
            Callbacks.call(data, Output.self) {
                guard $0.scale != $0.next else { return }
                $0.scale = $0.next
                $0.changed($0)
            }
        }
    }
}
