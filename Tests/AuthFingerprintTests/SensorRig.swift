import AuthCore
import Glibc
import LoopTestKit
import MainLoop

@testable import AuthFingerprint

/// A libfprint back end on a virtual sensor of the test's own, with a folder of its own.
@LoopActor
final class SensorRig {
    let folder = ScratchFolder()
    let sensor: VirtualSensor
    private(set) var backend: LibfprintBackend
    private(set) var events: [SensorEvent] = []
    private(set) var lines: [String] = []
    private var number: UInt64 = 0

    private init(_ kind: VirtualSensor.Kind) {
        sensor = VirtualSensor(at: folder.path + "/sensor", kind)
        backend = LibfprintBackend(folder: folder.path + "/fingerprints") { _ in }
    }

    nonisolated static func with(
        _ kind: VirtualSensor.Kind = .plain, _ body: @LoopActor (SensorRig) async throws -> Void
    ) async throws {
        TestLoop.running  // before anything that waits for the loop
        try await run(kind, body)
    }

    private static func run(
        _ kind: VirtualSensor.Kind, _ body: @LoopActor (SensorRig) async throws -> Void
    ) async throws {
        let rig = SensorRig(kind)
        await rig.start()
        defer {
            rig.backend.stop()
            VirtualSensor.forget()
        }
        try await body(rig)
    }

    /// A new back end on the same folder, as after a restart of the service.
    func start() async {
        backend.stop()
        let fresh = LibfprintBackend(folder: folder.path + "/fingerprints") { [weak self] in self?.lines.append($0) }
        backend = fresh
        events = []
        lines = []
        fresh.onEvent = { [weak self] in self?.events.append($0) }
        await fresh.start()
    }

    var place: String {
        let kind = getenv("FP_VIRTUAL_DEVICE") != nil ? "virtual_device" : "virtual_device_storage"
        return "\(folder.path)/fingerprints/\(kind)/0"
    }

    /// Everything but the state.
    var answers: [SensorEvent] { events.filter { if case .changed = $0 { false } else { true } } }

    func has(_ event: SensorEvent, within limit: Duration = .seconds(5)) async -> Bool {
        await eventually(within: limit) { self.events.contains(event) }
    }

    func count(_ event: SensorEvent) -> Int { events.count { $0 == event } }
    func forget() { events = [] }

    func order(_ make: (UInt64) -> SensorOrder) -> UInt64 {
        number += 1
        backend.take(make(number))
        return number
    }

    /// A scan that is armed.
    func scan(_ finger: Finger? = nil) async -> UInt64 {
        let order = order { .scan($0, finger) }
        _ = await has(.armed(order))
        return order
    }

    /// Enrolls `word` as a finger, without a hitch.
    ///
    /// - Returns: how it ended.
    func enroll(_ finger: Finger, _ word: String) async -> SensorEvent? {
        let order = order { .enroll($0, finger) }
        for _ in 0..<5 {
            if ended(order) != nil { break }
            await sensor.scan(word)
        }
        _ = await eventually(within: .seconds(5)) { self.ended(order) != nil }
        return ended(order)
    }

    func delete(_ finger: Finger?) async -> SensorEvent? { await answer { .delete($0, finger) } }
    func look() async -> SensorEvent? { await answer { .look($0) } }

    private func answer(_ make: (UInt64) -> SensorOrder) async -> SensorEvent? {
        let order = order(make)
        _ = await eventually(within: .seconds(5)) { self.ended(order) != nil }
        return ended(order)
    }

    private func ended(_ order: UInt64) -> SensorEvent? {
        events.first { if case .ended(order, _) = $0 { true } else { false } }
    }

    /// Whether the device was given back.
    func isClosed(within limit: Duration = .seconds(2)) async -> Bool {
        await eventually(within: limit) { self.backend.device?.isOpen != true }
    }
}

/// Whether an order ended well.
func isDone(_ event: SensorEvent?) -> Bool { if case .ended(_, nil)? = event { true } else { false } }

/// Why an order did not end well.
func failure(_ event: SensorEvent?) -> SensorFailure? { if case .ended(_, let why)? = event { why } else { nil } }

/// A folder of the test's own, removed with everything in it.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/smileauth-test-XXXXXX".utf8CString)
        path = String(cString: mkdtemp(&template))
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != ".", name != ".." { remove("\(path)/\(name)") }
            }
            closedir(folder)
        }
        _ = Glibc.remove(path)
    }
}
