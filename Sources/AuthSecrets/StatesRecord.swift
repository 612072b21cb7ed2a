internal import AuthCore
internal import CSodium

/// An application's remembered domain states, as their Secret Service item holds them: one line of base64 around
/// `smileauth1-states <application or -> <generation> <count> <identity's hash>:<state> … end`, all in hexadecimal.
///
/// Of an identity only its hash is kept: it may be somebody's name, and it is looked up, never listed. The generation
/// tells the newer of two items that a cut-off change left.
struct StatesRecord: Equatable {
    /// How many an application may remember: section 8 of the contract.
    static let limit = 64
    /// In bytes; what the state machine gives has 32.
    static let longestState = 64

    private static let tag = "smileauth1-states"
    private static let end = "end"

    var generation: UInt64 = 0
    /// By the identity's hash.
    private(set) var states: [String: [UInt8]] = [:]

    func state(of identity: String) -> [UInt8]? { states[Self.key(identity)] }

    /// - Returns: false when there is no room for one more; replacing one needs none.
    mutating func set(_ state: [UInt8], of identity: String) -> Bool {
        let key = Self.key(identity)
        guard states[key] != nil || states.count < Self.limit else { return false }
        states[key] = state
        return true
    }

    func encode(for id: AuthenticatorID) -> String? {
        let entries = states.sorted { $0.key < $1.key }.map { "\($0.key):\(Sodium.hexadecimal($0.value))" }
        let words =
            [Self.tag, ItemRecord.owner(id), String(generation), String(entries.count)] + entries + [Self.end]
        // What decode would refuse must not be stored.
        guard let encoded = ItemRecord.base64(words.joined(separator: " ")),
            Self.decode(encoded, of: id) == self
        else { return nil }
        return encoded
    }

    /// - Returns: nil for anything that ``encode(for:)`` has not written for this authenticator.
    static func decode(_ secret: String, of id: AuthenticatorID) -> StatesRecord? {
        guard secret.utf8.count <= 65_536, let text = ItemRecord.unbase64(secret), ItemRecord.base64(text) == secret
        else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 5, words[0] == tag, words[1] == ItemRecord.owner(id), words.last == end,
            let generation = UInt64(words[2]), String(generation) == words[2],
            let count = Int(words[3]), String(count) == words[3], (0...limit).contains(count),
            words.count == count + 5
        else { return nil }
        var record = StatesRecord(generation: generation)
        for word in words[4..<(4 + count)] {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, bytes(parts[0])?.count == hashLength, let state = bytes(parts[1]),
                (1...longestState).contains(state.count), record.states[String(parts[0])] == nil
            else { return nil }
            record.states[String(parts[0])] = state
        }
        return record
    }

    private static let hashLength = 32

    /// `crypto_generichash` of the identity, without a key.
    private static func key(_ identity: String) -> String {
        var identity = identity
        var hash = [UInt8](repeating: 0, count: hashLength)
        _ = Sodium.isReady
        let status = identity.withUTF8 { text in
            crypto_generichash(&hash, hash.count, text.baseAddress, UInt64(text.count), nil, 0)
        }
        precondition(status == 0, "crypto_generichash takes every length")
        return Sodium.hexadecimal(hash)
    }

    /// The other way; nil for what ``Sodium/hexadecimal(_:)`` has not written.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
