import CDBus
import DBus
import Glibc
import MainLoop
import Testing

@Suite struct ClientTests {
    private static let driver = "org.freedesktop.DBus"
    private static let driverPath = "/org/freedesktop/DBus"

    @Test func aNameIsTakenLostAndWatched() async throws {
        try await withRig { rig in
            let other = try rig.bus.connect()
            var owners: [String?] = []
            let watch = rig.client.watchName(Rig.name) { owners.append($0) }
            try await waitUntil("the first owner") { owners.count == 1 }
            #expect(owners == [rig.service.uniqueName] && watch.owner == rig.service.uniqueName)
            // A second watch is told too, though nothing has changed.
            var again: [String?] = []
            let second = rig.client.watchName(Rig.name) { again.append($0) }
            try await waitUntil("the second watch") { again.count == 1 }
            second.cancel()

            await rig.expect("AddressInUse") {
                try await other.requestName(Rig.name)
                return []
            }
            var lost: [String] = []
            rig.service.onNameLost = { lost.append($0) }
            try await rig.service.releaseName(Rig.name)
            try await other.requestName(Rig.name)
            try await waitUntil("the changes") { owners.count == 3 }
            #expect(owners == [rig.service.uniqueName, nil, other.uniqueName])
            #expect(again == [rig.service.uniqueName])
            #expect(lost.isEmpty, "given back, not lost")

            var nobody: [String?] = []
            let none = rig.client.watchName("test.Nobody") { nobody.append($0) }
            try await waitUntil("nobody") { nobody.count == 1 }
            #expect(nobody == [nil])
            none.cancel()
            watch.cancel()
        }
    }

    @Test func aNameThatIsTakenAwayIsLost() async throws {
        try await withRig { rig in
            // Another owner that lets itself be replaced does not exist among ours, so the raw call is made.
            let loser = try rig.bus.connect()
            try await loser.requestName("test.Other")
            var lost: [String] = []
            loser.onNameLost = { lost.append($0) }
            // The bus tells a connection that releases behind our back the same way.
            _ = try await loser.call(
                Self.driver, Self.driverPath, Self.driver, "ReleaseName", [.string("test.Other")])
            try await waitUntil("the loss") { lost == ["test.Other"] }
        }
    }

