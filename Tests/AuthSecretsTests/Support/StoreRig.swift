import AuthCore
import CGLib
import MainLoop

@testable import AuthSecrets

/// A real keyring, the folders and a store.
@LoopActor
final class StoreRig {
    let keyring: PrivateKeyring
    let data = TemporaryFolder()
    let files: AuthenticatorFiles
    private(set) var store: LibsecretStore

    init?(password: String? = "keyring password", daemon: Bool = true) async {
        guard let keyring = PrivateKeyring() else { return nil }
        if daemon { guard await keyring.start(password: password) else { return nil } }
        self.keyring = keyring
        files = AuthenticatorFiles(folder: data.path + "/smileauth") { _ in }
        store = LibsecretStore(busAddress: keyring.address, files: files) { _ in }
    }

    /// As after a restart of the service.
    func anew() -> LibsecretStore {
        store = LibsecretStore(busAddress: keyring.address, files: files) { _ in }
        return store
    }

    /// Whatever stood before, the session's passcode is `reading` now.
    func reset(to reading: StoreReading) async -> Bool {
        guard await anew().remove(.session) == .done else { return false }
        guard case .ready(let verifier) = reading else { return true }
        return await store.replace(.session, with: verifier) == .done
    }

    func items(of id: AuthenticatorID, _ kind: SecretItems.Kind = .passcode) async -> [String]? {
        let result = await provider.reading(by: .in(.seconds(5))) { steps in
            await steps.search(SecretItems.attributes(of: id, kind: kind))
        }
        return (try? result.get()).map { $0.unlocked + $0.locked }
    }

    /// An item that the store under test has not put there.
    func put(_ secret: String, of id: AuthenticatorID, _ kind: SecretItems.Kind = .passcode) async -> Bool {
        let result = await provider.trying(by: .in(.seconds(5))) { steps in
            await steps.create(
                secret, label: "foreign", attributes: SecretItems.itemAttributes(of: id, kind: kind),
                in: PrivateKeyring.collection)
        }
        return (try? result.get()) != nil
    }

    func deleteItems(of id: AuthenticatorID) async -> Bool {
        for path in await items(of: id) ?? [] {
            let result = await provider.trying(by: .in(.seconds(5))) { steps in await steps.delete(path) }
            guard case .success = result else { return false }
        }
        return true
    }

    private lazy var provider = SecretProvider(busAddress: keyring.address)
}

extension Verifier {
    /// Different for each number, and cheap: nothing here is ever compared with a passcode.
    static func made(_ number: Int) -> Verifier {
        let digits = String(number, radix: 16)
        let id = String(repeating: "0", count: 32 - digits.count) + digits
        return Verifier(
            hash: "$argon2id$v=19$m=65536,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$" + base64(id), kind: .digits, length: 4,
            id: id)
    }
}

/// `Result<Void, …>` is not Equatable.
enum Done: Equatable {
    case done
    case failed(StoreFailure)
}

func == (result: Result<Void, StoreFailure>, done: Done) -> Bool {
    switch result {
    case .success: done == .done
    case .failure(let failure): done == .failed(failure)
    }
}

/// 32 bytes made of the id, in base64 without padding.
private func base64(_ id: String) -> String {
    let bytes = Array((id + String(repeating: "h", count: 32)).utf8.prefix(32))
    guard let encoded = g_base64_encode(bytes, gsize(bytes.count)) else { return "" }
    defer { g_free(encoded) }
    return String(String(cString: encoded).prefix { $0 != "=" })
}
