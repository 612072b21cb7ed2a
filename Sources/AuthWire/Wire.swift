/// Every name of the contract, in one place: the service, the command line and the libraries take them from here.
///
/// The documented form of the same names is the XML in `dbus/`; a test holds the two against each other.
public enum Wire {
    /// The well-known name that the service owns on the session bus.
    public static let busName = "org.smileauth.Auth1"

    /// The version of everything that is built from this tree, as in its CHANGELOG.
    public static let version = "0.1.0"

    /// What every error name of ours starts with, its last dot included.
    public static let errorPrefix = "org.smileauth.Auth1.Error."

    public enum Interface {
        public static let manager = "org.smileauth.Auth1.Manager"
        public static let authenticator = "org.smileauth.Auth1.Authenticator"
        public static let policy = "org.smileauth.Auth1.Policy"
        public static let fingerprint = "org.smileauth.Auth1.Fingerprint"
        public static let request = "org.smileauth.Auth1.Request"
        public static let properties = "org.freedesktop.DBus.Properties"
        public static let objectManager = "org.freedesktop.DBus.ObjectManager"
    }

    /// Limits that both ends know (section "Limits" of the contract).
    public enum Limit {
        /// The longest argument, and the longest passcode read from a descriptor, in bytes.
        public static let argument = 4096
        /// What is left of a caller's reason, in bytes of UTF-8.
        public static let reason = 256
    }
}
