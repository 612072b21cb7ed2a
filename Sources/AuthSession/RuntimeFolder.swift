import Glibc

/// `smileauth/` in XDG_RUNTIME_DIR (XDG Base Directory Specification): small files that a reboot empties.
///
/// Nothing here is synced to a disk: the folder is a tmpfs, and a kill loses no page of it.
struct RuntimeFolder: Sendable {
    /// XDG_RUNTIME_DIR; nil when there is none, and then nothing can be stored.
    let base: String?

    enum Contents: Equatable {
        case missing
        /// There, but not a regular file of ours, larger than allowed, or not to be read.
        case unreadable
        case bytes([UInt8])
    }

    /// Reads a file of at most `limit` bytes. Follows no symbolic link and does not block on a FIFO.
    func read(_ name: String, limit: Int) -> Contents {
        guard let base else { return .unreadable }
        let folder = open(base + "/smileauth", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return errno == ENOENT ? .missing : .unreadable }
        defer { close(folder) }
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return errno == ENOENT ? .missing : .unreadable }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_size <= limit
        else { return .unreadable }
        // One byte more than it has, to notice a file that grew meanwhile.
        let size = Int(status.st_size)
        var bytes = [UInt8](repeating: 0, count: size + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return .unreadable }
            if got == 0 { break }
            count += got
        }
        return count > size ? .unreadable : .bytes(Array(bytes[..<count]))
    }

    /// Replaces the file as a whole: a temporary file, mode 0600, renamed into place. False: nothing was replaced.
    func write(_ name: String, _ bytes: [UInt8]) -> Bool {
        withFolder { folder in
            let temporary = name + ".tmp"
            unlinkat(folder, temporary, 0)  // left by a run that was killed
            let file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { return false }
            let isWritten = Self.writeAll(bytes, to: file)
            guard close(file) == 0, isWritten, renameat(folder, temporary, folder, name) == 0 else {
                unlinkat(folder, temporary, 0)
                return false
            }
            return true
        } ?? false
    }

    /// Empties the file in place, which needs no space; makes an empty one where there is none.
    func truncate(_ name: String) -> Bool {
        withFolder { folder in
            let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
            let file = openat(folder, name, flags, 0o600)
            guard file >= 0 else { return false }
            return close(file) == 0
        } ?? false
    }

    func remove(_ name: String) {
        _ = withFolder { unlinkat($0, name, 0) }
    }

    private func withFolder<T>(_ body: (Int32) -> T) -> T? {
        guard let base else { return nil }
        let path = base + "/smileauth"
        mkdir(path, 0o700)  // where it stands already, opening it tells whether it will do
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        defer { close(folder) }
        return body(folder)
    }

    private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var done = 0
        while done < bytes.count {
            let put = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, $0.count - done) }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else { return false }
            done += put
        }
        return true
    }
}
