internal import CGLib
internal import CGtk
import DBus
package import MainLoop

/// The desktop's wishes, followed live: GTK's settings, and the Settings portal where one runs.
@LoopActor
package final class Desktop {
    private static let portal = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.Settings"
    private static let appearance = "org.freedesktop.appearance"
    /// GNOME's own settings, which its portal hands on: `text-scaling-factor`. GTK has it from there by itself.
    private static let interfaceSettings = "org.gnome.desktop.interface"
    private static let textScaling = "text-scaling-factor"

    private static let wishes = [
        (appearance, "color-scheme"), (appearance, "contrast"), (appearance, "reduced-motion"),
        (interfaceSettings, textScaling),
    ]

    package private(set) var style = DesktopStyle()
    private let settings: OpaquePointer?
    private let changed: @LoopActor () -> Void
    private var bus: Connection?
    private var subscription: Subscription?
    private var watch: NameWatch?
    /// `color-scheme`: 1 dark, 2 light, 0 no wish. `contrast`: 1 high. `reduced-motion`: 1.
    private var scheme: UInt32 = 0
    private var contrast: UInt32 = 0
    private var stillness: UInt32 = 0
    private var textScale = 1.0

    /// Whether GTK's theme is to follow the portal: GTK 4.8 does not do so by itself.
    private let leadsTheme: Bool
    /// What GTK had before.
    private var ownTheme = ""
    private var isOwnThemeDark = false
    private var isLeading = false
    private var isLed = false

    /// - Parameters:
    ///   - hasGtk: whether GTK runs; without it the portal alone is followed.
    ///   - leadsTheme: for windows that show GTK's theme.
    ///   - changed: called when ``style`` is another.
    package init(
        hasGtk: Bool = true, leadsTheme: Bool = false, changed: @escaping @LoopActor () -> Void
    ) {
        self.leadsTheme = leadsTheme
        self.changed = changed
        settings = hasGtk ? gtk_settings_get_default() : nil
        guard let settings else { return }
        ownTheme = text("gtk-theme-name")
        isOwnThemeDark = flag("gtk-application-prefer-dark-theme")
        for property in ["gtk-application-prefer-dark-theme", "gtk-theme-name", "gtk-enable-animations"] {
            Signals.onChange(UnsafeMutableRawPointer(settings), of: property) { [weak self] in self?.look() }
        }
        style = read()
    }

    /// Asks the portal. After the first frame: connecting to the bus blocks for its answer.
    package func follow() {
        guard bus == nil, let opened = try? Connection.open(.session) else { return }
        bus = opened
        subscription = opened.subscribe(
            from: Desktop.portal, path: Desktop.path, interface: Desktop.interface, member: "SettingChanged"
        ) { [weak self] signal in
            guard signal.arguments.count == 3, let group = signal.arguments[0].asString,
                let key = signal.arguments[1].asString, Desktop.wishes.contains(where: { $0 == (group, key) })
            else { return }
            self?.take(key, signal.arguments[2])
        }
        // Watched, not called: a call would start it.
        watch = opened.watchName(Desktop.portal) { [weak self] owner in if owner != nil { self?.ask() } }
    }

    private func ask() {
        for (group, key) in Desktop.wishes {
            bus?.call(
                Desktop.portal, Desktop.path, Desktop.interface, "Read", [.string(group), .string(key)]
            ) { [weak self] result in
                if case .success(let values) = result, let value = values.first { self?.take(key, value) }
            }
        }
    }

    private func take(_ key: String, _ value: Value) {
        if key == Desktop.textScaling {
            guard let factor = value.unwrapped.asDouble, factor.isFinite else { return }
            textScale = max(0.5, min(factor, 3))
            return look()
        }
        guard let number = value.unwrapped.asUInt32 else { return }
        switch key {
        case "color-scheme": scheme = number
        case "contrast": contrast = number
        case "reduced-motion": stillness = number
        default: return
        }
        look()
    }

    private func look() {
        // What is set here comes back as a change.
        guard !isLeading else { return }
        lead()
        let now = read()
        guard now != style else { return }
        style = now
        changed()
    }

    private func lead() {
        guard leadsTheme, let settings, scheme != 0 || contrast == 1 || isLed else { return }
        isLed = true
        isLeading = true
        defer { isLeading = false }
        let isDark = scheme == 0 ? isOwnThemeDark : scheme == 1
        // GTK's own names of its theme of high contrast.
        let high = isDark ? "HighContrastInverse" : "HighContrast"
        smile_set_theme(settings, contrast == 1 ? high : ownTheme, isDark ? 1 : 0)
    }

    private func read() -> DesktopStyle {
        // Where the theme is led it says what the portal said.
        let theme = (isLed ? ownTheme : text("gtk-theme-name")).lowercased()
        let isDarkTheme =
            (isLed ? isOwnThemeDark : flag("gtk-application-prefer-dark-theme")) || theme.hasSuffix("-dark")
            || theme.hasSuffix("inverse")
        return DesktopStyle(
            isDark: scheme == 0 ? isDarkTheme : scheme == 1,
            isHighContrast: contrast == 1 || theme.hasPrefix("highcontrast") || theme.hasPrefix("hc"),
            hasAnimations: (settings == nil || flag("gtk-enable-animations")) && stillness != 1,
            textScale: textScale)
    }

    private func flag(_ property: String) -> Bool {
        value(property, booleanType) { g_value_get_boolean(&$0) != 0 } ?? false
    }

    private func text(_ property: String) -> String {
        value(property, stringType) { g_value_get_string(&$0).map { String(cString: $0) } ?? "" } ?? ""
    }

    private func value<T>(_ property: String, _ type: GType, _ read: (inout GValue) -> T) -> T? {
        guard let settings else { return nil }
        var value = GValue()
        g_value_init(&value, type)
        defer { g_value_unset(&value) }
        g_object_get_property(cast(UnsafeMutablePointer<GObject>(settings)), property, &value)
        return read(&value)
    }

    /// The fundamental types' numbers, which are macros with casts (gtype.h).
    private let booleanType: GType = 5 << 2
    private let stringType: GType = 16 << 2
}
