public import AuthCore
internal import MainLoop

/// An application's remembered domain states: one item of kind `domain-states` (section 8 of the contract).
///
/// A change stores the whole record anew, reads it back, and only then deletes what was there. A store that is locked,
/// absent or slow, or holds a record that cannot be read, never looks as if nothing had been remembered.
extension LibsecretStore {
    /// Keeps `state` under `identity`, in place of what was there; durable after success.
    public func remember(
        _ state: [UInt8], as identity: String, of id: AuthenticatorID
    ) async -> Result<Void, RememberFailure> {
        let deadline = Deadline.in(Self.patience)
        return await inTurn(id, by: deadline) { await self.keep(state, as: identity, of: id, by: deadline) }
            ?? .failure(.unavailable)
    }

    /// What was last remembered under `identity`; nil inside the success where nothing ever was.
    public func recall(_ identity: String, of id: AuthenticatorID) async -> Result<[UInt8]?, StoreFailure> {
        let deadline = Deadline.in(Self.patience)
        let sight = await inTurn(id, by: deadline) { await self.lookAtStates(of: id, by: deadline) }
        guard case .some(.some(let sight)) = sight, let record = sight.record else { return .failure(.unavailable) }
        return .success(record.state(of: identity))
    }

    private func keep(
        _ state: [UInt8], as identity: String, of id: AuthenticatorID, by deadline: Deadline
    ) async -> Result<Void, RememberFailure> {
        guard let sight = await lookAtStates(of: id, by: deadline), let old = sight.record, sight.isOpen,
            let collection = sight.collection
        else { return .failure(.unavailable) }
        if old.state(of: identity) == state { return .success(()) }
        var record = old
        record.generation += 1
        guard record.set(state, of: identity) else { return .failure(.full) }
        guard let secret = record.encode(for: id) else { return .failure(.unavailable) }

        guard mayGoOn?("create") ?? true else { return .failure(.unavailable) }
        let created = await provider.trying(by: deadline) { steps in
            let attributes = SecretItems.itemAttributes(of: id, kind: .domainStates)
            return await steps.create(
                secret, label: SecretItems.stateLabel(of: id), attributes: attributes, in: collection)
        }
        note(created, "storing a domain state")
        // Whatever CreateItem has answered, what is there decides.
        guard mayGoOn?("read back") ?? true else { return .failure(.unavailable) }
        guard let after = await lookAtStates(of: id, by: deadline), after.record == record else {
            say("Secret Service: a domain state was not stored as it was given")
            return .failure(.unavailable)
        }
        // An old one that stays has the lower generation, and goes with the next change.
        guard mayGoOn?("delete") ?? true else { return .success(()) }
        await delete(after.items.filter { $0.record != record }.map(\.path), of: id, by: deadline)
        return .success(())
    }

    /// Nil without a complete answer.
    private func lookAtStates(of id: AuthenticatorID, by deadline: Deadline) async -> StatesSight? {
        let result = await provider.reading(by: deadline) { steps in await steps.states(of: id) }
        switch result {
        case .failure:
            note(result, "looking for domain states")
            return nil
        case .success(let sight):
            if sight.collection == nil { sawNoCollection() } else { sawOpen(sight.isOpen) }
            return sight
        }
    }
}

/// What a look at an application's remembered states saw.
struct StatesSight: Sendable, Equatable {
    struct Item: Sendable, Equatable {
        let path: String
        /// Nil when what it holds is not ours.
        let record: StatesRecord?
    }

    var items: [Item]
    /// Paths of the hits that are locked.
    var locked: [String]
    /// The default collection; nil when there is none.
    var collection: String?
    /// Whether the default collection is unlocked.
    var isOpen: Bool

    /// The newest one; an empty one where there certainly is none; nil where nobody can tell.
    var record: StatesRecord? {
        guard collection != nil, locked.isEmpty else { return nil }
        // Some providers list nothing of a locked collection.
        guard !items.isEmpty else { return isOpen ? StatesRecord() : nil }
        return items.compactMap(\.record).max { $0.generation < $1.generation }
    }
}

extension SecretSteps {
    fileprivate func states(of id: AuthenticatorID) async -> Result<StatesSight, StepFailure> {
        do throws(StepFailure) {
            guard let collection = try await defaultCollection().get() else {
                return .success(StatesSight(items: [], locked: [], collection: nil, isOpen: false))
            }
            let isOpen = try await !isLocked(collection).get()
            let hits = try await search(SecretItems.attributes(of: id, kind: .domainStates)).get()
            let secrets = try await secrets(of: hits.unlocked).get()
            var items: [StatesSight.Item] = []
            for path in hits.unlocked {
                let record = secrets[path].flatMap { StatesRecord.decode($0, of: id) }
                // A provider may take the session's empty value in a search for "any".
                if record == nil, SecretItems.id(from: try await attributes(of: path).get()) != id { continue }
                items.append(StatesSight.Item(path: path, record: record))
            }
            return .success(
                StatesSight(items: items, locked: hits.locked, collection: collection, isOpen: isOpen))
        } catch {
            return .failure(error)
        }
    }
}
