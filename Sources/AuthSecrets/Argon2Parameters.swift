internal import CSodium

/// What an Argon2id hash costs, as a PHC string states it ("$argon2id$v=19$m=65536,t=2,p=1$salt$hash").
struct Argon2Parameters: Sendable, Equatable {
    /// Passes over the memory.
    var passes: Int
    /// KiB.
    var memory: Int

    /// libsodium's INTERACTIVE: 2 passes over 64 MiB. Nothing of ours is made cheaper.
    static let floor = Argon2Parameters(passes: 2, memory: 64 * 1024)
    /// What a stored hash may ask of this machine: about 10 s of one core at worst.
    static let ceiling = Argon2Parameters(passes: 20, memory: 1024 * 1024)

    /// Whether these are parameters we would choose.
    var isAcceptable: Bool { passes >= Self.floor.passes && memory >= Self.floor.memory && isBearable }
    /// Whether comparing with these leaves the machine usable.
    var isBearable: Bool {
        (1...Self.ceiling.passes).contains(passes) && (8...Self.ceiling.memory).contains(memory)
    }

    init(passes: Int, memory: Int) {
        self.passes = passes
        self.memory = memory
    }

    /// Reads a PHC string.
    ///
    /// - Returns: nil unless it is Argon2id version 19 with one lane in libsodium's form and length.
    init?(phc: String) {
        guard phc.utf8.count < Int(crypto_pwhash_strbytes()), phc.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return nil
        }
        let parts = phc.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty, parts[1] == "argon2id", parts[2] == "v=19",
            !parts[4].isEmpty, !parts[5].isEmpty
        else { return nil }
        let costs = parts[3].split(separator: ",", omittingEmptySubsequences: false)
        guard costs.count == 3, costs[2] == "p=1",
            let memory = Self.value(of: "m=", in: costs[0]), let passes = Self.value(of: "t=", in: costs[1])
        else { return nil }
        self.init(passes: passes, memory: memory)
    }

    private static func value(of key: String, in field: Substring) -> Int? {
        guard field.hasPrefix(key) else { return nil }
        let digits = field.dropFirst(key.count)
        guard (1...10).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }
}
