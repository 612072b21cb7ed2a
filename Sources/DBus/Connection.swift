internal import CDBus
import Glibc
public import MainLoop

/// A private connection to a message bus, on the main loop.
///
/// Messages are taken from libdbus's queue and told apart here rather than by its filters and pending calls: it costs
/// less, and lets a reply's sender be checked.
@LoopActor
public final class Connection {
    public enum Bus: Sendable {
        case session
        case system
        /// For instance `unix:path=/run/bus`.
        case address(String)
    }

    /// How many messages one round of the main loop takes, so that timers and other descriptors get their turn.
    private static let messagesPerRound = 32

    let raw: OpaquePointer
    private(set) var source: BusSource?
    /// Our unique name, for instance `:1.42`.
    public let uniqueName: String
    /// False for ever once the bus is gone.
    public private(set) var isConnected = true
    /// Called once, when the bus is gone; every waiting call has failed then.
    public var onDisconnect: (() -> Void)?
    /// Called before each incoming message is dispatched.
    public var willDispatch: (() -> Void)?
    /// Called when a name of ours went to somebody else, or was taken from us. Only the bus itself is believed.
    public var onNameLost: ((String) -> Void)?
    /// The object server's; a call that comes while there is none is answered UnknownObject.
    var onMethodCall: ((OpaquePointer) -> Void)?

    var pendingCalls: [UInt32: PendingCall] = [:]
    var ownedNames: Set<String> = []
    var trackers: [String: NameTracker] = [:]
    var subscriptions: [WeakSubscription] = []
    var peerLeftBodies: [(String) -> Void] = []
    var scrub = Scrub()

    private init(_ raw: OpaquePointer, uniqueName: String) {
        self.raw = raw
        self.uniqueName = uniqueName
    }

    isolated deinit {
        source?.detach()
        dbus_connection_close(raw)
        dbus_connection_unref(raw)
    }

    /// Connects and says Hello; blocks until the bus has answered.
    ///
    /// - Throws: what libdbus says, for instance `org.freedesktop.DBus.Error.FileNotFound` where there is no bus.
    public static func open(_ bus: Bus) throws(DBusFailure) -> Connection {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let raw: OpaquePointer?
        switch bus {
        case .session: raw = dbus_bus_get_private(DBUS_BUS_SESSION, &error)
        case .system: raw = dbus_bus_get_private(DBUS_BUS_SYSTEM, &error)
        case .address(let address):
            guard !address.utf8.contains(0) else { throw .invalidArguments("The bus's address holds a NUL") }
            raw = dbus_connection_open_private(address, &error)
        }
        guard let raw else { throw failure(of: error) }
        // libdbus would end the process on a lost bus; we want to deny everything first.
        dbus_connection_set_exit_on_disconnect(raw, 0)
        guard dbus_bus_get_unique_name(raw) != nil || dbus_bus_register(raw, &error) != 0,
            let name = dbus_bus_get_unique_name(raw)
        else {
            dbus_connection_close(raw)
            dbus_connection_unref(raw)
            throw failure(of: error)
        }
        let connection = Connection(raw, uniqueName: String(cString: name))
        connection.source = BusSource(raw) { [unowned connection] in connection.dispatchMessages() }
        return connection
    }

    private static func failure(of error: DBusError) -> DBusFailure {
        guard let name = error.name else { return .failed("libdbus gave no reason") }
        return DBusFailure(name: String(cString: name), message: error.message.map { String(cString: $0) } ?? "")
    }

    private func dispatchMessages() {
        for _ in 0..<Self.messagesPerRound {
            guard let message = dbus_connection_pop_message(raw) else { return }
            willDispatch?()
            dispatch(message)
            dbus_message_unref(message)
            guard dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS else { return }
        }
    }

    private func dispatch(_ message: OpaquePointer) {
        switch dbus_message_get_type(message) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL:
            if let onMethodCall {
                onMethodCall(message)
            } else {
                answerUnknownObject(message)
            }
        case DBUS_MESSAGE_TYPE_METHOD_RETURN, DBUS_MESSAGE_TYPE_ERROR: finishCall(message)
        case DBUS_MESSAGE_TYPE_SIGNAL: dispatchSignal(message)
        // The specification: unknown types are ignored.
        default: break
        }
    }

    private func answerUnknownObject(_ message: OpaquePointer) {
        guard dbus_message_get_no_reply(message) == 0,
            let reply = dbus_message_new_error(
                message, DBusFailure.unknownObject("").name, "This connection serves no objects")
        else { return }
        dbus_connection_send(raw, reply, nil)
        dbus_message_unref(reply)
    }

    private func dispatchSignal(_ message: OpaquePointer) {
        // libdbus refuses this interface from outside, and makes the message itself.
        if dbus_message_is_signal(message, "org.freedesktop.DBus.Local", "Disconnected") != 0 {
            disconnected()
            return
        }
        guard let header = Signal(header: message) else { return }
        // The bus writes the sender into each message, so nobody else can be the bus.
        let isDrivers = header.sender == Driver.name && header.interface == Driver.name
        guard isDrivers || isWanted(header), let signal = header.read(message) else { return }
        if isDrivers { driverSignal(signal) }
        deliver(signal)
    }

    private func disconnected() {
        guard isConnected else { return }
        isConnected = false
        failPendingCalls(.disconnected("The connection to the bus is gone"))
        loseAllNames()
        onDisconnect?()
    }

    /// Writes out all that is queued; blocks for up to a second where the bus does not read.
    public func flush() {
        let deadline = ContinuousClock.now + .seconds(1)
        var descriptor: Int32 = -1
        guard dbus_connection_get_unix_fd(raw, &descriptor) != 0 else { return }
        while dbus_connection_has_messages_to_send(raw) != 0 {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return }
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, Int32(left / .milliseconds(1)) + 1) >= 0 || errno == EINTR else { return }
            if ready.revents != 0, source?.writeNow() != true { return }
        }
    }
}

/// The message bus itself.
enum Driver {
    static let name = "org.freedesktop.DBus"
    static let path = "/org/freedesktop/DBus"
}
