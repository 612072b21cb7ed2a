import AuthWire
import DBus
import Glibc
import MainLoop

/// The program `smileauth`.
public enum Program {
    static let verbs: [any Verb.Type] = [
        StatusVerb.self, LockVerb.self, UnlockVerb.self, AuthenticateVerb.self, SetVerb.self, ChangeVerb.self,
        OffVerb.self, PatternVerb.self, ResetVerb.self, FingersVerb.self, AppsVerb.self, MonitorVerb.self,
        ConfigVerb.self, IdleVerb.self, ResumeVerb.self, DoctorVerb.self,
    ]

    /// Does what `words` (the arguments without the program's name) say, and ends the process with its status.
    public static func run(_ words: [String]) -> Never {
        Hardening.apply()
        let output = Output { name in getenv(name).map { String(cString: $0) } }
        do throws(CommandFailure) {
            guard let (verb, arguments) = try parse(words, output) else { exit(ExitStatus.done.rawValue) }
            onLoop { await run(verb, Tool(arguments, output)) }
            MainLoop.run()
        } catch {
            say(error, output)
            exit(error.status.rawValue)
        }
        exit(ExitStatus.refused.rawValue)
    }

    /// The verb and its arguments; nil where help or the version was all that was wanted, which is then printed.
    static func parse(
        _ words: [String], _ output: Output
    ) throws(CommandFailure) -> (verb: any Verb.Type, arguments: Arguments)? {
        guard let name = words.first else {
            throw .usage("a verb is missing. See smileauth --help")
        }
        switch name {
        case "--help", "-h", "help":
            output.line(Help.overview(verbs.map { $0.description }, output.style))
            return nil
        case "--version":
            output.line("smileauth \(Wire.version)")
            return nil
        default: break
        }
        // What is not understood is not repeated: it may be a passcode.
        guard let verb = verbs.first(where: { $0.description.name == name }) else {
            throw .usage("the first argument is no verb. See smileauth --help")
        }
        let arguments = try Arguments(Array(words.dropFirst()), for: verb.description)
        if arguments.wantsHelp {
            output.line(Help.verb(verb.description, output.style))
            return nil
        }
        return (verb, arguments)
    }

    @LoopActor
    private static func run(_ verb: any Verb.Type, _ tool: Tool) async {
        do {
            try await verb.run(tool)
            Tool.end(.done)
        } catch {
            let failure = CommandFailure(describing: error)
            TerminalMode.restore()
            say(failure, tool.output)
            Tool.end(failure.status)
        }
    }

    private static func say(_ failure: CommandFailure, _ output: Output) {
        if !failure.message.isEmpty { output.error(failure.message) }
    }
}
