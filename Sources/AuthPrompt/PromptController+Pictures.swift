import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// The looks' pictures: read once the first frame is on the screen, and again where the looks name others.
extension PromptController {
    func loadPictures() {
        guard let looks = model.view?.looks, looks != loadedLooks, let window else { return }
        let old = loadedLooks ?? Looks()
        loadedLooks = looks
        if looks.backgroundImage != old.backgroundImage { loadBackground(looks.backgroundImage) }
        if looks.logo != old.logo {
            load(looks.logo, into: window.logo, width: 240, height: PromptWindow.logoHeight) { $0.hasLogo = $1 }
        }
        if looks.fingerIcon != old.fingerIcon {
            let side = PromptWindow.fingerSide
            load(looks.fingerIcon, into: window.fingerImage, width: side, height: side) { $0.hasFingerImage = $1 }
        }
    }

    private func loadBackground(_ path: String) {
        guard !path.isEmpty, let window else {
            window?.picture = nil
            return restyle()
        }
        let scale = Int(gtk_widget_get_scale_factor(window.window))
        let (width, height) = (Int(gtk_widget_get_width(window.window)), Int(gtk_widget_get_height(window.window)))
        let spare = 2 * Int(Curves.parallax)
        onLoop { [weak self] in
            let picture = await Pictures.load(
                path, width: (width + spare) * scale, height: (height + spare) * scale, covers: true)
            guard let self, model.view?.looks.backgroundImage == path else { return }
            if picture == nil { Program.say("cannot use the background image") }
            self.window?.picture = picture
            restyle()
        }
    }

    /// An icon's name or a picture's path; our own stands in where it cannot be used.
    ///
    /// - Parameters:
    ///   - width: of the room, in pixels of the window's scale.
    ///   - note: tells the window whether there is one.
    private func load(
        _ name: String, into widget: Widget, width: Double, height: Double,
        note: @escaping @LoopActor @Sendable (PromptWindow, Bool) -> Void
    ) {
        guard let window else { return }
        let scale = gtk_widget_get_scale_factor(window.window)
        guard name.hasPrefix("/") else {
            let isFound = !name.isEmpty && show(icon: name, in: widget, size: height, scale: scale)
            if !isFound, !name.isEmpty { Program.say("cannot find an icon of the looks") }
            return noted(isFound, note)
        }
        nonisolated(unsafe) let widget = widget
        onLoop { [weak self] in
            let factor = Double(scale)
            let picture = await Pictures.load(
                name, width: Int(width * factor), height: Int(height * factor), covers: false)
            guard let self, self.window != nil else { return }
            if let picture {
                let texture = gdk_texture_new_for_pixbuf(picture.pixels)!
                gtk_picture_set_paintable(OpaquePointer(widget), texture)
                gtk_widget_set_size_request(widget, Int32(picture.width / factor), Int32(picture.height / factor))
                g_object_unref(UnsafeMutableRawPointer(texture))
            } else {
                Program.say("cannot use a picture of the looks")
            }
            noted(picture != nil, note)
        }
    }

    private func show(icon name: String, in widget: Widget, size: Double, scale: Int32) -> Bool {
        let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(widget))
        guard gtk_icon_theme_has_icon(theme, name) != 0,
            let icon = gtk_icon_theme_lookup_icon(
                theme, name, nil, Int32(size), scale, gtk_widget_get_direction(widget), GtkIconLookupFlags(rawValue: 0))
        else { return false }
        gtk_picture_set_paintable(OpaquePointer(widget), icon)
        gtk_widget_set_size_request(widget, Int32(size), Int32(size))
        g_object_unref(UnsafeMutableRawPointer(icon))
        return true
    }

    private func noted(_ isFound: Bool, _ note: (PromptWindow, Bool) -> Void) {
        guard let window else { return }
        note(window, isFound)
        // Applied anew: which of two widgets is shown hangs on it.
        window.screen = Screen()
        update()
    }
}
