internal import CSodium
import Glibc

/// Finds the parameters with which a hash takes 80 to 120 ms here, and remembers them in a file.
///
/// Blocks: for the hashing thread only.
struct Argon2Measure: Sendable {
    /// Milliseconds.
    static let target: ClosedRange<Double> = 80...120
    private static let aim = 100.0

    /// Where the result is remembered; nil for nowhere.
    let path: String?
    let log: @Sendable (String) -> Void

    /// What an earlier run measured; nil when it is missing, broken or out of bounds.
    func remembered() -> Argon2Parameters? {
        guard let path, case .fields(let fields) = KeyFile(path: path).read(),
            let passes = fields["passes"].flatMap({ Int($0) }), let memory = fields["memory"].flatMap({ Int($0) })
        else { return nil }
        let parameters = Argon2Parameters(passes: passes, memory: memory)
        return parameters.isAcceptable ? parameters : nil
    }

    /// Measures (about a second) and remembers. More passes rather than more memory: what the process holds while it
    /// hashes stays the same.
    ///
    /// - Returns: nil when there is not memory enough for the least.
    func run() -> Argon2Parameters? {
        var parameters = Argon2Parameters.floor
        guard var taken = best(of: parameters) else { return nil }
        // The floor holds whatever it takes; only a machine that is faster than the target is given more to do. One
        // step of the correction is enough as the time grows with the passes; the second is for a noisy first.
        for _ in 0..<2 where !Self.target.contains(taken) {
            let wanted = (Double(parameters.passes) * Self.aim / max(taken, 0.1)).rounded()
            let passes = max(Argon2Parameters.floor.passes, min(Argon2Parameters.ceiling.passes, Int(wanted)))
            guard passes != parameters.passes else { break }
            parameters.passes = passes
            guard let again = best(of: parameters) else { return nil }
            taken = again
        }
        if let path {
            let fields = ["passes": String(parameters.passes), "memory": String(parameters.memory)]
            if !KeyFile(path: path).write(fields, log: log) {
                log("cannot remember the passcode hash's measured cost; it will be measured again")
            }
        }
        return parameters
    }

    /// The best of five, in milliseconds: anything slower is somebody else's work on the machine.
    private func best(of parameters: Argon2Parameters) -> Double? {
        var best = Double.infinity
        var output = [UInt8](repeating: 0, count: 32)
        let salt = [UInt8](repeating: 7, count: Int(crypto_pwhash_saltbytes()))
        for _ in 0..<5 {
            let start = ContinuousClock.now
            guard
                crypto_pwhash(
                    &output, UInt64(output.count), "0000", 4, salt, UInt64(parameters.passes), parameters.memory * 1024,
                    crypto_pwhash_alg_argon2id13()) == 0
            else { return nil }
            let (seconds, attoseconds) = (ContinuousClock.now - start).components
            best = min(best, Double(seconds) * 1e3 + Double(attoseconds) / 1e15)
        }
        return best
    }
}
