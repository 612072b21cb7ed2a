import AuthWire
import MainLoop

enum ChangeVerb: Verb {
    static let description = VerbDescription(
        name: "change", summary: "change the passcode",
        options: [.kind, .digits, .app, .passcodeFd],
        details: """
            Asks for the old passcode, then twice for the new one; kind and length stay where nothing else is said. A
            wrong old passcode locks the session (smileauth unlock). With --passcode-fd the first line is the old
            passcode, the second the new one.
            """)

    static func run(_ tool: Tool) async throws {
        let options = try NewPasscode.options(tool.arguments)
        let client = try await tool.authenticator()
        _ = try await ViewFlow(tool: tool, client: client).run(.three, options)
        tool.output.line("The passcode is changed.")
    }
}
