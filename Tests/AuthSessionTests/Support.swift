import AuthCore
import Glibc
import LoopTestKit
import MainLoop

/// A folder of the test's own, removed with everything in it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/smileauth-test-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
    }

    deinit { Processes.remove(path) }
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
