public import AuthCore
internal import CSodium
import Glibc
internal import MainLoop
internal import Synchronization

/// What comparing a passcode with a verifier found.
public enum Comparison: Sendable, Equatable {
    case same
    case different
    /// Not compared: no memory, or a verifier that is not one of ours or would take the machine down.
    case failed
}

/// Argon2id by libsodium, on a thread of its own, one at a time: each takes about 100 ms and 64 MiB.
public final class PasscodeHasher: Sendable {
    private let thread = WorkThread(name: "argon2")
    private let measure: Argon2Measure
    /// Known once they were read or measured; written on the thread only.
    private let parameters = Mutex<Argon2Parameters?>(nil)

    /// - Parameters:
    ///   - costFile: where the measured cost is remembered; nil measures once a process.
    ///   - log: told what a person should know; called on the hashing thread.
    public init(costFile: String?, log: @escaping @Sendable (String) -> Void) {
        measure = Argon2Measure(path: costFile, log: log)
    }

    /// A verifier for `passcode` with a fresh random id and salt. The first one on a machine takes a second more, for
    /// the measure.
    ///
    /// - Parameter length: in digits, dots or scalars, as ``Verifier/length``.
    /// - Returns: nil when there is not enough memory.
    public func hash(_ passcode: any Passcode, kind: PasscodeKind, length: Int) async -> Verifier? {
        await thread.run { [self] in
            guard Sodium.isReady, let cost = known() ?? settle() else { return nil }
            var output = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
            let failed = passcode.withBytes { bytes in
                crypto_pwhash_str_alg(
                    &output, bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.nothing,
                    UInt64(bytes.count), UInt64(cost.passes), cost.memory * 1024, crypto_pwhash_alg_argon2id13())
            }
            guard failed == 0 else { return nil }
            let hash = String(decoding: output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return Verifier(hash: hash, kind: kind, length: length, id: Sodium.randomHex(count: 16))
        }
    }

    /// Compares in a time that does not depend on the bytes.
    public func compare(_ passcode: any Passcode, with verifier: Verifier) async -> Comparison {
        await thread.run { [self] in
            _ = known()  // so that needsRehash has something to go by
            guard Sodium.isReady, let stored = Argon2Hash(phc: verifier.hash), stored.parameters.isBearable else {
                return .failed
            }
            return passcode.withBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.nothing
                return switch stored.matches(start, count: bytes.count) {
                case true?: .same
                case false?: .different
                case nil: .failed
                }
            }
        }
    }

    /// Whether `verifier` was made at another cost than a new one would be: hash again at the next right passcode.
    /// False as long as this machine's cost is not known, unless the verifier is under the floor.
    public func needsRehash(_ verifier: Verifier) -> Bool {
        guard let cost = Argon2Parameters(phc: verifier.hash) else { return false }
        guard let wanted = parameters.withLock({ $0 }) else { return !cost.isAcceptable }
        return cost != wanted
    }

    /// What was measured before, now or by an earlier run.
    private func known() -> Argon2Parameters? {
        if let known = parameters.withLock({ $0 }) { return known }
        guard let remembered = measure.remembered() else { return nil }
        parameters.withLock { $0 = remembered }
        return remembered
    }

    private func settle() -> Argon2Parameters? {
        guard let measured = measure.run() else { return nil }
        parameters.withLock { $0 = measured }
        return measured
    }

    /// For an empty passcode: libsodium wants a pointer even then.
    private static nonisolated(unsafe) let nothing = UnsafePointer(UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}
