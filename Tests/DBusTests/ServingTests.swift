import DBus
import Glibc
import MainLoop
import Testing

@Suite(.serialized) struct ServingTests {
    @Test func everyTypeMakesTheRoundTrip() async throws {
        try await withRig { rig in
            let values: [Value] = [
                .byte(255), .bool(true), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max), .int64(.min),
                .uint64(.max), .double(-0.1), .string("Grüße, 世界 👋"), .objectPath("/a/b"), .signature("a{sv}(ii)"),
                .stringArray(["", "b"]), .byteArray([0, 1, 255]),
                .options(["b": .int32(1), "a": .variant(.string("in two"))]),
                .structure([.string("s"), .array(of: "(iu)", [.structure([.int32(-1), .uint32(1)])])]),
                .variant(.array(of: "a{oa{sa{sv}}}", [])),
            ]
            #expect(values.map(\.signature).joined() == Sample.everything)
            await rig.expect(values) { try await rig.call("EchoAll", values) }
            for value in values + [.array(of: "v", [.variant(.byte(1))]), .dictionary(key: "u", value: "as", [])] {
                await rig.expect([.variant(value)]) { try await rig.call("Echo", [.variant(value)]) }
            }
        }
    }

    @Test func unknownThingsGetTheStandardErrors() async throws {
        try await withRig { rig in
            await rig.expect("UnknownObject") { try await rig.call("Add", path: "/none") }
            await rig.expect("UnknownInterface") { try await rig.call("Add", interface: "test.None") }
            await rig.expect("UnknownMethod") { try await rig.call("None") }
            await rig.expect("InvalidArgs") { try await rig.call("Add", [.string("1")]) }
            await rig.expect("InvalidArgs") { try await rig.call("Add") }
            await rig.expect("InvalidArgs") {
                try await rig.call("Introspect", [.byte(1)], interface: "org.freedesktop.DBus.Introspectable")
            }
            await rig.expect("none") { try await rig.call("Ping", interface: "org.freedesktop.DBus.Peer") }
            await rig.expect("UnknownMethod") { try await rig.call("Pong", interface: "org.freedesktop.DBus.Peer") }
            await rig.expect([.int32(3)]) { try await rig.call("Add", [.int32(1), .int32(2)]) }
        }
    }

    @Test func errorsAndLateAnswersReachTheCaller() async throws {
        try await withRig { rig in
            await rig.expect("test.Error.Own") {
                try await rig.call("Fail", [.string("test.Error.Own"), .string("why")])
            }
            do {
                _ = try await rig.call("Fail", [.string("test.Error.Own"), .string("why")])
            } catch { #expect(error as? DBusFailure == DBusFailure(name: "test.Error.Own", message: "why")) }
            // An invalid error name would have libdbus end the process.
            await rig.expect("Failed") { try await rig.call("Fail", [.string("not a name"), .string("")]) }
            await rig.expect("Failed") { try await rig.call("Forget") }
            await rig.expect("Failed") { try await rig.call("WrongType") }
        }
    }

    @Test func concurrentCallsAreAnsweredEachByItself() async throws {
        try await withRig { rig in
            var answers: [UInt32: Value] = [:]
            for number in 0..<50 {
                let delay = UInt32((number * 7) % 50)
                rig.client.call(Rig.name, Rig.path, Sample.name, "Later", [.uint32(delay)]) { result in
                    answers[delay] = try? result.get().first
                }
            }
            try await waitUntil("50 answers") { answers.count == 50 }
            for (delay, answer) in answers { #expect(answer == .uint32(delay)) }
        }
    }

    @Test func callsAreDispatchedInOrderAndNoReplyIsHonoured() async throws {
        try await withRig { rig in
            for number in 0..<100 {
                rig.client.send(
                    Rig.name, Rig.path, Sample.name, number % 2 == 0 ? "Add" : "Echo",
                    number % 2 == 0 ? [.int32(1), .int32(1)] : [.variant(.bool(true))])
            }
            rig.client.send(Rig.name, Rig.path, Sample.name, "None")
            try await settle(rig.client)
            await rig.expect("UnknownMethod") { try await rig.call("None") }
            #expect(rig.sample.log == (0..<100).map { $0 % 2 == 0 ? "Add" : "Echo" })
        }
    }

    @Test func descriptorsGoOnlyWhereTheyAreWanted() async throws {
        try await withRig { rig in
            var ends: [Int32] = [-1, -1]
            #expect(pipe(&ends) == 0)
            defer { close(ends[0]) }
            _ = write(ends[1], "hello", 5)
            close(ends[1])
            await rig.expect([.string("hello")]) { try await rig.call("ReadAll", [.unixFD(ends[0])]) }
            await rig.expect([]) { try await rig.call("Leave", [.unixFD(ends[0])]) }
            await rig.expect("InvalidArgs") { try await rig.call("Echo", [.variant(.unixFD(ends[0]))]) }
            await rig.expect("InvalidArgs") { try await rig.call("Never", [.unixFD(ends[0])]) }
            await rig.expect("InvalidArgs") {
                try await rig.properties("Get", [.string(Sample.name), .string("Flag"), .unixFD(ends[0])])
            }
            // A descriptor that is not asked for is closed here.
            await rig.expect([.unixFD(-1)]) { try await rig.call("Open") }
            let got = try await rig.client.call(
                Rig.name, Rig.path, Sample.name, "Open", takesDescriptors: true)
            let descriptor = got.first?.asUnixFD ?? -1
            #expect(descriptor >= 0 && fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
            close(descriptor)
            await rig.expect("InvalidArgs") { try await rig.call("ReadAll", [.unixFD(9999)]) }
            try await settle(rig.service)
            try await waitUntil("no descriptor is left") { openDescriptors(like: ends[0]) == 1 }
        }
    }

    @Test func wronglyMadeValuesAreRefusedBeforeTheyAreSent() async throws {
        try await withRig { rig in
            let wrong: [Value] = [
                .objectPath("no path"), .objectPath("/a/"), .signature("a"), .signature("(("),
                .array(of: "s", [.int32(1)]), .array(of: "ss", []), .array(of: "", []), .structure([]),
                .dictionary(key: "v", value: "s", []), .variant(.structure([])),
                .dictionary(key: "s", value: "s", [DictionaryEntry(key: .string(""), value: .byte(0))]),
                (0..<40).reduce(Value.byte(0)) { value, _ in .variant(value) },
            ]
            for value in wrong {
                await rig.expect("InvalidArgs") { try await rig.call("Echo", [.variant(value)]) }
                #expect(!rig.service.emit(path: "/a", interface: "a.b", member: "C", [value]))
            }
            await rig.expect("InvalidArgs") { try await rig.client.call("no name", "/", "a.b", "C") }
            await rig.expect("InvalidArgs") { try await rig.client.call("a.b", "/\0", "a.b", "C") }
            // A NUL inside a string would be cut: it is made visible.
            await rig.expect([.variant(.string("a\u{FFFD}b"))]) {
                try await rig.call("Echo", [.variant(.string("a\0b"))])
            }
        }
    }

    @Test func largeArgumentsAreRefused() async throws {
        try await withRig { rig in
            rig.server.argumentLimit = 4096
            rig.server.argumentLimitFailure = DBusFailure(name: "test.TooLarge", message: "")
            let text = String(repeating: "x", count: 4096)
            await rig.expect([.variant(.byteArray([UInt8](repeating: 1, count: 4000)))]) {
                try await rig.call("Echo", [.variant(.byteArray([UInt8](repeating: 1, count: 4000)))])
            }
            for value in [
                Value.string(text), .stringArray(Array(repeating: "", count: 5000)),
                .byteArray([UInt8](repeating: 1, count: 5000)), .string(String(repeating: "x", count: 1 << 20)),
                .array(of: "(s)", Array(repeating: .structure([.string("abc")]), count: 1500)),
            ] {
                await rig.expect("test.TooLarge") { try await rig.call("Echo", [.variant(value)]) }
            }
            await rig.expect("test.TooLarge") {
                try await rig.properties("Set", [.string(Sample.name), .string("Title"), .variant(.string(text))])
            }
        }
    }
}

/// How many descriptors of this process are of the same file as `descriptor`; what other tests open is not counted.
func openDescriptors(like descriptor: Int32) -> Int {
    var wanted = stat()
    fstat(descriptor, &wanted)
    return (Int32(0)..<1024).count { candidate in
        var found = stat()
        return fstat(candidate, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
    }
}
