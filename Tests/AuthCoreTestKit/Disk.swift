public import AuthCore

/// What outlives the process: the files, and the items of the Secret Service.
public struct Disk: Sendable {
    /// A stored passcode. The bytes stand for their hash.
    public struct Item: Sendable, Equatable {
        public var bytes: [UInt8]
        public var kind: PasscodeKind
        public var length: Int
        public var id: String

        public var verifier: Verifier {
            Verifier(hash: String(decoding: bytes, as: UTF8.self), kind: kind, length: length, id: id)
        }
    }

    public var settings: [AuthenticatorID: FileReading] = [:]
    public var attempts: [AuthenticatorID: FileReading] = [:]
    public var account = FileReading.missing
    /// The record of locks in XDG_RUNTIME_DIR; gone with a reboot.
    public var locks: [AuthenticatorID: Bool]?
    public var locksAreUnreadable = false
    public var items: [AuthenticatorID: Item] = [:]
    /// Domain states that applications remember, by identity.
    public var states: [AuthenticatorID: [String: [UInt8]]] = [:]
    /// Authenticators whose marker says that a passcode is set.
    public var markers: Set<AuthenticatorID> = []

    public init() {}

    /// What has a file; found in the folders at start-up.
    public var stored: [AuthenticatorID] {
        markers.union(settings.keys).union(attempts.keys).sorted()
    }

    public func failures(_ id: AuthenticatorID) -> UInt32? { Self.failures(attempts[id]) }
    public var accountFailures: UInt32? { Self.failures(account) }
    public func biometryFailures(_ id: AuthenticatorID) -> UInt32? { Self.failures(attempts[id], "biometry-failures") }

    private static func failures(_ file: FileReading?, _ key: String = "failures") -> UInt32? {
        guard case .fields(let fields) = file else { return nil }
        return fields[key].flatMap { UInt32($0) }
    }
}
