internal import AuthCore
internal import CGLib
internal import CSecret

/// How our items are marked in the Secret Service: one schema, and the attributes `application` (empty for the
/// session) and `kind`, nothing else.
enum SecretItems {
    enum Kind: String {
        case passcode
        case domainStates = "domain-states"
    }

    static let schemaName = "org.smileauth.Auth1"

    /// Made once and kept: libsecret wants the schema for as long as a search runs.
    nonisolated(unsafe) static let schema: UnsafeMutablePointer<SecretSchema>? = {
        guard let types = g_hash_table_new(g_str_hash, g_str_equal) else { return nil }
        defer { g_hash_table_unref(types) }
        let type = gpointer(bitPattern: UInt(SECRET_SCHEMA_ATTRIBUTE_STRING.rawValue))  // GINT_TO_POINTER
        g_hash_table_insert(types, g_strdup("application"), type)
        g_hash_table_insert(types, g_strdup("kind"), type)
        return secret_schema_newv(schemaName, SECRET_SCHEMA_NONE, types)
    }()

    static func attributes(of id: AuthenticatorID, kind: Kind) -> [String: String] {
        ["application": id.application, "kind": kind.rawValue]
    }

    /// What a new item gets: libsecret itself adds the schema's name to a search only.
    static func itemAttributes(of id: AuthenticatorID, kind: Kind) -> [String: String] {
        attributes(of: id, kind: kind).merging(["xdg:schema": schemaName]) { $1 }
    }

    /// What a person sees in the keyring's window.
    static func label(of id: AuthenticatorID) -> String {
        id == .session ? "SmileAuth: passcode of the session" : "SmileAuth: passcode of \(id.application)"
    }

    static func stateLabel(of id: AuthenticatorID) -> String {
        "SmileAuth: remembered fingers of " + (id == .session ? "the session" : id.application)
    }

    /// Whose an item with these attributes is.
    static func id(from attributes: [String: String]) -> AuthenticatorID? {
        guard let application = attributes["application"] else { return nil }
        return application.isEmpty ? .session : AuthenticatorID(application: application)
    }
}
