import AuthWire
import DBus
import MainLoop

enum AppsVerb: Verb {
    static let description = VerbDescription(
        name: "apps", summary: "list the authenticators there are",
        options: [.json],
        details: "The session's authenticator, and those of applications that have a passcode, settings or a user now.")

    static func run(_ tool: Tool) async throws {
        let manager = try tool.manager()
        var rows: [[String]] = []
        for entry in try await manager.authenticators().sorted(by: { $0.application < $1.application }) {
            let client = AuthenticatorClient(manager.connection, path: entry.path)
            // One that has gone since it was listed is not worth an error.
            guard let properties = try? await client.properties() else { continue }
            if tool.arguments.isJSON {
                tool.output.line(json(entry.application, entry.path, properties).render())
            } else {
                let state = AuthenticatorSummary(properties)
                let name = entry.application.isEmpty ? "(session)" : PlainText.strip(entry.application)
                rows.append([name, state.passcode, state.lock(tool.style)])
            }
        }
        if !tool.arguments.isJSON {
            tool.output.line(Table.columns(["APPLICATION", "PASSCODE", "STATE"], rows, tool.style))
        }
    }

    private static func json(_ application: String, _ path: String, _ properties: [String: Value]) -> JSON {
        .object([("application", .string(application)), ("path", .string(path)), ("properties", properties.json)])
    }
}
