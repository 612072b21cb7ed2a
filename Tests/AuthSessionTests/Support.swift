import AuthCore
import LoopTestKit
import MainLoop

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
