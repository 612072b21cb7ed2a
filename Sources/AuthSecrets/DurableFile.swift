import Glibc

/// One small file of ours: mode 0600, replaced as a whole and durably, never half written.
///
/// Every call blocks: for a ``WorkThread`` only. One thread at a time may write below one folder, as the temporary's
/// name is fixed (a crash leaves one at most).
package struct DurableFile: Sendable {
    /// Absolute.
    package let path: String

    package init(path: String) { self.path = path }

    /// Far more than any file of ours; a larger one is broken.
    static let largest = 256 * 1024

    package struct Failure: Error, Equatable {
        /// The `errno` of the call that failed.
        package let code: Int32
    }

    package enum Content: Sendable, Equatable {
        case missing
        case bytes([UInt8])
        case tooLarge
        case unreadable(Int32)
    }

    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
    private var name: String { path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path }
    private var temporary: String { "\(folder)/.\(name).tmp" }

    /// Reads a regular file. A symbolic link in the last place is not followed, a FIFO or a device not waited for.
    package func read() -> Content {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .unreadable(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .unreadable(EINVAL) }
        guard status.st_size <= Self.largest else { return .tooLarge }

        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .unreadable(errno) }
            if count == 0 { return .bytes(bytes) }
            bytes += chunk[..<count]
            guard bytes.count <= Self.largest else { return .tooLarge }
        }
    }

    /// Replaces the file: temporary, `fsync`, `rename`, `fsync` of the folder. Missing folders are made with mode 0700.
    ///
    /// After an error the old file stands, save for one in the very last step: the new one stands then, but a power
    /// cut may bring the old one back.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        try Self.makeFolder(folder)
        unlink(temporary)  // of a run that was cut off
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Failure(code: errno) }
        do throws(Failure) {
            try Self.writeAll(bytes, to: file)
        } catch {
            close(file)
            unlink(temporary)
            throw error
        }
        close(file)
        guard rename(temporary, path) == 0 else {
            let failure = Failure(code: errno)
            unlink(temporary)
            throw failure
        }
        try Self.syncFolder(folder)
    }

    /// Deletes the file durably; none there is fine.
    package func remove() throws(Failure) {
        guard unlink(path) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw Failure(code: errno)
        }
        try Self.syncFolder(folder)
    }

    /// Renames the file to `<name>.broken`, over an older one; none there is fine.
    package func setAside() throws(Failure) {
        guard rename(path, path + ".broken") == 0 else {
            if errno == ENOENT { return }
            throw Failure(code: errno)
        }
        try Self.syncFolder(folder)
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        guard fchmod(file, 0o600) == 0 else { throw Failure(code: errno) }  // whatever the umask took away
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, $0.count - done) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure(code: count == 0 ? EIO : errno) }
            done += count
        }
        guard fsync(file) == 0 else { throw Failure(code: errno) }
    }

    static func syncFolder(_ folder: String) throws(Failure) {
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Failure(code: errno) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Failure(code: errno) }
    }

    /// Makes `folder` and those above it that are missing, each durable in its parent.
    private static func makeFolder(_ folder: String) throws(Failure) {
        if mkdir(folder, 0o700) == 0 { return try syncFolder(parent(of: folder)) }
        switch errno {
        case EEXIST: return
        case ENOENT where folder.contains("/") && folder != "/":
            try makeFolder(parent(of: folder))
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Failure(code: errno) }
            try syncFolder(parent(of: folder))
        default: throw Failure(code: errno)
        }
    }

    private static func parent(of folder: String) -> String {
        guard let slash = folder.lastIndex(of: "/") else { return "." }
        return slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
}
