import Glibc

/// What `/proc` tells of the service's process.
enum ProcessChecks {
    static func run(_ pid: UInt32) -> [Finding] {
        let environment = SmallFile.read("/proc/\(pid)/environ")
        return [
            coreDumps(limits: SmallFile.read("/proc/\(pid)/limits")),
            backtraces(environment: environment),
            privileges(status: SmallFile.read("/proc/\(pid)/status")),
            cover(
                environment: environment ?? displays, ask: { WaylandGlobals.ask($0) },
                isInstalled: { access("\(Folder.ofProgram(pid))/\($0)", X_OK) == 0 }),
        ]
    }

    /// Of our own environment: a process that cannot be looked into was most likely started into the same session.
    private static var displays: String {
        ["DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"].map { "\($0)=\(MachineChecks.environment($0) ?? "")\0" }
            .joined()
    }

    /// What lies over the screen while the session is locked.
    ///
    /// - Parameters:
    ///   - ask: what the compositor at a socket offers.
    ///   - isInstalled: whether a program is there, in the service's own folder.
    static func cover(
        environment: String, ask: (String) -> WaylandGlobals.Answer, isInstalled: (String) -> Bool
    ) -> Finding {
        let subject = "Cover"
        let settings = environment.split(separator: "\0")
        func value(_ name: String) -> String? {
            let found = settings.first { $0.hasPrefix(name + "=") && $0.utf8.count > name.utf8.count + 1 }
            return found.map { String($0.dropFirst(name.count + 1)) }
        }
        let wayland = value("WAYLAND_DISPLAY")
        guard wayland != nil || value("DISPLAY") != nil else {
            return .warn(
                subject, "the service knows of no display: nothing asks, and nothing is covered",
                mend: "dbus-update-activation-environment --systemd DISPLAY XAUTHORITY WAYLAND_DISPLAY, then restart "
                    + "the service.")
        }
        let cover = wayland == nil ? [("smileauth-cover", "SMILEAUTH_COVER")] : []
        for (program, forced) in [("smileauth-prompt", "SMILEAUTH_PROMPT")] + cover {
            // Another program's path, for tests; or a way to have none.
            let path = settings.first { $0.hasPrefix(forced + "=") }?.dropFirst(forced.utf8.count + 1)
            if let path, access(String(path), X_OK) != 0 {
                return .warn(
                    subject, "\(forced) switches it off: a lock does not cover the screen",
                    mend: "Take it out of the service's environment, then restart the service.")
            }
            if path != nil || isInstalled(program) { continue }
            return .fail(
                subject, "\(program) is not beside the service: a lock does not cover the screen",
                mend: "make install puts it there; then restart the service.")
        }
        guard let wayland else {
            return .ok(subject, "X11: a lock covers every monitor and holds keyboard and pointer")
        }
        let socket = wayland.hasPrefix("/") ? wayland : (value("XDG_RUNTIME_DIR") ?? "") + "/" + wayland
        return Self.wayland(ask(socket), socket)
    }

    private static func wayland(_ answer: WaylandGlobals.Answer, _ socket: String) -> Finding {
        let subject = "Cover"
        switch answer {
        case .offers(let names) where names.contains("ext_session_lock_manager_v1"):
            return .ok(subject, "Wayland: the compositor locks the session, and shows nothing but the prompt")
        case .offers:
            return .warn(
                subject,
                "this compositor offers no session lock (ext-session-lock-v1): the prompt is a window like any other, "
                    + "and a lock does not cover the screen",
                mend: "Keep the desktop's screen locker for that. GNOME and KDE have none to offer; sway from 1.8 on, "
                    + "Hyprland, labwc, niri, river and others do.")
        case .silent:
            return .warn(
                subject, "the compositor at \(socket) does not answer: what a lock covers is not known",
                mend: "See what it is busy with.")
        case .absent:
            return .warn(
                subject, "there is no compositor at \(socket), which the service takes for its display",
                mend: "dbus-update-activation-environment --systemd WAYLAND_DISPLAY inside the session, then restart "
                    + "the service.")
        }
    }

    /// - Parameter limits: proc(5), "Max core file size  SOFT  HARD  bytes".
    static func coreDumps(limits: String?) -> Finding {
        let subject = "Core dumps"
        guard let limits, let line = limits.split(separator: "\n").first(where: { $0.hasPrefix("Max core file size") })
        else { return .warn(subject, "the service's limits cannot be read") }
        let soft = line.dropFirst("Max core file size".count).split(separator: " ").first
        return soft == "0"
            ? .ok(subject, "off for the service")
            : .fail(
                subject, "the service may leave cores with what was in its memory",
                mend: "Start it from its unit or by the bus; both set LimitCORE=0 or let the service do it.")
    }

    /// Swift's crash handler prints memory. A process that cannot be looked into keeps its environment to itself.
    static func backtraces(environment: String?) -> Finding {
        let subject = "Crash reports"
        guard let environment else { return .ok(subject, "the service's memory is closed to other processes") }
        let settings = environment.split(separator: "\0").first { $0.hasPrefix("SWIFT_BACKTRACE=") }
        return settings?.contains("enable=no") == true
            ? .ok(subject, "off for the service")
            : .fail(
                subject, "Swift's crash handler is on, and prints memory",
                mend: "Start the service with SWIFT_BACKTRACE=enable=no; its unit and activation file do.")
    }

    /// - Parameter status: proc(5), "NoNewPrivs:  0".
    static func privileges(status: String?) -> Finding {
        let subject = "Account check"
        guard let status, let line = status.split(separator: "\n").first(where: { $0.hasPrefix("NoNewPrivs:") }) else {
            return .warn(subject, "the service's status cannot be read")
        }
        return line.hasSuffix("0")
            ? .ok(subject, "the service may run PAM's helper")
            : .fail(
                subject, "the service runs with no_new_privs: PAM's unix_chkpwd cannot check the account password",
                mend: "Take sandbox options that imply it out of the service's unit.")
    }
}

/// Small files of /proc and /etc.
enum SmallFile {
    /// - Returns: nil when it cannot be read; at most 64 KiB.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
