import AuthWire

/// Fingers, and what a sensor says of them, as people talk.
enum FingerWords {
    /// `right-index-finger` is "right index finger".
    static func name(_ finger: Wire.Finger) -> String {
        finger.rawValue.map { $0 == "-" ? " " : String($0) }.joined()
    }

    /// The finger of a name as fprintd has it; "finger" at the end may be left out.
    static func finger(_ word: String) throws(CommandFailure) -> Wire.Finger {
        guard let finger = Wire.Finger(rawValue: word) ?? Wire.Finger(rawValue: word + "-finger") else {
            let names = Wire.Finger.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("a finger is one of: \(names)")
        }
        return finger
    }

    /// What to do at a retry; nil for what is none.
    static func instruction(_ status: Wire.EnrollStatus) -> String? {
        switch status {
        case .general: "That did not work. Touch the sensor again."
        case .tooShort: "That was too short. Leave your finger on the sensor a little longer."
        case .centerFinger: "Put the middle of your fingertip on the sensor."
        case .removeFinger: "Lift your finger, then touch the sensor again."
        case .stagePassed, .completed: nil
        }
    }

    /// `[###..]  3 of 5`
    static func bar(_ stage: UInt32, of stages: UInt32) -> String {
        // A driver may count as it likes.
        let whole = Int(min(max(stages, stage, 1), 40))
        let done = min(Int(stage), whole)
        return "[" + String(repeating: "#", count: done) + String(repeating: ".", count: whole - done) + "]  "
            + "\(stage) of \(max(stages, stage))"
    }
}
