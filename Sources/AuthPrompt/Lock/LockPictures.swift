import AuthLooks
internal import CGtk
import MainLoop
import WaylandLock

/// The looks' pictures on the lock, and the background made of one.
@LoopActor
final class LockPictures {
    /// Called when one has come or gone.
    var changed: (@LoopActor () -> Void)?
    private(set) var background: Picture?
    private(set) var logo: Picture?
    private(set) var finger: LockFingerPicture?
    private var loaded = Looks()
    /// Pixels that the background has been read for.
    private var size = (width: 0, height: 0)
    /// The picture under its scrim at the size that it is shown at: it moves with the pointer, and scaling takes long.
    private var backdrop: (surface: OpaquePointer, width: Double, height: Double, scale: Double)?

    /// Reads what the looks name, where it is not what was read last.
    func load(_ looks: Looks, _ surfaces: [LockSurface]) {
        let old = loaded
        loaded = looks
        let scale = surfaces.map { Double($0.scale) }.max() ?? 1
        if looks.backgroundImage != old.backgroundImage {
            size = (0, 0)
            require(surfaces)
        }
        if looks.logo != old.logo { read(looks.logo, width: 240 * scale, height: 32 * scale) { $0.logo = $1?.picture } }
        if looks.fingerIcon != old.fingerIcon {
            read(looks.fingerIcon, width: 64 * scale, height: 64 * scale) { $0.finger = $1 }
        }
    }

    /// Sees that the background is large enough for every surface.
    func require(_ surfaces: [LockSurface]) {
        let path = loaded.backgroundImage
        guard !path.isEmpty else {
            guard background != nil else { return }
            background = nil
            changed?()
            return
        }
        let spare = 2 * Int(Curves.parallax)
        let width = surfaces.map { ($0.width + spare) * Int($0.scale) }.max() ?? 0
        let height = surfaces.map { ($0.height + spare) * Int($0.scale) }.max() ?? 0
        guard width > size.width || height > size.height else { return }
        size = (max(width, size.width), max(height, size.height))
        let wanted = size
        onLoop { [weak self] in
            let picture = await Pictures.load(path, width: wanted.width, height: wanted.height, covers: true)
            guard let self, loaded.backgroundImage == path else { return }
            if picture == nil { Program.say("cannot use the background image") }
            background = picture
            changed?()
        }
    }

    private func read(
        _ name: String, width: Double, height: Double,
        note: @escaping @LoopActor @Sendable (LockPictures, LockFingerPicture?) -> Void
    ) {
        guard !name.isEmpty else {
            note(self, nil)
            changed?()
            return
        }
        guard let path = name.hasPrefix("/") ? name : IconFiles.path(of: name) else {
            Program.say("cannot find an icon of the looks")
            note(self, nil)
            changed?()
            return
        }
        onLoop { [weak self] in
            let picture = await Pictures.load(path, width: Int(width), height: Int(height), covers: false)
            guard let self else { return }
            if picture == nil { Program.say("cannot use a picture of the looks") }
            note(self, picture.map { LockFingerPicture(picture: $0, isMask: name.hasSuffix("-symbolic")) })
            changed?()
        }
    }

    // MARK: the background

    func forgetBackdrops() {
        if let backdrop { cairo_surface_destroy(backdrop.surface) }
        backdrop = nil
    }

    /// Fills a surface.
    ///
    /// - Parameters:
    ///   - parallax: how far things follow the pointer; the picture lies behind, and moves against it.
    ///   - keeps: whether it is drawn again and again.
    func drawBackground(
        _ cairo: OpaquePointer, _ palette: Palette, width: Double, height: Double, scale: Double,
        parallax: (x: Double, y: Double), keeps: Bool
    ) {
        Drawing.set(cairo, palette.background)
        guard let background else {
            cairo_paint(cairo)
            return
        }
        guard keeps else { return cover(cairo, background, palette, width: width, height: height) }
        let spare = Curves.parallax
        let whole = (width: width + 2 * spare, height: height + 2 * spare)
        if backdrop.map({ $0.width != whole.width || $0.height != whole.height || $0.scale != scale }) ?? true {
            forgetBackdrops()
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, Int32((whole.width * scale).rounded(.up)),
                Int32((whole.height * scale).rounded(.up)))
            guard let surface, let own = cairo_create(surface) else { return cairo_paint(cairo) }
            cairo_scale(own, scale, scale)
            cover(own, background, palette, width: whole.width, height: whole.height)
            cairo_destroy(own)
            backdrop = (surface, whole.width, whole.height, scale)
        }
        guard let backdrop else { return }
        cairo_save(cairo)
        cairo_identity_matrix(cairo)
        // By whole pixels: it is copied, not scaled.
        cairo_set_source_surface(
            cairo, backdrop.surface, ((-spare - parallax.x) * scale).rounded(),
            ((-spare - parallax.y) * scale).rounded())
        cairo_paint(cairo)
        cairo_restore(cairo)
    }

    private func cover(
        _ cairo: OpaquePointer, _ picture: Picture, _ palette: Palette, width: Double, height: Double
    ) {
        let factor = max(width / picture.width, height / picture.height)
        cairo_save(cairo)
        cairo_translate(
            cairo, (width - picture.width * factor) / 2, (height - picture.height * factor) / 2)
        cairo_scale(cairo, factor, factor)
        gdk_cairo_set_source_pixbuf(cairo, picture.pixels, 0, 0)
        cairo_paint(cairo)
        cairo_restore(cairo)
        Drawing.set(cairo, palette.background, alpha: palette.scrim)
        cairo_paint(cairo)
    }
}
