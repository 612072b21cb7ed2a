import AuthCore
import Testing

@testable import AuthSecrets

/// Section 8's rules without a store.
@Suite struct SettlementTests {
    let one = Verifier.made(1), two = Verifier.made(2), three = Verifier.made(3)

    /// nil stands for an item that is not ours; paths are "0", "1", …
    func settle(
        _ marker: MarkerReading, _ items: [Verifier?], locked: Int = 0, isOpen: Bool = true, collection: String? = "/c"
    ) -> Settlement {
        let items = items.enumerated().map { StoreSight.Item(path: String($0), verifier: $1) }
        let locked = (0..<locked).map { "locked\($0)" }
        return Settlement(
            StoreSight(items: items, locked: locked, collection: collection, isOpen: isOpen), marker: marker)
    }

    func marker(_ current: Verifier?, _ next: Marker.Next? = nil) -> MarkerReading {
        .marker(Marker(current: current?.id, next: next))
    }

    @Test func withoutAMarker() {
        #expect(settle(.missing, []).reading == .unset)
        #expect(settle(.missing, [], isOpen: false).reading == .unset)
        #expect(settle(.missing, [nil]).reading == .lost)
        #expect(settle(.missing, [one, two]).reading == .lost)
        let single = settle(.missing, [nil, one, one])
        #expect(single.reading == .ready(one))
        #expect(single.marker == .write(Marker(current: one.id)))
        #expect(single.extras == ["0", "2"])
    }

    @Test func currentCounts() {
        let plain = settle(marker(one), [one])
        #expect(plain.reading == .ready(one) && plain.marker == .none && plain.extras.isEmpty)
        let cut = settle(marker(one, .id(two.id)), [two, one])
        #expect(cut.reading == .ready(one))
        #expect(cut.marker == .write(Marker(current: one.id)))
        #expect(cut.extras == ["0"])
        let stranger = settle(marker(one), [one, three, nil])
        #expect(stranger.reading == .ready(one) && stranger.extras == ["1", "2"])
        let off = settle(marker(one, .off), [one])
        #expect(off.reading == .ready(one) && off.marker == .write(Marker(current: one.id)) && off.extras.isEmpty)
    }

    @Test func nextCountsWhereCurrentIsGoneOrNeverWas() {
        for current in [one, nil] {
            let next = settle(marker(current, .id(two.id)), [two, nil])
            #expect(next.reading == .ready(two))
            #expect(next.marker == .write(Marker(current: two.id)))
            #expect(next.extras == ["1"])
        }
    }

    @Test func noItem() {
        #expect(settle(marker(one), []).reading == .lost)
        #expect(settle(marker(one, .id(two.id)), []).reading == .lost)
        for unset in [
            settle(marker(one, .off), []), settle(marker(nil, .off), []), settle(marker(nil, .id(two.id)), []),
        ] {
            #expect(unset.reading == .unset && unset.marker == .remove)
        }
        // A provider that lists nothing of what is locked.
        #expect(settle(marker(one), [], isOpen: false).reading == .unavailable(hasMarker: true))
    }

    @Test func foreignItems() {
        for items in [[nil], [three], [three, nil]] as [[Verifier?]] {
            for marker in [marker(one), marker(one, .id(two.id)), marker(one, .off), marker(nil, .id(two.id))] {
                let lost = settle(marker, items)
                #expect(lost.reading == .lost && lost.marker == .none && lost.extras.isEmpty)
            }
        }
        var forged = one
        forged.hash = two.hash
        #expect(settle(marker(one), [one, forged]).reading == .lost)
        #expect(settle(marker(nil, .id(one.id)), [one, forged]).reading == .lost)
    }

    @Test func anIncompleteAnswer() {
        for marker in [MarkerReading.missing, marker(one), .broken] {
            let unavailable = StoreReading.unavailable(hasMarker: marker != .missing)
            #expect(settle(marker, [], locked: 1, isOpen: false).reading == unavailable)
            #expect(settle(marker, [one], collection: nil).reading == unavailable)
        }
        // The locked one may be the one that counts.
        #expect(settle(.missing, [one], locked: 1).reading == .unavailable(hasMarker: false))
        #expect(settle(marker(one, .id(two.id)), [two], locked: 1).reading == .unavailable(hasMarker: true))
        #expect(settle(marker(one), [one], locked: 1).reading == .ready(one))
    }

    @Test func aMarkerThatCannotBeRead() {
        #expect(settle(.broken, [one]).reading == .lost)
        #expect(settle(.broken, []).reading == .lost)
        #expect(settle(.unreadable, [one]).reading == .unavailable(hasMarker: true))
        for fields in [[:], ["current": "off"], ["current": ""], ["current": "../x"], ["next": "x"], ["other": "1"]] {
            #expect(Marker(fields: fields) == nil)
        }
        for marker in [
            Marker(current: one.id), Marker(current: nil, next: .off), Marker(current: one.id, next: .id(two.id)),
        ] {
            #expect(Marker(fields: marker.fields) == marker)
        }
    }

    @Test func aRecordIsReadOnlyWhereItBelongs() throws {
        let app = try #require(AuthenticatorID(application: "org.example.App"))
        let record = try #require(ItemRecord.encode(one, of: app))
        #expect(!record.contains("\n"))
        #expect(ItemRecord.decode(record, of: app) == one)
        #expect(ItemRecord.decode(record, of: .session) == nil)
        for length in 0..<record.utf8.count {
            #expect(ItemRecord.decode(String(record.prefix(length)), of: app) != one)
        }
        var odd = one
        odd.id = "off"
        #expect(ItemRecord.encode(odd, of: app) == nil)
        odd = one
        odd.hash = "x y"
        #expect(ItemRecord.encode(odd, of: app) == nil)
    }
}
