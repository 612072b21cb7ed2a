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
    fileprivate(set) var events: [SensorEvent] = []
    fileprivate(set) var lines: [String] = []
    private var number: UInt64 = 0

    private let kind: VirtualSensor.Kind

    private init(_ kind: VirtualSensor.Kind) {
        self.kind = kind
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
        "\(folder.path)/fingerprints/\(kind.driver)/0"
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
            await sensor.send("SCAN \(word)", within: .milliseconds(100))
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

/// The files of the prints.
extension SensorRig {
    /// Everything in the folder, hidden files included.
    func names() -> [String] {
        guard let folder = opendir(place) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func bytes(of name: String) -> [UInt8]? {
        let file = open("\(place)/\(name)", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes[..<count])
    }

    func write(_ bytes: [UInt8], to name: String) {
        let file = open("\(place)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    func forgetLines() { lines = [] }
}

extension SensorRig {
    /// What is on the chip. An enrolment that is stopped again opens the device for it.
    func onChip(after commands: [String] = []) async -> [String] {
        let order = order { .enroll($0, .rightLittle) }
        for command in commands { await sensor.send(command) }
        let list = await sensor.send("LIST") ?? "?"
        backend.take(.stop(order))
        _ = await isClosed()
        return list.split(separator: "\n").map(String.init).sorted()
    }

    /// Takes an order back from within the callback of its next event.
    func stopAtNextEvent(_ order: UInt64) {
        let before = backend.onEvent
        backend.onEvent = { [weak self] event in
            before?(event)
            self?.backend.onEvent = before
            self?.backend.take(.stop(order))
        }
    }
}

extension SensorRig {
    /// Whether all of this was told by now, and nothing else.
    func told(_ expected: [SensorEvent], within limit: Duration = .seconds(2)) async -> Bool {
        await eventually(within: limit) { self.answers == expected }
    }

    func isPlugged() async { _ = await eventually(within: .seconds(5)) { self.backend.state.isPresent } }

    /// Calls `body` from within the callback of every event, for as long as the back end lives.
    func watch(_ body: @escaping @LoopActor (SensorEvent) -> Void) {
        backend.onEvent = { [weak self] event in
            body(event)
            self?.events.append(event)
        }
    }
}
