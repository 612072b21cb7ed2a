import Glibc

/// The programs that the service starts, and whether they can show anything.
enum Programs {
    /// `SMILEAUTH_PROMPT`, else the one that is installed beside the service; nil where there is none.
    static var prompt: String? { path(of: "smileauth-prompt", override: "SMILEAUTH_PROMPT") }

    /// `SMILEAUTH_COVER`, else the one that is installed beside the service; nil where there is none.
    static var cover: String? { path(of: "smileauth-cover", override: "SMILEAUTH_COVER") }

    /// An X or a Wayland display, by the environment that the session gave the service.
    static var hasDisplay: Bool { isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") }

    /// An X server that is no Wayland compositor's.
    static var hasX11: Bool { isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") }

    private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }

    private static func path(of program: String, override: String) -> String? {
        if let forced = getenv(override) {
            let path = String(cString: forced)
            return access(path, X_OK) == 0 ? path : nil
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        let own = String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let path = own[...slash] + program
        return access(String(path), X_OK) == 0 ? String(path) : nil
    }
}
