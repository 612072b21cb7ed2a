public import Glibc

/// What the process's surroundings say about its login session.
public struct SessionEnvironment: Sendable {
    /// XDG_SESSION_ID; nil or wrong: logind is asked.
    public var loginSessionID: String?
    /// XDG_RUNTIME_DIR; nil: nothing can be kept over a restart of the service.
    public var runtimeDirectory: String?
    /// Whose session counts; a session of another user is not ours, whatever XDG_SESSION_ID says.
    public var userID: uid_t

    public init(loginSessionID: String?, runtimeDirectory: String?, userID: uid_t = getuid()) {
        self.loginSessionID = loginSessionID
        self.runtimeDirectory = runtimeDirectory
        self.userID = userID
    }

    /// This process's own.
    public static var process: Self {
        Self(loginSessionID: variable("XDG_SESSION_ID"), runtimeDirectory: variable("XDG_RUNTIME_DIR"))
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
