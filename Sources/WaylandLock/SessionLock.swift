internal import CWayland
package import MainLoop

/// The session's lock: asked for until it is granted, with a surface on every output, until it is opened.
///
/// However the process ends before ``unlock(within:)``, the compositor keeps the session locked and hidden.
@LoopActor
package final class SessionLock {
    /// Between a refusal and the next request; the last one again and again. Short at first: what holds the lock may
    /// be a prompt that has just been killed.
    private static let waits: [Duration] = [20, 50, 100, 200, 400, 800, 1_600].map { .milliseconds($0) }

    private let compositor: Compositor
    private var lock: OpaquePointer?
    private var retry: LoopSource?
    private var denials = 0
    /// The compositor shows nothing but our surfaces, and gives input to nothing else.
    package private(set) var isLocked = false
    package private(set) var surfaces: [LockSurface] = []

    package var onLocked: (@LoopActor () -> Void)?
    /// Another program holds the lock: how many times in a row it was refused. It is asked for again.
    package var onDenied: (@LoopActor (Int) -> Void)?
    /// A surface has come; its first size follows.
    package var onSurface: (@LoopActor (LockSurface) -> Void)?
    /// A surface has gone, with its output or with a lock that was refused.
    package var onSurfaceGone: (@LoopActor (LockSurface) -> Void)?
    package var onInput: (@LoopActor (LockInput) -> Void)?

    package init(_ compositor: Compositor) {
        self.compositor = compositor
        compositor.onOutput = { [weak self] in self?.outputChanged($0, $1) }
        compositor.onInput = { [weak self] in self?.take($0) }
    }

    /// Asks the compositor to lock.
    package func ask() {
        retry = nil
        guard lock == nil, let manager = compositor.manager, let made = ext_session_lock_manager_v1_lock(manager)
        else { return }
        lock = made
        ext_session_lock_v1_add_listener(made, SessionLock.listener, Callbacks.data(self))
        for output in compositor.outputs { add(output) }
        compositor.flush()
    }

    private nonisolated(unsafe) static let listener = Callbacks.listener(ext_session_lock_v1_listener()) {
        $0.locked = { data, _ in Callbacks.call(data, SessionLock.self) { $0.granted() } }
        $0.finished = { data, _ in Callbacks.call(data, SessionLock.self) { $0.refused() } }
    }

    private func granted() {
        isLocked = true
        denials = 0
        onLocked?()
    }

    private func refused() {
        let wasLocked = isLocked
        drop()
        // One that was granted and is taken away is a refusal too: the session is to be locked.
        denials += 1
        if !wasLocked { onDenied?(denials) }
        retry = .after(SessionLock.waits[min(denials, SessionLock.waits.count) - 1]) { [weak self] in self?.ask() }
    }

    private func drop() {
        guard let lock else { return }
        if isLocked { ext_session_lock_v1_unlock_and_destroy(lock) } else { ext_session_lock_v1_destroy(lock) }
        self.lock = nil
        isLocked = false
        for surface in surfaces { remove(surface) }
        compositor.flush()
    }

    /// Opens the session, and waits until the compositor has done so.
    ///
    /// - Returns: whether it has.
    package func unlock(within patience: Duration) -> Bool {
        retry = nil
        guard isLocked else {
            drop()
            return false
        }
        drop()
        return compositor.roundtrip(within: patience)
    }

    /// Calls `done` when the compositor has handled what was painted so far.
    package func whenHandled(_ done: @escaping @LoopActor () -> Void) { compositor.whenHandled(done) }

    // MARK: outputs

    private func add(_ output: Output) {
        guard let lock, let surface = LockSurface(compositor, lock: lock, output) else { return }
        surfaces.append(surface)
        onSurface?(surface)
    }

    private func remove(_ surface: LockSurface) {
        surfaces.removeAll { $0 === surface }
        onSurfaceGone?(surface)
        surface.destroy()
    }

    private func outputChanged(_ output: Output, _ event: Output.Event) {
        switch event {
        case .appeared: add(output)
        case .rescaled: for surface in surfaces where surface.output === output { surface.rescale() }
        case .vanished: for surface in surfaces where surface.output === output { remove(surface) }
        }
    }

    // MARK: input

    private func take(_ input: SurfaceInput) {
        let surface = input.surface.flatMap { pointer in surfaces.first { $0.surface == pointer } }
        onInput?(LockInput(event: input.event, surface: surface))
    }

    /// Whether keys make up characters together: dead keys and the compose key.
    package var composes: Bool {
        get { compositor.seatStyle.composes }
        set { compositor.seatStyle.composes = newValue }
    }

    /// How the pointer looks on the surfaces. Before it enters one.
    package func setCursor(_ cursor: Cursor) { compositor.seatStyle.cursor = cursor }
}
