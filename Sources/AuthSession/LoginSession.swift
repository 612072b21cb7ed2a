internal import AuthCore
internal import DBus
internal import MainLoop

/// Our session's object at logind: finds it, follows Active, LockedHint and IdleHint, hears Lock, sets LockedHint.
@LoopActor
final class LoginSession {
    private let bus: Connection
    private let environment: SessionEnvironment
    private let marker: HintMarker
    /// Told each value as it is read; telling one again is harmless.
    private let changed: @LoopActor (Cause, Bool) -> Void
    private let lockRequested: @LoopActor () -> Void

    private var owner: String?
    /// Counts the tries to find the session; what an older one still waits for is dropped.
    private var attempt = 0
    private var path: String?
    private var subscriptions: [Subscription] = []
    private var hint = LockedHint()
    /// How many signals named each property: a reply that was asked for before one of them is older than it.
    private var signals: [Property: Int] = [:]

    /// logind's id of the session; empty without one.
    private(set) var id = ""
    var isFound: Bool { path != nil }

    private enum Property: String, CaseIterable {
        case active = "Active"
        case lockedHint = "LockedHint"
        case idleHint = "IdleHint"
    }

    init(
        bus: Connection, environment: SessionEnvironment, changed: @escaping @LoopActor (Cause, Bool) -> Void,
        lockRequested: @escaping @LoopActor () -> Void
    ) {
        self.bus = bus
        self.environment = environment
        self.changed = changed
        self.lockRequested = lockRequested
        marker = HintMarker(folder: RuntimeFolder(base: environment.runtimeDirectory))
    }

    // MARK: Finding it

    /// Finds our session: XDG_SESSION_ID, else logind's `auto`, else our user's graphical session.
    ///
    /// - Throws: what a logind that does not answer gives; that there is no session of ours is no error.
    func resolve(at owner: String) async throws(DBusFailure) {
        forget()
        self.owner = owner
        let mine = attempt
        let named = environment.loginSessionID.map { [$0] } ?? []
        for wanted in named + ["auto"] {
            let reply = try await answer(owner, Login1.path, Login1.manager, "GetSession", [.string(wanted)])
            guard mine == attempt else { return }
            guard case .objectPath(let found)? = reply?.first else { continue }
            if try await attach(found, at: owner, mustBeGraphical: false) { return }
            guard mine == attempt else { return }
        }
        guard let found = try await display(of: environment.userID, at: owner), mine == attempt else { return }
        _ = try await attach(found, at: owner, mustBeGraphical: true)
    }

    /// The session ended, or logind left: nothing is known of it any more.
    func forget() {
        attempt += 1
        owner = nil
        drop()
        hint.detach()
    }

    func isOurs(_ path: String) -> Bool { self.path == path }

    private func drop() {
        path = nil
        id = ""
        subscriptions = []
        for cause in [Cause.idle, .screenLock, .away] { changed(cause, false) }
    }

    private func display(of user: UInt32, at owner: String) async throws(DBusFailure) -> String? {
        let reply = try await answer(owner, Login1.path, Login1.manager, "GetUser", [.uint32(user)])
        guard case .objectPath(let object)? = reply?.first else { return nil }
        let display = try await answer(
            owner, object, Login1.properties, "Get", [.string(Login1.user), .string("Display")])
        guard case .variant(.structure(let fields))? = display?.first, fields.count == 2,
            case .objectPath(let found) = fields[1], found != "/"
        else { return nil }
        return found
    }

