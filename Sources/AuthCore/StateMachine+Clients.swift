/// Connections: the authenticators they named, the holds they have, and their going.
extension StateMachine {
    /// Per connection.
    static let holdsPerConnection = 16
    static let namesPerConnection = 16
    /// Authenticators on the bus, the session's among them.
    static let objects = 1_024

    func name(_ id: AuthenticatorID, _ caller: Caller, _ token: ReplyToken) {
        if let known = touch(id) {
            guard remember(known, caller, token) else { return }
            if known.isLoaded {
                reply(token, .authenticator(id))
            } else {
                known.naming.append((token, caller.connection))
            }
            return
        }
        guard authenticators.count < Self.objects else {
            return refuse(token, .limitsExceeded, "\(Self.objects) authenticators exist already")
        }
        guard hasRoomToName(caller) else { return refuseName(token) }
        let authenticator = create(id)
        authenticator.namedBy.insert(caller.connection)
        authenticator.naming.append((token, caller.connection))
    }

    private func remember(_ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) -> Bool {
        if authenticator.isSession || authenticator.namedBy.contains(caller.connection) { return true }
        guard hasRoomToName(caller) else {
            refuseName(token)
            return false
        }
        authenticator.namedBy.insert(caller.connection)
        return true
    }

    private func hasRoomToName(_ caller: Caller) -> Bool {
        authenticators.values.count { $0.namedBy.contains(caller.connection) } < Self.namesPerConnection
    }

    private func refuseName(_ token: ReplyToken) {
        refuse(token, .limitsExceeded, "A connection names \(Self.namesPerConnection) authenticators at most")
    }

    // MARK: Holds

    func hold(_ options: CallOptions, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) {
        if authenticator.isSession, options.ui == .none {
            return refuse(token, .notAuthorized, "The session's view is shown by the service")
        }
        let held = authenticators.values.reduce(0) { $0 + $1.holds.count { $0.connection == caller.connection } }
        guard held < Self.holdsPerConnection else {
            return refuse(token, .limitsExceeded, "A connection has \(Self.holdsPerConnection) holds at most")
        }
        if !authenticator.isSession, authenticator.holds.isEmpty {
            fall(authenticator)
            authenticator.view?.remembered = false
            overtake(authenticator)
        }
        let cookie = nextCookie
        nextCookie = nextCookie == .max ? 1 : nextCookie + 1
        authenticator.holds.append(
            Hold(
                cookie: cookie, connection: caller.connection, isHeadless: options.ui == .none,
                confirmsCover: options.confirmsCover))
        reply(token, .cookie(cookie))
    }

    func release(_ cookie: UInt32, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) {
        guard authenticator.holds.contains(where: { $0.cookie == cookie && $0.connection == caller.connection }) else {
            return refuse(token, .invalidArguments, "No hold \(cookie) of this connection")
        }
        dropHolds(authenticator) { $0.cookie == cookie }
        reply(token, .done)
    }

    func covered(_ cookie: UInt32, _ authenticator: Authenticator, _ caller: Caller, _ token: ReplyToken) {
        guard
            let index = authenticator.holds.firstIndex(where: {
                $0.cookie == cookie && $0.connection == caller.connection
            })
        else { return refuse(token, .invalidArguments, "No hold \(cookie) of this connection") }
        if authenticator.shouldCover { authenticator.holds[index].hasCovered = true }
        reply(token, .done)
    }

    /// An application's authenticator falls, and its view goes, with its last hold.
    private func dropHolds(_ authenticator: Authenticator, where isDropped: (Hold) -> Bool) {
        guard authenticator.holds.contains(where: isDropped) else { return }
        authenticator.holds.removeAll(where: isDropped)
        guard authenticator.holds.isEmpty, !authenticator.isSession else { return }
        authenticator.view?.remembered = false
        endView(authenticator, .appCancel)
        overtake(authenticator)
        fall(authenticator)
    }

    // MARK: Requests

    func cancelRequest(_ path: String, _ caller: Caller, _ token: ReplyToken) {
        if let owner = taskOwner(of: path) {
            guard owner == caller.connection else {
                return refuse(token, .notAuthorized, "The request is another connection's")
            }
            endTask(Refusal(.appCancel, "Cancelled by its caller"))
            return reply(token, .done)
        }
        let owner = authenticators.values.first { authenticator in
            authenticator.view?.waiters.contains { $0.request == path } ?? false
        }
        guard let owner, let authenticator = touch(owner.id),
            let waiter = authenticator.view?.waiters.first(where: { $0.request == path })
        else { return refuse(token, .unknownObject, "The request has ended") }
        guard waiter.connection == caller.connection else {
            return refuse(token, .notAuthorized, "The request is another connection's")
        }
        if authenticator.view?.waiters.count == 1, authenticator.view?.isAsked == false {
            endView(authenticator, .appCancel)
        } else {
            authenticator.view?.waiters.removeAll { $0.request == path }
            act(
                .completed(
                    request: path, to: caller.connection,
                    .failure(Refusal(.appCancel, "Cancelled by its caller"), lockedOutUntil: nil)))
        }
        reply(token, .done)
    }

    // MARK: Going

    func callerLeft(_ connection: String) {
        taskCallerLeft(connection)
        for id in authenticators.keys.sorted() {
            guard let known = authenticators[id], isConcerned(known, connection), let authenticator = touch(id) else {
                continue
            }
            authenticator.namedBy.remove(connection)
            authenticator.credits[connection] = nil
            authenticator.fingerCredits[connection] = nil
            authenticator.memories = authenticator.memories.filter { $0.value.connection != connection }
            authenticator.view?.presenters.remove(connection)
            authenticator.view?.terminals.remove(connection)
            if authenticator.operation?.caller.connection == connection { authenticator.operation?.token = nil }
            authenticator.deferred.removeAll { $0.caller.connection == connection }
            authenticator.naming.removeAll { $0.connection == connection }
            // Nobody else may go on where it left off; whoever else called Present starts anew.
            if let view = authenticator.view, view.channel == connection {
                if view.presenters.isEmpty {
                    endView(authenticator, .appCancel)
                } else {
                    authenticator.view?.restart()
                }
            }
            if let view = authenticator.view, view.isTerminalsOnly, view.terminals.isEmpty {
                endView(authenticator, .appCancel)
            }
            for index in authenticator.settingChanges.indices
            where authenticator.settingChanges[index].caller.connection == connection {
                authenticator.settingChanges[index].token = nil
            }
            dropWaiters(authenticator) { $0.connection == connection }
            dropHolds(authenticator) { $0.connection == connection }
        }
    }

    private func isConcerned(_ authenticator: Authenticator, _ connection: String) -> Bool {
        authenticator.namedBy.contains(connection) || authenticator.view?.channel == connection
            || authenticator.naming.contains { $0.connection == connection } || authenticator.credits[connection] != nil
            || authenticator.fingerCredits[connection] != nil
            || authenticator.memories.values.contains { $0.connection == connection }
            || authenticator.operation?.caller.connection == connection
            || authenticator.holds.contains { $0.connection == connection }
            || authenticator.settingChanges.contains { $0.caller.connection == connection }
            || authenticator.deferred.contains { $0.caller.connection == connection }
            || (authenticator.view.map { view in
                view.presenters.contains(connection) || view.terminals.contains(connection)
                    || view.waiters.contains { $0.connection == connection }
            } ?? false)
    }
}
