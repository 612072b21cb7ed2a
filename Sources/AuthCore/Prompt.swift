/// What the service's own prompt tells of the view that it shows. Each carries the view's number; what tells of another
/// view than the one that stands is void.
public enum PromptEvent: Sendable {
    /// Its first frame is on screen.
    case shown
    /// The process has ended; another one follows while the view stands.
    case gone
    /// An entry, answered by the token's ``Reply``.
    case entry(any Passcode, ReplyToken)
    case account(any Passcode, ReplyToken)
    /// So many circles are filled.
    case filled(UInt32)
    case fingerButton(Finger?)
    case fallback
    case cancel
    /// Somebody is at the desk: a key in the focused view while no entry is taken.
    case activity
}

/// What of the surroundings can show anything.
public enum DisplayEvent: Sendable, Equatable {
    /// Whether prompts can come: there is a display, and the program.
    case prompts(Bool)
    /// Whether the last prompts ended, one after the other, before their first frame: the display is gone, perhaps. Others
    /// are tried all the same.
    case promptsFail(Bool)
    /// Whether a cover can: grabs are to be had, and the program is there.
    case covers(Bool)
    /// The cover is over every monitor, and nothing else gets input.
    case covered(Bool)
}

/// What the prompt is told of a view beside what everybody may see of it.
public struct PromptState: Sendable, Equatable {
    public var view: ViewState
    /// No cause stands: entries and fingers are taken.
    public var takesKeys: Bool
    /// An entry is being checked.
    public var isBusy: Bool
    public var isAnimated: Bool
    /// `x11:XID`, `wayland:HANDLE`, or empty.
    public var parentWindow: String
    /// It is the session's lock: nothing else is to be seen or reached.
    public var covers: Bool
}

extension Caller {
    /// The service's own prompt: no connection has this name.
    static let prompt = Caller(connection: "prompt", sandboxed: nil, displayName: "")
}
