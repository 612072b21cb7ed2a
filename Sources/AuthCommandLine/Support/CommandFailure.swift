/// What the program's exit status says (section "Prompt and terminal" of the contract).
enum ExitStatus: Int32, Sendable {
    case done = 0
    /// The service, the person or the ladder said no.
    case refused = 1
    /// The command line is not one.
    case usage = 2
    /// Nothing answers on the bus, or the store of passcodes does not.
    case unavailable = 3
}

/// Why a verb ends with another status than 0, and the one line that says so.
struct CommandFailure: Error, Equatable {
    let status: ExitStatus
    /// A sentence for standard error; empty where everything is said already.
    let message: String

    init(_ status: ExitStatus, _ message: String = "") {
        self.status = status
        self.message = message
    }

    static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
    static func refused(_ message: String) -> CommandFailure { CommandFailure(.refused, message) }
}
