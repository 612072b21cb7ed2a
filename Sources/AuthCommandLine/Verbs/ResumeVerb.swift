import AuthWire
import MainLoop

enum ResumeVerb: Verb {
    static let description = VerbDescription(
        name: "resume", summary: "say that somebody is back",
        details: "Takes back what smileauth idle said. It opens nothing.")

    static func run(_ tool: Tool) async throws { try await tool.manager().reportIdle(false) }
}
