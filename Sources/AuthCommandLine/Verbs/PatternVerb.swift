import AuthWire
import DBus
import MainLoop

enum PatternVerb: Verb {
    static let description = VerbDescription(
        name: "pattern", summary: "turn a pattern on, or change to one",
        options: [.app, .passcodeFd],
        details: """
            A pattern is 4 to 9 dots of a pad of 3 by 3, typed as the digits 1 to 9, row by row. Where a passcode is set
            the pattern takes its place, and the old passcode is asked for first.
            """)

    static func run(_ tool: Tool) async throws {
        let client = try await tool.authenticator()
        let options: [Wire.Option: Value] = [.kind: .string(Wire.PasscodeKind.pattern.rawValue)]
        let isSet = try await client.get(.hasPasscode).asBool ?? true
        var flow = ViewFlow(tool: tool, client: client)
        if !isSet { flow.announce = { try await NewPasscode.tellWeakSettings(tool, client) } }
        _ = try await flow.run(isSet ? .three : .twice, options)
        tool.output.line("The pattern is on.")
    }
}
