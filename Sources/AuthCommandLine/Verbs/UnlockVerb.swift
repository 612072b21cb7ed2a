import AuthWire
import MainLoop

enum UnlockVerb: Verb {
    static let description = VerbDescription(
        name: "unlock", summary: "open the lock with its passcode or a finger",
        options: [
            .app,
            .init(name: "account", help: "use the account password, where it opens the lock"),
            .passcodeFd,
        ],
        details: """
            Brings the lock's view up, or joins the one that stands, and asks for the passcode, a finger, or both, as the
            lock wants it. An empty line is the finger button; where the lock takes the account password, an empty line
            asks for that one. Control-C leaves the session's lock as it is.
            """)

    static func run(_ tool: Tool) async throws {
        let client = try await tool.authenticator()
        var flow = ViewFlow(tool: tool, client: client)
        flow.wantsAccount = tool.arguments.flags.contains("account")
        guard let events = try await flow.run(.touchid) else {
            return tool.output.line("Open already.")
        }
        switch (events.lastMethod, events.passcodeWasTurnedOff) {
        case (_, true): tool.output.line("Unlocked with the account password; the lost passcode is removed.")
        case ("account", false): tool.output.line("Unlocked with the account password; the passcode stays.")
        default: tool.output.line("Unlocked.")
        }
    }
}
