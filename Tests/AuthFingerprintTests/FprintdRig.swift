import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthFingerprint

/// A real fprintd with a virtual sensor on a bus of its own, and another program that uses it.
@LoopActor
final class FprintdRig {
    private let folder = TemporaryFolder()
    let address: String
    /// Another program: claims, enrolls behind our back, forges.
    let other: Connection
    private nonisolated static let script = Processes.rigs + "/fprintd.sh"
    private nonisolated var place: String { folder.path + "/f" }
    static let device = "/net/reactivated/Fprint/Device/0"

    /// Brings it up, calls `body`, and ends everything again. For the settings see the script.
    nonisolated static func with(
        _ settings: [String: String] = [:], _ body: @LoopActor (FprintdRig) async throws -> Void
    ) async throws {
        TestLoop.running  // before anything that waits for the loop
        try await run(settings, body)
    }

    private static func run(
        _ settings: [String: String], _ body: @LoopActor (FprintdRig) async throws -> Void
    ) async throws {
        let rig = try await FprintdRig(settings)
        do {
            try await body(rig)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
    }

    private init(_ settings: [String: String]) async throws {
        address = try await Processes.run([Self.script, "start", folder.path + "/f"], environment: settings)
        other = try Connection.open(.address(address))
    }

    private func stop() async { _ = try? await Processes.run([Self.script, "stop", place]) }

    /// The back end as the service has it, with a connection of its own, and what it reports.
    func backend(started: Bool = true) async throws -> (backend: FprintdBackend, seen: SensorRecorder) {
        let address = address
        let connect = { try? Connection.open(.address(address)) }
        let backend = FprintdBackend(system: try Connection.open(.address(address)), connect: connect) { _ in }
        let seen = SensorRecorder()
        backend.onEvent = { seen.note($0) }
        if started { await backend.start() }
        return (backend, seen)
    }

    // MARK: fprintd's life

    /// Starts it after a kill.
    func startFprintd() async throws { try await Processes.run([Self.script, "start-fprintd", place]) }

    func owner() async -> String? { try? await driver("GetNameOwner", [.string(Fprintd.bus)]).first?.asString }

    /// Also where the bus has started it.
    func signalFprintd(_ signal: Int32) async throws {
        let pid = try await driver("GetConnectionUnixProcessID", [.string(Fprintd.bus)]).first?.asUInt32
        kill(pid_t(try #require(pid)), signal)
    }

    func killFprintd() async throws {
        let owner = await owner()
        try await signalFprintd(SIGKILL)
        for _ in 0..<1000 where await self.owner() == owner { await wait(.milliseconds(2)) }
    }

    private func driver(_ member: String, _ arguments: [Value]) async throws -> [Value] {
        try await other.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
    }

    /// What polkit allows from now on, of `verify` and `enroll`.
    func allow(_ actions: String...) async throws {
        try await polkit("SetAllowed", .stringArray(actions.map { "net.reactivated.fprint.device." + $0 }))
    }

    /// polkit asks the person about this one until ``letGo()``.
    func hang(_ action: String) async throws {
        try await polkit("SimulateHangActions", .stringArray(["net.reactivated.fprint.device." + action]))
    }

    func letGo() async throws {
        try await polkit("SimulateHangActions", .stringArray([]))
        try await polkit("ReleaseHangingCalls")
    }

    func isAsking() async -> Bool {
        (try? await polkit("HaveHangingCalls"))?.first?.asBool == true
    }

    @discardableResult
    private func polkit(_ member: String, _ arguments: Value...) async throws -> [Value] {
        try await other.call(
            "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.DBus.Mock", member,
            arguments)
    }

    /// Prints cannot be written from now on, by root neither: their folder is a file.
    func spoilStore() throws {
        rmdir(place + "/state")
        close(creat(place + "/state", 0o600))
    }

    /// fprintd's debug output so far, where the bus did not start it.
    var log: String {
        guard let file = fopen(place + "/fprintd.log", "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    /// How often it was claimed.
    var claims: Int { log.split(separator: "\n").count { $0.contains("claimed device") } }

    /// logind says that the machine goes to sleep, or is awake again.
    func sleep(_ isStarting: Bool) async throws {
        if isStarting { try? await other.requestName("org.freedesktop.login1") }
        other.emit(
            path: "/org/freedesktop/login1", interface: "org.freedesktop.login1.Manager", member: "PrepareForSleep",
            [.bool(isStarting)])
    }

    // MARK: Another program

    @discardableResult
    func call(
        _ member: String, _ arguments: String..., from caller: Connection? = nil
    ) async throws -> [Value] {
        try await (caller ?? other).call(
            Fprintd.bus, Self.device, Fprintd.device, member, arguments.map(Value.string), timeout: .seconds(10))
    }

    /// Enrolls the finger that the sensor knows as `word`.
    func enroll(_ finger: Finger, as word: String, stages: Int = 5) async throws {
        try await call("Claim", "")
        let done = SignalLatch(other, "EnrollStatus") { $0.first == .string("enroll-completed") }
        try await call("EnrollStart", finger.rawValue)
        for stage in 1...stages {
            try await sensor("SCAN \(word)")
            let reached = await eventually { done.count >= stage }
            try #require(reached, "stage \(stage)")
        }
        try #require(done.hasCome)
        try await call("EnrollStop")
        try await call("Release")
    }

    /// Whether the device is nobody's: a claim of the other program is granted, and given back.
    func isFree(from caller: Connection? = nil) async -> Bool {
        guard (try? await call("Claim", "", from: caller)) != nil else { return false }
        _ = try? await call("Release", from: caller)
        return true
    }

    /// What a program leaves behind that gives the sensor back during a sleep: an fprintd that cannot open it any more.
    func wedge() async throws {
        let program = try Connection.open(.address(address))
        try await call("Claim", "", from: program)
        try await sleep(true)
        let refused = await eventually {
            (try? await self.call("Release", from: program)) == nil
        }
        try #require(refused)
        try await sleep(false)
        try #require(await !isFree(from: program))
    }

    /// A result that is not fprintd's, from the other program, to all or to one.
    func forge(_ result: String, path: String = FprintdRig.device, to target: String? = nil) {
        other.emit(
            path: path, interface: Fprintd.device, member: "VerifyStatus", [.string(result), .bool(true)], to: target)
    }

    // MARK: The sensor

    /// Sends it one command: SCAN word, RETRY n, ERROR n, UNPLUG …; returns when it has taken it.
    @discardableResult
    func sensor(_ command: String) async throws -> String {
        let path = place + "/sensor"
        var answer: String?
        // It takes one connection at a time, and is not there before the device is open.
        _ = await eventually(within: .seconds(5)) {
            answer = await Self.thread.run { Self.exchange(command, path) }
            return answer != nil
        }
        return try #require(answer, "the sensor does not take \(command)")
    }

    private nonisolated static let thread = WorkThread(name: "test sensor")

    private nonisolated static func exchange(_ command: String, _ path: String) -> String? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected, Glibc.send(descriptor, command, command.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            return nil
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 { return nil }
            if count == 0 { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }
}

/// Counts a signal of the device's.
@LoopActor
final class SignalLatch {
    private(set) var count = 0
    private(set) var hasCome = false
    private var subscription: Subscription?

    init(_ bus: Connection, _ member: String, _ isIt: @escaping ([Value]) -> Bool) {
        subscription = bus.subscribe(from: Fprintd.bus, path: nil, interface: Fprintd.device, member: member) {
            [weak self] in
            self?.count += 1
            if isIt($0.arguments) { self?.hasCome = true }
        }
    }
}

/// What a back end has reported.
@LoopActor
final class SensorRecorder {
    private(set) var events: [SensorEvent] = []
    private var moments: [ContinuousClock.Instant] = []

    func note(_ event: SensorEvent) {
        events.append(event)
        moments.append(.now)
    }

    func forget() {
        events = []
        moments = []
    }

    /// All but what tells the state.
    var answers: [SensorEvent] {
        events.filter { if case .changed = $0 { false } else { true } }
    }

    func has(_ event: SensorEvent, within limit: Duration = .seconds(10)) async -> Bool {
        await eventually(within: limit) { self.events.contains(event) }
    }

    func moment(of event: SensorEvent) -> ContinuousClock.Instant? {
        events.firstIndex(of: event).map { moments[$0] }
    }

    func count(where isIt: (SensorEvent) -> Bool) -> Int { events.count(where: isIt) }
}

/// Only to see that something does not come.
@LoopActor
func wait(_ length: Duration) async { await FprintdPause().wait(length) }
