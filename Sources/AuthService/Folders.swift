import Glibc

/// Where the service keeps what it keeps, by the XDG Base Directory Specification.
struct Folders {
    /// `$XDG_DATA_HOME/smileauth`: markers, settings, failures.
    var data: String
    /// `$XDG_STATE_HOME/smileauth`: what can be measured again.
    var state: String

    /// - Returns: nil where neither the variables nor HOME name a folder.
    static var fromEnvironment: Folders? {
        guard let data = folder("XDG_DATA_HOME", "/.local/share"), let state = folder("XDG_STATE_HOME", "/.local/state")
        else { return nil }
        return Folders(data: data + "/smileauth", state: state + "/smileauth")
    }

    /// The specification has relative paths ignored.
    private static func folder(_ name: String, _ fallback: String) -> String? {
        if let path = value(name) { return path }
        return value("HOME").map { $0 + fallback }
    }

    private static func value(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        var path = String(cString: value)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path.hasPrefix("/") ? path : nil
    }
}
