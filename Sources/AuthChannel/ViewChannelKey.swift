/// Keys of a view's message (`V`) besides those of GetView and the looks, which go by their property's name.
public enum ViewChannelKey: String, Sendable, CaseIterable {
    /// The authenticator's application id; empty for the session's.
    case application
    case isSession = "is_session"
    /// No cause stands; else keys and sensor are off.
    case takesKeys = "takes_keys"
    /// Whether it comes up and changes with motions.
    case animated
    /// `x11:XID`, `wayland:HANDLE`, or empty.
    case parentWindow = "parent_window"
    /// An entry is being checked.
    case busy
    /// It is the session's lock, which has the screen for itself: on Wayland the prompt locks the session with it. Any
    /// other view is a window.
    case covers

    /// The D-Bus signature of the key's value.
    public var signature: String {
        switch self {
        case .application, .parentWindow: "s"
        case .isSession, .takesKeys, .animated, .busy, .covers: "b"
        }
    }
}
