import CDBus
import DBus
import Glibc
import MainLoop
import Testing

@Suite struct GateTests {
    @Test func aHeldCallGoesOnLaterAndARefusedOneNever() async throws {
        try await withRig { rig in
            var held: [MethodCall] = []
            rig.server.gate = { call in
                switch call.member {
                case "Add":
                    held.append(call)
                    return .held
                case "Get": return .refuse(DBusFailure(name: "test.Refused", message: call.property ?? ""))
                default: return .proceed
                }
            }
            var answer: Result<[Value], DBusFailure>?
            rig.client.call(Rig.name, Rig.path, Sample.name, "Add", [.int32(2), .int32(3)]) { answer = $0 }
            await rig.expect("test.Refused") {
                try await rig.properties("Get", [.string(Sample.name), .string("Flag")])
            }
            await rig.expect([.variant(.byte(1))]) { try await rig.call("Echo", [.variant(.byte(1))]) }
            #expect(answer == nil && held.count == 1)
            #expect(held[0].sender == rig.client.uniqueName && held[0].path == Rig.path && held[0].kind == .method)
            rig.server.dispatch(held[0])
            rig.server.dispatch(held[0])  // answered already: nothing happens
            try await waitUntil("the answer") { answer != nil }
            #expect(answer == .success([.int32(5)]))
            #expect(rig.sample.log == ["Echo", "Add"])

            // What was held may be gone when it goes on, and a held call may be dropped.
            held = []
            answer = nil
            rig.client.call(Rig.name, Rig.path, Sample.name, "Add", [.int32(2), .int32(3)]) { answer = $0 }
            try await waitUntil("held") { held.count == 1 }
            rig.server.remove(Rig.path)
            rig.server.dispatch(held[0])
            try await waitUntil("the answer") { answer != nil }
            guard case .failure(let failure)? = answer else { throw TestFailure("answered") }
            #expect(failure.name == "org.freedesktop.DBus.Error.UnknownObject")
            rig.server.add([rig.sample], at: Rig.path)
            held = []
            rig.client.call(Rig.name, Rig.path, Sample.name, "Add", [.int32(2), .int32(3)]) { answer = $0 }
            answer = nil
            try await waitUntil("held") { held.count == 1 }
            held = []
            try await waitUntil("the answer") { answer != nil }
            rig.server.gate = nil
        }
    }

    @Test func whatIsInvisibleDoesNotExist() async throws {
        try await withRig { rig in
            let stranger = try rig.bus.connect()
            rig.server.add([Sample()], at: "/test/hidden")
            rig.server.addObjectManager(at: "/test")
            let name = stranger.uniqueName
            rig.server.isVisible = { path, call in path != "/test/hidden" || call.sender != name }
            let manager = "org.freedesktop.DBus.ObjectManager"
            func objects(_ who: Connection) async throws -> Int {
                let reply = try await who.call(Rig.name, "/test", manager, "GetManagedObjects")
                guard case .dictionary(_, _, let entries)? = reply.first else { return -1 }
                return entries.count
            }
            let strangers = try await objects(stranger)
            let clients = try await objects(rig.client)
            #expect(strangers == 1 && clients == 2)
            await rig.expect("UnknownObject") {
                try await stranger.call(Rig.name, "/test/hidden", "org.freedesktop.DBus.Introspectable", "Introspect")
            }
            await rig.expect("UnknownObject") {
                try await stranger.call(
                    Rig.name, "/test/hidden", "org.freedesktop.DBus.Properties", "GetAll", [.string("")])
            }
            let xml =
                try await stranger.call(
                    Rig.name, "/test", "org.freedesktop.DBus.Introspectable", "Introspect"
                ).first?.asString ?? ""
            #expect(!xml.contains("hidden") && xml.contains("sample"))
        }
    }

    @Test func authorizeComesAfterTheTypesAndBeforeTheHandler() async throws {
        try await withRig { rig in
            var asked: [String] = []
            rig.server.authorize = { call in
                asked.append("\(call.member) \(call.property ?? "")")
                return DBusFailure(name: "test.No", message: "")
            }
            await rig.expect("test.No") { try await rig.call("Add", [.int32(1), .int32(1)]) }
            await rig.expect("InvalidArgs") { try await rig.call("Add", []) }
            await rig.expect("UnknownMethod") { try await rig.call("None", []) }
            await rig.expect("test.No") {
                try await rig.properties("Set", [.string(Sample.name), .string("Flag"), .variant(.bool(false))])
            }
            await rig.expect([.variant(.bool(true))]) {
                try await rig.properties("Get", [.string(Sample.name), .string("Flag")])
            }
            #expect(asked == ["Add ", "Set Flag"] && rig.sample.log.isEmpty && rig.sample.flag)
        }
    }

    @Test func aSecretIsSeenOnceAndThenNowhereInMemory() async throws {
        try await withRig { rig in
            // Sent by another process, so that only the service's copies are here. It is made of two halves so that
            // the test itself does not hold it.
            let halves = ["canary5f3b", "-91c7d2e0a4"]
            for member in ["Secret", "Secret", "Misspelt"] {
                let status = try run(
                    [
                        "sh", "-c",
                        "exec dbus-send --bus=\"$1\" --print-reply --dest=\(Rig.name) \(Rig.path) test.Sample.\(member) "
                            + "string:plain string:\"$2$3\" >/dev/null 2>&1",
                        "sh", rig.bus.address, halves[0], halves[1],
                    ])
                try await waitUntil("dbus-send") { status.hasEnded }
            }
            #expect(rig.sample.log == ["Secret", "Secret"])
            try await settle(rig.service)
            try await settle(rig.service)
            #expect(occurrences(of: Array(halves[0].utf8), Array(halves[1].utf8)) == 0)
            let reply = try await rig.call("Secret", [.string("plain"), .string("12345")])
            #expect(reply == [.uint32(5), .stringArray(["plain", ""])])
        }
    }
}

/// A child process that is looked at without blocking.
final class Child {
    private let pid: pid_t
    private var ended = false
    init(_ pid: pid_t) { self.pid = pid }
    var hasEnded: Bool {
        if !ended { ended = waitpid(pid, nil, WNOHANG) == pid }
        return ended
    }
}

func run(_ arguments: [String]) throws -> Child {
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, arguments[0], nil, nil, &pointers, environ) == 0 else {
        throw TestFailure("cannot start \(arguments[0])")
    }
    return Child(pid)
}

/// How often `first` followed at once by `second` stands in this process's writable memory.
func occurrences(of first: [UInt8], _ second: [UInt8]) -> Int {
    let maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
    let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
    defer {
        close(maps)
        close(memory)
    }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(maps, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    var found = 0
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.contains(" rw") {
        let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard ends.count == 2 else { continue }
        var address = ends[0]
        while address < ends[1] {
            let count = pread(memory, &buffer, min(buffer.count, Int(ends[1] - address)), off_t(address))
            guard count > 0 else { break }
            buffer.withUnsafeBytes { bytes in
                var start = bytes.baseAddress!
                let end = start + count
                while start < end, let hit = memchr(start, Int32(first[0]), end - start) {
                    start = UnsafeRawPointer(hit) + 1
                    let next = start + first.count - 1
                    if end - next >= second.count, memcmp(hit, first, first.count) == 0,
                        memcmp(next, second, second.count) == 0
                    {
                        found += 1
                    }
                }
            }
            // Overlapping, for what lies across two pieces.
            address += UInt64(count == buffer.count ? count - 64 : count)
        }
    }
    return found
}
