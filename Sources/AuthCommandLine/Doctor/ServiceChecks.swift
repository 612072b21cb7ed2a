import AuthWire
import DBus
import MainLoop

/// What the bus and the service itself tell.
@LoopActor
struct ServiceChecks {
    private let connection: Connection
    private static let driver = "org.freedesktop.DBus"

    init(_ connection: Connection) { self.connection = connection }

    func run() async -> [Finding] {
        let wasRunning = await driver("NameHasOwner", Wire.busName)?.asBool ?? false
        let activatable = await driver("ListActivatableNames")?.asStringArray ?? []
        let isActivatable = activatable.contains(Wire.busName)
        var findings: [Finding] = []
        let manager: [String: Value]
        do throws(DBusFailure) {
            manager = try await ManagerClient(connection).properties()
        } catch {
            let mend =
                wasRunning
                ? "Its log says why (journalctl --user -u smileauth); end it and let the bus start it anew."
                : isActivatable
                    ? "The bus starts it and it does not come up: run smileauthd in a terminal to see why."
                    : "Install it (make install), so that the bus can start it, or run smileauthd."
            return [.fail("Service", CommandFailure(error).message, mend: mend)]
        }
        let pid = await driver("GetConnectionUnixProcessID", Wire.busName)?.asUInt32
        findings.append(
            .ok("Service", (wasRunning ? "running" : "started just now") + (pid.map { ", process \($0)" } ?? "")))
        if !isActivatable {
            findings.append(
                .warn(
                    "Activation", "the bus cannot start the service: if it ends, nothing locks",
                    mend: "make install puts the activation file where the bus looks."))
        }
        findings += [Self.version(manager), Self.secretService(manager)]
        findings.append(await passcode())
        findings += Self.sources(manager)
        if Self.sourceNames(manager).contains("logind") { findings.append(await inhibitor(pid)) }
        if let pid { findings += ProcessChecks.run(pid) }
        findings += await FingerprintChecks(connection).run(pid)
        return findings
    }

    private func driver(_ member: String, _ argument: String? = nil) async -> Value? {
        let arguments = argument.map { [Value.string($0)] } ?? []
        return try? await connection.call(Self.driver, "/org/freedesktop/DBus", Self.driver, member, arguments).first
    }

    // MARK: What the manager says

    nonisolated static func version(_ manager: [String: Value]) -> Finding {
        let version = manager[Wire.Manager.Property.version.rawValue]?.asString ?? ""
        if version == Wire.version { return .ok("Version", version) }
        return .warn(
            "Version", "the service is \(version), this program is \(Wire.version)",
            mend: "Restart the service after an update: systemctl --user restart smileauth")
    }

    nonisolated static func secretService(_ manager: [String: Value]) -> Finding {
        let subject = "Secret Service"
        switch manager[Wire.Manager.Property.secretServiceState.rawValue]?.asString {
        case "ready": return .ok(subject, "answers, and its collection is open")
        case "locked":
            return .warn(
                subject, "its collection is locked: no passcode can be checked until it is open",
                mend: "Unlock the keyring; logging in with the account password usually does.")
        case "absent":
            return .fail(
                subject, "there is none, or it has no default collection",
                mend: "Install and start one: gnome-keyring, KWallet or KeePassXC.")
        case let state:
            return .fail(
                subject, "it answers with errors, or not within 5 s (\(state ?? "no state"))",
                mend: "Restart the keyring.")
        }
    }

    nonisolated static func sourceNames(_ manager: [String: Value]) -> [String] {
        manager[Wire.Manager.Property.sessionSources.rawValue]?.asStringArray ?? []
    }

    nonisolated static func sources(_ manager: [String: Value]) -> [Finding] {
        let names = sourceNames(manager)
        let savers = names.filter { $0 != "logind" && $0 != "report" }
        return [
            names.contains("logind")
                ? .ok("logind", "tells of sleep, locks and idleness")
                : .warn(
                    "logind", "not there: a suspend is seen only once it is over",
                    mend: "systemd-logind or elogind would tell before it."),
            savers.isEmpty
                ? .warn(
                    "Screen saver", "none on the bus: idleness is told by logind and by smileauth idle only",
                    mend: "Where the desktop has no idle daemon of its own, let one call smileauth idle and resume.")
                : .ok("Screen saver", savers.joined(separator: ", ")),
        ]
    }

    private func passcode() async -> Finding {
        let client = AuthenticatorClient(connection, path: Wire.Path.session)
        let state = (try? await client.get(.storeState))?.asString ?? ""
        let route = (try? await client.get(.unlockRoute))?.asString ?? ""
        return Self.passcode(state, route: route)
    }

    nonisolated static func passcode(_ state: String, route: String) -> Finding {
        switch state {
        case "ready": return .ok("Passcode", "set for this session")
        case "unset" where route == "fingerprint":
            return .ok("Passcode", "none for this session: a finger locks it (factor-mode finger)")
        case "unset": return .warn("Passcode", "none is set for this session: it does not lock", mend: "smileauth set")
        case "lost":
            return .fail(
                "Passcode", "this session's is gone from the Secret Service",
                mend: "smileauth reset, with the account password; then smileauth set")
        default: return .warn("Passcode", "unknown for this session while the store does not answer")
        }
    }

    // MARK: logind

    /// The service holds a delay inhibitor of its own from its start to its end, except in a sleep.
    private func inhibitor(_ pid: UInt32?) async -> Finding {
        let subject = "Sleep inhibitor"
        let list: [Value]
        do throws(DBusFailure) {
            let login = "org.freedesktop.login1"
            let bus = try Connection.open(.system)
            list =
                try await bus.call(login, "/org/freedesktop/login1", login + ".Manager", "ListInhibitors").first?
                .asArray ?? []
        } catch {
            return .warn(subject, "logind does not list them: \(error.message)")
        }
        return Self.holdsInhibitor(list, pid)
            ? .ok(subject, "held: the machine sleeps after the lock")
            : .fail(
                subject, "not held: the machine may sleep before the lock is up",
                mend: "Restart the service: systemctl --user restart smileauth")
    }

    /// - Parameter list: ListInhibitors' `a(ssssuu)`: what, who, why, mode, uid, pid.
    nonisolated static func holdsInhibitor(_ list: [Value], _ pid: UInt32?) -> Bool {
        list.contains { entry in
            guard let members = entry.asStructure, members.count == 6 else { return false }
            let what = members[0].asString?.split(separator: ":") ?? []
            return what.contains("sleep") && members[3].asString == "delay" && members[5].asUInt32 == pid
        }
    }
}
