import DBus
import MainLoop
import Testing

@Suite struct PropertyTests {
    private static let introspectable = "org.freedesktop.DBus.Introspectable"
    private static let objectManager = "org.freedesktop.DBus.ObjectManager"

    @Test func getSetAndGetAll() async throws {
        try await withRig { rig in
            let own = Value.string(Sample.name)
            await rig.expect([.variant(.bool(true))]) { try await rig.properties("Get", [own, .string("Flag")]) }
            await rig.expect([.variant(.bool(true))]) {
                try await rig.properties("Get", [.string(""), .string("Flag")])
            }
            await rig.expect([]) { try await rig.properties("Set", [own, .string("Flag"), .variant(.bool(false))]) }
            #expect(!rig.sample.flag)
            await rig.expect([.variant(.bool(false))]) { try await rig.properties("Get", [own, .string("Flag")]) }
            let all: [String: Value] = [
                "Flag": .bool(false), "Title": .string("title"), "Version": .string("1"),
                "Numbers": .array(of: "u", [.uint32(1), .uint32(2)]),
            ]
            for interface in [own, .string("")] {
                let found = try await rig.properties("GetAll", [interface])
                #expect(found.first?.asDictionary == all)
            }
            await rig.expect([.options([:])]) {
                try await rig.properties("GetAll", [.string("org.freedesktop.DBus.Peer")])
            }
        }
    }

    @Test func wrongUsesGetTheStandardErrors() async throws {
        try await withRig { rig in
            let own = Value.string(Sample.name)
            await rig.expect("UnknownProperty") { try await rig.properties("Get", [own, .string("None")]) }
            await rig.expect("UnknownProperty") { try await rig.properties("Get", [.string(""), .string("None")]) }
            await rig.expect("UnknownProperty") {
                try await rig.properties("Get", [.string("org.freedesktop.DBus.Peer"), .string("Flag")])
            }
            await rig.expect("UnknownInterface") { try await rig.properties("Get", [.string("a.b"), .string("Flag")]) }
            await rig.expect("UnknownInterface") { try await rig.properties("GetAll", [.string("a.b")]) }
            await rig.expect("UnknownObject") {
                try await rig.properties("Get", [own, .string("Flag")], path: "/none")
            }
            await rig.expect("UnknownMethod") { try await rig.properties("Put", []) }
            await rig.expect("InvalidArgs") { try await rig.properties("Get", [own]) }
            await rig.expect("InvalidArgs") { try await rig.properties("GetAll", []) }
            await rig.expect("InvalidArgs") { try await rig.properties("Set", [own, .string("Flag"), .bool(true)]) }
            await rig.expect("InvalidArgs") {
                try await rig.properties("Set", [own, .string("Flag"), .variant(.string("true"))])
            }
            await rig.expect("InvalidArgs") {
                try await rig.properties("Set", [own, .string("Flag"), .variant(.variant(.bool(true)))])
            }
            await rig.expect("PropertyReadOnly") {
                try await rig.properties("Set", [own, .string("Version"), .variant(.string("2"))])
            }
            await rig.expect("Failed") { try await rig.properties("Get", [own, .string("Broken")]) }
            await rig.expect("Failed") { try await rig.properties("Get", [own, .string("Missing")]) }
        }
    }

    @Test func changesAreSignalled() async throws {
        try await withRig { rig in
            var seen: [Signal] = []
            let subscription = rig.client.subscribe(
                from: Rig.name, path: Rig.path, interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged"
            ) { seen.append($0) }
            try await settle(rig.client)
            rig.server.emitPropertiesChanged(path: Rig.path, interface: Sample.name, [("Flag", .bool(true))])
            try await waitUntil("the signal") { seen.count == 1 }
            #expect(seen.first?.arguments == [.string(Sample.name), .options(["Flag": .bool(true)]), .stringArray([])])
            subscription.cancel()
        }
    }

