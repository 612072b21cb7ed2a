internal import AuthCore
internal import CGLib

/// What a Secret Service item holds: one line of base64 (some providers break on newlines) around
/// `smileauth1 <application or -> <kind> <length> <id> <hash> end`.
///
/// The application is in it, too, so that an item copied to other attributes is foreign there; the last word tells a
/// whole record from one that was cut off.
enum ItemRecord {
    private static let tag = "smileauth1"
    private static let end = "end"

    static func encode(_ verifier: Verifier, of id: AuthenticatorID) -> String? {
        let text = [
            tag, owner(id), verifier.kind.rawValue, String(verifier.length), verifier.id, verifier.hash, end,
        ].joined(separator: " ")
        // What decode would refuse must not be stored.
        guard let encoded = base64(text), decode(encoded, of: id) == verifier else { return nil }
        return encoded
    }

    /// - Returns: nil for anything that ``encode(_:of:)`` has not written for this authenticator.
    static func decode(_ secret: String, of id: AuthenticatorID) -> Verifier? {
        // GLib's decoder passes over what is no base64, so the way back has to lead to the same line.
        guard secret.utf8.count <= 4096, let text = unbase64(secret), base64(text) == secret else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 7, parts[0] == tag, parts[6] == end, parts[1] == owner(id),
            let kind = PasscodeKind(rawValue: parts[2]),
            let length = Int(parts[3]), (1...64).contains(length), String(length) == parts[3], isID(parts[4]),
            Argon2Hash(phc: parts[5]) != nil
        else { return nil }
        return Verifier(hash: parts[5], kind: kind, length: length, id: parts[4])
    }

    /// 1 to 64 of `[0-9a-f]`, in even number: never "off".
    static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    static func owner(_ id: AuthenticatorID) -> String { id == .session ? "-" : id.application }

    static func base64(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let encoded = g_base64_encode(bytes, gsize(bytes.count)) else { return nil }
        defer { g_free(encoded) }
        return String(cString: encoded)
    }

    static func unbase64(_ text: String) -> String? {
        var count: gsize = 0
        guard let decoded = g_base64_decode(text, &count) else { return nil }
        defer { g_free(decoded) }
        return String(validating: UnsafeBufferPointer(start: decoded, count: Int(count)), as: UTF8.self)
    }
}
