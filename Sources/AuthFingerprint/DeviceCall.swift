internal import CFprint
internal import CGLib
internal import MainLoop

/// What the loop holds to end the call that is under way.
@LoopActor
final class DeviceCancellation {
    fileprivate let cancellable = g_cancellable_new()!
    fileprivate var onCancel: (() -> Void)?
    private(set) var isCancelled = false

    isolated deinit { g_object_unref(cancellable) }

    func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        g_cancellable_cancel(cancellable)
        onCancel?()
    }
}

/// One asynchronous call of libfprint's. It ends in its finish callback, also after it was cancelled: until then the
/// device takes no other call.
///
/// A driver that does not answer a cancelled call within ``grace`` is left alone: the call ends as ``FprintFailure/stuck``
/// and ``SensorDevice`` waits for the callback before it is used again.
@LoopActor
final class DeviceCall<Value: Sendable> {
    typealias ErrorPlace = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>
    typealias Callback = @convention(c) (UnsafeMutablePointer<GObject>?, OpaquePointer?, gpointer?) -> Void
    typealias Finish = @LoopActor (OpaquePointer, ErrorPlace) -> Value?

    /// Less than a second, so that a driver that hangs delays no sleep.
    static var grace: Duration { .milliseconds(800) }

    private var continuation: CheckedContinuation<Result<Value, FprintFailure>, Never>?
    private var limit: LoopSource?
    private var patience: LoopSource?
    private let finish: Finish
    private let onAnswer: () -> Void

    private init(finish: @escaping Finish, onAnswer: @escaping () -> Void) {
        self.finish = finish
        self.onAnswer = onAnswer
    }

    /// - Parameters:
    ///   - cancellation: ends it early. A call that was cancelled before is not started.
    ///   - limit: it is cancelled after so long; nil for one that waits for a finger.
    ///   - start: starts the call with the cancellable, the callback and the callback's data.
    ///   - finish: takes the call's result, which is nil together with an error. Always called once, maybe late.
    ///   - onAnswer: the device is free again.
    static func run(
        _ cancellation: DeviceCancellation, limit: Duration? = nil,
        start: @LoopActor (UnsafeMutablePointer<GCancellable>, Callback, gpointer) -> Void,
        finish: @escaping Finish, onAnswer: @escaping () -> Void
    ) async -> Result<Value, FprintFailure> {
        if cancellation.isCancelled {
            onAnswer()
            return .failure(.cancelled)
        }
        let call = DeviceCall(finish: finish, onAnswer: onAnswer)
        return await withCheckedContinuation { continuation in
            call.continuation = continuation
            cancellation.onCancel = { [weak call] in call?.waitForTheEnd() }
            if let limit { call.limit = .after(limit) { cancellation.cancel() } }
            let box = Unmanaged.passRetained(AnswerBox { call.finished($0) })
            start(
                cancellation.cancellable,
                { _, result, data in
                    let box = Unmanaged<AnswerBox>.fromOpaque(data!).takeRetainedValue()
                    LoopActor.assumeIsolated { box.body(result!) }
                }, box.toOpaque())
        }
    }

    private func waitForTheEnd() {
        guard continuation != nil else { return }
        patience = .after(Self.grace) { [weak self] in self?.answer(.failure(.stuck)) }
    }

    private func finished(_ result: OpaquePointer) {
        var error: UnsafeMutablePointer<GError>?
        let value = finish(result, &error)
        defer { if let error { g_error_free(error) } }
        onAnswer()
        answer(value.map { .success($0) } ?? .failure(FprintFailure(error)))
    }

    private func answer(_ result: Result<Value, FprintFailure>) {
        limit?.cancel()
        patience?.cancel()
        (limit, patience) = (nil, nil)
        continuation?.resume(returning: result)
        continuation = nil
    }
}

/// What GIO holds while a call runs; not generic, as a C callback cannot be.
private final class AnswerBox {
    let body: @LoopActor (OpaquePointer) -> Void
    init(_ body: @escaping @LoopActor (OpaquePointer) -> Void) { self.body = body }
}
