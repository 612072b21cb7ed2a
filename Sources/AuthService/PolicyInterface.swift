import AuthCore
import AuthTexts
import AuthWire
import DBus
import MainLoop

/// `org.smileauth.Auth1.Policy` of one authenticator: the port of LAContext.
@LoopActor
final class PolicyInterface: ServedInterface {
    private let id: AuthenticatorID
    private unowned let service: Service

    init(_ id: AuthenticatorID, _ service: Service) {
        self.id = id
        self.service = service
    }

    var description: InterfaceDescription { .policy }

    func get(_ property: String) -> Value? { Property(rawValue: property).flatMap { service.value(of: $0, id) } }

    func set(_ property: String, to value: Value, _ call: MethodCall) {
        guard let property = Property(rawValue: property), let setting = PropertyValue(value) else {
            return call.fail(.invalidArguments("\(property) cannot have this value"))
        }
        guard value.longestText <= Wire.Limit.argument else { return call.fail(.tooLong) }
        service.receive(.set(property, setting), id, call)
    }

    func call(_ call: MethodCall) {
        let arguments = call.arguments
        guard arguments.allSatisfy({ $0.longestText <= Wire.Limit.argument }) else { return call.fail(.tooLong) }
        switch Wire.Policy.Method(rawValue: call.member) {
        case .canEvaluatePolicy: withPolicy(arguments[0], call) { service.receive(.canEvaluate($0), id, call) }
        case .evaluatePolicy: withPolicy(arguments[0], call) { evaluate($0, arguments, call) }
        case .fallback: service.receive(.fallback, id, call)
        case .invalidate: service.receive(.invalidate, id, call)
        case .rememberDomainState:
            service.receive(.rememberDomainState(identity: arguments[0].asString ?? ""), id, call)
        case .domainStateChanged:
            service.receive(.domainStateChanged(identity: arguments[0].asString ?? ""), id, call)
        case nil: call.fail(.unknownMethod("No method \(call.member)"))
        }
    }

    private func evaluate(_ policy: Policy, _ arguments: [Value], _ call: MethodCall) {
        service.requests.withPath(arguments[2], call) { options, path in
            let reason = Plain.text(arguments[1].asString ?? "")
            service.receive(.evaluate(policy, reason: reason, options, request: path), id, call)
        }
    }

    private func withPolicy(_ argument: Value, _ call: MethodCall, _ body: (Policy) -> Void) {
        guard let policy = argument.asString.flatMap(Policy.init(rawValue:)) else {
            return call.fail(.invalidArguments("No policy of this name"))
        }
        body(policy)
    }
}
