import AuthWire
import DBus
import Glibc

/// One event of `smileauth monitor` as a line.
struct MonitorLine: Sendable {
    let style: Style
    let isJSON: Bool

    /// A signal; a change of properties is one line too, with each property's new value.
    ///
    /// - Parameter time: microseconds since 1970.
    func lines(_ signal: Signal, at time: UInt64) -> [String] {
        if isJSON { return [json(signal, time).render()] }
        return [human(signal, time)]
    }

    /// The service came or went.
    func service(isThere: Bool, at time: UInt64) -> String {
        let member = isThere ? "ServiceAppeared" : "ServiceVanished"
        if isJSON {
            return JSON.object([("time", .string(MonitorLine.utc(time))), ("event", .string(member))]).render()
        }
        return row(time, "service", member, "")
    }

    private func human(_ signal: Signal, _ time: UInt64) -> String {
        let who = MonitorLine.owner(of: signal.path)
        guard let (_, changed) = MonitorLine.changes(signal) else {
            return row(time, who, signal.member, signal.arguments.map(\.text).joined(separator: "  "))
        }
        let values = changed.sorted { $0.key < $1.key }.map { key, value in
            style.dim(PlainText.strip(key) + " ") + value.text
        }
        return row(time, who, signal.member, values.joined(separator: "  "))
    }

    private func row(_ time: UInt64, _ who: String, _ member: String, _ rest: String) -> String {
        let start = style.dim(MonitorLine.clock(time)) + "  " + style.cyan(PlainText.pad(who, to: 16)) + "  "
        return start + (rest.isEmpty ? style.bold(member) : style.bold(PlainText.pad(member, to: 23)) + "  " + rest)
    }

    private func json(_ signal: Signal, _ time: UInt64) -> JSON {
        var members: [(String, JSON)] = [
            ("time", .string(MonitorLine.utc(time))), ("path", .string(signal.path)),
            ("application", Wire.Path.application(of: signal.path).map(JSON.string) ?? .null),
        ]
        if let (interface, changed) = MonitorLine.changes(signal) {
            members += [
                ("interface", .string(interface)), ("event", .string(signal.member)), ("changed", changed.json),
            ]
        } else {
            members += [
                ("interface", .string(signal.interface)), ("event", .string(signal.member)),
                ("arguments", .array(signal.arguments.map(\.json))),
            ]
        }
        return .object(members)
    }

    /// The interface and the new values of a PropertiesChanged; those that were only invalidated are left out: none of
    /// ours are.
    private static func changes(_ signal: Signal) -> (interface: String, changed: [String: Value])? {
        guard signal.member == "PropertiesChanged", signal.arguments.count >= 2,
            let interface = signal.arguments[0].asString, let changed = signal.arguments[1].asDictionary
        else { return nil }
        return (interface, changed)
    }

    /// The application id, `session` or `manager`.
    static func owner(of path: String) -> String {
        if path == Wire.Path.root { return "manager" }
        if path == Wire.Path.fingerprint { return "fingerprint" }
        guard let application = Wire.Path.application(of: path) else { return PlainText.strip(path) }
        return application.isEmpty ? "session" : PlainText.strip(application)
    }

    /// `03:50:12.123`, local time.
    private static func clock(_ time: UInt64) -> String {
        var seconds = time_t(time / 1_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(pad(time / 1000 % 1000, 3))"
    }

    /// `2026-11-30T03:50:12.123456Z` (RFC 3339).
    static func utc(_ time: UInt64) -> String {
        var seconds = time_t(time / 1_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(pad(time % 1_000_000, 6))Z"
    }

    private static func two(_ number: Int32) -> String { pad(UInt64(number), 2) }
    private static func pad(_ number: UInt64, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
