import CGLib

/// Everything with state in the service lives here: a global actor on the thread that runs the GLib main loop.
///
/// `@MainActor` will not do: its tasks never run under `g_main_loop_run`.
@globalActor
public actor LoopActor {
    public static let shared = LoopActor()
    static let executor = LoopExecutor()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Enters the actor from a C callback that the main loop has called.
    ///
    /// Ends the process when called on another thread: that is a mistake of ours, never of a peer's.
    public static func assumeIsolated<T>(_ body: @LoopActor () throws -> T) rethrows -> T {
        executor.checkIsolated()
        return try withoutActuallyEscaping(body) { body in
            // The check above is what the cast relies on: the same code, less the static promise.
            let unisolated = unsafeBitCast(body, to: (() throws -> T).self)
            return try unisolated()
        }
    }
}

/// Starts a task that stays on the loop: with the loop as its executor a continuation resumes there without a hop
/// through the thread pool (3–4 µs instead of up to 55).
@discardableResult
public func onLoop(_ body: @escaping @LoopActor @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: LoopActor.executor) { @Sendable in await body() }
}

/// The process's main loop: the default `GMainContext`, run by the thread that calls ``run()``.
public enum MainLoop {
    private nonisolated(unsafe) static let loop: OpaquePointer = g_main_loop_new(nil, 0)

    /// Runs until ``quit()``.
    public static func run() { g_main_loop_run(loop) }

    /// Ends ``run()``; may be called from any thread.
    public static func quit() { g_main_loop_quit(loop) }
}
