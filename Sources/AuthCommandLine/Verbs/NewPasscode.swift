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
        let policy = try await PolicyClient(client.connection, path: client.path).properties()
        let properties = try await client.properties().merging(policy) { first, _ in first }
        for line in weakSettings(properties) { tool.output.line(tool.style.yellow("Note: ") + line) }
        let fingers = (try? await FingerprintClient(client.connection).enrolledFingers()) ?? []
        let names = fingers.isEmpty ? "" : " (\(fingers.map(FingerWords.name).joined(separator: ", ")))"
        tool.output.line("Enrolled fingers: \(fingers.count)\(names)")
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
        let reuse = properties[Wire.Policy.Property.allowableReuseDuration.rawValue]?.asDouble ?? 0
        if reuse > 0 {
            lines.append(
                "evaluations are not asked for \(Span.seconds(reuse)) after a finger opened the session"
                    + " (allowable-reuse-duration)")
        }
        return lines
    }
}
