internal import AuthLooks
internal import AuthTexts
internal import CGLib
internal import CGtk
import Glibc
import MainLoop

/// The program `smileauth-prompt`: one window, for one view, over the channel on descriptor 3.
public enum Program {
    private static let descriptor: Int32 = 3
    private nonisolated(unsafe) static var controller: PromptController?

    /// Shows the view until it ends; ends the process.
    public static func run() -> Never {
        Hardening.apply()
        guard isChannel(descriptor) else { end(2, "descriptor 3 is no channel; the service starts this program") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        setUpGtk()
        Catalogs.open()
        guard let entry = SecretBuffer() else { end(1, "out of memory") }
        nonisolated(unsafe) let buffer = entry
        let context = g_main_context_default()
        g_main_context_acquire(context)
        let isStarted = LoopActor.assumeIsolated {
            let made = PromptController(buffer)
            controller = made
            return made.start(descriptor: descriptor)
        }
        g_main_context_release(context)
        guard isStarted else { end(1, "out of memory") }
        MainLoop.run()
        exit(0)
    }

    static func isChannel(_ descriptor: Int32) -> Bool {
        var type: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == Int32(SOCK_SEQPACKET.rawValue)
    }

    /// GTK takes half the time to the first frame, and the session's lock on Wayland does without it.
    ///
    /// - Returns: false without a display.
    @LoopActor
    static func startGtk() -> Bool {
        gtk_disable_setlocale()
        guard gtk_init_check() != 0 else { return false }
        // GTK's own choice goes by LC_CTYPE, the texts by LC_MESSAGES and LANGUAGE.
        gtk_widget_set_default_direction(Catalogs.isRightToLeft ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
        return true
    }

    /// cairo on the CPU: the first frame is there in a third of the time, in a quarter of the memory. The variables
    /// must stand before GTK looks.
    private static func setUpGtk() {
        setenv("GSK_RENDERER", "cairo", 1)
        setenv("GDK_DEBUG", "gl-disable", 1)
        // The window brings a style sheet for all that it has; a theme's would be read for nothing: a third of the time
        // to the first frame, and 3.5 MB. On Wayland GTK may draw the frame, with the theme's help.
        if getenv("WAYLAND_DISPLAY") == nil { setenv("GTK_THEME", "Empty", 1) }
        // The cover is on the X server; GTK would look for a compositor even where the session names none.
        if InputFeed.isThere { setenv("GDK_BACKEND", "x11", 1) }
        // libwayland prints every key where it is told to.
        unsetenv("WAYLAND_DEBUG")
        // No module of anybody's in a process that sees passcodes.
        unsetenv("GTK_MODULES")
        unsetenv("GTK_DEBUG")
        setenv("GTK_IM_MODULE", "gtk-im-context-simple", 1)
        g_set_prgname("smileauth-prompt")
        if !AccessibilityBus.prepare() { say("the accessibility bus does not answer; going on without it") }
    }

    /// One line on stderr, where the journal and the tests read it. Never a passcode, never others' words.
    static func say(_ message: String) {
        var line = (g_get_prgname().map { String(cString: $0) } ?? "smileauth-prompt") + ": " + message + "\n"
        line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    }

    /// Ends at once: the process's memory goes with it, the entry's was wiped or is gone with its pages.
    static func end(_ status: Int32, _ message: String?) -> Never {
        if let message { say(message) }
        _exit(status)
    }
}
