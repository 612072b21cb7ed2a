import AuthWire
import DBus
import Glibc
import MainLoop

/// A verb of the program: what it understands, and what it does.
@LoopActor
protocol Verb: SendableMetatype {
    nonisolated static var description: VerbDescription { get }
    /// Returns when it is done; any other end is thrown, as a ``CommandFailure`` or a `DBusFailure`.
    static func run(_ tool: Tool) async throws
}

/// What a verb works with.
@LoopActor
final class Tool {
    let arguments: Arguments
    let output: Output
    private var opened: Connection?
    private var interrupts: [LoopSource] = []

    init(_ arguments: Arguments, _ output: Output) {
        self.arguments = arguments
        self.output = output
    }

    var style: Style { output.style }

    /// The session bus, opened at the first call.
    func connection() throws(CommandFailure) -> Connection {
        if let opened { return opened }
        do {
            let connection = try Connection.open(.session)
            opened = connection
            return connection
        } catch {
            throw CommandFailure(.unavailable, "no session bus: \(PlainText.strip(error.message))")
        }
    }

    func manager() throws(CommandFailure) -> ManagerClient { ManagerClient(try connection()) }

    /// The authenticator that the arguments name.
    func authenticator() async throws -> AuthenticatorClient {
        try await manager().authenticator(try arguments.application())
    }

    /// The reader of `--passcode-fd`, where it is given.
    func descriptorReader() throws(CommandFailure) -> DescriptorReader? {
        try arguments.number("passcode-fd", in: 0...Int32.max).map { number throws(CommandFailure) in
            try DescriptorReader(number)
        }
    }

    /// The person's terminal, where passcodes have to be typed.
    func terminal() throws(CommandFailure) -> Terminal {
        guard let terminal = Terminal(output.terminalStyle) else {
            throw .usage("there is no terminal to type a passcode at; use --passcode-fd")
        }
        return terminal
    }

    /// Calls `body` at Control-C, SIGTERM and SIGHUP, so that what waits for the person is cancelled first. The second
    /// one ends the program at once.
    func onInterrupt(_ body: @escaping @LoopActor () -> Void) {
        var count = 0
        interrupts = [SIGINT, SIGTERM, SIGHUP].map { number in
            .signal(number) {
                count += 1
                if count > 1 { Tool.end(.refused) }
                body()
            }
        }
    }

    nonisolated static func end(_ status: ExitStatus) -> Never {
        TerminalMode.restore()
        exit(status.rawValue)
    }
}
