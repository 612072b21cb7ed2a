import AuthAccount
import AuthCore
import AuthFingerprint
import AuthSecrets
import AuthSession
import AuthWire
import DBus
import MainLoop

/// What the state machine wants done.
extension Service {
    func perform(_ action: Action) {
        switch action {
        case .recordLocks(let states):
            if !lockFile.write(states, session: monitor.sessionID) {
                log("the lock state cannot be recorded; after a restart everything counts as locked")
            }
        case .propertiesChanged(let id, let properties): tell(id, properties)
        case .sessionStateChanged: tellSession()
        case .signal(let id, let signal): emit(id, signal)
        case .completed(let request, let sender, let completion):
            requests.complete(request, to: sender, completion)
        case .reply(let token, let reply): answer(token, reply)
        case .open(let id): open(id)
        case .objectAdded(let id):
            server.add([AuthenticatorInterface(id, self), PolicyInterface(id, self)], at: id.path)
            opened(id)
        case .objectRemoved(let id): server.remove(id.path)
        case .load(let id):
            onLoop { [self] in
                let reading = await store.load(id)
                handle(.loaded(id, reading))
                loaded(id)
            }
        case .unlockStore: onLoop { [self] in _ = await store.unlock() }
        case .writeAttempts(let id, let fields, let operation):
            onLoop { [self] in
                let isWritten = await files.write(.attempts, fields: fields, of: id)
                if operation != 0 { handle(.attemptsWritten(id, operation: operation, isWritten)) }
            }
        case .writeAccountAttempts(let fields, let id, let operation):
            onLoop { [self] in
                let isWritten = await files.writeAccountAttempts(fields: fields)
                if operation != 0 { handle(.accountAttemptsWritten(id, operation: operation, isWritten)) }
            }
        case .writeSettings(let id, let fields, let isAwaited):
            onLoop { [self] in
                let isWritten = await files.write(.settings, fields: fields, of: id)
                if isAwaited { handle(.settingsWritten(id, isWritten)) }
            }
        case .setAsideSettings(let id):
            log("the settings of \(id.words) are broken and set aside; the defaults hold")
            onLoop { [self] in _ = await files.setAside(.settings, of: id, why: "a value is out of its range") }
        case .compare(let id, let passcode, let verifier, let operation):
            onLoop { [self] in
                let comparison = await hasher.compare(passcode, with: verifier)
                handle(.compared(id, operation: operation, result(of: comparison, verifier)))
            }
        case .checkAccount(let id, let password, let operation):
            onLoop { [self] in
                handle(.accountChecked(id, operation: operation, await accounts.check(password)))
            }
        case .store(let id, let passcode, let kind, let length, let operation):
            onLoop { [self] in
                let result = await keep(passcode, kind, length, for: id)
                handle(.stored(id, operation: operation, result))
            }
        case .remove(let id, let attempts, let everything, let operation):
            onLoop { [self] in
                let result = await takeAway(id, attempts: attempts, everything: everything)
                handle(.removed(id, operation: operation, result))
            }
        case .sensor(let order): sensor.take(order)
        case .fingerprintChanged: tellFingerprint()
        case .enrollStatus(let status, let stage, let stages):
            connection.emit(
                path: Wire.Path.fingerprint, interface: Wire.Interface.fingerprint,
                member: Wire.Fingerprint.Signal.enrollStatus.rawValue,
                [.string(status), .uint32(stage), .uint32(stages)])
        case .remember(let id, let identity, let state, let operation):
            onLoop { [self] in
                handle(.remembered(id, operation: operation, await store.remember(state, as: identity, of: id)))
            }
        case .recall(let id, let identity, let operation):
            onLoop { [self] in
                handle(.recalled(id, operation: operation, await store.recall(identity, of: id)))
            }
        case .showPrompt(let id, let view): prompts?.show(id, view)
        case .hidePrompt(let view, let result): prompts?.hide(view, result)
        case .cover(let isWanted): covers?.cover(isWanted)
        case .setLockedHint(let isLocked): monitor.setLockedHint(isLocked)
        case .allowSleep: allowSleep()
        }
    }

