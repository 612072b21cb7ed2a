internal import AuthTexts
import AuthWire

/// The page of the fingers.
extension Texts {
    static var sensorGroup: String { translated("The Sensor") }
    static var noSensor: String { translated("No fingerprint sensor") }
    static var noSensorHelp: String {
        translated("Plug one in, or ask “smileauth doctor” in a terminal why it is not found.")
    }
    static var someSensor: String { translated("Fingerprint sensor") }
    static func sensorReady(isSwiped: Bool) -> String {
        isSwiped ? translated("Ready. Fingers are drawn across it.") : translated("Ready. Fingers are laid on it.")
    }
    static var sensorBusy: String { translated("In use.") }
    static var namesOnly: String {
        translated("The system’s own service keeps the fingers. Another finger under the same name is not noticed.")
    }

    static var enrolledGroup: String { translated("Enrolled Fingers") }
    static var noFinger: String { translated("No finger is enrolled.") }
    static var fingersUnknown: String { translated("Without a sensor nobody can say which fingers are enrolled.") }
    static var delete: String { translated("Delete") }
    static func delete(_ name: String) -> String {
        // Translators: a finger's name, such as “left thumb”.
        translated("Delete: %s").filled("%s", with: name)
    }
    static var deleteAll: String { translated("_Delete All…") }
    static var deleteAllQuestion: String { translated("Delete every enrolled finger?") }
    static var deleteAllHelp: String { translated("They open nothing any more, here and in applications.") }
    static var deleteAllYes: String { translated("_Delete All") }
    static var cancel: String { translated("_Cancel") }

    static var addGroup: String { translated("Add a Finger") }
    static var finger: String { translated("F_inger") }
    static var fingerHelp: String { translated("A new finger opens whatever fingers open.") }
    static var enroll: String { translated("_Enroll…") }
    static var tryGroup: String { translated("Try a finger") }
    static var tryHelp: String { translated("Tells whether the sensor knows it. Opens nothing.") }
    static var test: String { translated("_Try…") }

    static func touch(_ name: String, isSwiped: Bool) -> String {
        // Translators: a finger's name, such as “left thumb”.
        let text =
            isSwiped ? translated("Draw your %s across the sensor.") : translated("Lay your %s on the sensor.")
        return text.filled("%s", with: name)
    }
    static func touchAny(isSwiped: Bool) -> String {
        isSwiped ? translated("Draw a finger across the sensor.") : translated("Lay a finger on the sensor.")
    }
    static var nextScan: String { translated("Lift your finger, then touch the sensor again.") }

    static func hint(_ status: Wire.EnrollStatus) -> String {
        switch status {
        case .stagePassed: nextScan
        case .completed: ""
        case .general: translated("That did not work. Touch the sensor again.")
        case .tooShort: translated("That was too short. Leave your finger on the sensor a little longer.")
        case .centerFinger: translated("Put the middle of your fingertip on the sensor.")
        case .removeFinger: nextScan
        }
    }

    static func scans(_ done: UInt32, of all: UInt32) -> String {
        // Translators: the noun goes with the second number.
        counted("%1$ld of %2$ld scan", "%1$ld of %2$ld scans", UInt(all))
            .filled("%1$ld", with: "\(done)").filled("%2$ld", with: "\(all)")
    }

    static func enrolled(_ name: String) -> String {
        // Translators: a finger's name, such as “left thumb”.
        translated("Enrolled: %s. Locks ask for their passcode once before fingers count again.")
            .filled("%s", with: name)
    }
    static var recognised: String { translated("The finger was recognised.") }

    static var useGroup: String { translated("What Opens the Lock") }
    static var useFinger: String { translated("Fin_gers open it") }
    static var useFingerHelp: String { translated("An enrolled finger stands in for the passcode.") }
    static var useFingerNeeded: String { translated("Stays on while the lock needs a finger.") }

    static func factors(_ factors: LockState.Factors) -> String {
        switch factors {
        case .any: translated("Finger o_r passcode")
        case .all: translated("Finger a_nd passcode")
        case .finger: translated("Finger al_one")
        }
    }
    static func factorsHelp(_ factors: LockState.Factors) -> String {
        switch factors {
        case .any: translated("Either of the two opens it.")
        case .all: translated("Both are needed, the finger first.")
        case .finger: translated("There is no passcode. Without the sensor only the account password opens it.")
        }
    }

    static var needsSensor: String { translated("Needs a fingerprint sensor.") }
    static var needsFinger: String { translated("Needs an enrolled finger.") }
    static var needsPasscode: String { translated("Needs a passcode.") }
    static var needsNoPasscode: String { translated("Needs the passcode to be off.") }
    static var needsSwitch: String { translated("Needs fingers to open it.") }
}
