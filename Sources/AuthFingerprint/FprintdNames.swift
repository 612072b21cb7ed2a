internal import AuthCore
internal import DBus

/// fprintd's names (net.reactivated.Fprint), and what its words mean here.
enum Fprintd {
    static let bus = "net.reactivated.Fprint"
    /// Where its ObjectManager is; fprintd before 1.92 has none.
    static let objects = "/net/reactivated/Fprint"
    static let managerPath = "/net/reactivated/Fprint/Manager"
    static let manager = "net.reactivated.Fprint.Manager"
    static let device = "net.reactivated.Fprint.Device"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let peer = "org.freedesktop.DBus.Peer"

    /// An error's name without what all of its errors begin with; nil for everybody else's errors.
    static func shortName(_ failure: DBusFailure) -> String? {
        let prefix = bus + ".Error."
        return failure.name.hasPrefix(prefix) ? String(failure.name.dropFirst(prefix.count)) : nil
    }

    static func failure(_ failure: DBusFailure) -> SensorFailure {
        switch shortName(failure) {
        case "AlreadyInUse": return .busy
        case "PermissionDenied": return .denied(failure.message)
        case "NoSuchDevice": return .gone
        case "NoEnrolledPrints": return .notEnrolled
        case "PrintsNotDeleted": return .notStored
        case .some: return .failed(failure.message)
        case nil: break
        }
        switch failure {
        case .accessDenied(failure.message): return .denied(failure.message)
        // An object that was unplugged is an unknown method to GDBus.
        case .serviceUnknown(failure.message), .nameHasNoOwner(failure.message), .disconnected(failure.message),
            .unknownObject(failure.message), .unknownInterface(failure.message), .unknownMethod(failure.message):
            return .gone
        case .noReply(failure.message): return silence
        default:
            // The bus could not start it.
            return failure.name.hasPrefix("org.freedesktop.DBus.Error.Spawn.") ? .gone : .failed(failure.message)
        }
    }

    static let silence = SensorFailure.failed("fprintd does not answer")

    /// What VerifyStatus and EnrollStatus say, less their `verify-` or `enroll-`, where it means once more.
    static func retry(_ word: Substring) -> RetryReason? {
        switch word {
        case "retry-scan", "too-fast": .general
        case "swipe-too-short": .tooShort
        case "finger-not-centered": .centerFinger
        case "remove-and-retry": .removeFinger
        default: nil
        }
    }
}