    @Test func forgedSignalsAreNotBelieved() async throws {
        try await withRig { rig in
            let liar = try rig.bus.connect()
            var owners: [String?] = []
            var lost: [String] = []
            var left: [String] = []
            var seen: [Signal] = []
            let watch = rig.client.watchName(Rig.name) { owners.append($0) }
            rig.service.onNameLost = { lost.append($0) }
            rig.client.onPeerLeft { left.append($0) }
            let subscription = rig.client.subscribe(
                from: Rig.name, path: nil, interface: Sample.name, member: "Happened"
            ) { seen.append($0) }
            try await waitUntil("the first owner") { owners.count == 1 }
            let service = Value.string(rig.service.uniqueName)
            for victim in [rig.client.uniqueName, rig.service.uniqueName] {
                for arguments in [
                    [Value.string(Rig.name), service, .string("")],
                    [service, service, .string("")], [.string(Rig.name), service, .string(liar.uniqueName)],
                ] {
                    liar.emit(
                        path: Self.driverPath, interface: Self.driver, member: "NameOwnerChanged", arguments,
                        to: victim)
                }
                liar.emit(
                    path: Self.driverPath, interface: Self.driver, member: "NameLost", [.string(Rig.name)],
                    to: victim)
                liar.emit(path: Rig.path, interface: Sample.name, member: "Happened", [.string("lie")], to: victim)
                #expect(
                    !liar.emit(
                        path: "/org/freedesktop/DBus/Local", interface: "org.freedesktop.DBus.Local",
                        member: "Disconnected", to: "\0"))
            }
            try await settle(liar)
            rig.service.emit(path: Rig.path, interface: Sample.name, member: "Happened", [.string("truth")])
            try await waitUntil("the truth") { !seen.isEmpty }
            #expect(seen.map(\.arguments) == [[.string("truth")]])
            #expect(owners.count == 1 && lost.isEmpty && left.isEmpty)
            #expect(rig.client.isConnected && rig.service.isConnected)
            watch.cancel()
            subscription.cancel()
        }
    }

    @Test func aForgedReplyIsNotBelieved() async throws {
        try await withRig { rig in
            let watch = rig.client.watchName(Rig.name) { _ in }
            try await settle(rig.client)
            var answer: Result<[Value], DBusFailure>?
            var toUnique: Result<[Value], DBusFailure>?
            rig.client.call(Rig.name, Rig.path, Sample.name, "Never", timeout: .seconds(60)) { answer = $0 }
            rig.client.call(rig.service.uniqueName, Rig.path, Sample.name, "Never", timeout: .seconds(60)) {
                toUnique = $0
            }
            try await waitUntil("the calls") { rig.sample.kept.count == 2 }
            let liar = try RawClient(rig.bus.address)
            for serial in 1..<UInt32(100) { liar.sendReply(to: rig.client.uniqueName, serial: serial) }
            liar.flush()
            try await settle(rig.client)
            #expect(answer == nil && toUnique == nil)
            for call in rig.sample.kept { call.reply() }
            try await waitUntil("the answers") { answer != nil && toUnique != nil }
            #expect(answer == .success([]) && toUnique == .success([]))
            watch.cancel()
        }
    }

    @Test func aSilentPeerTimesOutAndALostOneIsNamed() async throws {
        try await withRig { rig in
            await rig.expect("NoReply") {
                try await rig.client.call(Rig.name, Rig.path, Sample.name, "Never", timeout: .milliseconds(50))
            }
            // The answer that comes too late is nobody's.
            for call in rig.sample.kept { call.reply() }
            await rig.expect([.int32(2)]) { try await rig.call("Add", [.int32(1), .int32(1)]) }
            await rig.expect("ServiceUnknown") { try await rig.client.call("test.Nobody", "/", "a.b", "C") }
        }
    }

    @Test func aConnectionStaysUntilItsAnswerIsHere() async throws {
        try await withRig { rig in
            await rig.expect([.int32(3)]) {
                try await rig.bus.connect().call(Rig.name, Rig.path, Sample.name, "Add", [.int32(1), .int32(2)])
            }
        }
    }

    @Test func peersThatLeaveAreTold() async throws {
        try await withRig { rig in
            var left: [String] = []
            rig.service.onPeerLeft { left.append($0) }
            try await settle(rig.service)
            var peer: Connection? = try rig.bus.connect()
            let name = peer?.uniqueName ?? ""
            try await settle(peer!)
            peer = nil
            try await waitUntil("the peer is gone") { left == [name] }
        }
    }

    @Test func aLostBusFailsEverythingAndTheProcessLives() async throws {
        try await withRig { rig in
            var owners: [String?] = []
            var isGone = false
            let watch = rig.client.watchName(Rig.name) { owners.append($0) }
            try await waitUntil("the first owner") { owners.count == 1 }
            rig.client.onDisconnect = { isGone = true }
            var answer: Result<[Value], DBusFailure>?
            rig.client.call(Rig.name, Rig.path, Sample.name, "Never", timeout: .seconds(60)) { answer = $0 }
            try await waitUntil("the call") { rig.sample.kept.count == 1 }
            rig.bus.stop()
            try await waitUntil("the loss") { isGone }
            guard case .failure(let failure)? = answer else { throw TestFailure("no answer") }
            #expect(failure.name == "org.freedesktop.DBus.Error.Disconnected")
            #expect(owners.count == 2 && owners.last == .some(nil) && !rig.client.isConnected)
            await rig.expect("Disconnected") { try await rig.call("Never") }
            #expect(!rig.client.emit(path: "/", interface: "a.b", member: "C"))
            rig.sample.kept[0].reply()
            rig.client.flush()
            watch.cancel()
        }
    }

    @Test @LoopActor func noBusIsAnError() {
        do {
            _ = try Connection.open(.address("unix:path=/nonexistent/bus"))
            Issue.record("connected")
        } catch {
            #expect(error.name == "org.freedesktop.DBus.Error.FileNotFound")
        }
    }

    @Test func flushWritesAllThatIsQueued() async throws {
        try await withRig { rig in
            var count = 0
            let subscription = rig.client.subscribe(
                from: Rig.name, path: nil, interface: Sample.name, member: "Happened"
            ) { _ in count += 1 }
            try await settle(rig.client)
            let text = Value.string(String(repeating: "x", count: 100_000))
            for _ in 0..<30 { rig.service.emit(path: "/", interface: Sample.name, member: "Happened", [text]) }
            rig.service.flush()
            try await waitUntil("30 signals") { count == 30 }
            subscription.cancel()
        }
    }
}

/// A connection past our own code, for messages that it would not send. It has no main loop.
final class RawClient {
    let raw: OpaquePointer

    init(_ address: String) throws {
        guard let raw = dbus_connection_open_private(address, nil) else { throw TestFailure("no bus") }
        self.raw = raw
        dbus_connection_set_exit_on_disconnect(raw, 0)
        guard dbus_bus_register(raw, nil) != 0 else { throw TestFailure("no Hello") }
    }

    deinit {
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    func sendReply(to destination: String, serial: UInt32, error: String? = nil) {
        guard let message = dbus_message_new(error == nil ? DBUS_MESSAGE_TYPE_METHOD_RETURN : DBUS_MESSAGE_TYPE_ERROR)
        else { return }
        dbus_message_set_destination(message, destination)
        dbus_message_set_reply_serial(message, serial)
        if let error { dbus_message_set_error_name(message, error) }
        dbus_message_set_no_reply(message, 1)
        dbus_connection_send(raw, message, nil)
        dbus_message_unref(message)
    }

    func flush() { dbus_connection_flush(raw) }

    /// Drops what has come.
    func drain() {
        dbus_connection_read_write(raw, 0)
        while let message = dbus_connection_pop_message(raw) { dbus_message_unref(message) }
    }
}
