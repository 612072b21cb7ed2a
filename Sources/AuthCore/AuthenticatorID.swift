/// Whose authenticator: the session's own, or one application's.
public struct AuthenticatorID: Hashable, Sendable, Comparable {
    /// The application id (D-Bus well-known name syntax, case-sensitive); empty for the session.
    public let application: String

    /// The whole session's authenticator.
    public static let session = AuthenticatorID(unchecked: "")

    private init(unchecked application: String) { self.application = application }

    /// - Returns: nil unless `application` is a valid D-Bus well-known name: 2 or more elements separated by dots, each
    ///   of `[A-Za-z0-9_-]` and not starting with a digit, 255 bytes at most (D-Bus specification, "Bus names").
    public init?(application: String) {
        guard application.utf8.count <= 255 else { return nil }
        let elements = application.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard elements.count >= 2, elements.allSatisfy(Self.isElement) else { return nil }
        self.init(unchecked: application)
    }

    private static func isElement(_ bytes: Substring.UTF8View.SubSequence) -> Bool {
        guard let first = bytes.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.application < right.application }
}