    /// Listens first and reads then, so that no change falls between the two.
    private func attach(_ found: String, at owner: String, mustBeGraphical: Bool) async throws(DBusFailure) -> Bool {
        let mine = attempt
        let before = signals
        subscriptions = listen(to: found)
        // Set before the answer is there: a change that is signalled meanwhile counts already.
        path = found
        let reply: [Value]?
        do {
            reply = try await answer(owner, found, Login1.properties, "GetAll", [.string(Login1.session)])
        } catch {
            if mine == attempt { drop() }
            throw error
        }
        guard mine == attempt else { return false }
        guard let values = reply?.first?.asDictionary, let id = values["Id"]?.asString, isUsers(values["User"]),
            !mustBeGraphical || ["x11", "wayland", "mir"].contains(values["Type"]?.asString ?? "")
        else {
            drop()
            return false
        }
        self.id = id
        for property in [Property.active, .idleHint] where signals[property] == before[property] {
            if let value = values[property.rawValue]?.asBool { apply(property, value) }
        }
        // A signal that came meanwhile is newer than the answer, and the hint has noted it.
        let isSuperseded = signals[.lockedHint] != before[.lockedHint]
        let locked = isSuperseded ? hint.observed : values[Property.lockedHint.rawValue]?.asBool
        settle(hint.attach(locked ?? false, isMarked: marker.isSet(for: id)))
        if !hint.isOurs { marker.clear() }
        changed(.screenLock, hint.isCause)
        return true
    }

    private func listen(to path: String) -> [Subscription] {
        [
            bus.subscribe(
                from: Login1.bus, path: path, interface: Login1.properties, member: "PropertiesChanged"
            ) { [weak self] signal in self?.propertiesChanged(signal) },
            bus.subscribe(from: Login1.bus, path: path, interface: Login1.session, member: "Lock") {
                [weak self] signal in
                guard let self, self.path == signal.path else { return }
                lockRequested()
            },
        ]
    }

    private func isUsers(_ value: Value?) -> Bool {
        guard case .structure(let fields)? = value, case .uint32(let user)? = fields.first else { return false }
        return user == environment.userID
    }

    /// - Returns: nil where logind answered with an error.
    /// - Throws: where it did not answer.
    private func answer(
        _ owner: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Value]
    ) async throws(DBusFailure) -> [Value]? {
        do {
            return try await bus.call(owner, path, interface, member, arguments)
        } catch {
            let silence = [DBusFailure.noReply("").name, DBusFailure.disconnected("").name]
            guard silence.contains(error.name) else { return nil }
            throw error
        }
    }

    // MARK: Following it

    private func propertiesChanged(_ signal: Signal) {
        guard signal.path == path, signal.arguments.count == 3, signal.arguments[0].asString == Login1.session else {
            return
        }
        let values = signal.arguments[1].asDictionary ?? [:]
        let invalidated = signal.arguments[2].asStringArray ?? []
        for property in Property.allCases {
            if let value = values[property.rawValue]?.asBool {
                signals[property, default: 0] += 1
                apply(property, value)
            } else if invalidated.contains(property.rawValue) {
                onLoop { [weak self] in await self?.read(property) }
            }
        }
    }

    private func read(_ property: Property) async {
        guard let owner, let path else { return }
        let mine = attempt
        let before = signals[property]
        let reply = try? await bus.call(
            owner, path, Login1.properties, "Get", [.string(Login1.session), .string(property.rawValue)])
        guard mine == attempt, self.path == path, signals[property] == before,
            case .variant(let value)? = reply?.first, let value = value.asBool
        else { return }
        apply(property, value)
    }

    private func apply(_ property: Property, _ value: Bool) {
        switch property {
        case .active: changed(.away, !value)
        case .idleHint: changed(.idle, value)
        case .lockedHint:
            let wasOurs = hint.isOurs
            settle(hint.observe(value))
            if wasOurs, !hint.isOurs { marker.clear() }
            changed(.screenLock, hint.isCause)
        }
    }

    // MARK: LockedHint

    /// LockedHint follows the session's lock; nothing is sent that would not change it.
    func setLockedHint(_ locked: Bool) { settle(hint.want(locked)) }

    private func settle(_ value: Bool?) {
        guard let value else { return }
        if value, !marker.set(for: id) {
            hint.answered(true, succeeded: false)
            return
        }
        guard let owner, let path else { return }
        onLoop { [weak self] in await self?.send(value, owner, path) }
    }

    private func send(_ value: Bool, _ owner: String, _ path: String) async {
        let mine = attempt
        let reply = try? await bus.call(owner, path, Login1.session, "SetLockedHint", [.bool(value)])
        guard mine == attempt, self.path == path else { return }
        hint.answered(value, succeeded: reply != nil)
        if !hint.isOurs { marker.clear() }
        changed(.screenLock, hint.isCause)
    }
}
