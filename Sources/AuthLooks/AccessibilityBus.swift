internal import CGLib
import Glibc

/// The bus that screen readers listen on, looked at before GTK does. GTK waits 25 s for its address and without an end
/// for its greeting, and no window comes up meanwhile: a lock would not open.
package enum AccessibilityBus {
    /// In milliseconds: asking for it may start it.
    private static let startTime: gint = 2_000
    private static let answerTime = timeval(tv_sec: 0, tv_usec: 500_000)

    private enum Address {
        case known(String)
        /// Nobody has one, and GTK is told so at once.
        case none
        case hangs
    }

    /// Before GTK is set up. Where the bus hangs GTK is told to do without.
    ///
    /// - Returns: false where it hangs.
    package static func prepare() -> Bool {
        switch address {
        case .known(let address) where isAlive(address):
            setenv("AT_SPI_BUS_ADDRESS", address, 1)
            return true
        case .none: return true
        case .known, .hangs:
            setenv("GTK_A11Y", "none", 1)
            return false
        }
    }

    private static var address: Address {
        if let given = getenv("AT_SPI_BUS_ADDRESS"), given.pointee != 0 { return .known(String(cString: given)) }
        guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil) else { return .none }
        // GTK goes on with this connection, whose end would be the process's.
        g_dbus_connection_set_exit_on_close(bus, 0)
        var error: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_sync(
            bus, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", nil, nil, G_DBUS_CALL_FLAGS_NONE,
            startTime, nil, &error)
        defer { g_clear_error(&error) }
        guard let reply else {
            let isLate = g_error_matches(error, g_io_error_quark(), gint(G_IO_ERROR_TIMED_OUT.rawValue)) != 0
            return isLate ? .hangs : .none
        }
        defer { g_variant_unref(reply) }
        guard g_variant_n_children(reply) == 1, let value = g_variant_get_child_value(reply, 0) else { return .none }
        defer { g_variant_unref(value) }
        guard g_variant_classify(value) == G_VARIANT_CLASS_STRING, let text = g_variant_get_string(value, nil) else {
            return .none
        }
        return .known(String(cString: text))
    }

    /// Whether somebody answers there, or it fails at once. Of what is no socket of this machine it is not asked.
    private static func isAlive(_ address: String) -> Bool {
        guard case (var place, let length)? = sockaddr_un.at(address) else { return true }
        let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connection >= 0 else { return true }
        defer { close(connection) }
        var time = answerTime
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        let result = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, length) }
        }
        guard result == 0 else { return errno != EAGAIN && errno != EINPROGRESS }
        // Which ways there are to say who one is: the first thing that a bus answers (D-Bus Specification).
        let question: [UInt8] = [0] + Array("AUTH\r\n".utf8)
        guard send(connection, question, question.count, Int32(MSG_NOSIGNAL)) == question.count else {
            return errno != EAGAIN
        }
        var answer: UInt8 = 0
        return recv(connection, &answer, 1, 0) >= 0 || errno != EAGAIN
    }
}

extension sockaddr_un {
    /// - Parameter address: `unix:path=…` or `unix:abstract=…`; nil for any other, and for one that is too long.
    fileprivate static func at(_ address: String) -> (sockaddr_un, socklen_t)? {
        guard address.hasPrefix("unix:") else { return nil }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        for part in address.dropFirst(5).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == "path" || pair[0] == "abstract" else { continue }
            let name = (pair[0] == "abstract" ? [0] : []) + Array(pair[1].utf8)
            guard name.count < MemoryLayout.size(ofValue: place.sun_path) else { return nil }
            withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: name) }
            // An abstract name is as long as it is said to be, a path ends with its zero.
            let end = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + name.count + (pair[0] == "path" ? 1 : 0)
            return (place, socklen_t(end))
        }
        return nil
    }
}
