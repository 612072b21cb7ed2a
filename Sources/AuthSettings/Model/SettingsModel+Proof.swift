import AuthWire
import DBus
import MainLoop

/// What weakens a lock is proved first: its own prompt asks for what it opens with.
extension SettingsModel {
    /// Does `body`; where that is not allowed, has the locks opened by what they open with, and does it once more.
    func proving(
        _ item: Item, _ locks: @autoclosure () -> [(path: String, lock: LockState)],
        _ body: @LoopActor (Connection) async throws(DBusFailure) -> Void
    ) async -> Outcome {
        let first = await attempt(body)
        guard first == .error(.notAuthorized), let proof = await prove(item, locks()) else { return first }
        return proof == .success ? await attempt(body) : proof
    }

    /// Has locks opened by what they open with.
    ///
    /// - Returns: nil where there is nothing to be proved: then it was refused for another reason.
    func prove(_ item: Item, _ locks: [(path: String, lock: LockState)]) async -> Outcome? {
        let provable = locks.filter(\.lock.isLockable)
        for (path, lock) in provable {
            let outcome = await prove(item, path, lock)
            guard outcome == .success else { return outcome }
        }
        return provable.isEmpty ? nil : .success
    }

    /// Has a lock opened although it is open: the passcode counts for this connection, for five minutes. Where a finger
    /// is wanted, too, the lock is closed first: only what opens it counts (section 9 of the contract).
    private func prove(_ item: Item, _ path: String, _ lock: LockState) async -> Outcome {
        guard let connection = link.connection else { return .silence }
        let client = AuthenticatorClient(connection, path: path)
        let needsFinger = lock.route == .fingerprint || lock.route == .both
        tell(item, Notice(kind: .hint, text: needsFinger ? Texts.proveByLocking : Texts.proveThere))
        var options = viewOptions
        if needsFinger {
            if !lock.isLocked {
                let outcome = await attempt { _ throws(DBusFailure) in try await client.lock() }
                guard outcome == .success else { return outcome }
            }
        } else {
            options[.require] = .string("passcode")
        }
        let succeeded = SuccessSeen(client)
        let wasLocked = state.lock(at: path)?.isLocked == true
        let outcome = await authenticating(item, client, options)
        // A finger, the account password or the grace has opened a lock that was closed: then the passcode is asked for
        // once more, by a view that nothing else opens.
        guard !needsFinger, outcome == .error(.systemCancel), state.lock(at: path)?.isAuthenticated == true,
            wasLocked || succeeded.isSeen
        else { return outcome }
        tell(item, Notice(kind: .hint, text: Texts.proveAgain))
        return await authenticating(item, client, options)
    }

    private func authenticating(
        _ item: Item, _ client: AuthenticatorClient, _ options: [Wire.Option: Value]
    ) async -> Outcome {
        await asking { _, token throws(DBusFailure) in
            var options = options
            options[.handleToken] = .string(token)
            return try await client.authenticate(reason: Texts.reason(item, state), options)
        }
    }

    /// Opens the session's lock, by what it opens with.
    func unlock() {
        perform(.unlock) { [self] in
            guard let connection = link.connection else { return nil }
            let client = AuthenticatorClient(connection, path: Wire.Path.session)
            return await authenticating(.unlock, client, viewOptions).notice
        }
    }
}

/// Whether an authenticator said that it was opened, since this was made.
@LoopActor
private final class SuccessSeen {
    private(set) var isSeen = false
    private var subscription: Subscription?

    init(_ client: AuthenticatorClient) {
        subscription = client.onSignal(.authenticationSucceeded) { [weak self] _ in self?.isSeen = true }
    }
}
