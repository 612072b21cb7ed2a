import Glibc
import LoopTestKit
import MainLoop
import Testing

@testable import AuthService

@Suite struct ChildProcessTests {
    init() { TestLoop.running }

    /// A script, gone with its last reference.
    private final class Script {
        let path: String

        init(_ text: String) throws {
            var template = Array("/tmp/smileauth-child-XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            try #require(descriptor >= 0)
            path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            let bytes = Array(("#!/bin/sh\n" + text).utf8)
            try #require(write(descriptor, bytes, bytes.count) == bytes.count)
            fchmod(descriptor, 0o700)
            close(descriptor)
        }

        deinit { unlink(path) }
    }

    private func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: its close-on-exec flag can only be set later, and another test may start a program in between.
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    @LoopActor private func text(_ descriptor: Int32) async -> String {
        defer { close(descriptor) }
        var text: [UInt8] = []
        _ = await eventually {
            var room = [UInt8](repeating: 0, count: 100)
            guard poll(descriptor) else { return false }
            let count = read(descriptor, &room, room.count)
            text += room[..<max(0, count)]
            return count <= 0
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func poll(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&wanted, 1, 0) > 0
    }

    @Test @LoopActor func descriptorsGetTheirNumbersWhicheverTheyHad() async throws {
        let script = try Script("echo first >&3\necho second >&4\n[ -e /proc/self/fd/5 ] && echo more >&4\n")
        for isSwapped in [false, true] {
            let (one, two) = (try makePipe(), try makePipe())
            // The one with the higher number first: the numbers that they are to have may be each other's.
            let first = isSwapped == (one.writing < two.writing) ? two : one
            let second = first.writing == one.writing ? two : one
            let child = try #require(ChildProcess(script.path, descriptors: [first.writing, second.writing]))
            var statuses: [Int32] = []
            child.whenEnded { statuses.append($0) }
            #expect(await text(first.reading) == "first\n")
            #expect(await text(second.reading) == "second\n")
            #expect(await eventually { statuses.count == 1 })
        }
    }

    @Test @LoopActor func noCrashHandlerOfSwiftsPrintsMemory() async throws {
        let script = try Script("echo $SWIFT_BACKTRACE >&3\necho ${PATH:+path} >&3\n")
        let pipe = try makePipe()
        let former = getenv("SWIFT_BACKTRACE").map { String(cString: $0) }
        setenv("SWIFT_BACKTRACE", "enable=yes", 1)
        let child = ChildProcess(script.path, descriptors: [pipe.writing])
        if let former { setenv("SWIFT_BACKTRACE", former, 1) } else { unsetenv("SWIFT_BACKTRACE") }
        #expect(child != nil)
        #expect(await text(pipe.reading) == "enable=no\npath\n")
        child?.kill()
    }

    @Test @LoopActor func whatAKilledOneSaidAtItsEndIsNotLost() async throws {
        let script = try Script("exec sleep 60\n")
        for pause in [Duration.zero, .milliseconds(100)] {
            let pipe = try makePipe()
            let child = try #require(ChildProcess(script.path, descriptors: [pipe.writing]))
            child.kill()
            // By the time somebody asks it may have been buried.
            #expect(await text(pipe.reading).isEmpty)
            var isLater = false
            let timer = LoopSource.after(pause) { isLater = true }
            #expect(await eventually { isLater })
            var statuses: [Int32] = []
            child.whenEnded { statuses.append($0) }
            #expect(await eventually { statuses == [SIGKILL] })
            child.kill()
            timer.cancel()
        }
    }

    @Test @LoopActor func oneThatIsNotThereIsSaid() throws {
        let pipe = try makePipe()
        #expect(ChildProcess("/nonexistent/program", descriptors: [pipe.writing]) == nil)
        #expect(errno == ENOENT)
        // It was taken over all the same.
        #expect(fcntl(pipe.writing, F_GETFD) < 0)
        close(pipe.reading)
    }
}
