public import AuthCore
import Glibc
internal import MainLoop

/// One of the files an authenticator has.
public enum AuthenticatorFile: String, Sendable, CaseIterable {
    /// Which passcode counts; kept by ``LibsecretStore`` alone.
    case marker
    case settings
    /// Failures and the wait they cost.
    case attempts
}

/// The durable files, below `$XDG_DATA_HOME/smileauth`: `session/` and `app/<application id>/` with one file of each
/// kind, and `account-attempts`. Folders have mode 0700, files 0600; nothing else lives there.
///
/// All of it runs on a thread of its own, in the order it was asked for.
public final class AuthenticatorFiles: Sendable {
    private let thread = WorkThread(name: "files")
    private let log: @Sendable (String) -> Void
    /// Absolute, without a trailing slash.
    public let folder: String

    /// - Parameters:
    ///   - folder: absolute, as a rule `$XDG_DATA_HOME/smileauth`; made when something is written.
    ///   - log: told what a person should know (a broken file that was set aside); called on the files' thread.
    public init(folder: String, log: @escaping @Sendable (String) -> Void) {
        self.folder = folder
        self.log = log
    }

    public func read(_ file: AuthenticatorFile, of id: AuthenticatorID) async -> KeyFileReading {
        let path = path(of: file, of: id)
        return await thread.run { KeyFile(path: path).read() }
    }

    /// Sets `fields` and drops `removed`, keeps every other key; durable when it answers true. A broken file is set
    /// aside first. After false the old file stands as a rule: see ``DurableFile/write(_:)``.
    public func write(
        _ file: AuthenticatorFile, fields: [String: String], removing removed: [String] = [], of id: AuthenticatorID
    ) async -> Bool {
        let path = path(of: file, of: id)
        return await thread.run { [log] in KeyFile(path: path).write(fields, removing: removed, log: log) }
    }

    /// Deletes the file durably, and the authenticator's folder with its last one. None there is fine.
    public func remove(_ file: AuthenticatorFile, of id: AuthenticatorID) async -> Bool {
        let path = path(of: file, of: id)
        let folder = folder(of: id)
        return await thread.run {
            guard KeyFile(path: path).remove() else { return false }
            rmdir(folder)  // says no while it holds another file
            return true
        }
    }

    /// Renames a broken file to `<name>.broken` and says so; the caller goes on with its safe defaults.
    public func setAside(_ file: AuthenticatorFile, of id: AuthenticatorID, why: String) async -> Bool {
        let path = path(of: file, of: id)
        return await thread.run { [log] in KeyFile(path: path).setAside(why, log: log) }
    }

    /// The record of wrong account passwords.
    public func readAccountAttempts() async -> KeyFileReading {
        await thread.run { [folder] in KeyFile(path: folder + "/account-attempts").read() }
    }

    public func writeAccountAttempts(fields: [String: String], removing removed: [String] = []) async -> Bool {
        await thread.run { [folder, log] in
            KeyFile(path: folder + "/account-attempts").write(fields, removing: removed, log: log)
        }
    }

    /// Every authenticator that has a file, the session's first; nil when the folder cannot be read.
    public func storedIDs() async -> [AuthenticatorID]? {
        await thread.run { [folder] in
            guard let names = Self.names(in: folder + "/app") else { return nil }
            let applications = names.compactMap { AuthenticatorID(application: $0) }
            return ([.session] + applications.sorted()).filter { id in
                AuthenticatorFile.allCases.contains { file in
                    var status = stat()
                    return lstat(Self.path(of: file, of: id, below: folder), &status) == 0
                }
            }
        }
    }

    /// Waits for what was asked for before, at the end of the process.
    public func settle() async { await thread.run {} }

    private static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return errno == ENOENT ? [] : nil }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = Glibc.readdir(directory) else { return errno == 0 ? names : nil }
            let length = Int(strlen(entry.pointer(to: \.d_name)!.withMemoryRebound(to: CChar.self, capacity: 1) { $0 }))
            let bytes = UnsafeRawBufferPointer(start: entry.pointer(to: \.d_name)!, count: length)
            names.append(String(decoding: bytes, as: UTF8.self))
        }
    }

    private func folder(of id: AuthenticatorID) -> String { Self.folder(of: id, below: folder) }
    private func path(of file: AuthenticatorFile, of id: AuthenticatorID) -> String {
        Self.path(of: file, of: id, below: folder)
    }

    // An application id has no slash and no empty element, so it names no folder but its own.
    private static func folder(of id: AuthenticatorID, below folder: String) -> String {
        id == .session ? folder + "/session" : folder + "/app/" + id.application
    }

    private static func path(of file: AuthenticatorFile, of id: AuthenticatorID, below folder: String) -> String {
        Self.folder(of: id, below: folder) + "/" + file.rawValue
    }
}
