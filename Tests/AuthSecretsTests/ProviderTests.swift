import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSecrets

/// A provider that is locked, absent, stopped, killed, or has lost its collection.
@Suite struct ProviderTests {
    init() { TestLoop.running }

    @Test @LoopActor func absentThenThere() async throws {
        let rig = try #require(await StoreRig(daemon: false))
        #expect(await eventually { access(rig.keyring.folder.path + "/bus", F_OK) == 0 })
        await rig.store.start()
        var changes = 0
        rig.store.onChange = { changes += 1 }
        #expect(rig.store.state == .absent)
        #expect(await rig.store.load(.session) == .unavailable(hasMarker: false))
        #expect(await rig.store.replace(.session, with: .made(1)) == .failed(.unavailable))
        #expect(await rig.store.remove(.session) == .failed(.unavailable))
        #expect(await rig.store.storedIDs() == nil)
        #expect(await !rig.store.unlock())
        #expect(await rig.keyring.start())
        #expect(await eventually { rig.store.state == .ready })
        #expect(changes >= 1)
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        rig.keyring.end()
        #expect(await eventually { rig.store.state == .absent })
        #expect(await rig.store.load(.session) == .unavailable(hasMarker: true))
        #expect(await rig.keyring.start())
        #expect(await rig.store.load(.session) == .ready(.made(1)))
    }

    @Test @LoopActor func lockedThenOpen() async throws {
        let rig = try #require(await StoreRig())
        await rig.store.start()
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        #expect(rig.keyring.lock())
        #expect(await eventually { rig.store.state == .locked })
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        #expect(await rig.store.load(.session) == .unavailable(hasMarker: true))
        #expect(await rig.store.load(app) == .unset)
        #expect(await rig.store.replace(.session, with: .made(2)) == .failed(.unavailable))
        #expect(await rig.store.replace(app, with: .made(2)) == .failed(.unavailable))
        #expect(await rig.store.remove(.session) == .failed(.unavailable))
        // Nobody there to ask the person: an answer all the same.
        #expect(await !rig.store.unlock())
        // Without its marker it is no lock, and no "unset" either.
        #expect(await rig.files.remove(.marker, of: .session))
        #expect(await rig.store.load(.session) == .unavailable(hasMarker: false))
        rig.keyring.end()
        #expect(await rig.keyring.start())
        #expect(await eventually { rig.store.state == .ready })
        #expect(await rig.store.load(.session) == .ready(.made(1)))
        #expect(await rig.store.load(app) == .unset)
    }

    @Test @LoopActor func stoppedThenContinued() async throws {
        let rig = try #require(await StoreRig())
        await rig.store.start()
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        rig.keyring.send(SIGSTOP)
        let store = rig.store
        let start = ContinuousClock.now
        async let loaded = store.load(.session)
        async let loadedToo = store.load(.session)
        async let replaced = store.replace(.session, with: .made(2))
        async let removed = store.remove(.session)
        async let listed = store.storedIDs()
        #expect(await loaded == .unavailable(hasMarker: true))
        #expect(await loadedToo == .unavailable(hasMarker: true))
        #expect(await replaced == .failed(.unavailable))
        #expect(await removed == .failed(.unavailable))
        #expect(await listed == nil)
        #expect(ContinuousClock.now - start < .seconds(6))
        #expect(store.state == .failing)
        rig.keyring.send(SIGCONT)
        #expect(await store.load(.session) == .ready(.made(1)))
        #expect(store.state == .ready)
        #expect(await store.replace(.session, with: .made(2)) == .done)
    }

    @Test @LoopActor func aDeletedCollection() async throws {
        let rig = try #require(await StoreRig())
        await rig.store.start()
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        #expect(
            rig.keyring.call(
                "org.freedesktop.secrets", PrivateKeyring.collection, "org.freedesktop.Secret.Collection", "Delete"))
        // No default collection: "/" by ReadAlias, or a new empty one.
        let found = await rig.store.load(.session)
        #expect(found == .unavailable(hasMarker: true) || found == .lost)
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        if found == .lost { return }
        #expect(rig.store.state == .failing)
        #expect(await rig.store.load(app) == .unavailable(hasMarker: false))
        #expect(await rig.store.replace(app, with: .made(1)) == .failed(.unavailable))
    }

    @Test @LoopActor func forgedSignalsChangeNothing() async throws {
        let rig = try #require(await StoreRig())
        await rig.store.start()
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        var changes = 0
        rig.store.onChange = { changes += 1 }
        func forge(_ path: String, _ interface: String, _ member: String, _ arguments: [String]) {
            #expect(
                rig.keyring.run(
                    ["busctl", "--address=\(rig.keyring.address)", "emit", path, interface, member] + arguments) == 0)
        }
        func forgeAll() {
            forge("/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "CollectionCreated", ["o", "/x"])
            forge(
                "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "CollectionDeleted",
                ["o", PrivateKeyring.collection])
            forge(
                PrivateKeyring.collection, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                ["sa{sv}as", "org.freedesktop.Secret.Collection", "1", "Locked", "b", "true", "0"])
            forge(
                "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
                ["sss", "org.freedesktop.secrets", ":1.1", ""])
        }
        forgeAll()
        #expect(await rig.store.load(.session) == .ready(.made(1)))
        #expect(rig.store.state == .ready && changes == 0)
        rig.keyring.end()
        #expect(await eventually { rig.store.state == .absent })
        forgeAll()
        #expect(await rig.store.load(.session) == .unavailable(hasMarker: true))
    }

    @Test @LoopActor func aBusThatIsNotThere() async {
        let files = AuthenticatorFiles(folder: "/nonexistent/smileauth") { _ in }
        let store = LibsecretStore(busAddress: "unix:path=/nonexistent/bus", files: files) { _ in }
        await store.start()
        #expect(store.state == .absent)
        #expect(await store.load(.session) == .unavailable(hasMarker: false))
        #expect(await store.replace(.session, with: .made(1)) == .failed(.unavailable))
    }
}
