import AuthCore
import AuthTexts
import CGLib
import DBus
import Glibc

/// What a caller's process is confined by.
enum Sandbox: Equatable {
    /// None that counts.
    case host
    /// Flatpak or snap, which vouch for the application.
    case application(AuthenticatorID)
    /// It cannot be told: denied.
    case undetermined
}

extension Sandbox {
    /// Looks at the credentials that the bus itself took from the caller's socket.
    ///
    /// - Parameters:
    ///   - pid: ProcessID of GetConnectionCredentials.
    ///   - label: LinuxSecurityLabel, where there is one.
    static func of(pid: UInt32, label: [UInt8]) -> Sandbox {
        if let application = snap(label: label) { return application }
        let process = open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard process >= 0 else { return .undetermined }
        defer { close(process) }
        // A snap without AppArmor is still told by its control group.
        guard let groups = contents(of: "cgroup", in: process) else { return .undetermined }
        if let application = snap(groups: groups) { return application }
        // The caller's own root: a Flatpak cannot keep this file out of it, nor put another in its place.
        let root = openat(process, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { return .undetermined }
        defer { close(root) }
        guard let info = contents(of: ".flatpak-info", in: root) else {
            return errno == ENOENT ? .host : .undetermined
        }
        return flatpak(info)
    }

    private static func flatpak(_ info: [UInt8]) -> Sandbox {
        guard let file = g_key_file_new() else { return .undetermined }
        defer { g_key_file_free(file) }
        let isLoaded = info.withUnsafeBytes {
            g_key_file_load_from_data(file, $0.baseAddress, gsize($0.count), G_KEY_FILE_NONE, nil)
        }
        // Instance "Runtime" stands for a runtime started without an application: nobody's.
        guard isLoaded != 0, let name = g_key_file_get_string(file, "Application", "name", nil) else {
            return .undetermined
        }
        defer { g_free(name) }
        return AuthenticatorID(application: String(cString: name)).map(Sandbox.application) ?? .undetermined
    }

    /// `snap.NAME.APP`, then perhaps a mode in parentheses and a NUL.
    private static func snap(label: [UInt8]) -> Sandbox? {
        let text = String(decoding: label.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }, as: UTF8.self)
        guard text.hasPrefix("snap.") else { return nil }
        return snap(security: text[...])
    }

    private static func snap(groups: [UInt8]) -> Sandbox? {
        for line in String(decoding: groups, as: UTF8.self).split(separator: "\n") {
            for element in line.split(separator: "/") where element.hasPrefix("snap.") {
                return snap(security: element)
            }
        }
        return nil
    }

    private static func snap(security text: Substring) -> Sandbox {
        let elements = text.split(separator: ".", omittingEmptySubsequences: false)
        guard elements.count >= 2 else { return .undetermined }
        return AuthenticatorID(application: "snap." + elements[1]).map(Sandbox.application) ?? .undetermined
    }

    /// A small file, or nil with `errno`.
    private static func contents(of name: String, in folder: Int32) -> [UInt8]? {
        let file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            errno = EINVAL
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + count, $0.count - count) }
            if got == 0 { return Array(bytes[..<count]) }
            if got < 0 {
                if errno == EINTR { continue }
                return nil
            }
            count += got
        }
        errno = EFBIG
        return nil
    }

    /// The name of the program's file; where that cannot be read, the program's word for itself. Neither proves
    /// anything.
    static func command(of pid: UInt32) -> String {
        let process = open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard process >= 0 else { return "" }
        defer { close(process) }
        let name = executable(in: process) ?? ownName(in: process)
        return Plain.text(String(decoding: name, as: UTF8.self))
    }

    /// Whole, where `comm` has 15 bytes only (proc(5)); nil for a program that forbids looking into it.
    private static func executable(in process: Int32) -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { readlinkat(process, "exe", $0.baseAddress!, $0.count) }
        guard count > 0 else { return nil }
        var path = bytes[..<count]
        let deleted = Array(" (deleted)".utf8)
        if path.count > deleted.count, path.suffix(deleted.count).elementsEqual(deleted) {
            path = path.dropLast(deleted.count)
        }
        let name = baseName(path)
        return name.isEmpty ? nil : name
    }

    /// `comm`, and the rest of it from the command line where it was cut.
    private static func ownName(in process: Int32) -> ArraySlice<UInt8> {
        let name = (contents(of: "comm", in: process) ?? []).prefix { $0 != UInt8(ascii: "\n") }
        guard name.count >= 15, let line = contents(of: "cmdline", in: process) else { return name }
        let whole = baseName(line.prefix { $0 != 0 })
        return whole.starts(with: name) ? whole : name
    }

    private static func baseName(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
    }
}
