import AuthCore
import AuthWire
import DBus
import MainLoop

/// `org.smileauth.Auth1.Fingerprint`: the sensor and the enrolled fingers.
@LoopActor
final class FingerprintInterface: ServedInterface {
    private unowned let service: Service

    init(_ service: Service) { self.service = service }

    var description: InterfaceDescription { .fingerprint }

    func get(_ property: String) -> Value? {
        Wire.Fingerprint.Property(rawValue: property).map { service.machine.fingerprint.value(of: $0) }
    }

    func call(_ call: MethodCall) {
        let arguments = call.arguments
        guard arguments.allSatisfy({ $0.longestText <= Wire.Limit.argument }) else { return call.fail(.tooLong) }
        switch Wire.Fingerprint.Method(rawValue: call.member) {
        case .listEnrolledFingers: service.receive(.list, call)
        case .enroll:
            guard let finger = Finger(argument: arguments.first) else { return call.fail(.notAFinger) }
            service.requests.withPath(arguments[1], call) { _, path in
                service.receive(.enroll(finger, request: path), call)
            }
        case .verifyTest:
            service.requests.withPath(arguments[0], call) { options, path in
                service.receive(.verifyTest(options, request: path), call)
            }
        case .deleteFinger:
            guard let finger = Finger(argument: arguments.first) else { return call.fail(.notAFinger) }
            service.receive(.delete(finger), call)
        case .deleteAll: service.receive(.deleteAll, call)
        case nil: call.fail(.unknownMethod("No method \(call.member)"))
        }
    }
}

extension DBusFailure {
    static var notAFinger: DBusFailure { .invalidArguments("No finger of this name") }
}
