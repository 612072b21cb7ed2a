import DBus
import Glibc
import MainLoop
import Testing

/// A generator whose runs can be repeated (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite(.serialized) struct FuzzTests {
    @Test(.timeLimit(.minutes(2))) func twentyThousandRandomMessagesDoNoHarm() async throws {
        try await withRig { rig in
            rig.server.addObjectManager(at: "/test")
            rig.server.argumentLimit = 4096
            let raw = try RawClient(rig.bus.address)
            var random = Seeded(state: 42)
            var waiting = 0
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            // Closed at the other end, so that reading it ends.
            close(ends[1])
            defer { close(ends[0]) }
            for number in 0..<20_000 {
                switch number % 10 {
                case 0..<7:
                    let (path, interface, member) = target(&random)
                    waiting += 1
                    rig.client.call(
                        Rig.name, path, interface, member, arguments(&random, ends[0]), timeout: .seconds(60)
                    ) { _ in
                        waiting -= 1
                    }
                case 7:
                    let (path, interface, member) = target(&random)
                    rig.client.send(Rig.name, path, interface, member, arguments(&random, ends[0]))
                case 8:
                    let (path, interface, member) = target(&random)
                    rig.client.emit(
                        path: path, interface: interface, member: member, arguments(&random, ends[0]),
                        to: rig.service.uniqueName)
                default:
                    raw.sendReply(
                        to: rig.service.uniqueName, serial: .random(in: 1...10_000, using: &random),
                        error: Bool.random(using: &random) ? "a.b" : nil)
                }
                if number % 500 == 499 {
                    raw.flush()
                    raw.drain()
                    try await waitUntil("all answers") { waiting == 0 }
                }
            }
            await rig.expect([.int32(3)]) { try await rig.call("Add", [.int32(1), .int32(2)]) }
            #expect(rig.service.isConnected)
            try await waitUntil("no descriptor is left") { openDescriptors(like: ends[0]) == 1 }
        }
    }

    @Test func memoryDoesNotGrow() async throws {
        try await withRig { rig in
            @LoopActor func round(_ count: Int) async throws {
                for _ in 0..<count {
                    let own = Value.string(Sample.name)
                    _ = try await rig.properties("Get", [own, .string("Flag")])
                    _ = try await rig.properties("GetAll", [own])
                    _ = try await rig.call("Secret", [.string("a"), .string("b")])
                    _ = try? await rig.call("None", [.options(["a": .int32(1)])])
                    rig.server.emitPropertiesChanged(path: Rig.path, interface: Sample.name, [("Flag", .bool(true))])
                    let watch = rig.client.watchName("test.Nobody") { _ in }
                    let subscription = rig.client.subscribe(
                        from: "test.Nobody", path: nil, interface: "a.b", member: "C"
                    ) { _ in }
                    watch.cancel()
                    subscription.cancel()
                }
                try await settle(rig.service)
                rig.sample.log = []
            }
            try await round(500)
            // Other tests may take memory meanwhile, so the better of two rounds counts. 10,000 messages in each; one
            // leaked for every round trip would be 3 MB at the least.
            var growth: [Int] = []
            for _ in 0..<2 {
                let before = residentBytes()
                try await round(1000)
                growth.append(residentBytes() - before)
            }
            #expect((growth.min() ?? .max) < 1_500_000, "grew by \(growth) bytes")
        }
    }

    private func residentBytes() -> Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = max(0, read(file, &buffer, buffer.count))
        let numbers = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
        return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * Int(getpagesize())
    }

    private func target(_ random: inout Seeded) -> (String, String, String) {
        let paths = [Rig.path, Rig.path, Rig.path, "/test", "/", "/none", "/org/freedesktop/DBus"]
        let interfaces = [
            Sample.name, Sample.name, "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.Introspectable",
            "org.freedesktop.DBus.Peer", "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus", "a.b",
        ]
        let members = [
            "Echo", "EchoAll", "Secret", "ReadAll", "Leave", "Open", "Forget", "WrongType", "Get", "Set", "GetAll",
            "Introspect", "GetManagedObjects", "Ping", "GetMachineId", "NameLost", "NameOwnerChanged", "Nothing",
        ]
        return (
            paths.randomElement(using: &random)!, interfaces.randomElement(using: &random)!,
            members.randomElement(using: &random)!
        )
    }

    private func arguments(_ random: inout Seeded, _ descriptor: Int32) -> [Value] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: [.string(Sample.name), .string("Flag")]
        case 1: [.string(Sample.name), .string("Title"), .variant(value(&random, 0))]
        case 2: [.variant(value(&random, 0))]
        case 3: [.unixFD(descriptor)]
        case 4: [.string(Sample.name)]
        case 5: []
        default: (0..<Int.random(in: 0..<6, using: &random)).map { _ in value(&random, 0) }
        }
    }

    private func value(_ random: inout Seeded, _ depth: Int) -> Value {
        switch Int.random(in: 0..<(depth < 12 ? 18 : 12), using: &random) {
        case 0: return .byte(.random(in: 0...255, using: &random))
        case 1: return .bool(.random(using: &random))
        case 2: return .int16(.random(in: .min ... .max, using: &random))
        case 3: return .uint16(.random(in: .min ... .max, using: &random))
        case 4: return .int32(.random(in: .min ... .max, using: &random))
        case 5: return .uint32(.random(in: .min ... .max, using: &random))
        case 6: return .int64(.random(in: .min ... .max, using: &random))
        case 7: return .uint64(.random(in: .min ... .max, using: &random))
        case 8: return .double(Double(bitPattern: random.next()))
        case 9: return .string(String(repeating: "ä\u{202E}\u{10FFFF}", count: Int.random(in: 0..<900, using: &random)))
        case 10: return .objectPath(["/", "/a", "/a/b_1"].randomElement(using: &random)!)
        case 11: return .signature(["", "s", "a{sv}(ii)"].randomElement(using: &random)!)
        case 12, 13:
            let first = value(&random, depth + 1)
            return .array(of: first.signature, Array(repeating: first, count: Int.random(in: 0..<4, using: &random)))
        case 14:
            let entries = (0..<3).map { _ in
                DictionaryEntry(key: .string("key"), value: .variant(value(&random, depth + 1)))
            }
            return .dictionary(key: "s", value: "v", entries)
        case 15:
            return .structure((0...Int.random(in: 0..<3, using: &random)).map { _ in value(&random, depth + 1) })
        default: return .variant(value(&random, depth + 1))
        }
    }
}
