import AuthWire
import MainLoop

enum IdleVerb: Verb {
    static let description = VerbDescription(
        name: "idle", summary: "say that nobody is at the desk",
        details: """
            For idle daemons and scripts: locks what locks on idle. It stands, whatever becomes of the caller, until
            smileauth resume, a key in the lock's window, or an entry at a terminal.
            """)

    static func run(_ tool: Tool) async throws { try await tool.manager().reportIdle(true) }
}
