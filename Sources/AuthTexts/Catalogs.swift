internal import CLinux
internal import Glibc

/// Where the catalogs of translations are, and the language that the session asks for.
public enum Catalogs {
    /// gettext's domain, and the name of the catalogs' files.
    public static let domain = "smileauth"

    /// To be called once, before anything is translated and before there is a second thread: setlocale(3) and the
    /// environment are the whole process's.
    ///
    /// LC_ALL, LC_MESSAGES, LANG and LANGUAGE count as gettext has them. A locale that the machine does not have would
    /// leave the C locale, in which LANGUAGE does not count, so C.UTF-8 stands in for it.
    public static func open() {
        if setlocale(LC_ALL, "") == nil { setlocale(LC_ALL, "C.UTF-8") }
        if let folder { bindtextdomain(domain, folder) }
        // D-Bus and GTK take UTF-8 only, whatever the locale's encoding is.
        bind_textdomain_codeset(domain, "UTF-8")
    }

    /// Whether windows of these texts are laid out from right to left.
    public static var isRightToLeft: Bool {
        // Translators: "default:RTL" where your language is written from right to left, else "default:LTR".
        translated("default:LTR") == "default:RTL"
    }

    /// `SMILEAUTH_LOCALEDIR` (development and tests), else `share/locale` below the nearest of the three folders above
    /// the program's own that has one: /usr/local/share/locale for /usr/local/libexec/smileauthd, and the same prefix's
    /// for /usr/lib/TRIPLET/smileauth/smileauthd. nil: where gettext looks by itself, /usr/share/locale.
    static var folder: String? {
        if let forced = getenv("SMILEAUTH_LOCALEDIR"), forced.pointee != 0 { return String(cString: forced) }
        return program.flatMap(folder(of:))
    }

    static func folder(of program: String) -> String? {
        var place = program[...]
        for step in 0...3 {
            guard let slash = place.lastIndex(of: "/"), slash > place.startIndex else { return nil }
            place = place[..<slash]
            // The first is the program's own folder.
            let candidate = place + "/share/locale"
            if step > 0, access(String(candidate), R_OK | X_OK) == 0 { return String(candidate) }
        }
        return nil
    }

    private static var program: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        guard length > 0, length < buffer.count else { return nil }
        return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
