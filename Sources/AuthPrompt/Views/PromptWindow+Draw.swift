import AuthLooks
import AuthWire
internal import CGtk

/// What the areas draw.
extension PromptWindow {
    /// How far things follow the pointer, in pixels.
    private var parallax: (x: Double, y: Double) {
        guard let pointer else { return (0, 0) }
        return (Curves.parallax(pointer.x), Curves.parallax(pointer.y))
    }

    private var boldness: Double { palette.isHighContrast ? 1.8 : 1 }
    private var alpha: Double { screen.isDimmed ? 0.35 : 1 }

    func drawBackground(_ cairo: Cairo, _ width: Double, _ height: Double) {
        Drawing.set(cairo, palette.background)
        cairo_paint(cairo)
        guard let picture else { return }
        cairo_save(cairo)
        // The picture lies behind: it moves against the pointer, and has 15 px to spare on each side.
        let spare = Curves.parallax
        let scale = max((width + 2 * spare) / picture.width, (height + 2 * spare) / picture.height)
        cairo_translate(
            cairo, (width - picture.width * scale) / 2 - parallax.x, (height - picture.height * scale) / 2 - parallax.y)
        cairo_scale(cairo, scale, scale)
        gdk_cairo_set_source_pixbuf(cairo, picture.pixels, 0, 0)
        cairo_paint(cairo)
        cairo_restore(cairo)
        Drawing.set(cairo, palette.background, alpha: palette.scrim)
        cairo_paint(cairo)
    }

    /// Draws the entry where its motion has taken it, dimmed where nothing can be entered.
    private func moved(_ cairo: Cairo, _ width: Double, followsPointer: Bool, _ draw: () -> Void) {
        cairo_push_group(cairo)
        let follow = followsPointer ? parallax : (x: 0, y: 0)
        cairo_translate(cairo, follow.x + drawn.shake + drawn.slide * width, follow.y)
        draw()
        cairo_pop_group_to_source(cairo)
        cairo_paint_with_alpha(cairo, alpha)
    }

    func drawRow(_ cairo: Cairo, _ width: Double, _ height: Double) {
        let margin = PromptWindow.margin
        let geometry = RowGeometry(
            count: screen.digits, width: max(0, width - 2 * margin), height: min(PromptWindow.rowHeight, height))
        moved(cairo, width, followsPointer: true) {
            cairo_translate(cairo, margin, (height - min(PromptWindow.rowHeight, height)) / 2)
            Drawing.row(cairo, geometry, filled: drawn.filled, colour: palette.tint, boldness: boldness)
        }
    }

    func drawField(_ cairo: Cairo, _ width: Double, _ height: Double) {
        let margin = PromptWindow.margin
        let size = min(max(0, width - 2 * margin), 340)
        moved(cairo, width, followsPointer: true) {
            cairo_translate(cairo, (width - size) / 2, (height - PromptWindow.fieldHeight) / 2)
            Drawing.field(
                cairo, width: size, height: PromptWindow.fieldHeight, count: drawn.characters, colours: palette,
                isFocused: gtk_widget_has_focus(field) != 0,
                isRightToLeft: gtk_widget_get_direction(field) == GTK_TEXT_DIR_RTL)
        }
    }

    func drawPad(_ cairo: Cairo, _ width: Double, _ height: Double) {
        let state = Drawing.PadState(
            dots: drawn.dots, pointer: strokePointer, isLineHidden: drawn.isLineHidden,
            cursor: isSteered && gtk_widget_has_focus(pad) != 0 ? drawn.cursor : nil, isWrong: drawn.isWrong)
        moved(cairo, width, followsPointer: false) {
            Drawing.pad(cairo, PadGeometry(width: width, height: height), state, palette)
        }
    }

    func drawFinger(_ cairo: Cairo, _ width: Double, _ height: Double) {
        guard let finger = screen.finger else { return }
        let side = min(width, height)
        let isBad = finger.state == .noMatch
        let isQuiet = finger.state == .off || finger.state == .changed
        let colour = isBad ? palette.alert : isQuiet && drawn.success == 0 ? palette.secondary : palette.tint
        cairo_translate(cairo, (width - side) / 2, (height - side) / 2)
        Drawing.finger(cairo, side: side, colour: colour, boldness: boldness + drawn.success * 0.5)
    }
}
