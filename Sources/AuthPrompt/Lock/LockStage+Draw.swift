import AuthLooks
internal import CGtk
import MainLoop
import WaylandLock

/// What is painted, and when.
extension LockStage {
    /// Colours and pictures anew.
    func dress() {
        palette = Palette(looks, style, picture: pictures.background?.extremes)
        if !looks.hasParallax || !style.hasAnimations { touch.pointer = LockPoint() }
        pictures.forgetBackdrops()
        arrange()
        redraw()
        for surface in lock.surfaces where surface !== main { paintBackground(surface) }
    }

    /// Puts everything in its place.
    func arrange() {
        guard let main, main.width > 0 else { return }
        let logo = screen.showsLogo ? pictures.logo.map { LockSize(width: $0.width, height: $0.height) } : nil
        let finger = pictures.finger.map { LockSize(width: $0.picture.width, height: $0.picture.height) }
        layout = LockLayout.make(
            screen, width: Double(main.width), height: Double(main.height), textScale: style.textScale,
            isRightToLeft: isRightToLeft, logo: logo, picture: finger, texts)
        if case .button(let button) = touch.focus, !layout.order.contains(button) { touch.focus = .entry }
    }

    // MARK: when

    func redraw() {
        guard let main else { return }
        let scale = Int(main.scale)
        redraw(PixelArea(x: 0, y: 0, width: main.width * scale, height: main.height * scale))
    }

    /// What moves: the entry, and the finger, whose lines grow with its success.
    func redrawEntry() {
        guard let main else { return }
        let scale = Double(main.scale)
        var area = PixelArea(x: 0, y: 0, width: 0, height: 0)
        func add(_ box: LockBox) {
            area = area.union(
                PixelArea(
                    x: Int((box.x * scale).rounded(.down)), y: Int((box.y * scale).rounded(.down)),
                    width: Int((box.width * scale).rounded(.up)) + 1,
                    height: Int((box.height * scale).rounded(.up)) + 1))
        }
        if let entry = layout.entry { add(LockBox(x: 0, y: entry.y, width: Double(main.width), height: entry.height)) }
        if let finger = layout.finger { add(finger) }
        redraw(area)
    }

    private func redraw(_ area: PixelArea) {
        guard let main, main.width > 0 else { return }
        damage = damage.map { $0.union(area) } ?? area
        // One frame at a time; what comes meanwhile goes with the next.
        if !main.isWaitingForFrame { paint() }
    }

    func frameIsDue(_ surface: LockSurface) {
        guard surface === main else {
            // It had no free buffer.
            if !surface.isWaitingForFrame { paintBackground(surface) }
            return
        }
        if let frame {
            let (drawn, isMoving) = frame()
            self.drawn = drawn
            if !isMoving { self.frame = nil }
            return redrawEntry()
        }
        if damage != nil { paint() }
    }

    // MARK: what

    private func paint() {
        guard let main, let area = damage else { return }
        damage = nil
        main.paint(area, asksForFrame: true) { canvas in
            draw(on: canvas, scale: Double(main.scale)) { cairo in
                pictures.drawBackground(
                    cairo, palette, width: Double(main.width), height: Double(main.height), scale: Double(main.scale),
                    parallax: touch.parallax, keeps: true)
                LockPainter(
                    cairo: cairo, texts: texts, layout: layout, screen: screen, drawn: drawn, palette: palette,
                    touch: touch, isHeaderLined: !looks.isHeaderTranslucent, isRightToLeft: isRightToLeft,
                    logo: pictures.logo, fingerPicture: pictures.finger
                ).draw()
            }
        }
    }

    func paintBackground(_ surface: LockSurface) {
        guard surface.width > 0 else { return }
        surface.paint(asksForFrame: false) { canvas in
            draw(on: canvas, scale: Double(surface.scale)) { cairo in
                pictures.drawBackground(
                    cairo, palette, width: Double(surface.width), height: Double(surface.height),
                    scale: Double(surface.scale), parallax: (0, 0), keeps: false)
            }
        }
    }

    private func draw(on canvas: LockSurface.Canvas, scale: Double, _ body: (OpaquePointer) -> Void) {
        let surface = cairo_image_surface_create_for_data(
            canvas.memory.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24, Int32(canvas.width),
            Int32(canvas.height), Int32(canvas.stride))
        defer { cairo_surface_destroy(surface) }
        guard let cairo = cairo_create(surface) else { return }
        defer { cairo_destroy(cairo) }
        let area = canvas.area
        cairo_rectangle(cairo, Double(area.x), Double(area.y), Double(area.width), Double(area.height))
        cairo_clip(cairo)
        cairo_scale(cairo, scale, scale)
        body(cairo)
        cairo_surface_flush(surface)
    }
}

/// The pointer: an arrow, as everywhere.
enum LockCursor {
    static let arrow = Cursor(width: 16, height: 22, hotX: 2, hotY: 2) { canvas in
        let surface = cairo_image_surface_create_for_data(
            canvas.memory.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(canvas.width),
            Int32(canvas.height), Int32(canvas.stride))
        defer { cairo_surface_destroy(surface) }
        guard let cairo = cairo_create(surface) else { return }
        defer { cairo_destroy(cairo) }
        cairo_scale(cairo, Double(Cursor.scale), Double(Cursor.scale))
        let points: [(Double, Double)] = [(2, 2), (2, 17), (5.6, 13.8), (8, 19.4), (10.4, 18.4), (8, 13), (12.8, 13)]
        for (index, point) in points.enumerated() {
            if index == 0 { cairo_move_to(cairo, point.0, point.1) } else { cairo_line_to(cairo, point.0, point.1) }
        }
        cairo_close_path(cairo)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        Drawing.set(cairo, .black)
        cairo_fill_preserve(cairo)
        cairo_set_line_width(cairo, 1.2)
        Drawing.set(cairo, .white)
        cairo_stroke(cairo)
        cairo_surface_flush(surface)
    }
}
