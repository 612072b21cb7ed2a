import AuthCore

/// What goes over the bus: every call answered once, every request completed once, every change told.
final class Traffic {
    private var waiting: [ReplyToken: String] = [:]
    private var answered: Set<ReplyToken> = []
    private var gone: Set<String> = []
    /// Requests that are under way, in the order they came.
    private var requests: [(path: String, connection: String)] = []
    private var completed: Set<String> = []
    private var cookies: [String: [UInt32]] = [:]
    private var owners: [ReplyToken: String] = [:]
    /// What a client that listens to PropertiesChanged believes.
    private var mirror: [AuthenticatorID: [PropertyValue?]] = [:]
    private static let mirrored = Property.allCases.filter { $0 != .presentedContext }

    func asked(_ token: ReplyToken, by connection: String) {
        waiting[token] = connection
        owners[token] = connection
    }

    func left(_ connection: String) {
        gone.insert(connection)
        waiting = waiting.filter { $0.value != connection }
        requests.removeAll { $0.connection == connection }
        cookies[connection] = nil
    }

    func died() {
        waiting = [:]
        requests = []
        cookies = [:]
        mirror = [:]
    }

    func openRequest(_ number: Int) -> (path: String, connection: String)? {
        requests.isEmpty ? nil : requests[number % requests.count]
    }

    func cookie(of connection: String, _ number: Int) -> UInt32 {
        guard let own = cookies[connection], !own.isEmpty else { return 77_777 }
        return own[number % own.count]
    }

    func unanswered(requestsToo: Bool) -> String? {
        if let token = waiting.keys.min() { return "call \(token) was never answered" }
        if requestsToo, let request = requests.first { return "request \(request.path) was never completed" }
        return nil
    }

    /// Takes the actions of an event in; answers what is wrong with them.
    func check(_ actions: [Action], _ bench: Bench) -> String? {
        var hasReplied = false
        var hasSignalled = false
        for action in actions {
            switch action {
            case .reply(let token, let reply):
                if let problem = replied(token, reply) { return problem }
                if case .request = reply { break }
                hasReplied = true
                continue
            case .propertiesChanged(let id, let properties):
                if hasSignalled { return "PropertiesChanged of \(bench.name(id)) comes after a signal" }
                guard mirror[id] != nil else { return "properties of \(bench.name(id)) before the object" }
                for (index, property) in Self.mirrored.enumerated() where properties.contains(property) {
                    mirror[id]?[index] = bench.value(property, id)
                }
            case .signal(let id, _):
                hasSignalled = true
                if mirror[id] == nil { return "a signal of an object that is not there" }
            case .objectAdded(let id):
                if mirror[id] != nil { return "\(bench.name(id)) was added twice" }
                mirror[id] = Self.mirrored.map { bench.value($0, id) }
            case .objectRemoved(let id):
                if mirror[id] == nil { return "\(bench.name(id)) was removed twice" }
                mirror[id] = nil
            case .completed(let path, let connection, _):
                if completed.contains(path) { return "\(path) was completed twice" }
                guard let index = requests.firstIndex(where: { $0.path == path }) else {
                    if gone.contains(connection) { break }
                    return "\(path) was completed before its path was told"
                }
                requests.remove(at: index)
                completed.insert(path)
            case .load(let id), .compare(let id, _, _, _), .store(let id, _, _, _, _), .remove(let id, _, _, _),
                .checkAccount(let id, _, _), .writeAttempts(let id, _, _), .writeSettings(let id, _, _):
                if mirror[id] == nil, !bench.machine.exists(id) {
                    return "something is asked about \(bench.name(id)), which is not there"
                }
            case .recordLocks, .sessionStateChanged, .open, .unlockStore, .writeAccountAttempts, .setAsideSettings,
                .setLockedHint, .allowSleep, .showPrompt, .hidePrompt, .cover, .sensor, .fingerprintChanged,
                .enrollStatus, .remember, .recall:
                break
            }
            if hasReplied { return "something comes after the reply: \(bench.line(action))" }
        }
        return nil
    }

    private func replied(_ token: ReplyToken, _ reply: Reply) -> String? {
        if answered.contains(token) { return "call \(token) was answered twice" }
        answered.insert(token)
        guard let owner = owners[token] else { return "call \(token) was never made" }
        if gone.contains(owner) { return "call \(token) was answered to nobody" }
        waiting[token] = nil
        switch reply {
        case .request(let path): requests.append((path, owner))
        case .cookie(let cookie): cookies[owner, default: []].append(cookie)
        default: break
        }
        return nil
    }

    /// A property that differs from what was last told.
    func missedChange(_ bench: Bench) -> String? {
        for id in bench.machine.ids {
            guard let told = mirror[id] else { return "\(bench.name(id)) was never added" }
            for (index, property) in Self.mirrored.enumerated() where told[index] != bench.value(property, id) {
                return "\(property.rawValue) of \(bench.name(id)) changed and nobody was told"
            }
        }
        return nil
    }
}
