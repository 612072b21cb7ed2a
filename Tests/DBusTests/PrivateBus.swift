import CDBus
import DBus
import Glibc
import LoopTestKit
import MainLoop
import Testing

struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A message bus of a test's own; ends with its last reference.
final class PrivateBus: Sendable {
    let address: String
    let pid: pid_t
    private let folder: String

    init() throws {
        TestLoop.running
        var template = Array("/tmp/smileauth-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = "unix:path=\(folder)/bus"
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { throw TestFailure("pipe: \(errno)") }
        defer { close(pipe[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 3)
        let arguments = [
            "dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(address)", "--print-address=3",
        ]
        var pointers = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, "dbus-daemon", &actions, nil, &pointers, environ)
        close(pipe[1])
        guard error == 0 else { throw TestFailure("dbus-daemon: \(error)") }
        pid = child
        // It prints its address when it listens.
        var byte: UInt8 = 0
        guard read(pipe[0], &byte, 1) == 1 else { throw TestFailure("dbus-daemon has ended") }
    }

    deinit {
        stop()
        unlink("\(folder)/bus")
        rmdir(folder)
    }

    func stop() {
        guard kill(pid, 0) == 0 else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    @LoopActor func connect() throws -> Connection { try Connection.open(.address(address)) }
}

/// Waits until `condition` holds, looked at on every turn of the loop, for up to ten seconds.
@LoopActor
func waitUntil(_ what: String = "", _ condition: @escaping @LoopActor () -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { throw TestFailure("waited in vain: \(what)") }
        var source: LoopSource?
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            source = .after(.milliseconds(1)) { done.resume() }
        }
        source?.cancel()
    }
}

/// Waits until the bus has handled all that `connection` has sent.
@LoopActor
func settle(_ connection: Connection) async throws {
    _ = try await connection.call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Peer", "Ping")
}
