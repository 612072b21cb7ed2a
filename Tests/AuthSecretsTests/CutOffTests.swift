import AuthCore
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSecrets

/// A change that is cut off at any step leaves the old state or the new one, after a restart on a real keyring.
@Suite struct CutOffTests {
    init() { TestLoop.running }

    enum Change: String, CaseIterable {
        case first, replace, remove

        var steps: [String] {
            self == .remove
                ? ["off", "delete", "look", "marker"] : ["next", "create", "read back", "current", "delete"]
        }
        var before: StoreReading { self == .first ? .unset : .ready(.made(1)) }
        var after: StoreReading {
            switch self {
            case .first: .ready(.made(1))
            case .replace: .ready(.made(2))
            case .remove: .unset
            }
        }

        @LoopActor func make(_ store: LibsecretStore) async -> Result<Void, StoreFailure> {
            switch self {
            case .first: await store.replace(.session, with: .made(1))
            case .replace: await store.replace(.session, with: .made(2))
            case .remove: await store.remove(.session)
            }
        }
    }

    @Test(arguments: Change.allCases)
    @LoopActor func abandonedBetweenTwoSteps(_ change: Change) async throws {
        let rig = try #require(await StoreRig())
        for step in change.steps {
            #expect(await rig.reset(to: change.before))
            var reached = false
            rig.store.mayGoOn = {
                reached = reached || $0 == step
                return !reached
            }
            _ = await change.make(rig.store)
            #expect(reached)
            let found = await rig.anew().load(.session)
            #expect(found == change.before || found == change.after, "\(change) cut before \(step): \(found)")
            #expect(await rig.anew().load(.session) == found)
            #expect(await rig.items(of: .session)?.count == (found == .unset ? 0 : 1))
            // Nothing stands in the way of the next change.
            #expect(await change.make(rig.store) == .done || found == change.after)
            #expect(await rig.store.load(.session) == change.after)
        }
    }

    @Test(arguments: Change.allCases)
    @LoopActor func theProviderDiesBetweenTwoSteps(_ change: Change) async throws {
        let rig = try #require(await StoreRig())
        for step in change.steps {
            #expect(await rig.reset(to: change.before))
            rig.store.mayGoOn = {
                if $0 == step { rig.keyring.end() }
                return true
            }
            let result = await change.make(rig.store)
            rig.store.mayGoOn = nil
            #expect(await rig.keyring.start())
            // The same store, with no restart of ours.
            let found = await rig.store.load(.session)
            #expect(found == change.before || found == change.after, "\(change), killed before \(step): \(found)")
            if case .success = result { #expect(found == change.after) }
        }
    }

    @Test(arguments: Change.allCases)
    @LoopActor func theProviderHangsBetweenTwoSteps(_ change: Change) async throws {
        let rig = try #require(await StoreRig())
        for step in change.steps.dropFirst() {
            #expect(await rig.reset(to: change.before))
            rig.store.mayGoOn = {
                if $0 == step { rig.keyring.send(SIGSTOP) }
                return true
            }
            let start = ContinuousClock.now
            let result = await change.make(rig.store)
            #expect(ContinuousClock.now - start < .seconds(6))
            rig.store.mayGoOn = nil
            rig.keyring.send(SIGCONT)
            let found = await rig.store.load(.session)
            #expect(found == change.before || found == change.after, "\(change), stopped before \(step): \(found)")
            if case .success = result { #expect(found == change.after) }
        }
    }
}
