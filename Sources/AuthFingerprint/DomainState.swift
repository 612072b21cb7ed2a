public import AuthCore
internal import AuthSecrets
internal import CSodium
internal import Glibc
internal import MainLoop

/// What an application is shown of the set of enrolled fingers: a hash under a key of this person's, so that two
/// applications cannot compare theirs, and none can try out prints.
public struct DomainState: Sendable {
    private let key: [UInt8]

    private static let keySize = 32
    private static let thread = WorkThread(name: "domain key")

    /// Reads the key, and makes one where there is none.
    ///
    /// A broken key file is set aside. Where a key cannot be kept, one for this process is made: after the next start
    /// every remembered state is another one, which asks for the passcode and never grants.
    ///
    /// - Parameters:
    ///   - path: absolute; mode 0600, 32 random bytes.
    ///   - log: called on another thread.
    public static func load(path: String, log: @escaping @Sendable (String) -> Void) async -> DomainState {
        await thread.run { DomainState(key: read(DurableFile(path: path), log)) }
    }

    /// The same for the same set and application, for as long as the key file lives.
    public func bytes(of set: FingerSet, for id: AuthenticatorID) -> [UInt8] {
        Hash.of([Array("domain state".utf8), set.digest, Array(id.application.utf8)], key: key)
    }

    private static func read(_ file: DurableFile, _ log: (String) -> Void) -> [UInt8] {
        switch file.read() {
        case .bytes(let bytes) where bytes.count == keySize: return bytes
        case .missing: break
        case .unreadable(let code):
            log("\(file.path): not read: \(String(cString: strerror(code))); known fingers ask for the passcode once")
            return newKey()
        case .bytes, .tooLarge:
            log("\(file.path): broken; set aside as \(file.path).broken; known fingers ask for the passcode once")
            do throws(DurableFile.Failure) {
                try file.setAside()
            } catch {
                log("\(file.path): not set aside: \(String(cString: strerror(error.code)))")
                return newKey()
            }
        }
        let key = newKey()
        do throws(DurableFile.Failure) {
            try file.write(key)
        } catch {
            log("\(file.path): not written: \(String(cString: strerror(error.code)))")
        }
        return key
    }

    private static func newKey() -> [UInt8] {
        precondition(Sodium.isReady)
        var key = [UInt8](repeating: 0, count: keySize)
        randombytes_buf(&key, keySize)
        return key
    }
}
