/// logind's names (org.freedesktop.login1(5)).
enum Login1 {
    static let bus = "org.freedesktop.login1"
    static let path = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    static let session = "org.freedesktop.login1.Session"
    static let user = "org.freedesktop.login1.User"
    static let properties = "org.freedesktop.DBus.Properties"

    /// The word by which SessionSources and the (cause, source) pairs name it.
    static let source = "logind"
}
