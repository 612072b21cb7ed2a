import AuthWire
import DBus
import Glibc
import MainLoop

enum ResetVerb: Verb {
    static let description = VerbDescription(
        name: "reset", summary: "remove a forgotten or lost passcode with the account password",
        options: [.app, .passcodeFd],
        details: """
            The way back from a passcode that nobody knows any more, or that is gone from the store: the password of
            your account. It removes the passcode and its count of failures, and nothing else. With --passcode-fd the
            account password is read from there.
            """)

    static func run(_ tool: Tool) async throws {
        let reader = try tool.descriptorReader()
        let client = try await tool.authenticator()
        let state = try await client.get(.storeState).asString ?? ""
        let route = try await client.get(.unlockRoute).asString ?? ""
        if state == "unset", route == "login" { throw CommandFailure(result: WireError.passcodeNotSet.rawValue) }
        if state == "unavailable" {
            throw CommandFailure(
                .unavailable,
                "the store of passcodes does not answer, so nothing can be removed from it; smileauth unlock --account"
                    + " opens a lock that stands")
        }
        tool.output.line(warning(application: try tool.arguments.application(), tool.style))

        if let reader {
            guard let password = try await reader.next(), !password.isEmpty else {
                throw CommandFailure.refused("--passcode-fd holds no account password")
            }
            do throws(DBusFailure) { try await Entry.reset(password, client) } catch { throw failure(error) }
        } else {
            try await askAndReset(tool, client)
        }
        tool.output.line("The passcode is removed. smileauth set makes a new one.")
    }

    /// What the password is about to do, before it is typed.
    nonisolated static func warning(application: String?, _ style: Style) -> String {
        let owner = application.map { "the lock of \(PlainText.strip($0))" } ?? "this session's lock"
        return style.yellow("Warning: ")
            + "This removes the passcode of \(owner) and its count of failures. Nothing locks until a new one is set."
    }

    /// Three times, as login programs do; the service has a ladder of its own behind that.
    private static func askAndReset(_ tool: Tool, _ client: AuthenticatorClient) async throws {
        let question = Question(tool: tool, terminal: try tool.terminal())
        defer { question.terminal.close() }
        let user = getpwuid(getuid()).flatMap { $0.pointee.pw_name }.map { " of " + String(cString: $0) } ?? ""
        for attempt in 1...3 {
            let password = try await question.ask("Account password\(PlainText.strip(user)): ")
            do throws(DBusFailure) {
                return try await Entry.reset(password, client)
            } catch {
                guard attempt < 3, WireError(fullName: error.name) == .authenticationFailed else {
                    throw failure(error)
                }
                let words = CommandFailure.notTheAccountPassword()
                question.terminal.line(
                    question.terminal.style.red(words.prefix(1).uppercased() + words.dropFirst() + "."))
            }
        }
    }

    private static func failure(_ failure: DBusFailure) -> CommandFailure {
        WireError(fullName: failure.name) == .authenticationFailed
            ? .refused(CommandFailure.notTheAccountPassword()) : CommandFailure(failure)
    }
}
