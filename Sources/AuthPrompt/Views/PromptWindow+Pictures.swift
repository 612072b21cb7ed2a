import AuthLooks
internal import CGLib
internal import CGtk
import MainLoop

/// The looks' pictures.
extension PromptWindow {
    /// Reads those that are others than the ones that are there.
    ///
    /// - Parameter changed: called for each that is there, or that cannot be used: our own stands in for it.
    func loadPictures(of looks: Looks, changed: @escaping @LoopActor @Sendable () -> Void) {
        guard looks != loadedLooks else { return }
        let old = loadedLooks ?? Looks()
        loadedLooks = looks
        if looks.backgroundImage != old.backgroundImage { loadBackground(looks.backgroundImage, changed) }
        if looks.logo != old.logo {
            load(looks.logo, into: logo, width: 240, height: PromptWindow.logoHeight) {
                guard $0.loadedLooks?.logo == looks.logo else { return }
                $0.hasLogo = $1
                changed()
            }
        }
        if looks.fingerIcon != old.fingerIcon {
            let side = PromptWindow.fingerSide
            load(looks.fingerIcon, into: fingerImage, width: side, height: side) {
                guard $0.loadedLooks?.fingerIcon == looks.fingerIcon else { return }
                $0.hasFingerImage = $1
                changed()
            }
        }
    }

    private func loadBackground(_ path: String, _ changed: @escaping @LoopActor @Sendable () -> Void) {
        guard !path.isEmpty else {
            picture = nil
            return changed()
        }
        let scale = Int(gtk_widget_get_scale_factor(content))
        let (width, height) = (Int(gtk_widget_get_width(content)), Int(gtk_widget_get_height(content)))
        let spare = 2 * Int(Curves.parallax)
        onLoop { [weak self] in
            let found = await Pictures.load(
                path, width: (width + spare) * scale, height: (height + spare) * scale, covers: true)
            guard let self, loadedLooks?.backgroundImage == path else { return }
            if found == nil { Program.say("cannot use the background image") }
            picture = found
            changed()
        }
    }

    /// An icon's name or a picture's path; our own stands in where it cannot be used.
    ///
    /// - Parameters:
    ///   - width: of the room, in pixels of the window's scale.
    ///   - note: tells whether there is one.
    private func load(
        _ name: String, into widget: Widget, width: Double, height: Double,
        note: @escaping @LoopActor @Sendable (PromptWindow, Bool) -> Void
    ) {
        let scale = gtk_widget_get_scale_factor(content)
        guard name.hasPrefix("/") else {
            let isFound = !name.isEmpty && show(icon: name, in: widget, size: height, scale: scale)
            if !isFound, !name.isEmpty { Program.say("cannot find an icon of the looks") }
            return note(self, isFound)
        }
        nonisolated(unsafe) let widget = widget
        onLoop { [weak self] in
            let factor = Double(scale)
            let picture = await Pictures.load(
                name, width: Int(width * factor), height: Int(height * factor), covers: false)
            guard let self else { return }
            if let picture {
                let texture = gdk_texture_new_for_pixbuf(picture.pixels)!
                let (width, height) = (picture.width / factor, picture.height / factor)
                let sized = smile_sized(texture, Float(width), Float(height))
                gtk_picture_set_paintable(OpaquePointer(widget), sized)
                gtk_widget_set_size_request(widget, Int32(width), Int32(height))
                g_object_unref(UnsafeMutableRawPointer(sized))
                g_object_unref(UnsafeMutableRawPointer(texture))
            } else {
                Program.say("cannot use a picture of the looks")
            }
            note(self, picture != nil)
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
}
