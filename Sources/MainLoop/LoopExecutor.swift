import CGLib
import Synchronization

/// Runs Swift jobs on the default GLib main context, first in, first out.
///
/// One `GSource` drains the queue. It sleeps (ready time −1) while the queue is empty, so an idle service has no
/// wake-ups of ours. Being a task executor too, it lets a task stay on the loop from its first step to its last: see
/// ``onLoop(_:)``.
final class LoopExecutor: SerialExecutor, TaskExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
        /// Whether the source has been told to run; spares a wake-up for every job after the first.
        var isAwake = false
    }

    private let queue = Mutex(Queue())
    /// Attached to the default context for as long as the process lives, and only ever read.
    private nonisolated(unsafe) let source: UnsafeMutablePointer<GSource>

    init() {
        source = g_source_new(&LoopExecutor.functions, guint(MemoryLayout<GSource>.size))
        g_source_set_name(source, "swift jobs")
        g_source_set_callback(
            source,
            { _ in
                LoopActor.executor.drain()
                return gboolean(1)
            }, nil, nil)
        g_source_set_ready_time(source, -1)
        g_source_attach(source, nil)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let mustWake = queue.withLock { queue in
            queue.jobs.append(unowned)
            defer { queue.isAwake = true }
            return !queue.isAwake
        }
        if mustWake { g_source_set_ready_time(source, 0) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// The loop's thread is whichever owns the default context: no thread identity of our own to keep in step.
    func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(nil) != 0 }

    func checkIsolated() {
        precondition(g_main_context_is_owner(nil) != 0, "not on the thread that runs the main loop")
    }

    private func drain() {
        g_source_set_ready_time(source, -1)
        let jobs = queue.withLock { queue in
            defer { queue = Queue() }
            return queue.jobs
        }
        for job in jobs {
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    /// GLib keeps the address of these for the source's life, so they are static.
    private nonisolated(unsafe) static var functions = GSourceFuncs(
        prepare: nil, check: nil,
        dispatch: { _, callback, data in callback?(data) ?? 0 },
        finalize: nil, closure_callback: nil, closure_marshal: nil)
}
