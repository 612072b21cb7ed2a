internal import CWayland
package import MainLoop

/// What one output shows while the session is locked.
@LoopActor
package final class LockSurface {
    /// What is painted on: 32 bits a pixel, ``LockSurface/width`` times ``LockSurface/scale`` wide.
    package struct Canvas {
        package let memory: UnsafeMutableRawPointer
        package let width: Int
        package let height: Int
        package var stride: Int { width * 4 }
        /// What has to be painted; the rest is as it was.
        package let area: PixelArea
    }

    package let output: Output
    let surface: OpaquePointer
    private let role: OpaquePointer
    private unowned let compositor: Compositor
    private let memory: OpaquePointer
    private let version: UInt32
    /// In the surface's own pixels, as the compositor wants it; 0 until it has said so.
    package private(set) var width = 0
    package private(set) var height = 0
    package private(set) var scale: Int32 = 1
    private var buffers: [Buffer] = []
    /// Of another size; they stay until the compositor has let go of them.
    private var old: [Buffer] = []
    private var frame: OpaquePointer?
    /// Whether something was to be painted and there was no buffer for it.
    private var isOwed = false
    package private(set) var hasContent = false
    private var isGone = false

    /// It has another size or scale: all of it is to be painted.
    package var onConfigure: (@LoopActor (LockSurface) -> Void)?
    /// The next frame is to be made; only after one that asked for it, or that could not be painted.
    package var onFrame: (@LoopActor (LockSurface) -> Void)?

    init?(_ compositor: Compositor, lock: OpaquePointer, _ output: Output) {
        guard let factory = compositor.surfaces, let memory = compositor.memory,
            let surface = wl_compositor_create_surface(factory),
            let role = ext_session_lock_v1_get_lock_surface(lock, surface, output.pointer)
        else { return nil }
        self.output = output
        self.surface = surface
        self.role = role
        self.memory = memory
        self.compositor = compositor
        version = compositor.surfacesVersion
        scale = output.scale
        ext_session_lock_surface_v1_add_listener(role, LockSurface.listener, Callbacks.data(self))
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(ext_session_lock_surface_v1_listener()) {
        $0.configure = { data, role, serial, width, height in
            nonisolated(unsafe) let role = role
            Callbacks.call(data, LockSurface.self) {
                // One of no use to us is acknowledged all the same.
                if let role { ext_session_lock_surface_v1_ack_configure(role, serial) }
                $0.resize(Int(width), Int(height), $0.output.scale)
            }
        }
    }

    private nonisolated(unsafe) static let frameListener = Callbacks.listener(wl_callback_listener()) {
        $0.done = { data, callback, _ in
            if let callback { wl_callback_destroy(callback) }
            Callbacks.call(data, LockSurface.self) {
                $0.frame = nil
                $0.onFrame?($0)
            }
        }
    }

    private func resize(_ width: Int, _ height: Int, _ scale: Int32) {
        self.width = width
        self.height = height
        self.scale = scale
        for buffer in buffers { if buffer.isBusy { old.append(buffer) } else { buffer.destroy() } }
        buffers = []
        onConfigure?(self)
    }

    func rescale() {
        guard width > 0, scale != output.scale else { return }
        resize(width, height, output.scale)
    }

    /// Whether a frame is under way: the next one is better made when ``onFrame`` is called.
    package var isWaitingForFrame: Bool { frame != nil }

    /// Paints what has changed, and what the buffer has missed, and puts it on the screen.
    ///
    /// - Parameters:
    ///   - changed: in the buffer's pixels; nil for all of it.
    ///   - asksForFrame: whether ``onFrame`` is to be called when it is time for the next one.
    package func paint(_ changed: PixelArea? = nil, asksForFrame: Bool, _ body: (Canvas) -> Void) {
        let (across, down) = (width * Int(scale), height * Int(scale))
        guard !isGone, across > 0, down > 0 else { return }
        let whole = PixelArea(x: 0, y: 0, width: across, height: down)
        let area = changed?.clipped(width: across, height: down) ?? whole
        for buffer in buffers { buffer.stale = buffer.stale.union(area) }
        guard let buffer = freeBuffer(across, down) else {
            isOwed = true
            return
        }
        isOwed = false
        body(Canvas(memory: buffer.memory, width: across, height: down, area: buffer.stale))
        buffer.stale = PixelArea(x: 0, y: 0, width: 0, height: 0)
        if version >= 3 { wl_surface_set_buffer_scale(surface, scale) }
        wl_surface_attach(surface, buffer.pointer, 0, 0)
        buffer.attached()
        if version >= 4 {
            wl_surface_damage_buffer(surface, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height))
        } else {
            wl_surface_damage(surface, 0, 0, Int32(width), Int32(height))
        }
        if asksForFrame, frame == nil, let callback = wl_surface_frame(surface) {
            frame = callback
            wl_callback_add_listener(callback, LockSurface.frameListener, Callbacks.data(self))
        }
        wl_surface_commit(surface)
        compositor.flush()
        hasContent = true
    }

    /// Two are enough: one that is shown, one that is painted.
    private func freeBuffer(_ width: Int, _ height: Int) -> Buffer? {
        if let free = buffers.first(where: { !$0.isBusy }) { return free }
        guard buffers.count < 2 else { return nil }
        let made = Buffer(memory, width: width, height: height, .opaque) { [weak self] in self?.freed($0) }
        if let made { buffers.append(made) }
        return made
    }

    private func freed(_ buffer: Buffer) {
        if let index = old.firstIndex(where: { $0 === buffer }) {
            old.remove(at: index).destroy()
        } else if isOwed {
            isOwed = false
            onFrame?(self)
        }
    }

    /// Takes it off the screen; nothing is called any more.
    func destroy() {
        isGone = true
        onConfigure = nil
        onFrame = nil
        if let frame { wl_callback_destroy(frame) }
        frame = nil
        ext_session_lock_surface_v1_destroy(role)
        wl_surface_destroy(surface)
        for buffer in buffers + old { buffer.destroy() }
        buffers = []
        old = []
    }
}
