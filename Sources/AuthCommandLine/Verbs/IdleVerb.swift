import AuthWire
import MainLoop

enum IdleVerb: Verb {
    static let description = VerbDescription(
        name: "idle", summary: "say that nobody is at the desk",
        details: """
            For idle daemons and scripts: locks what locks on idle. It stands until smileauth resume, whatever becomes of
            the caller.
            """)

    static func run(_ tool: Tool) async throws { try await tool.manager().reportIdle(true) }
}
