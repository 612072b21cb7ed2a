import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

/// An interface with a bit of everything.
@LoopActor
final class Sample: ServedInterface {
    nonisolated static let name = "test.Sample"
    nonisolated static let everything = "ybnqiuxtdsogasaya{sv}(sa(iu))v"

    nonisolated static let description = InterfaceDescription(
        "test.Sample",
        methods: [
            MethodDescription("Echo", inputs: [Argument("value", "v")], outputs: [Argument("value", "v")]),
            MethodDescription("EchoAll", inputs: [Argument("all", everything)], outputs: [Argument("all", everything)]),
            MethodDescription(
                "Add", inputs: [Argument("a", "i"), Argument("b", "i")], outputs: [Argument("sum", "i")]),
            MethodDescription("Fail", inputs: [Argument("name", "s"), Argument("message", "s")]),
            MethodDescription("Never"),
            MethodDescription("Forget"),
            MethodDescription("WrongType", outputs: [Argument("number", "i")]),
            MethodDescription(
                "ReadAll", inputs: [Argument("file", "h")], outputs: [Argument("text", "s")],
                takesDescriptors: true),
            MethodDescription("Leave", inputs: [Argument("file", "h")], takesDescriptors: true),
            MethodDescription("Open", outputs: [Argument("file", "h")]),
            MethodDescription(
                "Secret",
                inputs: [Argument("plain", "s"), Argument("passcode", "s", isSecret: true)],
                outputs: [Argument("length", "u"), Argument("seen", "as")]),
            MethodDescription("Later", inputs: [Argument("milliseconds", "u")], outputs: [Argument("same", "u")]),
        ],
        signals: [SignalDescription("Happened", [Argument("what", "s")])],
        properties: [
            PropertyDescription("Flag", "b", access: .readwrite),
            PropertyDescription("Title", "s", access: .readwrite),
            PropertyDescription("Numbers", "au", emitsChange: .no),
            PropertyDescription("Version", "s", emitsChange: .const),
            PropertyDescription("Broken", "i"),
            PropertyDescription("Missing", "i"),
        ])

    nonisolated var description: InterfaceDescription { Self.description }
    var flag = true
    var title = "title"
    var kept: [MethodCall] = []
    var log: [String] = []

    func call(_ call: MethodCall) {
        log.append(call.member)
        switch call.member {
        case "Echo", "EchoAll": call.reply(call.arguments)
        case "Add":
            let numbers = call.arguments.compactMap(\.asInt32)
            call.reply([.int32(numbers[0] &+ numbers[1])])
        case "Fail":
            let texts = call.arguments.compactMap(\.asString)
            call.fail(DBusFailure(name: texts[0], message: texts[1]))
        case "Never": kept.append(call)
        case "WrongType": call.reply([.string("no number")])
        case "ReadAll":
            guard let descriptor = call.takeDescriptor(at: 0) else { return call.fail(.failed("no descriptor")) }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(descriptor, &bytes, bytes.count)
            call.reply([.string(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))])
        case "Leave": call.reply()
        case "Open":
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            call.reply([.unixFD(descriptor)])
            close(descriptor)
        case "Secret":
            let length = call.withSecret(at: 1) { $0.count } ?? 0
            call.reply([.uint32(UInt32(length)), .stringArray(call.arguments.compactMap(\.asString))])
        case "Later":
            let delay = call.arguments[0].asUInt32 ?? 0
            kept.append(call)
            timers.append(.after(.milliseconds(Int(delay))) { call.reply([.uint32(delay)]) })
        default: break  // "Forget": the call is let go without an answer.
        }
    }
    var timers: [LoopSource] = []

    func get(_ property: String) -> Value? {
        switch property {
        case "Flag": .bool(flag)
        case "Title": .string(title)
        case "Numbers": .array(of: "u", [.uint32(1), .uint32(2)])
        case "Version": .string("1")
        case "Broken": .string("no number")
        default: nil
        }
    }

    func set(_ property: String, to value: Value, _ call: MethodCall) {
        switch (property, value) {
        case ("Flag", .bool(let flag)): self.flag = flag
        case ("Title", .string(let title)): self.title = title
        default: return call.fail(.failed("not handled"))
        }
        call.reply()
    }
}

/// A bus, a server with one `Sample` on it, and a client.
@LoopActor
final class Rig {
    let bus: PrivateBus
    let service: Connection
    let server: ObjectServer
    let sample = Sample()
    let client: Connection
    nonisolated static let path = "/test/sample"
    nonisolated static let name = "test.Service"

    init() async throws {
        bus = try PrivateBus()
        service = try bus.connect()
        server = ObjectServer(service)
        client = try bus.connect()
        server.add([sample], at: Self.path)
        try await service.requestName(Self.name)
    }

    func call(
        _ member: String, _ arguments: [Value] = [], path: String = Rig.path, interface: String = Sample.name
    ) async throws -> [Value] {
        try await client.call(Rig.name, path, interface, member, arguments)
    }

    func properties(_ member: String, _ arguments: [Value], path: String = Rig.path) async throws -> [Value] {
        try await call(member, arguments, path: path, interface: "org.freedesktop.DBus.Properties")
    }

    /// Expects `body` to end with an error of this name, less the usual prefix; "none" for success.
    func expect(
        _ name: String, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> [Value]
    ) async {
        var found = "none"
        do {
            _ = try await body()
        } catch let failure as DBusFailure {
            let prefix = "org.freedesktop.DBus.Error."
            found = failure.name.hasPrefix(prefix) ? String(failure.name.dropFirst(prefix.count)) : failure.name
        } catch {
            found = "\(error)"
        }
        #expect(found == name, sourceLocation: location)
    }
}

extension Rig {
    /// Expects `body` to answer with `values`.
    func expect(
        _ values: [Value], at location: SourceLocation = #_sourceLocation, _ body: () async throws -> [Value]
    ) async {
        do {
            let found = try await body()
            #expect(found == values, sourceLocation: location)
        } catch {
            Issue.record("\(error)", sourceLocation: location)
        }
    }
}

/// Runs `body` on the loop, which this starts (so the suites themselves are not on it).
func withRig(_ body: @LoopActor @Sendable (Rig) async throws -> Void) async throws {
    TestLoop.running
    try await body(Rig())
}
