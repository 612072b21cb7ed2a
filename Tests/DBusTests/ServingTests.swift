import DBus
import MainLoop
import Testing

@Suite struct ServingTests {
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
            await rig.expect("InvalidArgs") { try await rig.call("Introspect", [.byte(1)], interface: "org.freedesktop.DBus.Introspectable") }
            await rig.expect("none") { try await rig.call("Ping", interface: "org.freedesktop.DBus.Peer") }
            await rig.expect("UnknownMethod") { try await rig.call("Pong", interface: "org.freedesktop.DBus.Peer") }
            await rig.expect([.int32(3)]) { try await rig.call("Add", [.int32(1), .int32(2)]) }
        }
    }
}
