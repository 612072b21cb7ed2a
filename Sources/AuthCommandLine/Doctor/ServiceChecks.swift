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
        findings += Self.logind(Self.sourceNames(manager).contains("logind") ? await inhibitors() : nil, pid)
        findings.append(Self.screenSavers(manager))
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

    nonisolated static func screenSavers(_ manager: [String: Value]) -> Finding {
        let savers = sourceNames(manager).filter { $0 != "logind" && $0 != "report" }
        return savers.isEmpty
            ? .warn(
                "Screen saver", "none on the bus: idleness is told by logind and by smileauth idle only",
                mend: "Where the desktop has no idle daemon of its own, let one call smileauth idle and resume.")
            : .ok("Screen saver", savers.joined(separator: ", "))
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

    /// ListInhibitors of the logind that this program sees.
    private func inhibitors() async -> Result<[Value], DBusFailure> {
        do throws(DBusFailure) {
            let login = "org.freedesktop.login1"
            let bus = try Connection.open(.system)
            let reply = try await bus.call(login, "/org/freedesktop/login1", login + ".Manager", "ListInhibitors")
            return .success(reply.first?.asArray ?? [])
        } catch {
            return .failure(error)
        }
    }

    /// The service holds a delay inhibitor of its own from its start to its end, except in a sleep.
    ///
    /// - Parameters:
    ///   - inhibitors: nil where the service hears of no logind.
    ///   - pid: the service's process.
    nonisolated static func logind(
        _ inhibitors: Result<[Value], DBusFailure>?, _ pid: UInt32?
    ) -> [Finding] {
        let there = Finding.ok("logind", "tells of sleep, locks and idleness")
        let subject = "Sleep inhibitor"
        switch inhibitors {
        case nil:
            return [
                .warn(
                    "logind", "not there: a suspend is seen only once it is over",
                    mend: "systemd-logind or elogind would tell before it.")
            ]
        case .failure(let failure) where isAbsence(failure):
            return [
                .warn(
                    "logind",
                    "the service hears of one that is not on this system bus, such as the stand-in of make run: "
                        + "it may know nothing of this machine's sleep")
            ]
        case .failure(let failure):
            return [there, .warn(subject, "logind does not list them: \(PlainText.strip(failure.message))")]
        case .success(let list):
            return [
                there,
                holdsInhibitor(list, pid)
                    ? .ok(subject, "held: the machine sleeps after the lock")
                    : .fail(
                        subject, "not held: the machine may sleep before the lock is up",
                        mend: "Restart the service: systemctl --user restart smileauth"),
            ]
        }
    }

    /// Nobody has the name, or there is no system bus at all.
    private nonisolated static func isAbsence(_ failure: DBusFailure) -> Bool {
        let standard = "org.freedesktop.DBus.Error."
        return ["ServiceUnknown", "NameHasNoOwner", "FileNotFound", "NoServer", "Disconnected"]
            .contains { failure.name == standard + $0 } || failure.name.hasPrefix(standard + "Spawn")
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
