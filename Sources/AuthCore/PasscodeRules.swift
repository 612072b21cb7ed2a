/// What makes a passcode of each kind, for a new one and for a try at the one that is set.
enum PasscodeRules {
    /// Lengths of `digits` in digits and of `text` in Unicode scalars.
    static let lengths = 4...64

    /// Brings a passcode that is to be set into its stored form.
    ///
    /// - Returns: the form to be hashed and its length, or nil where it is none of this kind.
    static func normalised(
        new passcode: any Passcode, kind: PasscodeKind, digits: Int
    ) -> (passcode: any Passcode, length: Int)? {
        switch kind {
        case .digits:
            return isDigits(passcode, count: digits) ? (passcode, digits) : nil
        case .text:
            guard let composed = composed(passcode) else { return nil }
            let length = scalars(composed)
            return lengths.contains(length) ? (composed, length) : nil
        case .pattern:
            guard let dots = pattern(passcode), dots.length >= 4 else { return nil }
            return dots
        }
    }

    /// Brings an entry into the form that is compared, or nil where it is no try at a passcode of this kind: a wrong
    /// number of digits, fewer than 4 dots, no UTF-8, or a NUL. `text` of any length is a try.
    static func normalised(try passcode: any Passcode, kind: PasscodeKind, length: Int) -> (any Passcode)? {
        switch kind {
        case .digits: isDigits(passcode, count: length) ? passcode : nil
        case .text: composed(passcode)
        case .pattern: pattern(passcode).flatMap { $0.length >= 4 ? $0.passcode : nil }
        }
    }

    /// In the form that is compared; nil for what is no UTF-8 or contains a NUL.
    private static func composed(_ passcode: any Passcode) -> (any Passcode)? {
        passcode.withBytes { $0.contains(0) } ? nil : passcode.composed()
    }

    private static func isDigits(_ passcode: any Passcode, count: Int) -> Bool {
        passcode.count == count
            && passcode.withBytes { $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    }

    private static func scalars(_ passcode: any Passcode) -> Int {
        // It is valid UTF-8, so every byte but a continuation byte starts a scalar.
        passcode.withBytes { $0.count { $0 & 0b1100_0000 != 0b1000_0000 } }
    }

    /// A straight move over a dot that was not yet visited takes it along, over a visited one it jumps; a dot that is
    /// visited twice makes it no pattern.
    private static func pattern(_ passcode: any Passcode) -> (passcode: any Passcode, length: Int)? {
        guard (1...9).contains(passcode.count) else { return nil }
        // Up to 9 dots as ASCII digits; in a value of its own, so that it can be wiped.
        var dots: (UInt64, UInt64) = (0, 0)
        return withUnsafeMutableBytes(of: &dots) { dots in
            defer { for index in dots.indices { dots[index] = 0 } }
            guard let count = passcode.withBytes({ normalise($0, into: dots) }),
                let normalised = passcode.copy(of: UnsafeRawBufferPointer(rebasing: dots[..<count]))
            else { return nil }
            return (normalised, count)
        }
    }

    /// - Returns: how many dots it has with those taken along, or nil where it is no pattern.
    private static func normalise(_ entry: UnsafeRawBufferPointer, into dots: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        var visited: UInt16 = 0
        func take(_ dot: Int) {
            dots[count] = UInt8(ascii: "0") + UInt8(dot)
            count += 1
            visited |= 1 << dot
        }
        var last: Int?
        for byte in entry {
            let dot = Int(byte) - Int(UInt8(ascii: "0"))
            guard (1...9).contains(dot), visited & (1 << dot) == 0 else { return nil }
            if let last, let between = dotBetween(last, dot), visited & (1 << between) == 0 { take(between) }
            take(dot)
            last = dot
        }
        return count
    }

    /// The dot that lies half-way between two others, if one does.
    private static func dotBetween(_ first: Int, _ second: Int) -> Int? {
        let (row, column) = ((first - 1) / 3 + (second - 1) / 3, (first - 1) % 3 + (second - 1) % 3)
        guard row % 2 == 0, column % 2 == 0 else { return nil }
        let middle = row / 2 * 3 + column / 2 + 1
        return middle == first ? nil : middle
    }
}
