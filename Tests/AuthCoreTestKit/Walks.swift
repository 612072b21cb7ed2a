import Glibc

/// Many walks at once.
public enum Walks {
    /// Plays walks on several threads.
    ///
    /// - Returns: the report of a failure, with its seed and the steps that are left when it is cut down; nil when all
    ///   held.
    public static func run(_ count: UInt64, from seed: UInt64, threads: Int) -> String? {
        let results = Results()
        var ids: [pthread_t] = []
        for thread in 0..<UInt64(threads) {
            let work = Work(results: results, first: seed + thread, last: seed + count, stride: UInt64(threads))
            var id = pthread_t()
            let context = Unmanaged.passRetained(work).toOpaque()
            let error = pthread_create(
                &id, nil,
                { context in
                    guard let context else { return nil }
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context)
            if error == 0 { ids.append(id) } else { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
        }
        for id in ids { pthread_join(id, nil) }
        return results.failing.map { Walk(seed: $0).report() }
    }

    private final class Work: Sendable {
        let results: Results
        let first: UInt64
        let last: UInt64
        let stride: UInt64

        init(results: Results, first: UInt64, last: UInt64, stride: UInt64) {
            self.results = results
            self.first = first
            self.last = last
            self.stride = stride
        }

        func run() {
            var seed = first
            while seed < last, results.failing == nil {
                if Walk(seed: seed).failure() != nil { results.fail(seed) }
                seed += stride
            }
        }
    }

    /// The smallest failing seed.
    private final class Results: @unchecked Sendable {
        private var mutex = pthread_mutex_t()
        private var seed: UInt64?

        init() { pthread_mutex_init(&mutex, nil) }

        var failing: UInt64? {
            pthread_mutex_lock(&mutex)
            defer { pthread_mutex_unlock(&mutex) }
            return seed
        }

        func fail(_ failing: UInt64) {
            pthread_mutex_lock(&mutex)
            defer { pthread_mutex_unlock(&mutex) }
            seed = min(seed ?? failing, failing)
        }
    }
}
