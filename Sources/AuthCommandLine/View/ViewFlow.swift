import AuthWire
import DBus
import MainLoop

/// The way of every verb that brings a view up and serves it: listen, present, serve, say how it ended.
@LoopActor
struct ViewFlow {
    let tool: Tool
    let client: AuthenticatorClient
    /// `--account`: the account password from the start.
    var wantsAccount = false
    /// Said before the view comes up, once it is sure that something can be entered.
    var announce: (() async throws -> Void)?

    /// Presents a view of `type` and serves it to its end.
    ///
    /// - Returns: the events that were seen; nil when nothing had to be shown.
    /// - Throws: every end but success. Then the view is cancelled, unless it is a lock or was there before.
    func run(_ type: Wire.SecurityType, _ options: [Wire.Option: Value] = [:]) async throws -> ViewEvents? {
        // Before anything is on screen: without a way to enter something the view must not come up.
        let server: Server
        do {
            server = try entries()
        } catch {
            if tool.arguments.values["passcode-fd"] == nil, try await isDone(type) { return nil }
            throw error
        }
        try await announce?()
        let events = ViewEvents(client)
        let stoodBefore = try await client.get(.isShowingAuth).asBool ?? false
        var options = options
        options[.ui] = .string(Wire.UserInterface.terminal.rawValue)
        guard try await client.present(type, options) else { return nil }
        events.startAfresh()
        let isOurs = type != .touchid || !(client.isSession || stoodBefore)
        let withdraw: @LoopActor () async -> Void = { if isOurs { try? await client.cancel() } }
        switch try await serve(events, server, withdraw) {
        case .dismissed(Wire.success), .completed(Wire.success, _): return events
        case .dismissed(let result), .completed(let result, _):
            // On the session a counted failure ends every view but the lock's, which comes instead.
            if result == WireError.systemCancel.rawValue, type != .touchid, let method = events.failedMethod {
                throw CommandFailure.lockedAfterFailure(method)
            }
            throw CommandFailure(result: result)
        case .interrupted, .timedOut:
            await withdraw()
            throw CommandFailure.refused(isOurs ? "cancelled" : "left; the lock stands")
        }
    }

    /// Asks by way of Authenticate, which may ask for the passcode although the lock is open.
    ///
    /// - Returns: the method that Completed names.
    /// - Throws: every end but success.
    func authenticate(
        reason: String, requiresPasscode: Bool, timeout: Double? = nil, needsEntries: Bool = true
    ) async throws -> String {
        let (result, details) = try await answer(
            reason: reason, requiresPasscode: requiresPasscode, timeout: timeout, needsEntries: needsEntries)
        guard result == Wire.success else {
            throw CommandFailure(
                result: result, message: details[Wire.DetailKey.message.rawValue]?.asString ?? "")
        }
        return details[Wire.DetailKey.method.rawValue]?.asString ?? ""
    }

    /// The same, for those who tell one end from another.
    ///
    /// - Returns: Completed's result and details.
    /// - Throws: what is no answer: nobody gave one, or it was cancelled here.
    func answer(
        reason: String, requiresPasscode: Bool, timeout: Double? = nil, needsEntries: Bool = true
    ) async throws -> (result: String, details: [String: Value]) {
        let server = try? entries()
        if server == nil, needsEntries || tool.arguments.values["passcode-fd"] != nil { _ = try entries() }
        let events = ViewEvents(client, endsWithRequest: true)
        let request = RequestClient(client.connection, token: ViewFlow.token()) { result, details in
            events.mailbox.post(.completed(result, details))
        }
        let ui: Wire.UserInterface = server == nil ? .auto : .terminal
        var options: [Wire.Option: Value] = [.handleToken: .string(request.token), .ui: .string(ui.rawValue)]
        if requiresPasscode { options[.require] = .string("passcode") }
        let timer = timeout.map { seconds in
            LoopSource.after(.milliseconds(Int64(seconds * 1000))) { events.mailbox.post(.timedOut) }
        }
        defer { timer?.cancel() }
        request.follow(try await client.authenticate(reason: reason, options))
        let withdraw: @LoopActor () async -> Void = { try? await request.cancel() }
        switch try await serve(events, server, withdraw) {
        case .completed(let result, let details): return (result, details)
        case .dismissed(let result): return (result, [:])
        case .interrupted:
            await withdraw()
            throw CommandFailure.refused("cancelled")
        case .timedOut:
            await withdraw()
            throw CommandFailure.refused("nobody answered within \(Span.seconds(timeout ?? 0))")
        }
    }

    // MARK: Serving

    private enum Server {
        case terminal(Terminal)
        case descriptor(DescriptorReader)
    }

    private func entries() throws(CommandFailure) -> Server {
        if let reader = try tool.descriptorReader() { return .descriptor(reader) }
        return .terminal(try tool.terminal())
    }

    /// What Present would answer at once, where there is no way to enter something.
    ///
    /// - Returns: whether there is nothing to do.
    /// - Throws: why `type` does not come up at all, which counts for more than the way to enter something.
    private func isDone(_ type: Wire.SecurityType) async throws -> Bool {
        let state = try await client.get(.storeState).asString
        switch (type, state) {
        case (.touchid, _):
            if try await client.get(.isAuthenticated).asBool == true { return true }
            guard try await client.get(.unlockRoute).asString == "login" else { return false }
            throw CommandFailure(result: (state == "unset" ? WireError.passcodeNotSet : .storeUnavailable).rawValue)
        case (_, "unavailable"): throw CommandFailure(result: WireError.storeUnavailable.rawValue)
        case (_, "lost"): throw CommandFailure(result: WireError.storeLost.rawValue)
        case (.once, "unset"), (.three, "unset"): throw CommandFailure(result: WireError.passcodeNotSet.rawValue)
        case (.twice, "ready"): throw CommandFailure(result: WireError.passcodeAlreadySet.rawValue)
        default: return false
        }
    }

    /// Serves by what there is; without anything, waits for the end that others bring about.
    private func serve(
        _ events: ViewEvents, _ server: Server?, _ withdraw: @escaping @LoopActor () async -> Void
    ) async throws -> ViewEnd {
        switch server {
        case .terminal(let terminal):
            tool.onInterrupt { events.mailbox.post(.interrupted) }
            return try await TerminalServer(events, terminal, wantsAccount: wantsAccount).serve()
        case .descriptor(let reader):
            // The reader may wait for a line: nothing looks into the mailbox then.
            tool.onInterrupt {
                onLoop {
                    await withdraw()
                    Tool.end(.refused)
                }
            }
            do {
                return try await DescriptorServer(events, reader, usesAccount: wantsAccount).serve()
            } catch {
                await withdraw()
                throw error
            }
        case nil:
            tool.onInterrupt { events.mailbox.post(.interrupted) }
            return try await events.end()
        }
    }

    /// Unique among this process's requests, and hard to guess for others.
    static func token() -> String { "smileauth_" + String(UInt64.random(in: .min ... .max), radix: 36) }
}
