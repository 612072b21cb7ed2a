import AuthTexts
import DBus
import Glibc
import MainLoop

/// `smileauthd`: from the process's start to its end.
public enum Daemon {
    /// Runs the service until it is told to end (0), or has lost the bus or its name (1).
    public static func main() -> Never {
        if CommandLine.arguments.dropFirst().contains("--version") {
            print("smileauthd \(Service.version)")
            exit(0)
        }
        guard CommandLine.arguments.count == 1 else {
            log("takes no arguments but --version; it is started by the session bus")
            exit(2)
        }
        CrashReports.turnOff()
        Hardening.withoutCores()
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        Catalogs.open()
        onLoop { await run() }
        MainLoop.run()
        exit(status)
    }

    @LoopActor private static var service: Service?
    @LoopActor private static var signals: [LoopSource] = []
    private nonisolated(unsafe) static var status: Int32 = 0

    @LoopActor private static func run() async {
        guard let folders = Folders.fromEnvironment else { return end(1, "neither XDG_DATA_HOME nor HOME is set") }
        do throws(DBusFailure) {
            let session = try Connection.open(.session)
            session.onDisconnect = { end(1, "lost the session bus") }
            session.onNameLost = { end(1, "lost the name \($0)") }
            let service = Service(session: session, system: system(), folders: folders)
            self.service = service
            // SIGINT too, for a service that was started on a terminal.
            signals = [SIGTERM, SIGINT].map { number in .signal(number) { end(0, nil) } }
            try await service.start()
        } catch {
            end(1, "\(error.name): \(error.message)")
        }
    }

    @LoopActor private static func system() -> Connection? {
        do throws(DBusFailure) {
            return try Connection.open(.system)
        } catch {
            log("no system bus, so no logind: \(error.message)")
            return nil
        }
    }

    /// Ends at once: nobody is served any more. Whatever is being written is finished first.
    @LoopActor private static func end(_ code: Int32, _ why: String?) {
        if let why { log(why) }
        guard status == 0 else { return }
        status = code
        guard let service, code == 0 else { exit(code) }
        self.service = nil
        onLoop {
            await service.stop()
            MainLoop.quit()
        }
    }
}
