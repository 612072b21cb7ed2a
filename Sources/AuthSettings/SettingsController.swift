import AuthLooks
import AuthWire
internal import CGLib
internal import CGtk
internal import CLinux
import DBus
import Glibc
import MainLoop

/// Holds the model and the window together.
@LoopActor
final class SettingsController {
    private let model = SettingsModel()
    private var window: SettingsWindow?
    private var desktop: Desktop?
    private lazy var only = OnlyWindow { [weak self] in self?.activate($0, startup: $1) }
    private let provider = gtk_css_provider_new()!
    private var update: LoopSource?
    private var clock: LoopSource?
    private lazy var cover: Cover =
        smile_is_covered(gtk_widget_get_display(window!.window)) != 0 ? .full : .windowOnly

    /// - Parameters:
    ///   - page: that is opened first; nil for the list's first.
    ///   - startup: this start's notification id, for a window that is there already.
    func start(page: String?, startup: String?) {
        onLoop { [self] in
            if await only.claim(page, startup: startup) { show(page) } else { MainLoop.quit() }
        }
    }

    /// Another start wants the window.
    private func activate(_ page: String?, startup: String?) {
        guard let window else { return }
        if let page { _ = window.open(page) }
        if let startup { gtk_window_set_startup_id(cast(window.window), startup) }
        gtk_window_present(cast(window.window))
    }

    private func show(_ page: String?) {
        desktop = Desktop(leadsTheme: true) { [weak self] in self?.restyle() }
        // Before the first widget: GTK 4.8 does not look again at a list that was measured without it.
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), OpaquePointer(provider), guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        restyle()
        let made = SettingsWindow(model) { [weak self] in self?.close() }
        window = made
        restyle()
        model.onChange = { [weak self] in self?.changed() }
        apply()
        if let page { made.open(page) } else { made.focusList() }
        Signals.on(made.window, "map") { [weak self] in
            self?.nameWindow()
            return true
        }
        gtk_window_present(cast(made.window))
        desktop?.follow()
        model.link.connect()
    }

    /// Several changes at once are shown at once.
    private func changed() {
        guard update == nil else { return }
        update = .after(.zero) { [weak self] in
            self?.update = nil
            self?.apply()
        }
    }

    private func apply() {
        let facts = facts
        window?.apply(facts)
        clock = facts.wait == 0 ? nil : .after(.milliseconds(500)) { [weak self] in self?.apply() }
    }

    private var facts: Facts {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Facts(
            state: model.state, notices: model.notices, working: model.working, kind: model.kind,
            length: model.length, scan: model.scan,
            now: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000, cover: cover)
    }

    private func restyle() {
        guard let desktop else { return }
        let style = desktop.style
        let sheet = SettingsStyle.sheet(isDark: style.isDark, isHighContrast: style.isHighContrast)
        gtk_css_provider_load_from_data(provider, sheet, -1)
        window?.looks.apply(style)
    }

    /// So that the prompt can stay above it.
    private func nameWindow() {
        guard let window, let surface = gtk_native_get_surface(OpaquePointer(window.window)) else { return }
        let number = smile_x11_number(surface)
        if number != 0 { model.parentWindow = "x11:" + String(number, radix: 16) }
        _ = smile_export_wayland(
            surface,
            { _, handle, data in
                let text = handle.map { String(cString: $0) } ?? ""
                let controller = Unmanaged<SettingsController>.fromOpaque(data!).takeUnretainedValue()
                LoopActor.assumeIsolated { controller.model.parentWindow = text.isEmpty ? "" : "wayland:" + text }
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// What was begun here and waits for the person ends with the window.
    private func close() {
        model.withdraw()
        MainLoop.quit()
    }
}
