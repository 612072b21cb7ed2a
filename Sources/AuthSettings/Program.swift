internal import AuthTexts
import AuthWire
internal import CGLib
internal import CGtk
import Glibc
import MainLoop

/// The program `smileauth-settings`. No passcode is ever in this process: the service's own prompt asks for them.
public enum Program {
    private nonisolated(unsafe) static var controller: SettingsController?
    private static let pages = ["passcode", "fingers", "locking", "looks", "apps"]

    /// Shows the window until it is closed; ends the process.
    public static func run() -> Never {
        let arguments = CommandLine.arguments.dropFirst()
        let usage = "usage: smileauth-settings [\(pages.joined(separator: " | "))]"
        if ["--help", "-h"].contains(arguments.first) {
            print(usage)
            exit(0)
        }
        if arguments.first == "--version" {
            print("smileauth-settings \(Wire.version)")
            exit(0)
        }
        guard arguments.count <= 1, arguments.allSatisfy(pages.contains) else { end(2, usage) }
        CrashReports.turnOff()
        setUpGtk()
        // GTK takes them out of the environment.
        let startup = (getenv("XDG_ACTIVATION_TOKEN") ?? getenv("DESKTOP_STARTUP_ID")).map { String(cString: $0) }
        Catalogs.open()
        gtk_disable_setlocale()
        guard gtk_init_check() != 0 else { end(1, "no display") }
        // GTK's own choice goes by LC_CTYPE, the texts by LC_MESSAGES and LANGUAGE.
        gtk_widget_set_default_direction(Catalogs.isRightToLeft ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
        g_set_application_name(Texts.window)
        gtk_window_set_default_icon_name("org.smileauth.Auth1")
        let page = arguments.first
        let context = g_main_context_default()
        g_main_context_acquire(context)
        LoopActor.assumeIsolated {
            let made = SettingsController()
            controller = made
            made.start(page: page, startup: startup)
        }
        g_main_context_release(context)
        MainLoop.run()
        exit(0)
    }

    /// cairo on the CPU: the first frame is there in a third of the time, in a quarter of the memory. The variables
    /// must stand before GTK looks.
    private static func setUpGtk() {
        setenv("GSK_RENDERER", "cairo", 0)
        setenv("GDK_DEBUG", "gl-disable", 0)
        // The name that its desktop entry has: shells find the icon by it.
        g_set_prgname("org.smileauth.Settings")
    }

    private static func end(_ status: Int32, _ message: String) -> Never {
        var line = "smileauth-settings: " + message + "\n"
        line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
        exit(status)
    }
}
