import AuthAccount
import AuthCore
import AuthFingerprint
import AuthSecrets
import AuthSession
import AuthWire
import DBus
import Glibc
import MainLoop

/// The service put together: adapters turn what happens into events, the state machine decides, and its actions are
/// carried out here, in order.
@LoopActor
final class Service {
    nonisolated static let version = "0.1.0"

    let machine: StateMachine
    let connection: Connection
    let server: ObjectServer
    let clients: ClientRegistry
    private(set) lazy var requests = Requests(server, self)
    let files: AuthenticatorFiles
    let store: LibsecretStore
    let hasher: PasscodeHasher
    let accounts: AccountAuthority
    let sensor: FingerprintSensor
    private(set) lazy var prompts = PromptLauncher(self)
    private(set) lazy var covers = CoverLauncher(self)
    let lockFile = LockStateFile()
    private(set) lazy var monitor = SessionMonitor(system: system, session: connection) { [unowned self] in heard($0) }
    private let system: Connection?

    private var events: [Event] = []
    private var isHandling = false
    private var replies: [ReplyToken: MethodCall] = [:]
    /// Who waits for the answers to entries in a prompt.
    private var entries: [ReplyToken: (Reply) -> Void] = [:]
    private var nextToken: ReplyToken = 1
    private var deadline: (at: UInt64, timer: LoopSource)?
    /// What the session said before there was anybody to tell.
    private var early: [SessionEvent]? = []
    /// The same of the sensor.
    private var earlySensor: [SensorEvent]? = []
    private var isSensorKnown = false
    /// What a sleep still waits for.
    var sleepPermission: Countdown?
    private var opening: Set<AuthenticatorID> = []
    private var loading: Set<AuthenticatorID> = []
    private var onProgress: (() -> Void)?
    var told = SessionFacts()
    var toldFingerprint = FingerprintState()

    init(session: Connection, system: Connection?, folders: Folders) {
        connection = session
        self.system = system
        let sensor = FingerprintSensor(
            system: system, folder: folders.data, choice: .fromEnvironment(log: log), log: log)
        self.sensor = sensor
        machine = StateMachine(now: .now, bootID: Boot.id) { set, id in
            LoopActor.assumeIsolated { sensor.domainState(of: set, for: id) }
        }
        server = ObjectServer(session)
        clients = ClientRegistry(session)
        files = AuthenticatorFiles(folder: folders.data, log: log)
        store = LibsecretStore(files: files, log: log)
        hasher = PasscodeHasher(costFile: folders.state + "/argon2id", log: log)
        accounts = AccountAuthority()
        guardTheDoor()
    }

    // MARK: Events in, actions out

    /// Decides about an event and carries out what follows. An event that comes up meanwhile waits its turn.
    func handle(_ event: Event) {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !events.isEmpty {
            for action in machine.handle(events.removeFirst(), at: .now) { perform(action) }
        }
        isHandling = false
        prompts?.refresh()
        covers?.refresh()
        armDeadline()
    }

    /// A client's call on an authenticator.
    func receive(_ call: Call, _ id: AuthenticatorID, _ message: MethodCall) {
        guard let caller = caller(of: message) else { return message.fail(.denied) }
        handle(.call(call, id, caller, expect(message)))
    }

    /// A client's call on the Fingerprint object.
    func receive(_ call: FingerprintCall, _ message: MethodCall) {
        guard let caller = caller(of: message) else { return message.fail(.denied) }
        handle(.fingerprint(call, caller, expect(message)))
    }

    /// Keeps a call until the state machine answers it.
    func expect(_ call: MethodCall) -> ReplyToken {
        let token = nextToken
        nextToken += 1
        replies[token] = call
        return token
    }

    /// The same of an entry in the prompt.
    func expect(_ answer: @escaping (Reply) -> Void) -> ReplyToken {
        let token = nextToken
        nextToken += 1
        entries[token] = answer
        return token
    }

    func answer(_ token: ReplyToken, _ reply: Reply) {
        if let entry = entries.removeValue(forKey: token) { return entry(reply) }
        guard let call = replies.removeValue(forKey: token) else { return }
        if case .request(let path) = reply { requests.begin(path, for: call.sender) }
        switch reply.values(biometry) {
        case .success(let values): call.reply(values)
        case .failure(let failure): call.fail(failure)
        }
    }

    // MARK: Time

    private func armDeadline() {
        let next = machine.nextDeadline
        guard next != deadline?.at else { return }
        deadline?.timer.cancel()
        deadline = next.map { at in
            let now = Instant.now.boottime
            let wait = Duration.microseconds(Int64(clamping: at > now ? at - now : 0))
            return (
                at,
                .after(wait) { [unowned self] in
                    deadline = nil
                    handle(.deadlinePassed)
                }
            )
        }
    }

