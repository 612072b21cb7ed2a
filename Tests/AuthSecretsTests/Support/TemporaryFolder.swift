import Glibc

/// A fresh folder that goes with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/smileauth-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
    }

    deinit {
        _ = Child(["rm", "-rf", path], environment: ["PATH": "/usr/bin:/bin"], output: "/dev/null")?.wait()
    }

    func write(_ text: String, to name: String) { writeBytes(Array(text.utf8), to: name) }

    func writeBytes(_ bytes: [UInt8], to name: String) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = Glibc.write(file, bytes, bytes.count)
        close(file)
    }

    func text(of name: String) -> String? {
        let file = open("\(path)/\(name)", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(file, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }
}
