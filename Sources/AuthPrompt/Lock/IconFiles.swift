import Glibc

/// Files of icons by name, where there is no GTK to ask: the folders of the Icon Theme Specification, in the theme that
/// every other one falls back to and in GTK's own.
enum IconFiles {
    private static let themes = ["hicolor", "Adwaita"]
    private static let sizes = ["scalable", "symbolic", "256x256", "128x128", "96x96", "64x64", "48x48", "32x32"]
    private static let contexts = [
        "apps", "status", "devices", "actions", "categories", "emblems", "mimetypes", "places", "legacy", "ui",
    ]

    /// - Parameter name: an icon's; nothing with a slash is one.
    static func path(of name: String) -> String? {
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { return nil }
        for folder in folders {
            for theme in themes {
                for size in sizes where access("\(folder)/icons/\(theme)/\(size)", X_OK) == 0 {
                    for context in contexts {
                        for ending in [".svg", ".png"] {
                            let path = "\(folder)/icons/\(theme)/\(size)/\(context)/\(name)\(ending)"
                            if access(path, R_OK) == 0 { return path }
                        }
                    }
                }
            }
            for ending in [".svg", ".png"] {
                let path = "\(folder)/pixmaps/\(name)\(ending)"
                if access(path, R_OK) == 0 { return path }
            }
        }
        return nil
    }

    /// XDG Base Directory Specification.
    private static var folders: [String] {
        func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let own = value("XDG_DATA_HOME") ?? value("HOME").map { $0 + "/.local/share" }
        let all = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        return [own].compactMap { $0 } + all
    }
}
