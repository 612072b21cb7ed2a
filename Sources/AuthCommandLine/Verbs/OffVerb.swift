import AuthWire
import MainLoop

enum OffVerb: Verb {
    static let description = VerbDescription(
        name: "off", summary: "turn the passcode off",
        options: [.app, .passcodeFd],
        details: """
            Asks for the passcode and removes it. Nothing locks from then on. A wrong passcode locks the session
            (smileauth unlock).
            """)

    static func run(_ tool: Tool) async throws {
        let client = try await tool.authenticator()
        _ = try await ViewFlow(tool: tool, client: client).run(.once)
        tool.output.line("The passcode is off.")
    }
}
