import AuthWire
import DBus
import MainLoop

enum SetVerb: Verb {
    static let description = VerbDescription(
        name: "set", summary: "turn a passcode on",
        options: [.kind, .digits, .app, .passcodeFd],
        details: """
            Asks for a new passcode, twice, and turns it on. Where nothing else is said it is of digits: as many as the
            last one had, or as the setting passcode-digit says, which comes as 4. With --passcode-fd the passcode is read
            once. Says before which settings make the lock weaker than it comes.
            """)

    static func run(_ tool: Tool) async throws {
        let options = try NewPasscode.options(tool.arguments)
        let client = try await tool.authenticator()
        if try await client.get(.storeState).asString == "ready" {
            throw CommandFailure(result: WireError.passcodeAlreadySet.rawValue)
        }
        var flow = ViewFlow(tool: tool, client: client)
        flow.announce = { try await NewPasscode.tellWeakSettings(tool, client) }
        _ = try await flow.run(.twice, options)
        tool.output.line("The passcode is on.")
    }
}