    @Test func introspectionIsMadeFromTheDescriptions() async throws {
        try await withRig { rig in
            rig.server.add([Sample()], at: "/test/sample/deep/er")
            rig.server.addObjectManager(at: "/test")
            func xml(_ path: String) async throws -> String {
                try await rig.call("Introspect", path: path, interface: Self.introspectable).first?.asString ?? ""
            }
            let own = try await xml(Rig.path)
            for part in [
                "<interface name=\"test.Sample\">", "<method name=\"Add\">",
                "<arg name=\"a\" type=\"i\" direction=\"in\"/>",
                "<arg name=\"sum\" type=\"i\" direction=\"out\"/>", "<signal name=\"Happened\">",
                "<method name=\"Never\"/>",
                "<property name=\"Flag\" type=\"b\" access=\"readwrite\"/>",
                "<property name=\"Version\" type=\"s\" access=\"read\">", "value=\"const\"", "value=\"false\"",
                "<interface name=\"org.freedesktop.DBus.Properties\">", "<node name=\"deep\"/>",
            ] { #expect(own.contains(part), "\(part)") }
            #expect(!own.contains(Self.objectManager))
            let root = try await xml("/")
            #expect(root.contains("<node name=\"test\"/>") && !root.contains("<interface"))
            let manager = try await xml("/test")
            #expect(manager.contains(Self.objectManager) && manager.contains("<node name=\"sample\"/>"))
            await rig.expect("UnknownObject") {
                try await rig.call("Introspect", path: "/tes", interface: Self.introspectable)
            }
            await rig.expect("UnknownObject") {
                try await rig.call("Ask", path: "/test/sample/deep", interface: Self.introspectable)
            }
        }
    }

    @Test func theObjectManagerKnowsWhatIsBelow() async throws {
        try await withRig { rig in
            var seen: [Signal] = []
            rig.server.addObjectManager(at: "/test")
            let subscriptions = ["InterfacesAdded", "InterfacesRemoved"].map { member in
                rig.client.subscribe(from: Rig.name, path: "/test", interface: Self.objectManager, member: member) {
                    seen.append($0)
                }
            }
            try await settle(rig.client)
            rig.server.add([Sample()], at: "/test/other")
            rig.server.add([Sample()], at: "/elsewhere")
            let objects = try await rig.call("GetManagedObjects", path: "/test", interface: Self.objectManager)
            guard case .dictionary("o", "a{sa{sv}}", let entries)? = objects.first else {
                Issue.record("\(objects)")
                return
            }
            #expect(entries.compactMap(\.key.asObjectPath) == ["/test/other", "/test/sample"])
            #expect(entries[0].value.asDictionary?[Sample.name]?.asDictionary?["Version"] == .string("1"))
            rig.server.remove("/test/other")
            rig.server.remove("/test/none")
            try await waitUntil("two signals") { seen.count == 2 }
            #expect(seen[0].arguments.first == .objectPath("/test/other"))
            #expect(seen[0].arguments.last == entries[0].value)
            #expect(seen[1].arguments == [.objectPath("/test/other"), .stringArray([Sample.name])])
            await rig.expect("UnknownObject") { try await rig.call("Never", path: "/test/other") }
            await rig.expect("UnknownInterface") {
                try await rig.call("GetManagedObjects", interface: Self.objectManager)
            }
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    @Test func aThousandObjectsComeAndGo() async throws {
        try await withRig { rig in
            let sample = rig.sample
            for number in 0..<1024 { rig.server.add([sample], at: "/test/many/_\(number)") }
            for number in [0, 511, 1023] {
                await rig.expect([.variant(.bool(true))]) {
                    try await rig.properties(
                        "Get", [.string(Sample.name), .string("Flag")], path: "/test/many/_\(number)")
                }
            }
            for number in 0..<1024 where number != 77 { rig.server.remove("/test/many/_\(number)") }
            await rig.expect("UnknownObject") { try await rig.call("Never", path: "/test/many/_78") }
            await rig.expect([.int32(3)]) {
                try await rig.call("Add", [.int32(1), .int32(2)], path: "/test/many/_77")
            }
        }
    }
}
