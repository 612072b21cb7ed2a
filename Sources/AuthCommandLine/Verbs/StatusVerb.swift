import AuthWire
import DBus
import MainLoop

enum StatusVerb: Verb {
    static let description = VerbDescription(
        name: "status", summary: "show what is locked and why",
        options: [.app, .json],
        details: """
            The session's state and that of its authenticator, or of an application's. Not asked yet: the service has
            started, nothing has locked the session since, and nobody was asked for the passcode.
            """)

    static func run(_ tool: Tool) async throws {
        let manager = try await tool.manager().properties()
        let client = try await tool.authenticator()
        let authenticator = try await client.properties()
        let sensor = try? await FingerprintClient(client.connection).properties()
        let fingers = sensor == nil ? nil : try? await FingerprintClient(client.connection).enrolledFingers()
        if tool.arguments.isJSON {
            let policy = try await PolicyClient(client.connection, path: client.path).properties()
            let object = JSON.object([
                ("manager", manager.json), ("path", .string(client.path)), ("authenticator", authenticator.json),
                ("policy", policy.json), ("sensor", sensor?.json ?? .null),
                ("fingers", fingers.map { .array($0.map { .string($0.rawValue) }) } ?? .null),
            ])
            return tool.output.line(object.render())
        }
        let refusal = try await client.whyNoFinger()
        tool.output.line(
            render(
                manager, authenticator, sensor: SensorSummary(sensor ?? [:]), fingers: fingers ?? [], refusal: refusal,
                now: Span.boottime(), tool.style))
    }

    nonisolated static func render(
        _ manager: [String: Value], _ authenticator: [String: Value], sensor: SensorSummary, fingers: [Wire.Finger],
        refusal: WireError? = nil, now: UInt64, _ style: Style
    ) -> String {
        func text(_ property: Wire.Manager.Property) -> String {
            PlainText.strip(manager[property.rawValue]?.asString ?? "unknown")
        }
        let sources = manager[Wire.Manager.Property.sessionSources.rawValue]?.asStringArray ?? []
        let store = text(.secretServiceState)
        var service = Table()
        service.row("Session", text(.sessionState))
        service.row("Told by", PlainText.strip(sources.joined(separator: ", ")))
        service.row("Secret Service", store == "ready" ? style.green(store) : style.red(store))
        service.row("Fingerprint", sensor.line(style))
        if sensor.isAvailable { service.row("Fingers", SensorSummary.fingers(fingers)) }

        let summary = AuthenticatorSummary(authenticator)
        let application = authenticator[Wire.Authenticator.Property.applicationId.rawValue]?.asString ?? ""
        var lock = Table()
        lock.row("Lock", summary.lock(style))
        lock.row("Passcode", summary.passcode)
        lock.row("Opens with", summary.route)
        lock.row("Locks on", summary.lockOn)
        lock.row("Grace", summary.grace)
        lock.row("Failures", summary.failures)
        if sensor.isAvailable { lock.row("Finger", summary.finger(refusal, style)) }
        if let wait = summary.wait(now: now) { lock.row("Locked out", style.yellow("for \(wait)")) }

        let name = application.isEmpty ? "This session" : PlainText.strip(application)
        return """
            \(style.bold("SmileAuth \(text(.version))"))
            \(service.render(style))

            \(style.bold(name))
            \(lock.render(style))
            """
    }
}
