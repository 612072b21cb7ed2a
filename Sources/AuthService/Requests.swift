import AuthCore
import AuthWire
import DBus
import MainLoop

/// Requests that wait for a person: their paths, objects and ends.
@LoopActor
final class Requests {
    private let server: ObjectServer
    private unowned let service: Service
    private var standing: [String: RequestInterface] = [:]
    private var counter: UInt64 = 0

    init(_ server: ObjectServer, _ service: Service) {
        self.server = server
        self.service = service
    }

    /// The path of a request to come; nil where its token is taken.
    func path(for sender: String, token: String?) -> String? {
        guard let token else {
            repeat { counter += 1 } while standing[Wire.Path.request(sender: sender, token: "t\(counter)")] != nil
            return Wire.Path.request(sender: sender, token: "t\(counter)")
        }
        let path = Wire.Path.request(sender: sender, token: token)
        return standing[path] == nil ? path : nil
    }

    /// Reads the options of a call that waits for a person, and finds its request's path; answers the call where one
    /// of the two cannot be.
    func withPath(_ options: Value?, _ call: MethodCall, _ body: (CallOptions, String) -> Void) {
        switch CallOptions.read(options) {
        case .failure(let failure): call.fail(failure)
        case .success(let read):
            guard let path = path(for: call.sender, token: read.token) else {
                return call.fail(.invalidArguments("The handle_token is in use"))
            }
            body(read.options, path)
        }
    }

    func begin(_ path: String, for sender: String) {
        let request = RequestInterface(path, sender, service)
        standing[path] = request
        server.add([request], at: path, isManaged: false)
    }

    /// Tells its caller alone, and takes it off the bus.
    func complete(_ path: String, to sender: String, _ completion: Completion) {
        guard standing.removeValue(forKey: path) != nil else { return }
        server.connection.emit(
            path: path, interface: Wire.Interface.request, member: Wire.Request.Signal.completed.rawValue,
            completion.arguments, to: sender)
        server.remove(path)
    }

    func requester(of path: String) -> String? { standing[path]?.sender }

    /// A caller left: what it waited for is told to nobody.
    func left(_ sender: String) {
        for (path, request) in standing where request.sender == sender {
            standing[path] = nil
            server.remove(path)
        }
    }
}

/// `org.smileauth.Auth1.Request`.
@LoopActor
final class RequestInterface: ServedInterface {
    private let path: String
    let sender: String
    private unowned let service: Service

    init(_ path: String, _ sender: String, _ service: Service) {
        self.path = path
        self.sender = sender
        self.service = service
    }

    var description: InterfaceDescription { .request }

    func call(_ call: MethodCall) {
        guard let caller = service.caller(of: call) else { return call.fail(.denied) }
        service.handle(.cancelRequest(path, caller, service.expect(call)))
    }
}
