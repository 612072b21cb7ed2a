import Testing

@testable import AuthCommandLine

@Suite struct ArgumentsTests {
    private let verb = VerbDescription(
        name: "try", summary: "", positionals: "[KEY]", maximumPositionals: 1,
        options: [.json, .app, .passcodeFd, .digits, .kind], details: "")

    private func parse(_ words: String...) throws(CommandFailure) -> Arguments { try Arguments(words, for: verb) }

    @Test func sortsFlagsValuesAndPositionals() throws {
        let arguments = try parse("--json", "--app", "org.example.App", "key", "--passcode-fd=3")
        #expect(arguments.isJSON)
        #expect(arguments.positionals == ["key"])
        #expect(try arguments.application() == "org.example.App")
        #expect(try arguments.number("passcode-fd", in: 0...Int32.max) == 3)
    }

    @Test func twoDashesEndTheOptions() throws {
        #expect(try parse("--", "--json").positionals == ["--json"])
    }

    @Test func helpIsUnderstoodEverywhere() throws {
        #expect(try parse("--help").wantsHelp)
        #expect(try parse("-h").wantsHelp)
    }

    @Test(arguments: [
        ["--nope"], ["--json=1"], ["--app"], ["--app", "a.b", "--app", "c.d"], ["one", "two"],
    ])
    func refuses(_ words: [String]) {
        #expect { try Arguments(words, for: verb) } throws: { ($0 as? CommandFailure)?.status == .usage }
    }

    /// A passcode in the wrong place must not come back in a message.
    @Test(arguments: [
        ["key", "correct-horse"], ["--correct-horse"], ["--correct-horse=x"], ["--digits", "correct-horse"],
    ])
    func repeatsNothingThatItDoesNotUnderstand(_ words: [String]) throws {
        do {
            let arguments = try Arguments(words, for: verb)
            let _: UInt32? = try arguments.number("digits", in: 4...64)
            Issue.record("taken")
        } catch {
            #expect(error.status == .usage)
            #expect(!error.message.contains("correct"))
        }
    }

    @Test(arguments: ["3", "65", "-4", "+4", "4.0", "", "0x4", "99999999999999999999"])
    func numbersAreStrict(_ text: String) throws {
        let arguments = try parse("--digits", text)
        #expect(throws: CommandFailure.self) { let _: UInt32? = try arguments.number("digits", in: 4...64) }
    }

    @Test func anEmptyApplicationIsNone() throws {
        let arguments = try parse("--app", "")
        #expect(throws: CommandFailure.self) { try arguments.application() }
    }

    @Test func digitsGoWithDigitsOnly() throws {
        let arguments = try parse("--kind", "text", "--digits", "6")
        #expect(throws: CommandFailure.self) { try NewPasscode.options(arguments) }
    }

    @Test func unknownVerbsAreNotRepeated() {
        let output = Output { _ in nil }
        #expect {
            try Program.parse(["1234"], output)
        } throws: { error in
            (error as? CommandFailure).map { $0.status == .usage && !$0.message.contains("1234") } ?? false
        }
    }

    @Test func everyVerbHasItsHelp() {
        let names = Program.verbs.map { $0.description.name }
        #expect(Set(names).count == names.count)
        for verb in Program.verbs {
            let help = Help.verb(verb.description, .plain)
            #expect(help.contains("smileauth \(verb.description.name)"))
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 120 })
        }
    }
}
