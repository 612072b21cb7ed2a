public import AuthCore
internal import MainLoop

extension LibsecretStore {
    /// Stores `verifier` as the authenticator's passcode, in place of what is there.
    ///
    /// Write next · CreateItem · read back · write current · delete the old. After success the passcode is durable.
    /// After a failure the old state holds, unless the provider did not answer in time: it may still store what it was
    /// sent, and the next load finds the old passcode where there was one, else this one.
    public func replace(_ id: AuthenticatorID, with verifier: Verifier) async -> Result<Void, StoreFailure> {
        let deadline = Deadline.in(Self.patience)
        return await inTurn(id, by: deadline) { await self.change(id, to: verifier, by: deadline) }
            ?? .failure(.unavailable)
    }

    /// Removes the authenticator's passcode, whatever state it is in; none there is fine.
    ///
    /// Write next = `off` · delete the item · delete the marker. After a failure the old state holds, unless the
    /// provider did not answer in time.
    ///
    /// - Parameter everything: the application's remembered states, too.
    public func remove(_ id: AuthenticatorID, everything: Bool = false) async -> Result<Void, StoreFailure> {
        let deadline = Deadline.in(Self.patience)
        return await inTurn(id, by: deadline) {
            if everything {
                guard await self.removeStates(of: id, by: deadline) else { return .failure(.unavailable) }
            }
            return await self.turnOff(id, by: deadline)
        } ?? .failure(.unavailable)
    }

    // MARK: - Storing

    private func change(_ id: AuthenticatorID, to new: Verifier, by deadline: Deadline) async
        -> Result<Void, StoreFailure>
    {
        guard let secret = ItemRecord.encode(new, of: id) else { return .failure(.unavailable) }
        let before = await settle(id, by: deadline)
        let old: Verifier?
        switch before.reading {
        case .ready(let verifier): old = verifier
        case .unset: old = nil
        case .lost: return .failure(.lost)
        case .unavailable: return .failure(.unavailable)
        }
        guard let sight = before.sight, sight.isOpen, let collection = sight.collection, old?.id != new.id else {
            return .failure(.unavailable)
        }

        guard mayGoOn?("next") ?? true else { return .failure(.unavailable) }
        guard await writeMarker(Marker(current: old?.id, next: .id(new.id)), of: id) else {
            await restoreMarker(old, of: id)
            return .failure(.unavailable)
        }
        guard mayGoOn?("create") ?? true else { return .failure(.unavailable) }
        let created = await provider.trying(by: deadline) { steps in
            let attributes = SecretItems.itemAttributes(of: id, kind: .passcode)
            return await steps.create(secret, label: SecretItems.label(of: id), attributes: attributes, in: collection)
        }
        note(created, "storing the passcode")

        // Whatever CreateItem has answered, what is there decides.
        guard mayGoOn?("read back") ?? true else { return .failure(.unavailable) }
        guard let after = await look(at: id, by: deadline) else { return .failure(.unavailable) }
        guard after.items.contains(where: { $0.verifier == new }) else {
            say("Secret Service: the passcode was not stored as it was given")
            let strange = after.items.map(\.path).filter { path in !sight.items.contains { $0.path == path } }
            await giveUp(strange, old, of: id, by: deadline)
            return .failure(.unavailable)
        }
        guard mayGoOn?("current") ?? true else { return .failure(.unavailable) }
        let wanted = Marker(current: new.id)
        if await !writeMarker(wanted, of: id), MarkerReading(await files.read(.marker, of: id)) != .marker(wanted) {
            await giveUp(after.items.filter { $0.verifier == new }.map(\.path), old, of: id, by: deadline)
            return .failure(.unavailable)
        }
        // The new one counts from here on; an old one that stays is deleted by a later load.
        guard mayGoOn?("delete") ?? true else { return .success(()) }
        await delete(after.extras(beside: new), of: id, by: deadline)
        return .success(())
    }

    /// Takes a change back: its items first, as the marker with both ids still makes the old one count.
    private func giveUp(_ paths: [String], _ old: Verifier?, of id: AuthenticatorID, by deadline: Deadline) async {
        await delete(paths, of: id, by: deadline)
        await restoreMarker(old, of: id)
    }

    private func restoreMarker(_ old: Verifier?, of id: AuthenticatorID) async {
        if let old {
            _ = await writeMarker(Marker(current: old.id), of: id)
        } else {
            _ = await files.remove(.marker, of: id)
        }
    }

    // MARK: - Removing

    private func turnOff(_ id: AuthenticatorID, by deadline: Deadline) async -> Result<Void, StoreFailure> {
        let before = await settle(id, by: deadline)
        guard let sight = before.sight, sight.collection != nil, sight.locked.isEmpty else {
            return .failure(.unavailable)
        }
        var current: Verifier?
        switch before.reading {
        case .unavailable: return .failure(.unavailable)
        case .unset: return before.marker == .missing ? .success(()) : await forgetMarker(of: id)
        case .lost: break
        case .ready(let verifier): current = verifier
        }

        guard mayGoOn?("off") ?? true else { return .failure(.unavailable) }
        let known: String? = if case .marker(let marker) = before.marker { marker.current } else { current?.id }
        guard await writeMarker(Marker(current: known, next: .off), of: id) else {
            if let current { await restoreMarker(current, of: id) }
            return .failure(.unavailable)
        }
        guard mayGoOn?("delete") ?? true else { return .failure(.unavailable) }
        // The one that counts goes last: a cut before it leaves it, and not something lost.
        let last = sight.items.filter { current != nil && $0.verifier == current }.map(\.path)
        let paths = sight.items.map(\.path).filter { !last.contains($0) } + last
        await delete(paths, of: id, by: deadline)
        guard mayGoOn?("look") ?? true else { return .failure(.unavailable) }
        guard let after = await look(at: id, by: deadline) else { return .failure(.unavailable) }
        guard after.items.isEmpty, after.locked.isEmpty else {
            if let current { await restoreMarker(current, of: id) }
            return .failure(.unavailable)
        }
        guard mayGoOn?("marker") ?? true else { return .failure(.unavailable) }
        return await forgetMarker(of: id)
    }

    /// A marker that stays with next = `off` and no item says the same as none; it goes with a later load.
    private func forgetMarker(of id: AuthenticatorID) async -> Result<Void, StoreFailure> {
        _ = await files.remove(.marker, of: id)
        return .success(())
    }

    private func removeStates(of id: AuthenticatorID, by deadline: Deadline) async -> Bool {
        let result = await provider.reading(by: deadline) { steps in
            await steps.search(SecretItems.attributes(of: id, kind: .domainStates))
        }
        note(result, "looking for remembered states")
        guard case .success(let hits) = result, hits.locked.isEmpty else { return false }
        await delete(hits.unlocked, of: id, by: deadline)
        let after = await provider.reading(by: deadline) { steps in
            await steps.search(SecretItems.attributes(of: id, kind: .domainStates))
        }
        guard case .success(let left) = after else { return false }
        return left.unlocked.isEmpty && left.locked.isEmpty
    }
}

extension StoreSight {
    /// Every item but one that holds `verifier`.
    fileprivate func extras(beside verifier: Verifier) -> [String] {
        let kept = items.first { $0.verifier == verifier }?.path
        return items.map(\.path).filter { $0 != kept }
    }
}
