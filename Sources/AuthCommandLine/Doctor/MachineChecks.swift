import Glibc

/// What the machine and the person's folders tell.
enum MachineChecks {
    static func run() -> [Finding] {
        [pam(), runtimeFolder(), dataFolder()]
    }

    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Where Linux-PAM looks (pam.conf(5)); without a file of ours it takes `other`, which denies.
    static func pam(_ folders: [String] = ["/etc/pam.d", "/usr/lib/pam.d", "/usr/etc/pam.d"]) -> Finding {
        if let folder = folders.first(where: { access($0 + "/smileauth", R_OK) == 0 }) {
            return .ok("PAM", "\(folder)/smileauth")
        }
        return .fail(
            "PAM", "there is no PAM service smileauth: the account password cannot be checked",
            mend: "Copy desktop/pam.d/smileauth to /etc/pam.d (make install does).")
    }

    /// The XDG Base Directory Specification wants it, owned by the user and with mode 0700.
    static func runtimeFolder(_ path: String? = environment("XDG_RUNTIME_DIR")) -> Finding {
        let subject = "XDG_RUNTIME_DIR"
        guard let path, path.hasPrefix("/") else {
            return .fail(
                subject, "not set: what is locked is not remembered over a restart of the service",
                mend: "pam_systemd sets it at login; without it, set it to a folder of yours with mode 0700.")
        }
        return folder(subject, path) ?? .ok(subject, "\(path), mode 0700")
    }

    /// Ours in XDG_DATA_HOME, and every file in it.
    static func dataFolder(_ base: String? = environment("XDG_DATA_HOME")) -> Finding {
        let home = environment("HOME") ?? ""
        let path = (base.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/share") + "/smileauth"
        let subject = "Data folder"
        guard access(path, F_OK) == 0 else { return .ok(subject, "\(path) comes with the first setting") }
        if let finding = folder(subject, path) { return finding }
        for entry in entries(path, depth: 2) where entry.mode & 0o077 != 0 || entry.owner != getuid() {
            return .fail(
                subject, "others may reach \(entry.path)",
                mend: "chmod -R go-rwx '\(path)', and see who owns what in it.")
        }
        return .ok(subject, "\(path), nobody else's")
    }

    /// What is wrong with a folder that has to be ours alone; nil when nothing is.
    private static func folder(_ subject: String, _ path: String) -> Finding? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            return .fail(subject, "\(path) is no folder", mend: "Make it, with mode 0700.")
        }
        guard status.st_uid == getuid() else {
            return .fail(subject, "\(path) belongs to somebody else", mend: "chown it to yourself.")
        }
        guard status.st_mode & 0o077 == 0 else {
            return .fail(subject, "others may reach \(path)", mend: "chmod 0700 '\(path)'")
        }
        return nil
    }

    private struct Entry {
        let path: String
        let mode: mode_t
        let owner: uid_t
    }

    /// What is below a folder, `depth` folders deep; links are not followed.
    private static func entries(_ path: String, depth: Int) -> [Entry] {
        var found: [Entry] = []
        for name in Folder.names(path) {
            var status = stat()
            guard lstat(path + "/" + name, &status) == 0 else { continue }
            found.append(Entry(path: path + "/" + name, mode: status.st_mode, owner: status.st_uid))
            if status.st_mode & S_IFMT == S_IFDIR && depth > 0 { found += entries(path + "/" + name, depth: depth - 1) }
        }
        return found
    }
}

enum Folder {
    /// Where a process's program is, by how it was called: everybody may read that (proc(5)). Empty where it does not
    /// say.
    static func ofProgram(_ pid: UInt32) -> String {
        let path = SmallFile.read("/proc/\(pid)/cmdline")?.split(separator: "\0").first ?? ""
        return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// What is in a folder; nothing where it cannot be read.
    static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let next = readdir(folder) {
            let name = withUnsafePointer(to: &next.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
                    String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
