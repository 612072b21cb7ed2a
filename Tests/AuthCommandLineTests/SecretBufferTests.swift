import Glibc
import MainLoop
import Testing

@testable import AuthCommandLine

@Suite struct SecretBufferTests {
    @Test func aPipeHoldsTheBytesAndEnds() throws {
        let buffer = try #require(SecretBuffer())
        for byte in 0..<4096 { buffer.append(UInt8(byte % 251)) }
        let descriptor = try #require(buffer.makePipe())
        defer { close(descriptor) }
        // The service reads it like any descriptor: it must block there, and must not outlive an exec here.
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        var read: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1000)
        while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 { read += chunk[..<count] }
        #expect(read == (0..<4096).map { UInt8($0 % 251) })
    }

    @Test func itNeverGrows() throws {
        let buffer = try #require(SecretBuffer())
        for _ in 0..<SecretBuffer.capacity { #expect(buffer.append(1)) }
        #expect(!buffer.append(1))
        buffer.removeAll()
        #expect(buffer.isEmpty)
        buffer.withBytes { #expect($0.isEmpty) }
    }
}
