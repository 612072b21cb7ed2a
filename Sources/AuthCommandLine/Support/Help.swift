/// The texts of `--help`.
enum Help {
    static func overview(_ verbs: [VerbDescription], _ style: Style) -> String {
        let width = verbs.map { PlainText.width($0.name) }.max() ?? 0
        let list = verbs.map { "  " + style.bold(PlainText.pad($0.name, to: width)) + "  " + $0.summary }
        return """
            \(style.bold("smileauth")) VERB [OPTIONS]

            Asks for and keeps the passcode of this session, and of applications, with the SmileAuth service.

            \(list.joined(separator: "\n"))

            smileauth VERB --help says more about each.
            Exit status: 0 done, 1 refused, 2 usage, 3 no service or no store.
            """
    }

    static func verb(_ verb: VerbDescription, _ style: Style) -> String {
        let help = VerbDescription.Option(name: "help", help: "say this")
        let options = (verb.options + [help]).map { option in
            (name: "--" + option.name + (option.value.map { " \($0)" } ?? ""), help: option.help)
        }
        let width = options.map { PlainText.width($0.name) }.max() ?? 0
        let list = options.map { "  " + style.bold(PlainText.pad($0.name, to: width)) + "  " + $0.help }
        let usage = ["smileauth", verb.name, "[OPTIONS]", verb.positionals].filter { !$0.isEmpty }
        return """
            \(style.bold(usage.joined(separator: " ")))

            \(verb.details)

            \(list.joined(separator: "\n"))
            """
    }
}
