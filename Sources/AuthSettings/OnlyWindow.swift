import DBus
import MainLoop

/// Sees that there is one window in a session: a second start brings the first one's to the front, on the page that was
/// asked for, and ends.
///
/// The interface is the Desktop Entry Specification's `org.freedesktop.Application`; the page is its action `page`.
@LoopActor
final class OnlyWindow: ServedInterface {
    private static let name = "org.smileauth.Settings"
    private static let path = "/org/smileauth/Settings"
    private static let interface = "org.freedesktop.Application"
    private static let action = "page"
    private static let startupKey = "desktop-startup-id"
    /// A first one that hangs is not waited for: then there are two.
    private static let patience = Duration.seconds(2)

    /// Called when another start wants the window: the page, where it names one, and its startup notification's id.
    private let onActivation: (_ page: String?, _ startup: String?) -> Void
    private var connection: Connection?
    private var server: ObjectServer?

    init(onActivation: @escaping (String?, String?) -> Void) { self.onActivation = onActivation }

    /// Takes the name, or asks its owner to show its window.
    ///
    /// - Parameter startup: lets the owner's window come to the front; nil where nobody gave this start one.
    /// - Returns: whether this one is to show a window. Without a bus it is.
    func claim(_ page: String?, startup: String?) async -> Bool {
        guard let connection = try? Connection.open(.session) else { return true }
        self.connection = connection
        // Before the name: a call may follow at once.
        let server = ObjectServer(connection)
        server.add([self], at: Self.path, isManaged: false)
        self.server = server
        do throws(DBusFailure) {
            try await connection.requestName(Self.name)
            return true
        } catch {
            guard error.name == DBusFailure.nameTaken("").name else { return true }
        }
        let platform = Value.options(startup.map { [Self.startupKey: .string($0)] } ?? [:])
        var (member, arguments) = ("Activate", [platform])
        if let page {
            member = "ActivateAction"
            arguments = [.string(Self.action), .array(of: "v", [.variant(.string(page))]), platform]
        }
        let reply = try? await connection.call(
            Self.name, Self.path, Self.interface, member, arguments, timeout: Self.patience)
        return reply == nil
    }

    // MARK: served

    let description = InterfaceDescription(
        OnlyWindow.interface,
        methods: [
            MethodDescription("Activate", inputs: [Argument("platform_data", "a{sv}")]),
            MethodDescription("Open", inputs: [Argument("uris", "as"), Argument("platform_data", "a{sv}")]),
            MethodDescription(
                "ActivateAction",
                inputs: [
                    Argument("action_name", "s"), Argument("parameter", "av"), Argument("platform_data", "a{sv}"),
                ]),
        ])

    func call(_ call: MethodCall) {
        let arguments = call.arguments
        var page: String?
        if call.member == "ActivateAction" {
            guard arguments[0].asString == Self.action else {
                return call.fail(.invalidArguments("The one action is \(Self.action)"))
            }
            page = arguments[1].asArray?.first?.unwrapped.asString
        }
        onActivation(page, arguments.last?.asDictionary?[Self.startupKey]?.unwrapped.asString)
        call.reply()
    }
}
