import AuthWire
import MainLoop

enum AuthenticateVerb: Verb {
    static let description = VerbDescription(
        name: "authenticate", summary: "ask who is there; for scripts",
        options: [
            .init(name: "reason", value: "TEXT", help: "what it is for; shown to the person"),
            .init(name: "require-passcode", help: "ask for the passcode although the lock is open"),
            .init(name: "timeout", value: "SECONDS", help: "give up after so long"),
            .app, .passcodeFd, .json,
        ],
        details: """
            Waits until the person has proved to be the owner, and prints how: passcode, fingerprint,
            fingerprint+passcode, account, or grace where nothing had to be asked. Status 0 means yes; everything else
            means no. The passcode and the finger are asked for on this terminal; without one the answer may come from
            another (smileauth unlock).
            """)

    static func run(_ tool: Tool) async throws {
        let timeout: UInt32? = try tool.arguments.number("timeout", in: 1...86_400)
        let client = try await tool.authenticator()
        do {
            let method = try await ViewFlow(tool: tool, client: client).authenticate(
                reason: tool.arguments.values["reason"] ?? "",
                requiresPasscode: tool.arguments.flags.contains("require-passcode"),
                timeout: timeout.map(Double.init), needsEntries: false)
            tool.output.line(tool.arguments.isJSON ? line(true, "method", method) : PlainText.strip(method))
        } catch {
            let failure = CommandFailure(describing: error)
            if tool.arguments.isJSON { tool.output.line(line(false, "message", failure.message)) }
            throw failure
        }
    }

    private static func line(_ authenticated: Bool, _ key: String, _ text: String) -> String {
        JSON.object([("authenticated", .bool(authenticated)), (key, .string(text))]).render()
    }
}
