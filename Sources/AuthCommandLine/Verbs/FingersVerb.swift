import AuthWire
import DBus
import MainLoop

enum FingersVerb: Verb {
    static let description = VerbDescription(
        name: "fingers", summary: "list, enroll, test and delete fingers",
        positionals: "list | enroll [FINGER] | test [FINGER] | delete FINGER", maximumPositionals: 2,
        options: [
            .init(name: "all", help: "with delete: every enrolled finger"),
            .passcodeFd, .json,
        ],
        details: """
            The enrolled fingers and the sensor. An enrolment says how far it is and what to do; Control-C ends it and
            keeps nothing. A new finger opens every lock that takes fingers, so enrolling and deleting need the
            session's passcode, which is then asked for.

            FINGER: left- or right- with thumb, index-finger, middle-finger, ring-finger or little-finger, such as
            right-index-finger, which is what enroll takes without one.
            """)

    static func run(_ tool: Tool) async throws {
        let words = tool.arguments.positionals
        let deletesAll = tool.arguments.flags.contains("all")
        guard words.first == "delete" || !deletesAll else { throw CommandFailure.usage("--all goes with delete only") }
        guard words.first == "list" || words.isEmpty || !tool.arguments.isJSON else {
            throw CommandFailure.usage("--json goes with list only")
        }
        let finger = try words.dropFirst().first.map { word throws(CommandFailure) in try FingerWords.finger(word) }
        let client = FingerprintClient(try tool.connection())
        switch words.first {
        case "list", nil:
            guard finger == nil else { throw CommandFailure.usage("fingers list takes no finger") }
            try await list(client, tool)
        case "enroll": try await enroll(finger ?? .rightIndex, client, tool)
        case "test": try await test(finger, client, tool)
        case "delete":
            guard (finger == nil) == deletesAll else {
                throw CommandFailure.usage("fingers delete takes a FINGER, or --all")
            }
            try await delete(finger, client, tool)
        default: throw CommandFailure.usage("fingers takes list, enroll, test or delete")
        }
    }

    private static func list(_ client: FingerprintClient, _ tool: Tool) async throws {
        let sensor = SensorSummary(try await client.properties())
        // Without a sensor it is refused: unknown is not none.
        let fingers = try await client.enrolledFingers()
        if tool.arguments.isJSON {
            let object = JSON.object([
                ("fingers", .array(fingers.map { .string($0.rawValue) })), ("sensor", sensor.properties.json),
            ])
            return tool.output.line(object.render())
        }
        var table = Table()
        table.row("Sensor", sensor.line(tool.style))
        table.row("Fingers", fingers.isEmpty ? "none enrolled" : fingers.map(\.rawValue).joined(separator: ", "))
        tool.output.line(table.render(tool.style, indent: 0))
        if sensor.isAvailable, !sensor.comparesPrints {
            tool.output.line(
                tool.style.dim("fprintd shows names only: another finger under the same name is not noticed."))
        }
    }

    private static func enroll(_ finger: Wire.Finger, _ client: FingerprintClient, _ tool: Tool) async throws {
        let sensor = SensorSummary(try await client.properties())
        let name = FingerWords.name(finger)
        let flow = SensorFlow(tool: tool, client: client)
        let result = try await flow.run { options in
            try await Proof.retrying(tool, reason: "Enroll a finger") {
                let path = try await client.enroll(finger, options)
                let count = sensor.stages > 0 ? ", \(sensor.stages) times" : ""
                tool.output.line(sensor.request(name) + count + ".")
                return path
            }
        }
        guard result == Wire.success else { throw CommandFailure(result: result.name, message: result.message) }
        tool.output.line("Enrolled: \(name).")
        await tellOfPasscodes(tool)
    }

    /// A finger counts only while the enrolled ones are those of the last right passcode.
    private static func tellOfPasscodes(_ tool: Tool) async {
        guard let manager = try? tool.manager(), let entries = try? await manager.authenticators() else { return }
        for entry in entries {
            let client = AuthenticatorClient(manager.connection, path: entry.path)
            guard (try? await client.get(.storeState))?.asString == "ready" else { continue }
            return tool.output.line("Locks with a passcode ask for it once before fingers count again.")
        }
    }

    private static func test(_ finger: Wire.Finger?, _ client: FingerprintClient, _ tool: Tool) async throws {
        let sensor = SensorSummary(try await client.properties())
        let flow = SensorFlow(tool: tool, client: client)
        let result = try await flow.run { options in
            var options = options
            if let finger { options[.finger] = .string(finger.rawValue) }
            let path = try await client.verifyTest(options)
            tool.output.line(sensor.request(finger.map(FingerWords.name) ?? "finger") + ".")
            return path
        }
        switch result.name {
        case Wire.success: tool.output.line("Recognised.")
        case WireError.authenticationFailed.rawValue: throw CommandFailure.refused("that finger was not recognised")
        default: throw CommandFailure(result: result.name, message: result.message)
        }
    }

    private static func delete(_ finger: Wire.Finger?, _ client: FingerprintClient, _ tool: Tool) async throws {
        try await Proof.retrying(tool, reason: "Delete enrolled fingers") {
            if let finger { try await client.delete(finger) } else { try await client.deleteAll() }
        }
        tool.output.line(finger.map { "Deleted: \(FingerWords.name($0))." } ?? "Deleted: every finger.")
        if let left = try? await client.enrolledFingers(), !left.isEmpty { await tellOfPasscodes(tool) }
    }
}
