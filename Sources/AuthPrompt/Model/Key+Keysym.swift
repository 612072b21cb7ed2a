extension Key {
    /// What a key means, by X's number for it (X11/keysymdef.h).
    ///
    /// - Parameters:
    ///   - scalar: what it stands for in Unicode; 0 for nothing.
    ///   - typesDigits: whether digits are what is typed: then those of other scripts are digits too, as an Arabic
    ///     keyboard has them.
    init(keysym: UInt32, scalar: UInt32, typesDigits: Bool) {
        switch keysym {
        case 0xff08, 0xffff, 0xff9f: self = .backspace
        case 0xff0d, 0xff8d, 0xfe34: self = .enter
        case 0xff1b: self = .escape
        case 0xff51: self = .left
        case 0xff53: self = .right
        case 0xff52: self = .up
        case 0xff54: self = .down
        default:
            guard let scalar = Unicode.Scalar(scalar), scalar.value >= 0x20 else {
                self = .other
                return
            }
            if typesDigits, scalar.properties.numericType == .decimal,
                let digit = scalar.properties.numericValue, let plain = Unicode.Scalar(0x30 + UInt32(digit))
            {
                self = .character(plain)
            } else {
                self = .character(scalar)
            }
        }
    }
}
