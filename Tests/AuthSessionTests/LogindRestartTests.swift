import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSession

/// logind that goes, comes back, hangs, or was never there; and programs that pretend to be logind.
@Suite struct LogindRestartTests {
    @Test(arguments: ["stop", "kill"]) func aRestartedLogindIsReadAnew(_ end: String) async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            var changes: [[String]] = []
            monitor.onSourcesChange = { [weak monitor] in changes.append(monitor?.sources ?? []) }
            await monitor.start()
            monitor.setLockedHint(true)
            try await rig.onSession("SetIdleHint", [.bool(true)])
            #expect(await seen.has(.began(.idle, source: "logind")))
            seen.forget()
            try await rig.logind(end)
            #expect(await seen.has(.left(source: "logind")))
            #expect(monitor.sources == [])
            try await rig.logind("start")
            #expect(await seen.has(.arrived(source: "logind")))
            #expect(await eventually { monitor.sessionID == rig.session && monitor.holdsInhibitor })
            #expect(changes == [["logind"], [], ["logind"]])
            for _ in 0..<400 where try await rig.lockedHint() != true {
                _ = await eventually(within: .milliseconds(10)) { false }
            }
            #expect(try await rig.lockedHint() == true)
            #expect(seen.count(.began(.screenLock, source: "logind")) == 0)
            #expect(try await rig.inhibitors() == 1)
            // And it works as before.
            _ = try await rig.manager("Suspend", [.bool(false)])
            #expect(await seen.has(.began(.sleep, source: "logind")))
            #expect(rig.suspends == 0)
            monitor.allowSleep()
            #expect(await seen.has(.ended(.sleep, source: "logind")))
            #expect(await eventually { monitor.holdsInhibitor })
        }
    }

    @Test(arguments: [true, false]) func aSleepWhoseEndNeverComesIsClearedByItsGoing(_ isAllowed: Bool) async throws {
        try await LogindRig.with(["SLEEP_SECS": "1", "LOGIND_CONF": "InhibitDelayMaxSec=30"]) { rig in
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            await monitor.start()
            _ = try await rig.manager("Suspend", [.bool(false)])
            #expect(await seen.has(.began(.sleep, source: "logind")))
            if isAllowed { monitor.allowSleep() }
            try await rig.logind("kill")
            #expect(await seen.has(.left(source: "logind")))
            #expect(!monitor.isAsleep)
            try await rig.logind("start")
            #expect(await seen.has(.arrived(source: "logind")))
            #expect(await eventually { monitor.holdsInhibitor })
            #expect(!monitor.isAsleep)
            // One: that of before the restart is given back.
            var count = try await rig.inhibitors()
            for _ in 0..<200 where count != 1 {
                _ = await eventually(within: .milliseconds(10)) { false }
                count = try await rig.inhibitors()
            }
            #expect(count == 1)
        }
    }

    @Test func withoutLogindItStarts() async throws {
        try await LogindRig.with(["NOLOGIND": "1"], session: false) { rig in
            let seen = Recorder()
            let clock = ContinuousClock()
            let monitor = try rig.monitor(seen)
            let took = await clock.measure { await monitor.start() }
            #expect(took < .seconds(1))
            #expect(seen.events == [])
            #expect(monitor.sources == [])
            #expect(monitor.sessionID == "")
            #expect(!monitor.holdsInhibitor)
            monitor.setLockedHint(true)
            monitor.allowSleep()
            // It may come later.
            try await rig.logind("start")
            #expect(await eventually { monitor.holdsInhibitor })
            #expect(monitor.sources == ["logind"])
            // No system bus at all.
            let other = SessionMonitor(
                system: nil, session: rig.client,
                environment: SessionEnvironment(loginSessionID: nil, runtimeDirectory: nil)
            ) { seen.note($0) }
            await other.start()
            #expect(other.sources == [])
        }
    }

    @Test func aLogindThatHangsHoldsNothingUp() async throws {
        try await LogindRig.with { rig in
            rig.signalLogind(SIGSTOP)
            let seen = Recorder()
            let monitor = try rig.monitor(seen)
            let took = await ContinuousClock().measure { await monitor.start() }
            #expect(took < .seconds(3))
            #expect(seen.events == [])
            rig.signalLogind(SIGCONT)
            #expect(await eventually(within: .seconds(20)) { monitor.holdsInhibitor && monitor.sessionID != "" })
            #expect(monitor.sources == ["logind"])
        }
    }

    @Test func aLostSystemBusIsALogindThatLeft() async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            let system = try Connection.open(.address(rig.address))
            var isTold = false
            system.onDisconnect = { isTold = true }
            let session = try await Processes.run([Processes.rigs + "/session-mocks.sh", "start-bus", rig.folder.path])
            let monitor = SessionMonitor(
                system: system, session: try Connection.open(.address(session)),
                environment: SessionEnvironment(loginSessionID: rig.session, runtimeDirectory: rig.folder.path)
            ) { seen.note($0) }
            await monitor.start()
            #expect(monitor.holdsInhibitor)
            kill(rig.pid("dbus"), SIGKILL)
            #expect(await seen.has(.left(source: "logind")))
            #expect(await eventually { isTold })
            #expect(!monitor.holdsInhibitor)
            #expect(monitor.sources == [])
            try await Processes.run([Processes.rigs + "/session-mocks.sh", "stop", rig.folder.path])
        }
    }

    @Test func forgedSignalsChangeNothing() async throws {
        try await LogindRig.with { rig in
            let seen = Recorder()
            let system = try Connection.open(.address(rig.address))
            let session = try Connection.open(.address(rig.address))
            let monitor = SessionMonitor(
                system: system, session: session,
                environment: SessionEnvironment(loginSessionID: rig.session, runtimeDirectory: rig.folder.path)
            ) { seen.note($0) }
            await monitor.start()
            seen.forget()
            let changed: (String, Bool) -> [Value] = { name, value in
                [.string(Login1.session), .options([name: .bool(value)]), .stringArray([])]
            }
            let forger = try Connection.open(.address(rig.address))
            for destination in [nil, system.uniqueName, session.uniqueName] as [String?] {
                for value in [true, false] {
                    forger.emit(
                        path: Login1.path, interface: Login1.manager, member: "PrepareForSleep", [.bool(value)],
                        to: destination)
                    for name in ["Active", "LockedHint", "IdleHint"] {
                        forger.emit(
                            path: rig.sessionPath, interface: Login1.properties, member: "PropertiesChanged",
                            changed(name, value), to: destination)
                    }
                    for saver in ["org.freedesktop.ScreenSaver", "org.gnome.ScreenSaver"] {
                        forger.emit(
                            path: "/" + saver.replacing(".", with: "/"), interface: saver, member: "ActiveChanged",
                            [.bool(value)], to: destination)
                    }
                }
                for member in ["Lock", "Unlock"] {
                    forger.emit(path: rig.sessionPath, interface: Login1.session, member: member, to: destination)
                }
                forger.emit(
                    path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
                    [.string(Login1.bus), .string(":1.0"), .string("")], to: destination)
                forger.emit(
                    path: Login1.path, interface: Login1.manager, member: "SessionRemoved",
                    [.string(rig.session), .objectPath(rig.sessionPath)], to: destination)
            }
            // What logind itself says after all that is the first thing heard.
            try await rig.onSession("SetIdleHint", [.bool(true)])
            #expect(await seen.has(.began(.idle, source: "logind")))
            #expect(seen.events == [.began(.idle, source: "logind")])
            #expect(monitor.sources == ["logind"])
            #expect(monitor.holdsInhibitor)
            #expect(monitor.sessionID == rig.session)
        }
    }
}
