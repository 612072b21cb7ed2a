import AuthWire
import DBus
import MainLoop

enum ConfigVerb: Verb {
    static let description = VerbDescription(
        name: "config", summary: "read and write settings",
        positionals: "[KEY [VALUE]]", maximumPositionals: 2,
        options: [.app, .passcodeFd, .json],
        details: """
            Without KEY lists every setting, with KEY prints its value, with VALUE writes it. What makes a lock weaker
            needs its passcode, which is then asked for.

            Settings: \(ConfigKey.all.map(\.name).joined(separator: ", "))
            """)

    static func run(_ tool: Tool) async throws {
        let words = tool.arguments.positionals
        let key = try words.first.map { word throws(CommandFailure) in try ConfigKey(named: word) }
        let value = words.count > 1 ? try key?.parse(words[1]) : nil
        let client = try await tool.authenticator()
        if let key, let value {
            try await write(value, to: key, client, tool)
        }
        let properties = try await client.properties()
        let keys = key.map { [$0] } ?? ConfigKey.all
        if tool.arguments.isJSON {
            let members = keys.map { ($0.name, properties[$0.property.rawValue]?.json ?? .null) }
            tool.output.line(JSON.object(members).render())
        } else if let key, value == nil {
            tool.output.line(properties[key.property.rawValue].map(key.show) ?? "")
        } else {
            var table = Table()
            for key in keys { table.row(key.name, properties[key.property.rawValue].map(key.show) ?? "") }
            tool.output.line(table.render(tool.style, indent: 0))
        }
    }

    /// A setting that weakens the lock needs its passcode from this very connection: then it is asked for, and the
    /// setting is written again.
    private static func write(
        _ value: Value, to key: ConfigKey, _ client: AuthenticatorClient, _ tool: Tool
    ) async throws {
        do throws(DBusFailure) {
            try await client.set(key.property, to: value)
            return
        } catch {
            guard WireError(fullName: error.name) == .notAuthorized,
                try await client.get(.hasPasscode).asBool == true
            else { throw error }
        }
        _ = try await ViewFlow(tool: tool, client: client).authenticate(
            reason: "Change the setting \(key.name)", requiresPasscode: true)
        try await client.set(key.property, to: value)
    }
}
