import AuthCore
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthSession

@Suite struct ScreenSaverTests {
    private static let script = Processes.rigs + "/session-mocks.sh"
    private static let both = [
        "freedesktop": ("org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"),
        "gnome": ("org.gnome.ScreenSaver", "/org/gnome/ScreenSaver"),
    ]

    init() { TestLoop.running }

    /// A session bus of its own, on which nothing but what the test starts is to be found.
    @LoopActor
    private func withBus(_ body: @LoopActor (Connection, String) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let address = try await Processes.run([Self.script, "start-bus", folder.path])
        do { try await body(try Connection.open(.address(address)), folder.path) } catch {
            _ = try? await Processes.run([Self.script, "stop", folder.path])
            throw error
        }
        try await Processes.run([Self.script, "stop", folder.path])
    }

    @LoopActor
    private func monitor(_ bus: Connection, _ seen: Recorder) -> SessionMonitor {
        SessionMonitor(
            system: nil, session: bus, environment: SessionEnvironment(loginSessionID: nil, runtimeDirectory: nil)
        ) { seen.note($0) }
    }

    @Test(arguments: ["freedesktop", "gnome"]) func aSaverComesLocksUnlocksAndGoes(_ kind: String) async throws {
        try await withBus { bus, folder in
            let (name, path) = try #require(Self.both[kind])
            let seen = Recorder()
            let monitor = monitor(bus, seen)
            await monitor.start()
            #expect(monitor.sources == [])
            let pid = try await Processes.run([Self.script, "saver", folder, kind])
            #expect(await seen.has(.arrived(source: name)))
            #expect(monitor.sources == [name])
            for value in [true, true, false, true] {
                _ = try await bus.call(name, path, name, "SetActive", [.bool(value)])
            }
            #expect(await eventually { seen.count(.began(.screenLock, source: name)) == 2 })
            // A second run finds it locked.
            let later = Recorder()
            let second = self.monitor(bus, later)
            await second.start()
            #expect(later.events == [.arrived(source: name), .began(.screenLock, source: name)])
            kill(try #require(pid_t(pid)), SIGKILL)
            #expect(await seen.has(.left(source: name)))
            #expect(
                seen.events == [
                    .arrived(source: name), .began(.screenLock, source: name), .ended(.screenLock, source: name),
                    .began(.screenLock, source: name), .left(source: name),
                ])
            #expect(monitor.sources == [])
        }
    }

    @Test func aSaverThatHangsHoldsNothingUp() async throws {
        try await withBus { bus, folder in
            let pid = try #require(pid_t(try await Processes.run([Self.script, "saver", folder, "gnome"])))
            kill(pid, SIGSTOP)
            let seen = Recorder()
            let monitor = monitor(bus, seen)
            let took = await ContinuousClock().measure { await monitor.start() }
            #expect(took >= .seconds(1) && took < .seconds(3))
            #expect(monitor.sources == [])
            kill(pid, SIGCONT)
            #expect(await seen.has(.arrived(source: "org.gnome.ScreenSaver")))
        }
    }

    @Test func aSaverIsNeverStarted() async throws {
        let folder = TemporaryFolder()
        // A bus that could activate one: dbus-daemon would run the program.
        let touched = folder.path + "/started"
        try await Processes.run([
            "sh", "-c",
            """
            mkdir -p \(folder.path)/data/dbus-1/services
            for name in org.freedesktop.ScreenSaver org.gnome.ScreenSaver; do
                printf '[D-BUS Service]\\nName=%s\\nExec=/bin/touch \(touched)\\n' $name \
                    >\(folder.path)/data/dbus-1/services/$name.service
            done
            """,
        ])
        let (pid, address) = await Processes.spawn(
            ["sh", "-c", "exec dbus-daemon --session --nofork --nopidfile --print-address=1 2>/dev/null"],
            environment: ["XDG_DATA_HOME": folder.path + "/data", "XDG_RUNTIME_DIR": folder.path])
        try await useNothing(of: address)
        await Processes.end(pid)
        #expect(access(touched, F_OK) != 0)
    }

    @LoopActor
    private func useNothing(of address: String) async throws {
        let bus = try Connection.open(.address(address))
        let seen = Recorder()
        let monitor = monitor(bus, seen)
        await monitor.start()
        let known = try await bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListActivatableNames")
        #expect(known.first?.asStringArray?.contains("org.gnome.ScreenSaver") == true)
        #expect(seen.events == [])
    }
}
