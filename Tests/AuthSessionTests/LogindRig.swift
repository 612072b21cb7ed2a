import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSession

/// A real logind on a bus of its own, with one session of ours, and a client that drives it.
@LoopActor
final class LogindRig {
    let folder = TemporaryFolder()
    let address: String
    /// What the tests call logind with, and who another program is.
    let client: Connection
    private(set) var session = ""
    private(set) var sessionPath = ""
    private(set) var pids: [pid_t] = []
    private nonisolated static let script = Processes.rigs + "/real-logind.sh"

    private nonisolated var bus: String { folder.path + "/l" }

    /// Brings it up, calls `body`, and ends everything again.
    nonisolated static func with(
        _ settings: [String: String] = ["SLEEP_SECS": "0.05"], session: Bool = true,
        _ body: @LoopActor (LogindRig) async throws -> Void
    ) async throws {
        TestLoop.running  // before anything that waits for the loop
        try await run(settings, session: session, body)
    }

    private static func run(
        _ settings: [String: String], session: Bool, _ body: @LoopActor (LogindRig) async throws -> Void
    ) async throws {
        let rig = try await LogindRig(settings)
        do {
            if session { try await rig.newSession() }
            try await body(rig)
        } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
    }

    private init(_ settings: [String: String]) async throws {
        address = try await Processes.run([Self.script, "start", folder.path + "/l"], environment: settings)
        client = try Connection.open(.address(address))
    }

    private func stop() async {
        for pid in pids { await Processes.end(pid) }
        _ = try? await Processes.run([Self.script, "stop", bus])
    }

    func logind(_ verb: String) async throws { try await Processes.run([Self.script, verb + "-logind", bus]) }

    func signalLogind(_ signal: Int32) { kill(pid("logind"), signal) }

    func pid(_ name: String) -> pid_t {
        pid_t(text(name + ".pid").split(separator: "\n").first.flatMap { pid_t($0) } ?? 0)
    }

    /// A file of the rig's folder.
    func text(_ name: String) -> String {
        guard let file = fopen(bus + "/" + name, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    /// Logs in: returns the session's id and object. The first one is the rig's own.
    @discardableResult
    func newSession(seat: [String] = ["seat0", "1"]) async throws -> (id: String, path: String) {
        let (leader, _) = await Processes.spawn(["sh", "-c", "echo; exec sleep 600"])
        let (holder, line) = await Processes.spawn(
            ["/usr/bin/python3", Processes.rigs + "/mksession.py", "\(leader)"] + seat + ["wayland", "user"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
        pids += [holder, leader]
        let words = line.split(separator: " ").map(String.init)
        try #require(words.count == 2, "no session: \(line)")
        if session.isEmpty { (session, sessionPath) = (words[0], words[1]) }
        return (words[0], words[1])
    }

    @discardableResult
    func manager(_ member: String, _ arguments: [Value] = []) async throws -> [Value] {
        try await client.call(
            Login1.bus, Login1.path, Login1.manager, member, arguments, timeout: .seconds(20))
    }

    func onSession(_ member: String, _ arguments: [Value] = []) async throws {
        _ = try await client.call(Login1.bus, sessionPath, Login1.session, member, arguments)
    }

    func lockedHint() async throws -> Bool? {
        let reply = try await client.call(
            Login1.bus, sessionPath, Login1.properties, "Get", [.string(Login1.session), .string("LockedHint")])
        return reply.first?.unwrapped.asBool
    }

    /// How many delay inhibitors of ours logind knows.
    func inhibitors() async throws -> Int {
        let reply = try await manager("ListInhibitors")
        return (reply.first?.asArray ?? []).count { $0.asStructure?.contains(.string("SmileAuth")) == true }
    }

    /// How often the stand-in for systemd was told to suspend the machine.
    var suspends: Int { text("systemd1.log").split(separator: "\n").count { $0 == "StartUnit suspend.target" } }

    /// A monitor as the service has it, with its own connections.
    func monitor(
        _ recorder: Recorder, loginSession: String?? = nil
    ) throws -> SessionMonitor {
        let system = try Connection.open(.address(address))
        let other = try Connection.open(.address(address))
        let environment = SessionEnvironment(
            loginSessionID: loginSession ?? session, runtimeDirectory: folder.path)
        let monitor = SessionMonitor(system: system, session: other, environment: environment) { recorder.note($0) }
        system.willDispatch = { [weak monitor] in monitor?.checkClock() }
        return monitor
    }
}
