import AuthCore
import Glibc
import MainLoop

/// Runs the loop on a thread of its own for the whole test process.
enum TestLoop {
    static let running: Void = {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { _ in
                MainLoop.run()
                return nil
            }, nil)
        pthread_detach(thread)
    }()
}

/// A folder of the test's own, removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/smileauth-test-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
    }

    deinit { Processes.remove(path) }
}

/// Waits until `condition` holds, looking every 5 ms; false when it does not within `limit`.
@LoopActor
func eventually(within limit: Duration = .seconds(10), _ condition: @LoopActor () -> Bool) async -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while !condition() {
        if clock.now > end { return false }
        var timer: LoopSource?
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            timer = .after(.milliseconds(5)) { done.resume() }
        }
        timer?.cancel()
    }
    return true
}

/// What a monitor delivered.
@LoopActor
final class Recorder {
    private(set) var events: [SessionEvent] = []
    func note(_ event: SessionEvent) { events.append(event) }
    func forget() { events = [] }
    func count(_ event: SessionEvent) -> Int { events.count { $0 == event } }

    func has(_ event: SessionEvent, within limit: Duration = .seconds(10)) async -> Bool {
        await eventually(within: limit) { self.events.contains(event) }
    }
}
