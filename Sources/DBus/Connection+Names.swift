internal import CDBus
import MainLoop

extension Connection {
    /// Asks for a well-known name, without waiting in line for it.
    ///
    /// - Throws: ``DBusFailure/nameTaken(_:)`` where somebody else owns it; what the bus answers otherwise.
    public func requestName(_ name: String) async throws(DBusFailure) {
        guard isWellKnownBusName(name) else { throw .invalidArguments("Not a bus name: \(name)") }
        // Before the answer: losing the name may follow it at once.
        ownedNames.insert(name)
        let reply: [Value]
        do {
            reply = try await callDriver("RequestName", [.string(name), .uint32(UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))])
        } catch {
            ownedNames.remove(name)
            throw error
        }
        switch reply.first?.asUInt32 {
        case UInt32(DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER), UInt32(DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER): return
        default:
            ownedNames.remove(name)
            throw .nameTaken("\(name) is owned by another connection")
        }
    }

    /// Gives a name back; waits until it is done.
    public func releaseName(_ name: String) async throws(DBusFailure) {
        ownedNames.remove(name)
        _ = try await callDriver("ReleaseName", [.string(name)])
    }

    private func callDriver(_ member: String, _ arguments: [Value]) async throws(DBusFailure) -> [Value] {
        try await call(Driver.name, Driver.path, Driver.name, member, arguments)
    }

    func addMatch(_ rule: String) { send(Driver.name, Driver.path, Driver.name, "AddMatch", [.string(rule)]) }
    func removeMatch(_ rule: String) { send(Driver.name, Driver.path, Driver.name, "RemoveMatch", [.string(rule)]) }

    /// Calls `changed` with the unique name that owns `name`: first with what the bus answers now, then on every
    /// change; nil for none. Never before this has returned. A bus that does not answer, or is gone, is none.
    public func watchName(_ name: String, _ changed: @escaping (_ owner: String?) -> Void) -> NameWatch {
        let tracker = track(name)
        let watch = NameWatch(tracker, changed)
        tracker.add(watch)
        return watch
    }

    /// Calls `body` with the unique name of every connection that leaves the bus, for as long as this one lives.
    public func onPeerLeft(_ body: @escaping (String) -> Void) {
        if peerLeftBodies.isEmpty { addMatch(NameTracker.rule + ",arg2=''") }
        peerLeftBodies.append(body)
    }

    func track(_ name: String) -> NameTracker {
        if let tracker = trackers[name] { return tracker }
        let tracker = NameTracker(name, on: self)
        trackers[name] = tracker
        tracker.start()
        return tracker
    }

    /// A signal that the bus itself has sent.
    func driverSignal(_ signal: Signal) {
        switch (signal.member, signal.arguments.count) {
        case ("NameLost", 1):
            guard let name = signal.arguments[0].asString, ownedNames.remove(name) != nil else { return }
            onNameLost?(name)
        case ("NameOwnerChanged", 3):
            guard let name = signal.arguments[0].asString, let old = signal.arguments[1].asString,
                let new = signal.arguments[2].asString
            else { return }
            trackers[name]?.report(new.isEmpty ? nil : new)
            guard new.isEmpty, name == old, name.hasPrefix(":") else { return }
            for body in peerLeftBodies { body(name) }
        default: return
        }
    }

    /// The bus is gone, and with it everybody on it.
    func loseAllNames() {
        ownedNames = []
        for tracker in trackers.values { tracker.report(nil) }
    }
}
