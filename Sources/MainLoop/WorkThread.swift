internal import CGLib
import Glibc

/// One thread of its own for work that blocks (hashing, PAM, `fsync`): jobs run one at a time, in the order given.
///
/// The thread starts with the first job, and waits on a condition without wake-ups when there is none.
public final class WorkThread: Sendable {
    private final class Shared: @unchecked Sendable {
        var mutex = pthread_mutex_t()
        var condition = pthread_cond_t()
        var jobs: [@Sendable () -> Void] = []
        var hasThread = false
        let name: String
        init(name: String) {
            self.name = name
            pthread_mutex_init(&mutex, nil)
            pthread_cond_init(&condition, nil)
        }

        func work() -> Never {
            while true {
                pthread_mutex_lock(&mutex)
                while jobs.isEmpty { pthread_cond_wait(&condition, &mutex) }
                let job = jobs.removeFirst()
                pthread_mutex_unlock(&mutex)
                job()
            }
        }

        /// The next job tries to start the thread again; those waiting are run then.
        func hasNoThread() {
            pthread_mutex_lock(&mutex)
            hasThread = false
            pthread_mutex_unlock(&mutex)
        }
    }

    private let shared: Shared

    /// - Parameter name: what `top -H` shows; the kernel keeps 15 bytes of it.
    public init(name: String) { shared = Shared(name: name) }

    /// Runs `job` on the thread; may be called from any thread.
    public func submit(_ job: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(&shared.mutex)
        shared.jobs.append(job)
        let mustStart = !shared.hasThread
        shared.hasThread = true
        pthread_cond_signal(&shared.condition)
        pthread_mutex_unlock(&shared.mutex)
        if mustStart { start() }
    }

    /// Runs `work` on the thread and resumes with what it returns.
    public func run<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        await withCheckedContinuation { continuation in
            submit { continuation.resume(returning: work()) }
        }
    }

    private func start() {
        let data = Unmanaged.passRetained(shared)
        // g_thread_try_new rather than pthread_create: it names the thread, and says no instead of ending the process.
        let thread = g_thread_try_new(
            shared.name,
            { data in
                Unmanaged<Shared>.fromOpaque(data!).takeRetainedValue().work()
            }, data.toOpaque(), nil)
        if let thread {
            g_thread_unref(thread)
        } else {
            data.release()
            shared.hasNoThread()
        }
    }
}
