/// How long to wait after how many failures in a row.
enum Ladder {
    /// The wait in µs that the `failures`-th failure since the last success brings.
    static func wait(after failures: UInt32) -> UInt64 {
        switch failures {
        case ..<5: 0
        case 5: .seconds(60)
        case 6: .seconds(5 * 60)
        case 7, 8: .seconds(15 * 60)
        default: .seconds(60 * 60)
        }
    }

    /// Failures that stand for the longest wait.
    static let longest: UInt32 = 9
}

/// The durable record of failures since the last success, and of the wait that the last one brought.
///
/// One record, so that a count is never on disk without its wait.
public struct AttemptRecord: Sendable, Equatable {
    /// Failures of the passcode (or the account password) since its last success.
    public var failures: UInt32 = 0
    /// Failures of the finger since its last success or the last right passcode.
    public var biometryFailures: UInt32 = 0
    /// The domain state of the fingers that were enrolled at the last right passcode; nil before the first.
    var fingers: [UInt8]?
    /// Length in µs of the wait that is running, 0 for none.
    var wait: UInt64 = 0
    /// CLOCK_BOOTTIME in µs at which it ends.
    var until: UInt64 = 0

    public init() {}

    /// What stands beside a stored passcode when its record is missing or broken.
    static func longest(at now: Instant) -> AttemptRecord {
        var record = AttemptRecord()
        record.failures = Ladder.longest
        record.restart(Ladder.wait(after: Ladder.longest), at: now)
        return record
    }

    /// One failure more, with its wait.
    func failed(at now: Instant) -> AttemptRecord {
        var record = self
        record.failures = failures == .max ? .max : failures + 1
        record.restart(Ladder.wait(after: record.failures), at: now)
        return record
    }

    /// A finger that did not match; `waits` where no passcode ends the lockout, so that time has to.
    func fingerFailed(waits: Bool, at now: Instant) -> AttemptRecord {
        var record = self
        record.biometryFailures = biometryFailures == .max ? .max : biometryFailures + 1
        if waits { record.restart(Ladder.wait(after: record.biometryFailures), at: now) }
        return record
    }

    /// After a right passcode.
    func succeeded(fingers: [UInt8]?) -> AttemptRecord {
        var record = AttemptRecord()
        record.fingers = fingers ?? self.fingers
        return record
    }

    /// The end of the wait (CLOCK_BOOTTIME, µs) if one is running.
    func waitEnd(at now: Instant) -> UInt64? { wait > 0 && until > now.boottime ? until : nil }

    mutating func endWait() {
        wait = 0
        until = 0
    }

    private mutating func restart(_ length: UInt64, at now: Instant) {
        wait = length
        until = length == 0 ? 0 : now.boottime + length
    }

    // MARK: As fields of a file

    /// `boot` is the kernel's boot id: CLOCK_BOOTTIME means nothing across boots.
    func fields(boot: String) -> [String: String] {
        var fields = [
            "failures": "\(failures)", "biometry-failures": "\(biometryFailures)", "wait-microseconds": "\(wait)",
            "until-boottime": "\(until)", "boot-id": boot,
        ]
        if let fingers { fields["fingers"] = Hex.text(fingers) }
        return fields
    }

    /// Reads a record; nil when a field is missing or senseless.
    ///
    /// A wait that ran in another boot, or that seems longer than it is (CLOCK_BOOTTIME is set back in a time
    /// namespace), starts anew: never shortened.
    init?(fields: [String: String], boot: String, at now: Instant) {
        guard let failures = fields["failures"].flatMap(UInt32.init),
            let biometry = fields["biometry-failures"].flatMap(UInt32.init),
            let wait = fields["wait-microseconds"].flatMap(UInt64.init), wait <= Ladder.wait(after: Ladder.longest),
            let until = fields["until-boottime"].flatMap(UInt64.init), let itsBoot = fields["boot-id"]
        else { return nil }
        self.failures = failures
        self.biometryFailures = biometry
        // One that cannot be read is none: the passcode is asked for first.
        fingers = fields["fingers"].flatMap(Hex.bytes)
        self.wait = wait
        self.until = until
        guard wait > 0 else { return }
        if itsBoot != boot || until > now.boottime + wait { restart(wait, at: now) }
    }
}

/// Bytes as lower-case hexadecimal digits.
enum Hex {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Nil for anything but an even number of hexadecimal digits, two at least.
    static func bytes(_ text: String) -> [UInt8]? {
        let nibbles = text.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard !nibbles.isEmpty, nibbles.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: nibbles.count, by: 2) {
            guard let high = nibbles[index], let low = nibbles[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
