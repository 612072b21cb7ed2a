import AuthCore
import AuthWire
import DBus
import MainLoop

/// `org.smileauth.Auth1.Manager`.
@LoopActor
final class ManagerInterface: ServedInterface {
    private unowned let service: Service

    init(_ service: Service) { self.service = service }

    var description: InterfaceDescription { .manager }

    func get(_ property: String) -> Value? {
        switch Wire.Manager.Property(rawValue: property) {
        case .version: .string(Service.version)
        case .sessionState: .string(service.machine.sessionState)
        case .sessionSources: .stringArray(service.machine.sessionSources)
        case .secretServiceState: .string(service.machine.secretService.rawValue)
        case .biometryType: .string(service.biometry.rawValue)
        case nil: nil
        }
    }

    func call(_ call: MethodCall) {
        let arguments = call.arguments
        guard arguments.allSatisfy({ $0.longestText <= Wire.Limit.argument }) else { return call.fail(.tooLong) }
        switch Wire.Manager.Method(rawValue: call.member) {
        case .getAuthenticator: getAuthenticator(arguments[0].asString ?? "", call)
        case .removeAuthenticator: removeAuthenticator(arguments[0].asString ?? "", call)
        case .listAuthenticators: listAuthenticators(call)
        case .reportIdle:
            service.handle(.reportIdle(arguments[0].asBool ?? false))
            call.reply()
        case nil: call.fail(.unknownMethod("No method \(call.member)"))
        }
    }

    private func getAuthenticator(_ name: String, _ call: MethodCall) {
        guard let id = AuthenticatorID(application: name) else { return call.fail(.notAnApplication) }
        guard let caller = service.caller(of: call) else { return call.fail(.denied) }
        guard caller.sandboxed == nil || caller.sandboxed == id else {
            return call.fail(DBusFailure(.notAuthorized, "A sandboxed caller names its own application only"))
        }
        service.handle(.name(id, caller, service.expect(call)))
    }

    private func removeAuthenticator(_ name: String, _ call: MethodCall) {
        guard let id = AuthenticatorID(application: name), service.machine.exists(id) else {
            return call.fail(.invalidArguments("No application's authenticator of this name"))
        }
        guard let caller = service.caller(of: call), caller.sandboxed == nil || caller.sandboxed == id else {
            // To a sandboxed caller others are not there.
            return call.fail(.invalidArguments("No application's authenticator of this name"))
        }
        service.receive(.remove, id, call)
    }

    private func listAuthenticators(_ call: MethodCall) {
        guard let caller = service.caller(of: call) else { return call.fail(.denied) }
        let visible = service.machine.ids.filter { Visibility.isVisible($0.path, to: caller) }
        call.reply([
            .array(of: "(so)", visible.map { .structure([.string($0.application), .objectPath($0.path)]) })
        ])
    }
}

extension DBusFailure {
    static var notAnApplication: DBusFailure { .invalidArguments("Not an application id (a D-Bus well-known name)") }
    static var denied: DBusFailure { DBusFailure(.notAuthorized, "The caller's sandbox cannot be determined") }
}
