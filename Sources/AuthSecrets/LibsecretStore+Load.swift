internal import AuthCore
internal import MainLoop

/// What a load found, and where: what a change starts from.
struct Settled {
    var reading: StoreReading
    var marker: MarkerReading
    /// Nil where the store gave no complete answer.
    var sight: StoreSight?
}

extension LibsecretStore {
    /// A load within the authenticator's turn. Once the cut-off change is finished the sight is that of before: items
    /// beside the one that counts may be gone.
    func settle(_ id: AuthenticatorID, by deadline: Deadline) async -> Settled {
        let marker = MarkerReading(await files.read(.marker, of: id))
        guard let sight = await look(at: id, by: deadline) else {
            return Settled(reading: .unavailable(hasMarker: marker.isThere), marker: marker)
        }
        let settlement = Settlement(sight, marker: marker)
        var settled = Settled(reading: settlement.reading, marker: marker, sight: sight)
        switch settlement.marker {
        case .none: break
        case .remove: if await files.remove(.marker, of: id) { settled.marker = .missing }
        case .write(let wanted):
            // Not written: the same passcode goes on counting by the old marker, but only with all items in place.
            guard await writeMarker(wanted, of: id) else { return settled }
            settled.marker = .marker(wanted)
        }
        await delete(settlement.extras, of: id, by: deadline)
        settled.sight?.items.removeAll { settlement.extras.contains($0.path) }
        return settled
    }

    /// ReadAlias, SearchItems, GetSecrets; nil without a complete answer.
    func look(at id: AuthenticatorID, by deadline: Deadline) async -> StoreSight? {
        let result = await provider.reading(by: deadline) { steps in await steps.sight(of: id) }
        switch result {
        case .failure:
            note(result, "looking for the passcode")
            return nil
        case .success(let sight):
            if sight.collection == nil { sawNoCollection() } else { sawOpen(sight.isOpen) }
            return sight
        }
    }

    func writeMarker(_ marker: Marker, of id: AuthenticatorID) async -> Bool {
        let fields = marker.fields
        let removed = Marker.keys.filter { fields[$0] == nil }
        return await files.write(.marker, fields: fields, removing: removed, of: id)
    }

    /// Deletes items that do not count; what stays is deleted by a later load.
    func delete(_ paths: [String], of id: AuthenticatorID, by deadline: Deadline) async {
        for path in paths {
            let result = await provider.trying(by: deadline) { steps in await steps.deleteOwn(path, of: id) }
            note(result, "deleting an item that does not count")
        }
    }
}

extension SecretSteps {
    /// The same steps with less time.
    func brief(by duration: Duration) -> SecretSteps {
        SecretSteps(service: service, deadline: duration < deadline.remaining ? .in(duration) : deadline)
    }

    func sight(of id: AuthenticatorID) async -> Result<StoreSight, StepFailure> {
        do throws(StepFailure) {
            guard let collection = try await defaultCollection().get() else {
                return .success(StoreSight(items: [], locked: [], collection: nil, isOpen: false))
            }
            let isOpen = try await !isLocked(collection).get()
            let hits = try await search(SecretItems.attributes(of: id, kind: .passcode)).get()
            let secrets = try await secrets(of: hits.unlocked).get()
            let items = hits.unlocked.map { path in
                StoreSight.Item(path: path, verifier: secrets[path].flatMap { ItemRecord.decode($0, of: id) })
            }
            return .success(StoreSight(items: items, locked: hits.locked, collection: collection, isOpen: isOpen))
        } catch {
            return .failure(error)
        }
    }

    /// Deletes an item once its attributes say that it is this authenticator's: a provider may take an empty value in a
    /// search for "any".
    func deleteOwn(_ path: String, of id: AuthenticatorID) async -> Result<Void, StepFailure> {
        switch await attributes(of: path) {
        case .failure(let failure): return .failure(failure)
        case .success(let attributes):
            guard SecretItems.id(from: attributes) == id else { return .failure(.failed("not this authenticator's")) }
            return await delete(path)
        }
    }

    func owners(ofKind kind: SecretItems.Kind) async -> Result<[AuthenticatorID], StepFailure> {
        do throws(StepFailure) {
            let hits = try await search(["kind": kind.rawValue]).get()
            var owners: Set<AuthenticatorID> = []
            for path in hits.unlocked + hits.locked {
                if let id = SecretItems.id(from: try await attributes(of: path).get()) { owners.insert(id) }
            }
            return .success(owners.sorted())
        } catch {
            return .failure(error)
        }
    }
}
