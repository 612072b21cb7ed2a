public import AuthCore
internal import CGLib
public import MainLoop

/// Passcodes in the desktop's Secret Service, with a durable marker beside each: section 8 of the contract.
///
/// A change is written in an order in which a cut at any moment leaves the old or the new passcode after the next
/// load. Every call answers within 5 s; operations on one authenticator run one after another.
@LoopActor
public final class LibsecretStore {
    /// From the call to its answer, waiting for its turn included.
    static let patience = Duration.seconds(5)
    /// How long a person may take at the provider's own prompt.
    static let promptPatience = Duration.seconds(120)

    let files: AuthenticatorFiles
    let provider: SecretProvider
    private let watch: SecretServiceWatch
    private var turns: [AuthenticatorID: Turn] = [:]
    private let log: @Sendable (String) -> Void
    /// For tests: called between any two steps of a change with the next one's name; false abandons the change there,
    /// as kill -9 would.
    var mayGoOn: ((String) -> Bool)?

    /// The service as a whole; ``SecretServiceState/absent`` before ``start()``.
    public var state: SecretServiceState { watch.state }
    /// Called after ``state`` has changed.
    public var onChange: (() -> Void)? {
        get { watch.onChange }
        set { watch.onChange = newValue }
    }

    /// - Parameters:
    ///   - busAddress: nil for the desktop's session bus.
    ///   - files: where the markers are.
    ///   - log: told what a person should know; never a secret.
    public init(busAddress: String? = nil, files: AuthenticatorFiles, log: @escaping @Sendable (String) -> Void) {
        self.files = files
        self.log = log
        provider = SecretProvider(busAddress: busAddress)
        watch = SecretServiceWatch(provider: provider)
    }

    /// Begins to watch the provider, starting it where the bus can, and waits for a first answer: 5 s at most.
    public func start() async { await watch.start(by: .in(Self.patience)) }

    /// Stops watching, at the end of the process.
    public func stop() { watch.stop() }

    /// Looks into the store and at the marker, and finishes a change that was cut off.
    public func load(_ id: AuthenticatorID) async -> StoreReading {
        let deadline = Deadline.in(Self.patience)
        let reading = await inTurn(id, by: deadline) { await self.settle(id, by: deadline) }
        if let reading { return reading.reading }
        return .unavailable(hasMarker: MarkerReading(await files.read(.marker, of: id)).isThere)
    }

    /// Every authenticator with an item; nil when the store gave no complete answer. A provider may hide what a locked
    /// item is for: the folders know, too (``AuthenticatorFiles/storedIDs()``).
    public func storedIDs() async -> [AuthenticatorID]? {
        let result = await provider.reading(by: .in(Self.patience)) { steps in
            await steps.owners(ofKind: .passcode)
        }
        note(result, "listing the stored passcodes")
        return try? result.get()
    }

    /// Asks the provider to unlock the default collection, with its own prompt; until the person has answered, 120 s at
    /// most. Cancelling the task takes the prompt away.
    ///
    /// - Returns: whether it is unlocked now.
    public func unlock() async -> Bool {
        let result = await provider.trying(by: .in(Self.promptPatience)) { steps in
            switch await steps.brief(by: Self.patience).defaultCollection() {
            case .failure(let failure): return Result<Bool, StepFailure>.failure(failure)
            case .success(nil): return .success(false)
            case .success(let collection?):
                if case .success(false) = await steps.brief(by: Self.patience).isLocked(collection) {
                    return .success(true)
                }
                return await steps.unlock(collection)
            }
        }
        note(result, "unlocking the keyring")
        await watch.refresh()
        return (try? result.get()) ?? false
    }

    // MARK: - Turns and the log

    /// Runs `body` when no other operation on `id` runs; nil when the deadline came first.
    func inTurn<Value>(_ id: AuthenticatorID, by deadline: Deadline, _ body: () async -> Value) async -> Value? {
        let turn = turns[id] ?? Turn()
        turns[id] = turn
        guard await turn.take(by: deadline) else { return nil }
        let value = await body()
        turn.pass()
        if turn.isFree { turns[id] = nil }
        return value
    }

    /// Says a failure, and keeps ``state`` true.
    func note<Value>(_ result: Result<Value, StepFailure>, _ what: String) {
        guard case .failure(let failure) = result else { return }
        log("Secret Service: \(what): \(failure)")
        watch.sawFailure(failure)
    }

    func say(_ text: String) { log(text) }
    func sawOpen(_ isOpen: Bool) { watch.sawCollection(isOpen: isOpen) }
    func sawNoCollection() { watch.sawNoCollection() }
}
