/// The durable word beside the Secret Service item: which passcode counts, and which one is on its way.
struct Marker: Sendable, Equatable {
    enum Next: Sendable, Equatable {
        /// A passcode with this id is being stored.
        case id(String)
        /// The passcode is being turned off.
        case off
    }

    var current: String?
    var next: Next?

    static let keys = ["current", "next"]
    /// Not an id: ``ItemRecord/isID(_:)`` refuses it.
    private static let off = "off"

    init(current: String?, next: Next? = nil) {
        self.current = current
        self.next = next
    }

    /// - Returns: nil for fields that are no marker of ours.
    init?(fields: [String: String]) {
        let current = fields["current"]
        let next = fields["next"]
        guard current != nil || next != nil, current.map(ItemRecord.isID) ?? true else { return nil }
        self.current = current
        switch next {
        case nil: self.next = nil
        case Self.off: self.next = .off
        case let id? where ItemRecord.isID(id): self.next = .id(id)
        default: return nil
        }
    }

    var fields: [String: String] {
        var fields: [String: String] = [:]
        fields["current"] = current
        switch next {
        case nil: break
        case .off: fields["next"] = Self.off
        case .id(let id): fields["next"] = id
        }
        return fields
    }

    var nextID: String? { if case .id(let id) = next { id } else { nil } }
}

/// What the marker's file says.
enum MarkerReading: Sendable, Equatable {
    case missing
    case broken
    case unreadable
    case marker(Marker)

    init(_ reading: KeyFileReading) {
        switch reading {
        case .missing: self = .missing
        case .broken: self = .broken
        case .unreadable: self = .unreadable
        case .fields(let fields): self = Marker(fields: fields).map { .marker($0) } ?? .broken
        }
    }

    /// Whether it is the marker's word, or may be, that a passcode was set.
    var isThere: Bool { self != .missing }
}
