import AuthFingerprint
import Glibc

extension SensorChoice {
    /// The variable that forces a back end: `auto` (as without it), `libfprint`, `fprintd` or `none`.
    static let variable = "SMILEAUTH_FINGERPRINT"

    /// What the environment of the service says. Any other word is said in the log and counts as `none`: whoever
    /// wanted to keep the service from a sensor is not given one by a slip.
    static func fromEnvironment(log: (String) -> Void) -> SensorChoice {
        read(getenv(variable).map { String(cString: $0) }, log: log)
    }

    static func read(_ word: String?, log: (String) -> Void) -> SensorChoice {
        guard let word, !word.isEmpty else { return .automatic }
        if let choice = SensorChoice(rawValue: word) { return choice }
        log("\(variable) is none of auto, libfprint, fprintd, none; no fingerprint sensor is used")
        return .none
    }
}
