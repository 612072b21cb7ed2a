import AuthWire
import DBus
import MainLoop

enum MonitorVerb: Verb {
    static let description = VerbDescription(
        name: "monitor", summary: "print what happens, as it happens",
        options: [.app, .json],
        details: """
            Every signal and property change of the service with its time, one a line, until interrupted. A request's
            answer goes to its caller alone and is not among them.
            """)

    static func run(_ tool: Tool) async throws {
        let path = try await tool.arguments.application() == nil ? nil : tool.authenticator().path
        // Starts the service, or says that there is none.
        _ = try await tool.manager().properties()
        let connection = try tool.connection()
        let mailbox = Mailbox<CommandFailure?>()
        let printer = MonitorLine(style: tool.style, isJSON: tool.arguments.isJSON)

        let members =
            Wire.Authenticator.Signal.allCases.map { (Wire.Interface.authenticator, $0.rawValue) }
            + [
                (Wire.Interface.fingerprint, Wire.Fingerprint.Signal.enrollStatus.rawValue),
                (Wire.Interface.properties, "PropertiesChanged"),
                (Wire.Interface.objectManager, "InterfacesAdded"),
                (Wire.Interface.objectManager, "InterfacesRemoved"),
            ]
        let subscriptions = members.map { interface, member in
            connection.subscribe(from: Wire.busName, path: path, interface: interface, member: member) { signal in
                for line in printer.lines(signal, at: Span.realtime()) { tool.output.line(line) }
            }
        }
        var known = false
        let watch = connection.watchName(Wire.busName) { owner in
            if !known, owner != nil {
                known = true
                return
            }
            tool.output.line(printer.service(isThere: owner != nil, at: Span.realtime()))
        }
        connection.onDisconnect = { mailbox.post(CommandFailure(.unavailable, "the session bus is gone")) }
        tool.onInterrupt { mailbox.post(nil) }
        let end = await mailbox.next()
        for subscription in subscriptions { subscription.cancel() }
        watch.cancel()
        if let end { throw end }
    }
}
