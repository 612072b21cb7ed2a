import AuthCore
import AuthWire
import DBus
import MainLoop

/// Nobody comes in whose sandbox is not known, and nobody does what the table does not allow.
extension Service {
    func guardTheDoor() {
        server.argumentLimit = 16 * Wire.Limit.argument
        server.argumentLimitFailure = .tooLong
        clients.resume = { [unowned self] call in
            switch decide(call) {
            case .proceed: server.dispatch(call)
            case .held: break
            case .refuse(let failure): call.fail(failure)
            }
        }
        server.gate = { [unowned self] call in decide(call) }
        server.isVisible = { [unowned self] path, call in
            guard let caller = caller(of: call) else { return false }
            return Visibility.isVisible(path, to: caller)
        }
        server.authorize = { [unowned self] call in refusal(of: call) }
        connection.onPeerLeft { [unowned self] name in
            clients.left(name)
            requests.left(name)
            handle(.callerLeft(name))
        }
    }

    /// Who made the call; nil where that cannot be told.
    func caller(of call: MethodCall) -> Caller? {
        if case .caller(let caller)? = clients.client(call.sender) { caller } else { nil }
    }

    private func decide(_ call: MethodCall) -> GateDecision {
        switch clients.client(call.sender) {
        case .caller: return .proceed
        case .undetermined: return .refuse(.denied)
        case nil:
            clients.hold(call)
            return .held
        }
    }

    /// Asked for methods and property writes.
    private func refusal(of call: MethodCall) -> DBusFailure? {
        guard let caller = caller(of: call) else { return .denied }
        let rule: Authorization.Rule? =
            if call.kind == .set {
                Authorization.settable[call.property ?? ""]
            } else {
                Authorization.rule(interface: call.interface, member: call.member)
            }
        let object = Wire.Path.application(of: call.path).flatMap { application in
            application.isEmpty ? .session : AuthenticatorID(application: application)
        }
        // RemoveAuthenticator names its authenticator itself, and looks at it there.
        let concerned = call.path == Wire.Path.root ? caller.sandboxed : object
        let isAllowed = Authorization.allows(
            rule, caller, object: concerned, requester: requests.requester(of: call.path))
        return isAllowed ? nil : DBusFailure(.notAuthorized, "Not for this caller")
    }
}
