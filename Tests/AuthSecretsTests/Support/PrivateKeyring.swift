import Glibc
import LoopTestKit
import MainLoop

/// A session bus of the test's own and, on it, a real gnome-keyring with folders of its own. No service folders, so
/// nothing is activated behind the test's back.
final class PrivateKeyring: @unchecked Sendable {  // one test uses it
    static let collection = "/org/freedesktop/secrets/collection/login"
    let folder = TemporaryFolder()
    let address: String
    private let bus: Child
    private var daemon: Child?

    private var environment: [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_DATA_HOME": folder.path + "/share",
            "XDG_CONFIG_HOME": folder.path + "/config", "XDG_CACHE_HOME": folder.path + "/cache",
            "DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
        ]
    }

    init?() {
        let socket = folder.path + "/bus"
        address = "unix:path=" + socket
        mkdir(folder.path + "/share", 0o700)
        folder.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><keep_umask/><listen>unix:path=\(socket)</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """, to: "bus.conf")
        guard
            let bus = Child(
                ["dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork"],
                environment: ["PATH": "/usr/bin:/bin"], output: folder.path + "/bus.log")
        else { return nil }
        self.bus = bus
    }

    /// Starts the daemon and waits for its name.
    ///
    /// - Parameter password: nil leaves the collection locked.
    func start(password: String? = "keyring password") async -> Bool {
        // A daemon that comes before the bus listens never owns its name.
        guard await eventually(within: .seconds(30), { access(self.folder.path + "/bus", F_OK) == 0 }) else {
            return false
        }
        let arguments = ["gnome-keyring-daemon", "--foreground", "--components=secrets"]
        daemon = Child(
            arguments + (password == nil ? [] : ["--unlock"]), environment: environment, input: password ?? "",
            output: folder.path + "/keyring.log")
        guard
            await eventually(
                within: .seconds(30),
                {
                    self.call(
                        "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetNameOwner",
                        ["s", "org.freedesktop.secrets"])
                })
        else { return false }
        // It owns its name a moment before it has made its first collection.
        return password == nil
            ? true
            : await eventually(within: .seconds(30)) {
                self.call(
                    "org.freedesktop.secrets", Self.collection, "org.freedesktop.DBus.Properties", "Get",
                    ["ss", "org.freedesktop.Secret.Collection", "Label"])
            }
    }

    func send(_ signal: Int32) { daemon?.send(signal) }

    func end() {
        daemon?.end()
        daemon = nil
    }

    func lock() -> Bool {
        call(
            "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "Lock",
            ["ao", "1", Self.collection])
    }

    /// A call with an independent client; whether it was answered without an error.
    func call(_ name: String, _ path: String, _ interface: String, _ member: String, _ arguments: [String] = []) -> Bool
    {
        run(["busctl", "--address=\(address)", "call", name, path, interface, member] + arguments) == 0
    }

    /// The exit status of a program on this bus; what it wrote is in `output`.
    func run(_ arguments: [String], input: String = "") -> Int32 {
        Child(arguments, environment: environment, input: input, output: folder.path + "/output")?.wait() ?? -1
    }

    var output: String { folder.text(of: "output") ?? "" }
}
