extension Wire {
    /// Members of `org.smileauth.Auth1.Fingerprint`.
    public enum Fingerprint {
        public enum Method: String, Sendable, CaseIterable {
            case listEnrolledFingers = "ListEnrolledFingers"
            case enroll = "Enroll"
            case verifyTest = "VerifyTest"
            case deleteFinger = "DeleteFinger"
            case deleteAll = "DeleteAll"
        }

        public enum Signal: String, Sendable, CaseIterable {
            case enrollStatus = "EnrollStatus"
        }

        public enum Property: String, Sendable, CaseIterable {
            case deviceName = "DeviceName"
            case scanType = "ScanType"
            case backend = "Backend"
            case domainStateBasis = "DomainStateBasis"
            case enrollStages = "EnrollStages"
            case available = "Available"
            case busy = "Busy"

            /// The D-Bus signature of the property's value.
            public var signature: String {
                switch self {
                case .deviceName, .scanType, .backend, .domainStateBasis: "s"
                case .enrollStages: "u"
                case .available, .busy: "b"
                }
            }
        }
    }

    /// The ten fingers, by fprintd's names, from the left hand's thumb to the right hand's little finger.
    public enum Finger: String, Sendable, CaseIterable {
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
    }

    /// First argument of EnrollStatus. Retries are in libfprint's words and count as nothing.
    public enum EnrollStatus: String, Sendable, CaseIterable {
        /// One more of the stages is done.
        case stagePassed = "stage-passed"
        /// The finger is enrolled.
        case completed
        case general
        case tooShort = "too-short"
        case centerFinger = "center-finger"
        case removeFinger = "remove-finger"
    }

    /// How the finger stands in a view: GetView's `fingerprint`.
    public enum FingerState: String, Sendable, CaseIterable {
        /// No finger is asked for in this step.
        case none
        /// The button is there, and nothing is read.
        case off
        case armed
        case retry
        case noMatch = "no-match"
        /// The enrolled fingers are not those of the last right passcode.
        case changed
        /// No sensor, or another program has it.
        case gone
    }

    /// What opens the step that stands: GetView's `demand`.
    public enum Demand: String, Sendable, CaseIterable {
        case passcode, finger, either, account
    }

    /// `Manager.BiometryType` and `Policy.BiometryType`.
    public enum Biometry: String, Sendable, CaseIterable {
        case none, fingerprint
    }
}
