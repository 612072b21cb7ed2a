import AuthCore
@testable import AuthSecrets
import Glibc
import MainLoop
import Testing

@Suite @LoopActor struct LibsecretStoreTests {
    nonisolated init() { TestLoop.running }

    @Test func aPasscodeIsStoredFoundChangedAndRemoved() async throws {
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
}
