import AuthWire
import DBus
import MainLoop

enum DoctorVerb: Verb {
    static let description = VerbDescription(
        name: "doctor", summary: "check what the lock relies on",
        options: [.json],
        details: "One line for each thing checked, with how to mend it. Status 1 where one of them fails.")

    static func run(_ tool: Tool) async throws {
        var failed = false
        func say(_ findings: [Finding]) {
            for finding in findings {
                if finding.level == .fail { failed = true }
                tool.output.line(tool.arguments.isJSON ? finding.json.render() : finding.render(tool.style))
            }
        }
        do {
            let connection = try tool.connection()
            say([.ok("Session bus", "connected as \(connection.uniqueName)")])
            say(await ServiceChecks(connection).run())
        } catch {
            say([
                .fail(
                    "Session bus", error.message,
                    mend: "Run this inside the desktop's session, or set DBUS_SESSION_BUS_ADDRESS to its bus.")
            ])
        }
        say(MachineChecks.run())
        if failed { throw CommandFailure(.refused) }
    }
}
