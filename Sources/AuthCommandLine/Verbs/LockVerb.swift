import AuthWire
import DBus
import MainLoop

enum LockVerb: Verb {
    static let description = VerbDescription(
        name: "lock", summary: "lock now",
        options: [.app],
        details: "Ends what is open and every grace, and brings the lock's view up. Status 1 where nothing locks.")

    static func run(_ tool: Tool) async throws {
        let client = try await tool.authenticator()
        try await client.lock()
        guard try await client.get(.unlockRoute).asString != "login" else {
            let state = try await client.get(.storeState).asString
            let error: WireError = state == "unavailable" ? .storeUnavailable : .passcodeNotSet
            throw CommandFailure(result: error.rawValue)
        }
        tool.output.line("Locked.")
    }
}
