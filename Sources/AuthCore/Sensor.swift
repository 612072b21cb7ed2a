/// The ten fingers, by fprintd's names.
public enum Finger: String, Sendable, CaseIterable, Comparable {
    case leftThumb = "left-thumb"
    case leftIndex = "left-index-finger"
    case leftMiddle = "left-middle-finger"
    case leftRing = "left-ring-finger"
    case leftLittle = "left-little-finger"
    case rightThumb = "right-thumb"
    case rightIndex = "right-index-finger"
    case rightMiddle = "right-middle-finger"
    case rightRing = "right-ring-finger"
    case rightLittle = "right-little-finger"

    /// From the left hand's thumb to the right hand's little finger.
    public static func < (left: Self, right: Self) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
}

/// Why a scan has to be made once more, in libfprint's words (`FpDeviceRetry`). It counts as nothing.
public enum RetryReason: String, Sendable, CaseIterable {
    case general
    case tooShort = "too-short"
    case centerFinger = "center-finger"
    case removeFinger = "remove-finger"
}

/// Who reads the fingers, as `Fingerprint.Backend` shows it.
public enum SensorBackend: String, Sendable {
    case libfprint, fprintd, none
}

/// What tells one set of enrolled fingers from another, as `Fingerprint.DomainStateBasis` shows it.
public enum DomainStateBasis: String, Sendable {
    /// The prints themselves: another finger under the same name is another set.
    case prints
    /// The fingers' names; fprintd shows no more.
    case names
}

/// A digest of the set of enrolled fingers: the same set gives the same bytes, whatever history made it.
public struct FingerSet: Sendable, Equatable {
    public let digest: [UInt8]
    public init(digest: [UInt8]) { self.digest = digest }
}

/// The sensor and the enrolled fingers as they stand.
public struct SensorState: Sendable, Equatable {
    public var backend = SensorBackend.none
    /// There is a device that answers. One that another program has claimed is there all the same.
    public var isPresent = false
    public var deviceName = ""
    /// `press` or `swipe`; empty without a device.
    public var scanType = ""
    public var enrollStages: UInt32 = 0
    /// Whether it finds out by itself which finger was put on it; else each scan is for one finger.
    public var canIdentify = false
    /// Enrolled fingers, in their order.
    public var fingers: [Finger] = []
    /// Nil while it is not known what is enrolled.
    public var set: FingerSet?
    public var basis = DomainStateBasis.prints

    public init() {}
}

/// What the sensor is told to do. Each order has a number, which its answers carry; answers to another number than the
/// standing order's are void.
public enum SensorOrder: Sendable, Equatable {
    /// Read fingers until one matches or ``stop(_:)`` comes. `finger` nil: any enrolled one. The sensor is claimed for
    /// it, scans again by itself after a retry and after a finger that does not match, and is claimed anew after it was
    /// lost; it is given back after a match.
    case scan(UInt64, Finger?)
    case enroll(UInt64, Finger)
    /// Delete one enrolled finger, or all.
    case delete(UInt64, Finger?)
    /// Ends a scan or an enrolment; nothing of it is answered any more.
    case stop(UInt64)
    /// Read anew what is enrolled.
    case look(UInt64)
}

/// What the sensor reports.
public enum SensorEvent: Sendable, Equatable {
    /// The device or what is enrolled has changed. Always before the answer that it has to do with.
    case changed(SensorState)
    /// A scan: the sensor is claimed and waits for a finger.
    case armed(UInt64)
    /// A scan: the sensor cannot be had now, and is tried again by itself.
    case interrupted(UInt64, SensorFailure)
    /// A scan or an enrolment: once more.
    case retry(UInt64, RetryReason)
    case noMatch(UInt64)
    /// The scan is over. `finger` is nil where the device does not say which.
    case match(UInt64, Finger?)
    /// An enrolment: so many of its stages are done.
    case stagePassed(UInt64, stage: UInt32, stages: UInt32)
    /// The end of an enrolment, a deletion or a look; nil: done.
    case ended(UInt64, SensorFailure?)
}

/// Why the sensor did not do what it was told.
public enum SensorFailure: Error, Sendable, Equatable {
    /// There is none, or it was unplugged.
    case gone
    /// Another program has it.
    case busy
    /// This finger is enrolled already, under a name of its own where that is known.
    case duplicate(Finger?)
    /// The print cannot be written: disk full, or not writable.
    case notStored
    /// The device takes no more prints.
    case deviceFull
    /// No such finger is enrolled.
    case notEnrolled
    /// This process may not: file permissions or polkit.
    case denied(String)
    case failed(String)
}

/// What the Fingerprint object shows.
public struct FingerprintState: Sendable, Equatable {
    public var sensor = SensorState()
    /// A scan, a test, an enrolment or a deletion is under way, or another program has the sensor.
    public var isBusy = false

    public init() {}
}
