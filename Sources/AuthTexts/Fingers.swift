public import AuthWire

extension Wire.Finger {
    /// The finger's name in the session's language, for the middle of a sentence.
    public var translatedName: String {
        switch self {
        case .leftThumb: translated("left thumb")
        case .leftIndex: translated("left index finger")
        case .leftMiddle: translated("left middle finger")
        case .leftRing: translated("left ring finger")
        case .leftLittle: translated("left little finger")
        case .rightThumb: translated("right thumb")
        case .rightIndex: translated("right index finger")
        case .rightMiddle: translated("right middle finger")
        case .rightRing: translated("right ring finger")
        case .rightLittle: translated("right little finger")
        }
    }
}
