import AuthCore
import AuthSecrets
import AuthTexts
import AuthWire
import DBus
import MainLoop

/// `org.smileauth.Auth1.Authenticator` of one authenticator: turns calls into events.
@LoopActor
final class AuthenticatorInterface: ServedInterface {
    private let id: AuthenticatorID
    private unowned let service: Service

    init(_ id: AuthenticatorID, _ service: Service) {
        self.id = id
        self.service = service
    }

    var description: InterfaceDescription { .authenticator }

    // MARK: Properties

    private static let properties: [Property?] = Wire.Authenticator.Property.allCases.map {
        Property(rawValue: $0.rawValue)
    }
    private static let authenticatedIndex = Wire.Authenticator.Property.allCases.firstIndex(of: .isAuthenticated)

    func get(_ property: String) -> Value? { Property(rawValue: property).flatMap(value) }

    func get(_ property: String, at index: Int) -> Value? {
        if index == Self.authenticatedIndex { return .bool(service.machine.isAuthenticated(id)) }
        return Self.properties[index].flatMap(value)
    }

    private func value(_ property: Property) -> Value? { service.value(of: property, id) }

    func set(_ property: String, to value: Value, _ call: MethodCall) {
        guard let property = Property(rawValue: property), let setting = PropertyValue(value) else {
            return call.fail(.invalidArguments("\(property) cannot have this value"))
        }
        guard value.longestText <= Wire.Limit.argument else { return call.fail(.tooLong) }
        guard ImageCheck.properties.contains(property), case .string(let name) = setting else {
            return service.receive(.set(property, setting), id, call)
        }
        onLoop { [self] in
            guard await ImageCheck.allows(name) else {
                return call.fail(.invalidArguments("Neither an icon's name nor a readable file of 16 MiB at most"))
            }
            service.receive(.set(property, setting), id, call)
        }
    }

    // MARK: Methods

    func call(_ call: MethodCall) {
        guard let method = Wire.Authenticator.Method(rawValue: call.member) else {
            return call.fail(.unknownMethod("No method \(call.member)"))
        }
        switch method {
        case .submitPasscode, .verifyPasscode, .setPasscode, .clearPasscode: return withPasscodes(method, call)
        case .submitPasscodeFd, .submitAccountPasswordFd, .resetFd: return withDescriptor(method, call)
        default: break
        }
        let arguments = call.arguments
        guard arguments.allSatisfy({ $0.longestText <= Wire.Limit.argument }) else { return call.fail(.tooLong) }
        switch method {
        case .present: present(arguments, call)
        case .authenticate: authenticate(arguments, call)
        case .canAuthenticate: service.receive(.canAuthenticate, id, call)
        case .getView: service.receive(.getView, id, call)
        case .useFingerprint: service.receive(.useFingerprint(nil), id, call)
        case .useFinger:
            guard let finger = Finger(argument: arguments.first) else { return call.fail(.notAFinger) }
            service.receive(.useFingerprint(finger), id, call)
        case .cancel: service.receive(.cancel, id, call)
        case .lock: service.receive(.lock, id, call)
        case .changeAuthentication:
            service.receive(.changeAuthentication(arguments.first?.asBool ?? false), id, call)
        case .hold:
            withOptions(arguments.first, call) { options in
                guard options.ui != .terminal else {
                    return call.fail(.invalidArguments("A hold's ui is auto or none"))
                }
                service.receive(.hold(options), id, call)
            }
        case .release: service.receive(.release(arguments.first?.asUInt32 ?? 0), id, call)
        case .covered: service.receive(.covered(arguments.first?.asUInt32 ?? 0), id, call)
        case .submitPasscode, .submitPasscodeFd, .submitAccountPasswordFd, .verifyPasscode, .setPasscode,
            .clearPasscode, .resetFd:
            break
        }
    }

    private func present(_ arguments: [Value], _ call: MethodCall) {
        let name = arguments[0].asString ?? ""
        let type = SecurityType(flow: name)
        guard type != nil || name.isEmpty else { return call.fail(.invalidArguments("No security type of this name")) }
        withOptions(arguments[1], call) { service.receive(.present(type, $0), id, call) }
    }

    private func authenticate(_ arguments: [Value], _ call: MethodCall) {
        service.requests.withPath(arguments[1], call) { options, path in
            let reason = Plain.text(arguments[0].asString ?? "")
            service.receive(.authenticate(reason: reason, options, request: path), id, call)
        }
    }

    private func withOptions(_ value: Value?, _ call: MethodCall, _ body: (CallOptions) -> Void) {
        switch CallOptions.read(value) {
        case .success(let read): body(read.options)
        case .failure(let failure): call.fail(failure)
        }
    }

    // MARK: Passcodes

    private func withPasscodes(_ method: Wire.Authenticator.Method, _ call: MethodCall) {
        let first = PasscodeInput.argument(0, of: call)
        let second = method == .setPasscode ? PasscodeInput.argument(1, of: call) : first
        let options = method == .setPasscode ? call.arguments.last : nil
        call.wipe()
        do {
            let passcode = try first.get()
            switch method {
            case .submitPasscode: service.receive(.submit(passcode), id, call)
            case .verifyPasscode: service.receive(.verify(passcode), id, call)
            case .clearPasscode: service.receive(.clearPasscode(current: passcode), id, call)
            case .setPasscode:
                let new = try second.get()
                guard options?.longestText ?? 0 <= Wire.Limit.argument else { return call.fail(.tooLong) }
                withOptions(options, call) {
                    service.receive(.setPasscode(current: passcode, new: new, $0), id, call)
                }
            default: break
            }
        } catch {
            call.fail(DBusFailure(error))
        }
    }

    private func withDescriptor(_ method: Wire.Authenticator.Method, _ call: MethodCall) {
        guard let descriptor = call.takeDescriptor(at: 0) else {
            return call.fail(.invalidArguments("The descriptor cannot be taken"))
        }
        PasscodeInput.descriptor(descriptor) { [self] result in
            switch result {
            case .success(let secret):
                let received: Call =
                    switch method {
                    case .resetFd: .reset(account: secret)
                    case .submitAccountPasswordFd: .submitAccount(secret)
                    default: .submit(secret)
                    }
                service.receive(received, id, call)
            case .failure(let refusal): call.fail(DBusFailure(refusal))
            }
        }
    }
}

extension DBusFailure {
    static var tooLong: DBusFailure {
        DBusFailure(.limitsExceeded, "An argument has \(Wire.Limit.argument) bytes at most")
    }
}
