internal import CWayland
import Glibc
package import MainLoop

/// A connection to the compositor, driven by the loop: what it offers, its outputs and its seats.
@LoopActor
package final class Compositor {
    package enum Failure: Error {
        /// There is none where `WAYLAND_DISPLAY` says, or it is no compositor.
        case absent
        /// It does not answer in time.
        case silent
    }

    private let display: OpaquePointer
    private var registry: OpaquePointer?
    private var reading: LoopSource?
    private var writing: LoopSource?
    private(set) var surfaces: OpaquePointer?
    private(set) var surfacesVersion: UInt32 = 0
    private(set) var memory: OpaquePointer?
    private(set) var manager: OpaquePointer?
    package private(set) var outputs: [Output] = []
    private var seats: [Seat] = []
    let seatStyle = SeatStyle()

    /// Called when an output has come, has gone or has another scale.
    var onOutput: (@LoopActor (Output, Output.Event) -> Void)?
    var onInput: (@LoopActor (SurfaceInput) -> Void)?
    /// The connection is of no use any more: the reason, for the log. Called once.
    package var onEnd: (@LoopActor (String) -> Void)?

    /// Connects, and learns what is offered.
    ///
    /// - Parameter patience: how long the compositor may take to answer.
    package init(patience: Duration) throws(Failure) {
        guard let display = wl_display_connect(nil) else { throw .absent }
        self.display = display
        let registry = wl_display_get_registry(display)!
        self.registry = registry
        wl_registry_add_listener(registry, Compositor.registryListener, Callbacks.data(self))
        guard roundtrip(within: patience) else {
            let isBroken = wl_display_get_error(display) != 0
            close()
            throw isBroken ? .absent : .silent
        }
    }

    /// Whether the session can be locked by us.
    package var offersLock: Bool { manager != nil && surfaces != nil && memory != nil }

    /// Ends the connection; what is locked stays so.
    package func close() {
        reading = nil
        writing = nil
        wl_display_disconnect(display)
    }

    // MARK: the loop

    /// From now on events are taken as they come.
    package func run() {
        reading = .watch(wl_display_get_fd(display), for: .readable) { [weak self] _ in self?.receive() ?? false }
        // The roundtrip may have read more than its answer.
        if wl_display_dispatch_pending(display) < 0 { return end() }
        flush()
    }

    private func receive() -> Bool {
        guard take(waiting: 0) else {
            end()
            return false
        }
        flush()
        return reading != nil
    }

    /// Sends what was asked for: libwayland keeps it until it is told to.
    func flush() {
        if wl_display_flush(display) >= 0 {
            writing = nil
        } else if errno == EAGAIN {
            // It reads slowly: the rest goes when there is room.
            guard writing == nil else { return }
            writing = .watch(wl_display_get_fd(display), for: .writable) { [weak self] _ in
                guard let self else { return false }
                let isDone = wl_display_flush(display) >= 0 || errno != EAGAIN
                if isDone { writing = nil }
                return !isDone
            }
        }
        // Any other error shows when it is read from.
    }

    private func end() {
        guard reading != nil else { return }
        let error = wl_display_get_error(display)
        var reason = error == 0 ? "it closed the connection" : String(cString: strerror(error))
        if error == EPROTO {
            var interface: UnsafePointer<wl_interface>?
            let code = wl_display_get_protocol_error(display, &interface, nil)
            reason = "\(interface.map { String(cString: $0.pointee.name) } ?? "protocol") error \(code)"
        }
        reading = nil
        writing = nil
        onEnd?(reason)
    }

    /// Reads and dispatches once.
    ///
    /// - Parameter milliseconds: to wait for something to read.
    /// - Returns: false where the connection is broken.
    private func take(waiting milliseconds: Int32) -> Bool {
        while wl_display_prepare_read(display) != 0 {
            if wl_display_dispatch_pending(display) < 0 { return false }
        }
        wl_display_flush(display)
        var descriptor = pollfd(fd: wl_display_get_fd(display), events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, milliseconds) > 0 else {
            wl_display_cancel_read(display)
            return true
        }
        return wl_display_read_events(display) >= 0 && wl_display_dispatch_pending(display) >= 0
    }

    private final class Answer: @unchecked Sendable {  // used within one roundtrip only
        var isThere = false
    }

    private static let answerListener = Callbacks.listener(wl_callback_listener()) {
        $0.done = { data, _, _ in Unmanaged<Answer>.fromOpaque(data!).takeUnretainedValue().isThere = true }
    }

    /// Waits until the compositor has handled all that was sent.
    ///
    /// - Returns: false where it has not in time, or the connection is broken.
    package func roundtrip(within patience: Duration) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + patience
        let answer = Answer()
        guard let callback = wl_display_sync(display) else { return false }
        defer { wl_callback_destroy(callback) }
        wl_callback_add_listener(callback, Compositor.answerListener, Callbacks.data(answer))
        while !answer.isThere {
            let left = (end - clock.now).components
            let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
            guard left.seconds >= 0, milliseconds > 0, take(waiting: Int32(clamping: milliseconds)) else {
                return false
            }
        }
        return true
    }

    private final class Question: Sendable {
        let done: @LoopActor () -> Void
        init(_ done: @escaping @LoopActor () -> Void) { self.done = done }
    }

    private nonisolated(unsafe) static let questionListener = Callbacks.listener(wl_callback_listener()) {
        $0.done = { data, callback, _ in
            if let callback { wl_callback_destroy(callback) }
            let question = Unmanaged<Question>.fromOpaque(data!).takeRetainedValue()
            LoopActor.assumeIsolated { question.done() }
        }
    }

    /// Calls `done` when the compositor has handled all that was sent.
    func whenHandled(_ done: @escaping @LoopActor () -> Void) {
        guard let callback = wl_display_sync(display) else { return }
        wl_callback_add_listener(
            callback, Compositor.questionListener, Unmanaged.passRetained(Question(done)).toOpaque())
        flush()
    }

    // MARK: what is offered

    private nonisolated(unsafe) static let registryListener = Callbacks.listener(wl_registry_listener()) {
        $0.global = { data, _, name, interface, version in
            guard let interface else { return }
            let title = String(cString: interface)
            Callbacks.call(data, Compositor.self) { $0.appeared(name, title, version) }
        }
        $0.global_remove = { data, _, name in Callbacks.call(data, Compositor.self) { $0.vanished(name) } }
    }

    private func appeared(_ name: UInt32, _ interface: String, _ version: UInt32) {
        guard let registry else { return }
        switch interface {
        case "wl_compositor" where surfaces == nil:
            surfacesVersion = min(version, 4)
            surfaces = smile_bind_compositor(registry, name, surfacesVersion)
        case "wl_shm" where memory == nil: memory = smile_bind_shm(registry, name)
        case "ext_session_lock_manager_v1" where manager == nil: manager = smile_bind_lock_manager(registry, name)
        case "wl_seat":
            let bound = min(version, 5)
            guard let pointer = smile_bind_seat(registry, name, bound) else { return }
            let seat = Seat(pointer, name: name, version: bound, self, seatStyle) { [weak self] in self?.onInput?($0) }
            seats.append(seat)
        case "wl_output":
            let bound = min(version, 3)
            guard let pointer = smile_bind_output(registry, name, bound) else { return }
            let output = Output(pointer, name: name, version: bound) { [weak self] in self?.onOutput?($0, .rescaled) }
            outputs.append(output)
            onOutput?(output, .appeared)
        default: break
        }
    }

    private func vanished(_ name: UInt32) {
        if let index = outputs.firstIndex(where: { $0.name == name }) {
            let output = outputs.remove(at: index)
            onOutput?(output, .vanished)
            output.release()
        }
        if let index = seats.firstIndex(where: { $0.name == name }) { seats.remove(at: index).release() }
    }
}
