/// What a verb understands; its help and its parser are made of this.
struct VerbDescription: Sendable {
    struct Option: Sendable {
        let name: String
        /// What its value is called in the help; nil for a flag.
        var value: String?
        let help: String
    }

    let name: String
    /// A few words for the list of verbs.
    let summary: String
    /// The positional arguments as the usage line shows them.
    var positionals: String = ""
    var maximumPositionals = 0
    var options: [Option] = []
    /// Whole sentences below the usage line.
    let details: String
}

extension VerbDescription.Option {
    static let json = Self(name: "json", help: "print one JSON object a line instead of text")
    static let app = Self(name: "app", value: "ID", help: "the authenticator of this application, not the session's")
    static let passcodeFd = Self(
        name: "passcode-fd", value: "N", help: "read passcodes from descriptor N, one a line, not from the terminal")
    static let kind = Self(name: "kind", value: "KIND", help: "digits, text or pattern")
    static let digits = Self(name: "digits", value: "N", help: "how many digits, 4 to 64")
}

/// A verb's arguments, sorted.
struct Arguments: Equatable, Sendable {
    private(set) var flags: Set<String> = []
    private(set) var values: [String: String] = [:]
    private(set) var positionals: [String] = []

    var isJSON: Bool { flags.contains("json") }
    var wantsHelp: Bool { flags.contains("help") }

    /// Reads what follows the verb.
    ///
    /// What it does not understand it names by position only: the argument may be a passcode that does not belong
    /// there, and messages end up in logs.
    init(_ words: [String], for verb: VerbDescription) throws(CommandFailure) {
        var rest = words[...]
        var optionsAreOver = false
        while let word = rest.popFirst() {
            let position = words.count - rest.count
            if word == "--" && !optionsAreOver {
                optionsAreOver = true
            } else if word == "--help" || word == "-h", !optionsAreOver {
                flags.insert("help")
            } else if word.hasPrefix("--") && !optionsAreOver {
                try readOption(word.dropFirst(2), at: position, &rest, verb)
            } else {
                guard positionals.count < verb.maximumPositionals else {
                    throw .usage(
                        "\(verb.name): argument \(position) is one too many. Passcodes are never arguments: they are"
                            + " typed, or read with --passcode-fd. See smileauth \(verb.name) --help")
                }
                positionals.append(word)
            }
        }
    }

    private mutating func readOption(
        _ text: Substring, at position: Int, _ rest: inout ArraySlice<String>, _ verb: VerbDescription
    ) throws(CommandFailure) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = verb.options.first(where: { $0.name == parts[0] }) else {
            throw .usage(
                "\(verb.name): argument \(position) is no option of this verb. See smileauth \(verb.name) --help")
        }
        guard let valueName = option.value else {
            guard parts.count == 1 else { throw .usage("\(verb.name): --\(option.name) takes no value") }
            flags.insert(option.name)
            return
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
            throw .usage("\(verb.name): --\(option.name) needs its \(valueName)")
        }
        guard values.updateValue(value, forKey: option.name) == nil else {
            throw .usage("\(verb.name): --\(option.name) is given twice")
        }
    }

    /// The application id of `--app`; nil for the session's authenticator.
    func application() throws(CommandFailure) -> String? {
        guard let id = values["app"] else { return nil }
        guard !id.isEmpty else { throw .usage("--app needs an application id, such as org.example.App") }
        return id
    }

    /// The number of an option, if it is there.
    func number<N: FixedWidthInteger>(_ option: String, in range: ClosedRange<N>) throws(CommandFailure) -> N? {
        guard let text = values[option] else { return nil }
        // Digits alone: `Int` would take a sign, too.
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = N(text),
            range.contains(number)
        else { throw .usage("--\(option) is a number from \(range.lowerBound) to \(range.upperBound)") }
        return number
    }

    /// The word of an option, if it is there.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String, _ type: Choice.Type
    ) throws(CommandFailure) -> Choice? where Choice.RawValue == String {
        guard let text = values[option] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw .usage("--\(option) is one of: " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }
}
