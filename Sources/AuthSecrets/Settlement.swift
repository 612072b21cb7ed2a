internal import AuthCore

/// What a complete look into the store and at the marker saw of one authenticator.
struct StoreSight: Sendable, Equatable {
    struct Item: Sendable, Equatable {
        let path: String
        /// nil when what it holds is not ours.
        let verifier: Verifier?
    }

    /// The hits that could be read.
    var items: [Item]
    /// Paths of the hits that are locked.
    var locked: [String]
    /// The default collection; nil when there is none.
    var collection: String?
    /// Whether the default collection is unlocked.
    var isOpen: Bool
}

/// What a sight means, and what is left to do to finish a change that was cut off. Pure; section 8 of the contract.
struct Settlement: Sendable, Equatable {
    enum MarkerChange: Sendable, Equatable {
        case none
        case write(Marker)
        case remove
    }

    var reading: StoreReading
    /// Done first: whatever is cut off after it, the same passcode counts.
    var marker = MarkerChange.none
    /// Paths of the items to delete once the marker stands.
    var extras: [String] = []

    init(_ sight: StoreSight, marker: MarkerReading) {
        reading = .unavailable(hasMarker: marker.isThere)
        // Incomplete: no default collection, or nothing but locked hits.
        guard sight.collection != nil, sight.locked.isEmpty || !sight.items.isEmpty else { return }
        switch marker {
        case .unreadable: return
        case .broken: reading = .lost
        case .missing: settle(sight)
        case .marker(let marker): settle(sight, marker)
        }
    }

    /// Without a marker one passcode, whichever, is the passcode; of several nobody can tell.
    private mutating func settle(_ sight: StoreSight) {
        guard !sight.items.isEmpty else {
            reading = .unset
            return
        }
        // A locked hit beside could be the one that counts.
        guard sight.locked.isEmpty else { return }
        let verifiers = sight.items.compactMap { $0.verifier }
        if let only = verifiers.first {
            keepOnly(only, of: verifiers, sight, changes: true)
        } else {
            reading = .lost
        }
    }

    private mutating func settle(_ sight: StoreSight, _ marker: Marker) {
        func matches(_ id: String?) -> [Verifier] { sight.items.compactMap { $0.verifier }.filter { $0.id == id } }
        let current = matches(marker.current)
        if let first = current.first {
            return keepOnly(first, of: current, sight, changes: marker.next != nil)
        }
        // A locked hit beside could be current's.
        guard sight.locked.isEmpty else { return }
        let next = matches(marker.nextID)
        if let first = next.first {
            return keepOnly(first, of: next, sight, changes: true)
        }
        guard sight.items.isEmpty else {
            reading = .lost
            return
        }
        // Some providers list nothing of a locked collection.
        guard sight.isOpen else { return }
        if marker.next == .off || marker.current == nil {
            reading = .unset
            self.marker = .remove
        } else {
            reading = .lost
        }
    }

    /// One id with two contents is nothing that we have stored.
    private mutating func keepOnly(
        _ verifier: Verifier, of matching: [Verifier], _ sight: StoreSight, changes: Bool
    ) {
        guard matching.allSatisfy({ $0 == verifier }) else {
            reading = .lost
            return
        }
        reading = .ready(verifier)
        if changes { marker = .write(Marker(current: verifier.id)) }
        let kept = sight.items.first { $0.verifier == verifier }?.path
        extras = sight.items.map(\.path).filter { $0 != kept }
    }
}
