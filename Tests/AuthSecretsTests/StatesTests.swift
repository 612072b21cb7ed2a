import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSecrets

/// An application's remembered domain states on a real keyring: kept, bounded, and never taken for nothing.
@Suite struct StatesTests {
    init() { TestLoop.running }

    private static func state(_ number: Int) -> [UInt8] { (0..<32).map { UInt8(($0 * 7 + number) & 0xff) } }

    private static func record(_ generation: UInt64, _ state: [UInt8]) -> StatesRecord {
        var record = StatesRecord(generation: generation)
        precondition(record.set(state, of: "anna"))
        return record
    }

    @Test @LoopActor func theyAreKeptByApplicationAndIdentity() async throws {
        let rig = try #require(await StoreRig())
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        for id in [AuthenticatorID.session, app] {
            #expect(await rig.store.recall("anna", of: id) == .success(nil))
        }
        #expect(await rig.store.remember(Self.state(1), as: "anna", of: app).isDone)
        #expect(await rig.store.remember(Self.state(2), as: "Ännchen 日本", of: app).isDone)
        #expect(await rig.store.recall("anna", of: app) == .success(Self.state(1)))
        #expect(await rig.store.recall("Ännchen 日本", of: app) == .success(Self.state(2)))
        #expect(await rig.store.recall("Anna", of: app) == .success(nil))
        #expect(await rig.store.recall("anna", of: .session) == .success(nil))
        #expect(await rig.store.remember(Self.state(3), as: "anna", of: app).isDone)
        #expect(await rig.anew().recall("anna", of: app) == .success(Self.state(3)))
        #expect(await rig.store.recall("Ännchen 日本", of: app) == .success(Self.state(2)))
        #expect(await rig.items(of: app, .domainStates)?.count == 1)
        // It is no passcode, and makes nobody's lock.
        #expect(await rig.store.load(app) == .unset)
        #expect(await rig.store.storedIDs() == [])
        #expect(await rig.store.remove(app) == .done)
        #expect(await rig.store.recall("anna", of: app) == .success(Self.state(3)))
        #expect(await rig.store.remove(app, everything: true) == .done)
        #expect(await rig.store.recall("anna", of: app) == .success(nil))
        #expect(await rig.items(of: app, .domainStates)?.count == 0)
    }

    @Test @LoopActor func sixtyFourAndNoMore() async throws {
        let rig = try #require(await StoreRig())
        var full = StatesRecord(generation: 9)
        let fits = (0..<64).allSatisfy { full.set(Self.state($0), of: "identity \($0)") }
        #expect(fits)
        #expect(await rig.put(try #require(full.encode(for: .session)), of: .session, .domainStates))
        #expect(await rig.store.recall("identity 63", of: .session) == .success(Self.state(63)))
        #expect(await rig.store.remember(Self.state(1), as: "one more", of: .session).failure == .full)
        #expect(await rig.store.recall("one more", of: .session) == .success(nil))
        #expect(await rig.store.remember(Self.state(100), as: "identity 7", of: .session).isDone)
        #expect(await rig.store.recall("identity 7", of: .session) == .success(Self.state(100)))
        #expect(await rig.store.recall("identity 8", of: .session) == .success(Self.state(8)))
    }

    @Test @LoopActor func whatCannotBeReadIsNotNothing() async throws {
        let rig = try #require(await StoreRig())
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        #expect(await rig.store.remember(Self.state(1), as: "anna", of: app).isDone)
        // Locked, gone, and there again.
        #expect(rig.keyring.lock())
        #expect(await rig.store.recall("anna", of: app) == .failure(.unavailable))
        #expect(await rig.store.recall("anna", of: .session) == .failure(.unavailable))
        #expect(await rig.store.remember(Self.state(2), as: "anna", of: app).failure == .unavailable)
        rig.keyring.end()
        #expect(await rig.store.recall("anna", of: app) == .failure(.unavailable))
        #expect(await rig.store.remember(Self.state(2), as: "anna", of: app).failure == .unavailable)
        #expect(await rig.keyring.start())
        #expect(await rig.store.recall("anna", of: app) == .success(Self.state(1)))
        // Silent: an answer within the 5 s all the same.
        rig.keyring.send(SIGSTOP)
        let start = ContinuousClock.now
        let store = rig.store
        async let recalled = store.recall("anna", of: app)
        async let remembered = store.remember(Self.state(2), as: "anna", of: .session)
        #expect(await recalled == .failure(.unavailable))
        #expect(await remembered.failure == .unavailable)
        #expect(ContinuousClock.now - start < .seconds(6))
        rig.keyring.send(SIGCONT)
        #expect(await rig.store.recall("anna", of: app) == .success(Self.state(1)))
    }

