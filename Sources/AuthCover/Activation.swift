import AuthWire
import DBus
import Glibc
import MainLoop

/// Asks the session bus to start the service again, until a successor stands, or the next service says that nothing is
/// to be covered: it cannot remove a cover that came up only after it had looked for what was left.
///
/// By a process of its own, this program with another argument: a bus that hangs holds up no cover.
@LoopActor
final class Activation {
    nonisolated static let argument = "--activate"
    private static let first: Duration = .milliseconds(500)
    private static let last: Duration = .seconds(30)
    /// How the other process says that the session is open.
    private nonisolated static let isOpen: Int32 = 4

    private let program: String
    private var child: pid_t = 0
    private var pause = first
    private var timer: LoopSource?
    private let onOpen: @LoopActor () -> Void

    /// - Parameter onOpen: called where a service says that the session is open.
    init(onOpen: @escaping @LoopActor () -> Void) {
        self.onOpen = onOpen
        // Read while it is sure to be there: an update may move the file.
        program = (try? Self.ownPath()) ?? "/proc/self/exe"
    }

    func start() {
        if child > 0 {
            var status: Int32 = 0
            if waitpid(child, &status, WNOHANG) == child {
                child = 0
                // The status of one that ended by itself is in the second byte (wait(2)).
                if status == Self.isOpen << 8 { return onOpen() }
            }
        }
        if child == 0 { spawn() }
        timer = .after(pause) { [weak self] in self?.start() }
        pause = min(pause * 2, Self.last)
    }

    private func spawn() {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &pipe)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("smileauth-cover"), strdup(Self.argument), nil]
        defer { for argument in arguments { free(argument) } }
        let status = posix_spawn(&child, program, nil, &attributes, &arguments, environ)
        if status != 0 {
            child = 0
            log("cannot start \(program): \(String(cString: strerror(status)))")
        }
    }

    private nonisolated static func ownPath() throws -> String {
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            let count = readlink("/proc/self/exe", buffer.baseAddress!, buffer.count - 1)
            guard count > 0 else { throw DBusFailure.failed("no path of our own") }
            buffer[count] = 0
            return String(cString: buffer.baseAddress!)
        }
    }

    /// The other process: asks once, and ends with 0 when the bus says that the service runs, with ``isOpen`` where that
    /// covers nothing.
    nonisolated static func run() -> Never {
        onLoop {
            do throws(DBusFailure) {
                let bus = try Connection.open(.session)
                _ = try await bus.call(
                    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName",
                    [.string(Wire.busName), .uint32(0)], timeout: .seconds(25))
                guard try await says(bus, .shouldCover), try await says(bus, .isShowingAuth) else { exit(isOpen) }
                exit(0)
            } catch {
                log("the service does not start: \(error.name)")
                exit(1)
            }
        }
        MainLoop.run()
        exit(1)
    }

    /// Whether a property of the session is true, or is none. A session that is locked has its view; one that has not
    /// been locked since the service was started may as well be unauthenticated.
    private nonisolated static func says(
        _ bus: Connection, _ property: Wire.Authenticator.Property
    ) async throws(DBusFailure) -> Bool {
        let values = try await bus.call(
            Wire.busName, Wire.Path.session, Wire.Interface.properties, "Get",
            [.string(Wire.Interface.authenticator), .string(property.rawValue)], timeout: .seconds(25))
        return values.first?.unwrapped.asBool != false
    }
}