    /// The lock is not only written to the bus before the machine may sleep: the bus has passed it on. It handles a
    /// connection's messages in order, so its answer comes after the signals. One that hangs holds no sleep up. The
    /// sensor is let go of meanwhile: a claim goes stale over a suspend.
    private func allowSleep() {
        connection.flush()
        let both = Countdown(2) { [monitor] in monitor.allowSleep() }
        sleepPermission = both
        connection.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId",
            timeout: .milliseconds(500)
        ) { _ in both.step() }
        let last = sensor.lastOrder
        onLoop { [sensor] in
            await sensor.settle(upTo: last)
            both.step()
        }
    }

    // MARK: Files and the store

    private func open(_ id: AuthenticatorID) {
        onLoop { [self] in
            let settings = FileReading(await files.read(.settings, of: id))
            let attempts = FileReading(await files.read(.attempts, of: id))
            let hasMarker = await files.read(.marker, of: id) != .missing
            handle(.opened(id, settings: settings, attempts: attempts, hasMarker: hasMarker))
        }
    }

    private func result(of comparison: AuthSecrets.Comparison, _ verifier: Verifier) -> AuthCore.Comparison {
        switch comparison {
        case .same: .same(needsRehash: hasher.needsRehash(verifier))
        case .different: .different
        case .failed: .failed
        }
    }

    private func keep(
        _ passcode: any Passcode, _ kind: PasscodeKind, _ length: Int, for id: AuthenticatorID
    ) async -> Result<Verifier, StoreFailure> {
        guard let verifier = await hasher.hash(passcode, kind: kind, length: length) else {
            log("a passcode could not be hashed: out of memory")
            return .failure(.unavailable)
        }
        return await store.replace(id, with: verifier).map { verifier }
    }

    private func takeAway(
        _ id: AuthenticatorID, attempts: Bool, everything: Bool
    ) async -> Result<Void, StoreFailure> {
        let result = await store.remove(id, everything: everything)
        guard case .success = result else { return result }
        // What is left of these is harmless: a record counts only beside a passcode.
        if attempts { _ = await files.remove(.attempts, of: id) }
        if everything { _ = await files.remove(.settings, of: id) }
        return result
    }

    // MARK: Signals

    private func tell(_ id: AuthenticatorID, _ properties: [Property]) {
        for (interface, isPolicy) in [(Wire.Interface.authenticator, false), (Wire.Interface.policy, true)] {
            let values: [(String, Value)] = properties.filter { $0.isOfPolicy == isPolicy }.compactMap { property in
                value(of: property, id).map { (property.rawValue, $0) }
            }
            guard !values.isEmpty else { continue }
            server.emitPropertiesChanged(path: id.path, interface: interface, values)
        }
    }

    func tellSession() {
        let facts = SessionFacts(
            state: machine.sessionState, sources: machine.sessionSources,
            secretService: machine.secretService.rawValue, biometry: biometry)
        var changed: [(String, Value)] = []
        if facts.state != told.state { changed.append(("SessionState", .string(facts.state))) }
        if facts.sources != told.sources { changed.append(("SessionSources", .stringArray(facts.sources))) }
        if facts.secretService != told.secretService {
            changed.append(("SecretServiceState", .string(facts.secretService)))
        }
        if facts.biometry != told.biometry { changed.append(("BiometryType", .string(facts.biometry.rawValue))) }
        told = facts
        guard !changed.isEmpty else { return }
        server.emitPropertiesChanged(path: Wire.Path.root, interface: Wire.Interface.manager, changed)
    }

    private func emit(_ id: AuthenticatorID, _ signal: AuthenticatorSignal) {
        let (name, arguments): (Wire.Authenticator.Signal, [Value]) =
            switch signal {
            case .authViewPresented: (.authViewPresented, [])
            case .authViewShown(let shower): (.authViewShown, [.string(shower.rawValue)])
            case .viewChanged(let view): (.viewChanged, [view.dictionary])
            case .authViewDismissed(let result): (.authViewDismissed, [.string(result.rawValue)])
            case .authenticationSucceeded(let method): (.authenticationSucceeded, [.string(method.rawValue)])
            case .authenticationFailed(let count, let method):
                (.authenticationFailed, [.uint32(count), .string(method.rawValue)])
            case .passcodeTurnedOn: (.passcodeTurnedOn, [])
            case .passcodeTurnedOff: (.passcodeTurnedOff, [])
            case .passcodeChanged: (.passcodeChanged, [])
            }
        connection.emit(
            path: id.path, interface: Wire.Interface.authenticator, member: name.rawValue, arguments)
    }
}

/// What Manager's properties said last.
struct SessionFacts {
    var state = "active"
    var sources = ["report"]
    var secretService = "absent"
    var biometry = Wire.Biometry.none
}

/// Calls its body at its last step.
@LoopActor
final class Countdown {
    private var left: Int
    private let body: @LoopActor () -> Void

    init(_ steps: Int, _ body: @escaping @LoopActor () -> Void) {
        left = steps
        self.body = body
    }

    func step() {
        left -= 1
        if left == 0 { body() }
    }

    /// There is no last step any more.
    func cancel() { left = 0 }
}

extension AuthenticatorID {
    /// For the log.
    var words: String { application.isEmpty ? "the session" : application }
}
