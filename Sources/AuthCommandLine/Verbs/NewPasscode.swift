import AuthWire
import DBus
import MainLoop

/// What `set`, `change` and `pattern` share.
@LoopActor
enum NewPasscode {
    /// Present's options for `--kind` and `--digits`.
    nonisolated static func options(_ arguments: Arguments) throws(CommandFailure) -> [Wire.Option: Value] {
        var options: [Wire.Option: Value] = [:]
        let kind = try arguments.choice("kind", Wire.PasscodeKind.self)
        if let digits: UInt32 = try arguments.number("digits", in: 4...64) {
            guard kind == nil || kind == .digits else { throw .usage("--digits goes with --kind digits only") }
            options[.digits] = .uint32(digits)
            options[.kind] = .string(Wire.PasscodeKind.digits.rawValue)
        }
        if let kind { options[.kind] = .string(kind.rawValue) }
        return options
    }

    /// Turning a lock on says what it will not do: every setting weaker than its default, and the fingers that open
    /// it (section "Who may call what" of the contract).
    static func tellWeakSettings(_ tool: Tool, _ client: AuthenticatorClient) async throws {
        let properties = try await client.properties()
        for line in weakSettings(properties) { tool.output.line(tool.style.yellow("Note: ") + line) }
        tool.output.line("Enrolled fingers: 0 (this version drives no sensor)")
    }

    /// One sentence for each setting that is weaker than its default.
    nonisolated static func weakSettings(_ properties: [String: Value]) -> [String] {
        var lines: [String] = []
        func value(_ property: Wire.Authenticator.Property) -> Value? { properties[property.rawValue] }
        if let grace = value(.timeoutInterval)?.asDouble, grace > 0 {
            lines.append("it opens without asking for \(Span.seconds(grace)) after an unlock (timeout-interval)")
        }
        if let lockOn = value(.lockOn)?.asStringArray {
            let missing = ConfigKey.causes.filter { !lockOn.contains($0) }
            if !missing.isEmpty { lines.append("it does not lock on \(missing.joined(separator: ", ")) (lock-on)") }
        }
        return lines
    }
}
