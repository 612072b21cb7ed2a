import AuthWire
import DBus
import MainLoop

/// The sensor: what the service makes of it, and why it may not have one.
@LoopActor
struct FingerprintChecks {
    /// Gives the sensors to whoever sits at the seat.
    nonisolated static let rule = "71-smileauth-fingerprint.rules"
    /// Where udev looks for rules (udev(7)), the first one of a name wins.
    nonisolated static let ruleFolders = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
        "/lib/udev/rules.d",
    ]
    /// In the service's environment: forces a back end.
    nonisolated static let variable = "SMILEAUTH_FINGERPRINT"

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// - Parameter pid: the service's process.
    func run(_ pid: UInt32?) async -> [Finding] {
        let client = FingerprintClient(connection)
        guard let properties = try? await client.properties() else {
            return [.warn("Fingerprint", "the service does not tell of sensors")]
        }
        let sensor = SensorSummary(properties)
        let fingers = (try? await client.enrolledFingers()) ?? []
        let usb = USBSensor.all()
        let environment = pid.flatMap { SmallFile.read("/proc/\($0)/environ") }
        let isMissed = !sensor.isAvailable && !usb.isEmpty
        var findings = [Self.service(sensor, fingers, usb, forced: Self.forced(environment))]
        findings += usb.map { Self.usb($0, sensor, rule: Self.installedRule()) }
        findings.append(Self.fprintd(await askFprintd(), needed: isMissed))
        return findings
    }

    /// What the service has.
    nonisolated static func service(
        _ sensor: SensorSummary, _ fingers: [Wire.Finger], _ usb: [USBSensor], forced: String?
    ) -> Finding {
        let subject = "Fingerprint"
        if sensor.isAvailable {
            let basis = sensor.comparesPrints ? "" : "; another finger under the same name is not noticed"
            return .ok(subject, "\(sensor.line(.plain)), \(SensorSummary.fingers(fingers))\(basis)")
        }
        if let forced, forced != "auto" {
            return .warn(
                subject, "no sensor; \(variable)=\(PlainText.strip(forced)) is set for the service",
                mend: "Take it out of the service's environment (systemctl --user edit smileauth), and restart it.")
        }
        return usb.isEmpty
            ? .ok(subject, "no sensor was found on this machine")
            : .warn(subject, "there is a sensor, and neither libfprint nor fprintd gives it to the service")
    }

    /// The rule that udev goes by, with its text; nil where there is none.
    nonisolated static func installedRule(_ folders: [String] = ruleFolders) -> (path: String, text: String)? {
        for folder in folders {
            if let text = SmallFile.read("\(folder)/\(rule)") { return ("\(folder)/\(rule)", text) }
        }
        return nil
    }

    /// One sensor that the kernel sees.
    nonisolated static func usb(
        _ usb: USBSensor, _ sensor: SensorSummary, rule installed: (path: String, text: String)?
    ) -> Finding {
        let subject = "libfprint"
        if usb.canBeOpened { return .ok(subject, "\(usb.name) at \(usb.node) can be opened") }
        if sensor.isAvailable { return .ok(subject, "\(usb.name) is not ours to open; \(sensor.backend) has it") }
        let reload = "udevadm control --reload && udevadm trigger --action=change --subsystem-match=usb"
        guard let installed else {
            return .warn(
                subject, "\(usb.name) is there, and this user may not open \(usb.node): the udev rule is missing",
                mend: "Install desktop/\(rule) as /etc/udev/rules.d/\(rule) (make install puts it below "
                    + "\(ruleFolders[2])); then, as root: \(reload). Or let fprintd have the sensor.")
        }
        guard installed.text.contains("uaccess") else {
            return .warn(
                subject, "\(usb.name) is kept from this user by \(installed.path)",
                mend: "Remove that file, then, as root: \(reload). Or let fprintd have the sensor.")
        }
        return .warn(
            subject, "\(usb.name) is there, and this user may not open \(usb.node), though \(installed.path) is there",
            mend: "It holds for who sits at the seat, not over ssh. At the seat, as root: \(reload)")
    }

    /// - Parameters:
    ///   - answer: what its default device says is enrolled.
    ///   - needed: there is a sensor that nobody gives to the service.
    nonisolated static func fprintd(_ answer: Result<Void, DBusFailure>?, needed: Bool) -> Finding {
        let subject = "fprintd"
        func finding(_ text: String, _ mend: String) -> Finding {
            needed ? .warn(subject, text, mend: mend) : .ok(subject, text)
        }
        guard let answer else { return finding("there is no system bus to ask", "Start dbus.") }
        guard case .failure(let failure) = answer else { return .ok(subject, "answers, and has a sensor") }
        let parts = failure.name.split(separator: ".").map(String.init)
        switch parts.last {
        case "NoEnrolledPrints": return .ok(subject, "answers, and has a sensor; nothing is enrolled there")
        case "NoSuchDevice": return .ok(subject, "answers, and knows no sensor")
        case "ServiceUnknown", "NameHasNoOwner", "ServiceNotFound":
            return finding(
                "is not installed",
                "Install it (Debian: apt install fprintd), or give the sensor to the service itself.")
        case "PermissionDenied", "AccessDenied", "NotAuthorized":
            return .warn(
                subject, "does not let this user near the sensor: \(failure.message)",
                mend: "polkit grants net.reactivated.fprint.device.verify to active local sessions: run this at the "
                    + "seat, or add a polkit rule.")
        default:
            return .warn(
                subject, "fails: \(failure.message)",
                mend: "journalctl -u fprintd says why; systemctl restart fprintd starts it anew.")
        }
    }

    /// The value that forces a back end; nil for none, or where the process keeps its environment to itself.
    nonisolated static func forced(_ environment: String?) -> String? {
        environment?.split(separator: "\0").first { $0.hasPrefix(variable + "=") }
            .map { String($0.dropFirst(variable.count + 1)) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func askFprintd() async -> Result<Void, DBusFailure>? {
        let name = "net.reactivated.Fprint"
        guard let bus = try? Connection.open(.system) else { return nil }
        do throws(DBusFailure) {
            let manager = "/net/reactivated/Fprint/Manager"
            let reply = try await bus.call(name, manager, name + ".Manager", "GetDefaultDevice", timeout: .seconds(10))
            guard let device = reply.first?.asObjectPath else { return .failure(.failed("no device in its answer")) }
            // The empty name is the caller's own; asked with the rights that a scan needs.
            _ = try await bus.call(
                name, device, name + ".Device", "ListEnrolledFingers", [.string("")], timeout: .seconds(10))
            return .success(())
        } catch {
            return .failure(error)
        }
    }
}
