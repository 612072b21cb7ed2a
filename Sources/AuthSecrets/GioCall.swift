internal import CGLib
internal import MainLoop

/// Why a step at the Secret Service gave no answer.
enum StepFailure: Error, Equatable {
    /// The call's time is up.
    case late
    /// Nobody owns the name and the bus can start nobody, or who owned it left.
    case absent
    /// It said no because it is locked.
    case locked
    /// The bus itself is gone.
    case noBus
    /// Anything else; the provider's or GDBus's words.
    case failed(String)
}

/// The moment by which a call must have answered, whatever steps it takes.
struct Deadline: Sendable {
    /// On `g_get_monotonic_time`, in microseconds.
    private let end: Int

    static func `in`(_ duration: Duration) -> Deadline {
        let (seconds, attoseconds) = duration.components
        return Deadline(end: g_get_monotonic_time() + Int(seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
    }

    var remaining: Duration { .microseconds(max(0, end - g_get_monotonic_time())) }
    var hasPassed: Bool { remaining == .zero }
}

/// A GObject held by Swift. Reference counts are atomic, so the last reference may go on any thread.
package final class GObjectReference: @unchecked Sendable {
    package let pointer: OpaquePointer

    /// Takes over the caller's reference.
    package init(owning pointer: OpaquePointer) { self.pointer = pointer }
    package init(owning pointer: UnsafeMutableRawPointer) { self.pointer = OpaquePointer(pointer) }
    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }
}

/// One asynchronous call of GIO's kind, answered by its finish callback or by the deadline, whichever is first.
///
/// After the deadline the call is cancelled, and the caller goes on at once: a cancelled libsecret call may still wait
/// for a prompt of a provider that hangs. What comes later is taken and thrown away. The call itself may have had its
/// effect.
@LoopActor
final class GioCall<Value: Sendable> {
    typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
    typealias Callback = @convention(c) (UnsafeMutablePointer<GObject>?, OpaquePointer?, gpointer?) -> Void
    typealias Finish = @LoopActor (OpaquePointer, ErrorPlace) -> Value?

    private var continuation: CheckedContinuation<Result<Value, StepFailure>, Never>?
    private var timer: LoopSource?
    private let cancellable = g_cancellable_new()!
    private let finish: Finish

    private init(finish: @escaping Finish) { self.finish = finish }

    isolated deinit { g_object_unref(cancellable) }

    /// - Parameters:
    ///   - start: starts the call with the cancellable, the callback and the callback's data.
    ///   - finish: takes the call's result, which is nil together with an error. Always called once, maybe late.
    ///   - endsWithTask: whether a cancelled task gives up, as if it were late. A change is never cut off that way.
    static func run(
        by deadline: Deadline, endsWithTask: Bool = false,
        start: @LoopActor (UnsafeMutablePointer<GCancellable>, Callback, gpointer) -> Void,
        finish: @escaping Finish
    ) async -> Result<Value, StepFailure> {
        if deadline.hasPassed { return .failure(.late) }
        let call = GioCall(finish: finish)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                call.continuation = continuation
                call.timer = .after(deadline.remaining) { call.giveUp() }
                let box = Unmanaged.passRetained(CallbackBox { call.finished($0) })
                start(
                    call.cancellable,
                    { _, result, data in
                        let callback = Unmanaged<CallbackBox>.fromOpaque(data!).takeRetainedValue()
                        LoopActor.assumeIsolated { callback.body(result!) }
                    }, box.toOpaque())
                if endsWithTask && Task.isCancelled { call.giveUp() }
            }
        } onCancel: {
            if endsWithTask { onLoop { call.giveUp() } }
        }
    }

    private func finished(_ result: OpaquePointer) {
        var error: UnsafeMutablePointer<GError>?
        let value = finish(result, &error)
        defer { if let error { g_error_free(error) } }
        guard let value else { return answer(.failure(StepFailure(error))) }
        answer(.success(value))
    }

    private func giveUp() {
        guard continuation != nil else { return }
        g_cancellable_cancel(cancellable)
        answer(.failure(.late))
    }

    private func answer(_ result: Result<Value, StepFailure>) {
        timer?.cancel()
        timer = nil
        continuation?.resume(returning: result)
        continuation = nil
    }
}

/// What GIO holds while a call runs; not generic, as a C callback cannot be.
private final class CallbackBox {
    let body: @LoopActor (OpaquePointer) -> Void
    init(_ body: @escaping @LoopActor (OpaquePointer) -> Void) { self.body = body }
}

extension StepFailure {
    /// Sorts a GError by what the Secret Service's callers can do about it.
    init(_ error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self = .failed("no answer and no error")
            return
        }
        let text = String(cString: error.pointee.message)
        if let name = g_dbus_error_get_remote_error(error) {
            defer { g_free(name) }
            switch String(cString: name) {
            case "org.freedesktop.Secret.Error.IsLocked": self = .locked
            case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
                "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
                self = .absent
            case "org.freedesktop.DBus.Error.Disconnected": self = .noBus
            default: self = .failed(text)
            }
        } else if g_error_matches(error, g_io_error_quark(), gint(bitPattern: G_IO_ERROR_CLOSED.rawValue)) != 0 {
            self = .noBus
        } else if g_error_matches(error, g_io_error_quark(), gint(bitPattern: G_IO_ERROR_CANCELLED.rawValue)) != 0 {
            self = .late
        } else {
            self = .failed(text)
        }
    }
}