    @Test @LoopActor func foreignTruncatedAndOldItems() async throws {
        let rig = try #require(await StoreRig())
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        let old = Self.record(1, Self.state(1))
        let new = Self.record(2, Self.state(2))
        let record = try #require(new.encode(for: app))
        // Alone, what is not ours is not nothing; only a removal helps.
        for broken in ["rubbish", "", String(record.prefix(40)), try #require(new.encode(for: .session))] {
            #expect(await rig.put(broken, of: app, .domainStates))
            #expect(await rig.store.recall("anna", of: app) == .failure(.unavailable))
            #expect(await rig.store.remember(Self.state(3), as: "anna", of: app).failure == .unavailable)
            #expect(await rig.store.remove(app, everything: true) == .done)
            #expect(await rig.store.recall("anna", of: app) == .success(nil))
        }
        // Of two that a cut-off change left, the newer one counts, whichever was stored first.
        #expect(await rig.put(record, of: app, .domainStates))
        #expect(await rig.put(try #require(old.encode(for: app)), of: app, .domainStates))
        #expect(await rig.put(String(record.prefix(40)), of: app, .domainStates))
        #expect(await rig.store.recall("anna", of: app) == .success(Self.state(2)))
        #expect(await rig.store.remember(Self.state(4), as: "berta", of: app).isDone)
        #expect(await rig.items(of: app, .domainStates)?.count == 1)
        #expect(await rig.store.recall("anna", of: app) == .success(Self.state(2)))
    }

    @Test(arguments: ["create", "read back", "delete"])
    @LoopActor func aChangeThatIsCutOff(_ step: String) async throws {
        let rig = try #require(await StoreRig())
        #expect(await rig.store.remember(Self.state(1), as: "anna", of: .session).isDone)
        for isKilled in [false, true] {
            rig.store.mayGoOn = {
                if $0 == step, isKilled { rig.keyring.end() }
                return isKilled || $0 != step
            }
            let result = await rig.store.remember(Self.state(2), as: "anna", of: .session)
            if isKilled { #expect(await rig.keyring.start()) }
            let found = await rig.anew().recall("anna", of: .session)
            #expect(found == .success(Self.state(1)) || found == .success(Self.state(2)), "cut before \(step)")
            if result.isDone { #expect(found == .success(Self.state(2))) }
            #expect(await rig.store.remember(Self.state(1), as: "anna", of: .session).isDone)
            #expect(await rig.store.recall("anna", of: .session) == .success(Self.state(1)))
        }
    }

    @Test func aRecordIsReadStrictly() throws {
        let record = Self.record(3, [0, 255])
        let text = try #require(record.encode(for: .session))
        #expect(!text.contains("\n"))
        #expect(StatesRecord.decode(text, of: .session) == record)
        let other = try #require(AuthenticatorID(application: "org.example.App"))
        #expect(StatesRecord.decode(text, of: other) == nil)
        #expect(StatesRecord.decode(text + "\n", of: .session) == nil)
        #expect(StatesRecord.decode(String(text.dropLast(4)), of: .session) == nil)
        // Nothing says whose state it is.
        let plain = try #require(ItemRecord.unbase64(text))
        #expect(!plain.contains("anna"))
        for broken in [
            plain.replacing(" 1 ", with: " 2 "), plain.replacing(" 3 ", with: " 03 "),
            plain.replacing("00ff", with: "00f"), plain.replacing("00ff", with: "00FF"),
            plain.replacing(":00ff", with: ":"), plain.replacing("states - ", with: "states x "), plain + " end",
        ] {
            #expect(broken != plain)
            #expect(StatesRecord.decode(try #require(ItemRecord.base64(broken)), of: .session) == nil, "\(broken)")
        }
    }
}

extension Result where Success == Void, Failure == RememberFailure {
    fileprivate var isDone: Bool { failure == nil }
    fileprivate var failure: RememberFailure? { if case .failure(let failure) = self { failure } else { nil } }
}
