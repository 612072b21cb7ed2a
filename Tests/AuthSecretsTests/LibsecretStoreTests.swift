import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSecrets

/// The store on a real keyring: what it finds, and that it keeps.
@Suite struct LibsecretStoreTests {
    init() { TestLoop.running }

    @Test @LoopActor func aPasscodeIsStoredFoundChangedAndRemoved() async throws {
        let rig = try #require(await StoreRig())
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        await rig.store.start()
        #expect(rig.store.state == .ready)
        for id in [AuthenticatorID.session, app] {
            #expect(await rig.store.load(id) == .unset)
            #expect(await rig.store.replace(id, with: .made(1)) == .done)
            #expect(await rig.store.load(id) == .ready(.made(1)))
            #expect(await rig.store.replace(id, with: .made(2)) == .done)
            #expect(await rig.store.load(id) == .ready(.made(2)))
        }
        #expect(await rig.store.storedIDs() == [.session, app])
        #expect(await rig.anew().load(app) == .ready(.made(2)))
        #expect(await rig.store.remove(app) == .done)
        #expect(await rig.store.load(app) == .unset)
        #expect(await rig.files.read(.marker, of: app) == .missing)
        #expect(await rig.store.load(.session) == .ready(.made(2)))
        #expect(await rig.items(of: .session)?.count == 1)
    }

    @Test @LoopActor func anItemHasTheAttributesOfTheContractAndNoOther() async throws {
        let rig = try #require(await StoreRig())
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        let path = try #require(await rig.items(of: .session)?.first)
        #expect(
            rig.keyring.run([
                "busctl", "--address=\(rig.keyring.address)", "get-property", "org.freedesktop.secrets", path,
                "org.freedesktop.Secret.Item", "Attributes",
            ]) == 0)
        let words = Set(rig.keyring.output.split { " \n".contains($0) }.map { String($0) })
        #expect(
            words == [
                "a{ss}", "3", #""application""#, #""""#, #""kind""#, #""passcode""#,
                #""xdg:schema""#, #""org.smileauth.Auth1""#,
            ])
    }

    @Test @LoopActor func foreignAndTruncatedItems() async throws {
        let rig = try #require(await StoreRig())
        let id = AuthenticatorID.session
        let record = try #require(ItemRecord.encode(.made(1), of: id))
        // Beside the one that counts they go.
        #expect(await rig.store.replace(id, with: .made(1)) == .done)
        #expect(await rig.put("rubbish", of: id))
        #expect(await rig.put(String(record.prefix(20)), of: id))
        #expect(await rig.put(try #require(ItemRecord.encode(.made(9), of: id)), of: id))
        #expect(await rig.store.load(id) == .ready(.made(1)))
        #expect(await rig.items(of: id)?.count == 1)
        // Alone they are lost, and only a removal helps.
        #expect(await rig.deleteItems(of: id))
        #expect(await rig.store.load(id) == .lost)
        #expect(await rig.put(String(record.prefix(20)), of: id))
        #expect(await rig.store.load(id) == .lost)
        #expect(await rig.store.replace(id, with: .made(2)) == .failed(.lost))
        #expect(await rig.items(of: id)?.count == 1)
        #expect(await rig.store.remove(id) == .done)
        #expect(await rig.store.load(id) == .unset)
        #expect(await rig.items(of: id)?.count == 0)
        // An item without a marker is a passcode; an empty one is lost.
        #expect(await rig.put(record, of: id))
        #expect(await rig.store.load(id) == .ready(.made(1)))
        #expect(await rig.files.read(.marker, of: id) == .fields(["current": Verifier.made(1).id]))
    }

    @Test @LoopActor func aBrokenMarkerIsLostUntilItIsReset() async throws {
        let rig = try #require(await StoreRig())
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        rig.data.write("[smileauth]\ncurr", to: "smileauth/session/marker")
        #expect(await rig.store.load(.session) == .lost)
        #expect(await rig.store.load(.session) == .lost)
        #expect(await rig.store.replace(.session, with: .made(2)) == .failed(.lost))
        #expect(await rig.store.remove(.session) == .done)
        #expect(await rig.store.load(.session) == .unset)
        #expect(await rig.store.replace(.session, with: .made(3)) == .done)
        #expect(await rig.store.load(.session) == .ready(.made(3)))
    }

    @Test @LoopActor func removingEverythingTakesTheRememberedStates() async throws {
        let rig = try #require(await StoreRig())
        #expect(await rig.put("states", of: .session, .domainStates))
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        #expect(await rig.store.remove(.session) == .done)
        #expect(await rig.items(of: .session, .domainStates)?.count == 1)
        #expect(await rig.store.remove(.session, everything: true) == .done)
        #expect(await rig.items(of: .session, .domainStates)?.count == 0)
    }

    @Test @LoopActor func manyAtOnceAreServedInTurn() async throws {
        let rig = try #require(await StoreRig())
        let store = rig.store
        let tasks = (1...8).flatMap { number in
            [
                Task { await store.replace(.session, with: .made(number)) == .done },
                Task { if case .unavailable = await store.load(.session) { false } else { true } },
            ]
        }
        for task in tasks { #expect(await task.value) }
        guard case .ready = await store.load(.session) else {
            Issue.record("no passcode")
            return
        }
        #expect(await rig.items(of: .session)?.count == 1)
    }

    @Test(.enabled(if: getuid() == 0))
    @LoopActor func aFullDiskChangesNothing() async throws {
        let rig = try #require(await StoreRig())
        let disk = try #require(SmallDisk(at: rig.data.path + "/smileauth"))
        defer { disk.unmount() }
        disk.fill()
        #expect(await rig.store.replace(.session, with: .made(1)) == .failed(.unavailable))
        #expect(await rig.store.load(.session) == .unset)
        disk.empty()
        #expect(await rig.store.replace(.session, with: .made(1)) == .done)
        disk.fill()
        #expect(await rig.store.replace(.session, with: .made(2)) == .failed(.unavailable))
        #expect(await rig.store.remove(.session) == .failed(.unavailable))
        #expect(await rig.store.load(.session) == .ready(.made(1)))
        // Full from one step to the next.
        disk.empty()
        rig.store.mayGoOn = { step in
            if step == "current" { disk.fill() }
            return true
        }
        #expect(await rig.store.replace(.session, with: .made(2)) == .failed(.unavailable))
        #expect(await rig.store.load(.session) == .ready(.made(1)))
        #expect(await rig.items(of: .session)?.count == 1)
        disk.empty()
        #expect(await rig.anew().load(.session) == .ready(.made(1)))
    }
}
