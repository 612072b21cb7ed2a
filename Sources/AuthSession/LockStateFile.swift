public import AuthCore

/// What stood before a restart: `locked` or `open` of every authenticator, in `smileauth/lock-state` below
/// XDG_RUNTIME_DIR, with the login session's id and ``ClockWatch/gapMicroseconds()``.
///
/// A write is on tmpfs when it returns: a kill loses nothing, and a reboot empties the folder.
public struct LockStateFile: Sendable {
    private let folder: RuntimeFolder
    private static let name = "lock-state"
    private static let header = "smileauth lock-state 1"
    private static let footer = "end"
    /// 1,024 authenticators with ids of 255 bytes need 260 KiB.
    private static let limit = 1 << 20

    public enum Contents: Equatable, Sendable {
        /// There is no record of this login session: it is a new one.
        case fresh
        /// A record was there and cannot be understood: everything counts as locked.
        case unreadable
        /// `states`: true is locked. `gapGrew`: the machine slept since the record was written, by more than 2 s;
        /// everything counts as locked.
        case record(states: [AuthenticatorID: Bool], gapGrew: Bool)
    }

    /// - Parameter runtimeDirectory: XDG_RUNTIME_DIR. Without one nothing can be kept: ``read(session:)`` answers
    ///   `unreadable`, ``write(_:session:)`` false.
    public init(runtimeDirectory: String? = SessionEnvironment.process.runtimeDirectory) {
        folder = RuntimeFolder(base: runtimeDirectory)
    }

    /// - Parameter session: the login session's id. Where it is empty, here or in the record, the record counts: a
    ///   logind that does not answer must not open what was locked.
    public func read(session: String) -> Contents {
        switch folder.read(Self.name, limit: Self.limit) {
        case .missing: .fresh
        case .unreadable: .unreadable
        case .bytes(let bytes): Self.parse(bytes, session: session)
        }
    }

    /// Replaces the record as a whole.
    ///
    /// - Parameter states: true is locked.
    /// - Returns: false where that was not possible. The file is then emptied in place, so that a later start takes
    ///   everything for locked, never for open.
    public func write(_ states: [AuthenticatorID: Bool], session: String) -> Bool {
        var lines = [Self.header, "session " + Self.escape(session), "gap \(ClockWatch.gapMicroseconds())"]
        for (id, isLocked) in states.sorted(by: { $0.key < $1.key }) {
            lines.append((isLocked ? "locked " : "open ") + id.application)
        }
        lines.append(Self.footer)
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        if bytes.count <= Self.limit, folder.write(Self.name, bytes) { return true }
        _ = folder.truncate(Self.name)
        return false
    }

    private static func parse(_ bytes: [UInt8], session: String) -> Contents {
        guard let text = String(validating: bytes, as: UTF8.self) else { return .unreadable }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        // The footer tells a whole record from one that was cut off.
        guard lines.count >= 5, lines.popFirst().map(String.init) == header, lines.popLast() == "",
            lines.popLast().map(String.init) == footer,
            let recorded = value(of: "session", in: lines.popFirst()),
            let gap = value(of: "gap", in: lines.popFirst()).flatMap({ Int64($0) })
        else { return .unreadable }
        var states: [AuthenticatorID: Bool] = [:]
        for line in lines {
            let isLocked = line.hasPrefix("locked ")
            guard isLocked || line.hasPrefix("open ") else { return .unreadable }
            let application = String(line.dropFirst(isLocked ? 7 : 5))
            guard let id = application.isEmpty ? .session : AuthenticatorID(application: application),
                states.updateValue(isLocked, forKey: id) == nil
            else { return .unreadable }
        }
        let mine = escape(session)
        if !mine.isEmpty, !recorded.isEmpty, recorded != mine { return .fresh }
        let growth = ClockWatch.gapMicroseconds().subtractingReportingOverflow(gap)
        return .record(states: states, gapGrew: growth.overflow || growth.partialValue > ClockWatch.tolerance)
    }

    private static func value(of key: String, in line: Substring?) -> String? {
        guard let line, line.hasPrefix(key + " ") else { return nil }
        return String(line.dropFirst(key.count + 1))
    }

    /// logind's ids are letters and digits; anything else becomes `%` and its two hexadecimal digits.
    private static func escape(_ id: String) -> String {
        var escaped = ""
        for byte in id.utf8 {
            let scalar = Unicode.Scalar(byte)
            if byte < 0x80, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += "%" + String(byte, radix: 16)
            }
        }
        return escaped
    }
}
