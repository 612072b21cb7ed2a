import Glibc
import MainLoop

/// `smileauth-cover`: from the process's start to its end.
///
/// It exits with 0 when it was told to leave, its successor stands or the next service says that the session is open, 1
/// when the X server is gone, does not let it in or cannot hold input, 2 when it was not started by the service, 3 where
/// there is none to cover.
public enum CoverProgram {
    /// The descriptor of the service's channel.
    static let channelDescriptor: Int32 = 3

    public static func main() -> Never {
        // Before anything that takes long: the start counts.
        CrashReports.turnOff()
        Hardening.apply()
        let arguments = CommandLine.arguments.dropFirst()
        if arguments == [Activation.argument] { Activation.run() }
        guard arguments.isEmpty, isChannel(channelDescriptor) else {
            log("takes no arguments; it is started by smileauthd")
            exit(2)
        }
        _ = fcntl(channelDescriptor, F_SETFD, FD_CLOEXEC)
        guard let display = getenv("DISPLAY"), display.pointee != 0 else { exit(3) }
        signal(SIGPIPE, SIG_IGN)
        setLocale()
        onLoop { await start() }
        MainLoop.run()
        exit(0)
    }

    @LoopActor private static var cover: Cover?

    @LoopActor private static func start() async {
        guard let server = XServer.open() else {
            log("the X server does not let us in")
            exit(1)
        }
        guard !server.isWayland else {
            log("this is XWayland: nothing here covers other windows")
            exit(3)
        }
        guard server.canHoldInput else {
            log("the X server has no XInput 2.2")
            exit(1)
        }
        let cover = Cover(server: server, channel: ServiceLine(channelDescriptor))
        self.cover = cover
        cover.start()
    }

    /// Whether it is a socket as the service makes them. On anything else nobody could tell us to leave.
    private static func isChannel(_ descriptor: Int32) -> Bool {
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0
            && type == Int32(SOCK_SEQPACKET.rawValue)
    }

    /// Keys become text in UTF-8 whatever the locale; nothing else here depends on one.
    private static func setLocale() {
        setlocale(LC_CTYPE, "")
        if String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    }
}

/// One line on stderr, where the journal and the tests read it. Never what somebody types.
func log(_ message: String) {
    var line = "smileauth-cover: " + message + "\n"
    line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}