    /// Before each message: a sleep that nobody announced, and a wait that ended while a timer slept.
    func checkClocks() {
        monitor.checkClock()
        if let deadline, Instant.now.boottime >= deadline.at { handle(.deadlinePassed) }
    }

    // MARK: Start

    /// Reads everything that decides whether somebody is kept out, puts the lock up, and only then takes the name.
    func start() async throws(DBusFailure) {
        connection.willDispatch = { [unowned self] in checkClocks() }
        system?.willDispatch = { [unowned self] in checkClocks() }
        sensor.onEvent = { [unowned self] in heard($0) }
        onLoop { [self] in
            await sensor.start()
            isSensorKnown = true
            onProgress?()
        }
        await monitor.start()
        let stored = await files.storedIDs() ?? []
        let account = FileReading(await files.readAccountAttempts())
        machine.coverPatience = coverPatience
        opening = Set(stored + [.session])
        loading = opening
        if prompts != nil { handle(.display(.prompts(true))) }
        if covers != nil { handle(.display(.covers(true))) }
        handle(.started(stored: stored, LockRecord(lockFile.read(session: monitor.sessionID)), account: account))
        await progress { [unowned self] in opening.isEmpty }
        for event in early ?? [] { handle(.session(event)) }
        early = nil
        for event in earlySensor ?? [] { handle(.sensor(event)) }
        earlySensor = nil
        store.onChange = { [unowned self] in storeChanged() }
        onLoop { [self] in
            await store.start()
            storeChanged()
        }
        server.add([ManagerInterface(self)], at: Wire.Path.root)
        server.add([FingerprintInterface(self)], at: Wire.Path.fingerprint)
        server.addObjectManager(at: Wire.Path.root)
        // A quick store spares clients the moment in which nothing is known yet; a slow one keeps nobody waiting.
        let patience = LoopSource.after(.seconds(1)) { [unowned self] in
            loading = []
            onProgress?()
        }
        await progress { [unowned self] in loading.isEmpty }
        patience.cancel()
        // Two seconds at most: whether there is a way to unlock with a finger is not for clients to guess.
        await progress { [unowned self] in isSensorKnown }
        try await connection.requestName(Wire.busName)
        covers?.sweep()
    }

    private func progress(until isDone: @escaping () -> Bool) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            var waiting: CheckedContinuation<Void, Never>? = done
            let check = {
                guard isDone() else { return }
                waiting?.resume()
                waiting = nil
            }
            onProgress = check
            check()
        }
        onProgress = nil
    }

    func opened(_ id: AuthenticatorID) {
        opening.remove(id)
        onProgress?()
    }

    func loaded(_ id: AuthenticatorID) {
        loading.remove(id)
        onProgress?()
    }

    /// Nothing is taken on any more; what is being written is written.
    func stop() async {
        server.gate = { _ in .refuse(.failed("The service is ending")) }
        connection.flush()
        sensor.stop()
        prompts?.stop()
        covers?.stop()
        store.stop()
        await files.settle()
    }

    // MARK: What adapters report

    private func heard(_ event: SessionEvent) {
        if early != nil {
            early?.append(event)
        } else {
            machine.coverPatience = coverPatience
            // What one sleep waited for must not let the next one go.
            if case .ended(.sleep, _) = event { sleepPermission?.cancel() }
            handle(.session(event))
        }
    }

    private func heard(_ event: SensorEvent) {
        if earlySensor != nil {
            earlySensor?.append(event)
        } else {
            handle(.sensor(event))
        }
    }

    /// A sleep waits for covers for 60 % of what logind grants.
    private var coverPatience: UInt64 {
        let delay = monitor.inhibitDelay.components
        let microseconds = delay.seconds * 1_000_000 + delay.attoseconds / 1_000_000_000_000
        return UInt64(max(0, microseconds)) / 10 * 6
    }

    private func storeChanged() {
        let former = machine.secretService
        handle(.secretServiceChanged(store.state))
        // A provider that came or was unlocked, not one that merely answers again.
        guard store.state == .ready, former != .failing else { return }
        // Items whose folder is gone are authenticators all the same.
        onLoop { [self] in
            if let ids = await store.storedIDs() { handle(.discovered(ids)) }
        }
    }
}

extension LockRecord {
    init(_ contents: LockStateFile.Contents) {
        self =
            switch contents {
            case .fresh: .fresh
            case .unreadable: .unreadable
            case .record(let states, let gapGrew): .states(states, slept: gapGrew)
            }
    }
}

extension FileReading {
    /// A file that is there and cannot be read is as good as broken: nothing is believed of it.
    init(_ reading: KeyFileReading) {
        self =
            switch reading {
            case .missing: .missing
            case .broken, .unreadable: .broken
            case .fields(let fields): .fields(fields)
            }
    }
}
