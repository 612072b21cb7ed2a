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
            needs its passcode, which is then asked for. In a window of their own they are in smileauth-settings.

            Settings, and what they take:
            \(settings)
            """)

    private nonisolated static var settings: String {
        let width = ConfigKey.all.map { PlainText.width($0.name) }.max() ?? 0
        return ConfigKey.all.map { "  " + PlainText.pad($0.name, to: width) + "  " + $0.form }.joined(separator: "\n")
    }

    static func run(_ tool: Tool) async throws {
        let words = tool.arguments.positionals
        let key = try words.first.map { word throws(CommandFailure) in try ConfigKey(named: word) }
        let value = words.count > 1 ? try key?.parse(words[1]) : nil
        let client = try await tool.authenticator()
        if let key, let value {
            try await write(value, to: key, client, tool)
        }
        let policy = try await PolicyClient(client.connection, path: client.path).properties()
        let properties = try await client.properties().merging(policy) { first, _ in first }
        let keys = key.map { [$0] } ?? ConfigKey.all
        if tool.arguments.isJSON {
            let members = keys.map { ($0.name, properties[$0.property]?.json ?? .null) }
            tool.output.line(JSON.object(members).render())
        } else if let key, value == nil {
            tool.output.line(properties[key.property].map(key.show) ?? "")
        } else {
            var table = Table()
            for key in keys { table.row(key.name, properties[key.property].map(key.show) ?? "") }
            tool.output.line(table.render(tool.style, indent: 0))
            if let meaning = value.flatMap({ key?.meaning(of: $0) }) { tool.output.line(meaning) }
        }
    }

    /// A setting that weakens the lock needs its passcode from this very connection: then it is asked for, and the
    /// setting is written again.
    private static func write(
        _ value: Value, to key: ConfigKey, _ client: AuthenticatorClient, _ tool: Tool
    ) async throws {
        do throws(DBusFailure) {
            return try await set(key, to: value, client)
        } catch {
            if WireError(fullName: error.name) == .passcodeAlreadySet, key.place == .authenticator(.factorMode) {
                throw CommandFailure.refused(
                    "a passcode is set, and under finger there is none: turn it off first (smileauth off)")
            }
            guard WireError(fullName: error.name) == .notAuthorized,
                try await client.get(.unlockRoute).asString != "login"
            else { throw refusal(error, key) }
        }
        try await Proof.give(tool, client, reason: "Change the setting \(key.name)")
        do throws(DBusFailure) { try await set(key, to: value, client) } catch { throw refusal(error, key) }
    }

    private static func set(
        _ key: ConfigKey, to value: Value, _ client: AuthenticatorClient
    ) async throws(DBusFailure) {
        switch key.place {
        case .authenticator(let property): try await client.set(property, to: value)
        case .policy(let property):
            try await PolicyClient(client.connection, path: client.path).set(property, to: value)
        }
    }

    /// A value of the right type that the service does not take is a usage error, in the words of this program.
    private static func refusal(_ failure: DBusFailure, _ key: ConfigKey) -> any Error {
        failure.name == "org.freedesktop.DBus.Error.InvalidArgs"
            ? CommandFailure.usage("\(key.name) takes \(key.form)") : failure
    }
}
