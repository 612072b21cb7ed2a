import AuthLooks
import AuthWire
internal import CGtk
import MainLoop

/// Draws the lock: values in, cairo's calls out.
@LoopActor
struct LockPainter {
    let cairo: OpaquePointer
    let texts: LockTexts
    let layout: LockLayout
    let screen: Screen
    let drawn: Drawn
    let palette: Palette
    /// What is done to it.
    let touch: LockTouch
    let isHeaderLined: Bool
    let isRightToLeft: Bool
    let logo: Picture?
    let fingerPicture: LockFingerPicture?

    private var unit: Double { layout.unit }
    private var boldness: Double { palette.isHighContrast ? 1.8 : 1 }

    func draw() {
        drawHeader()
        for label in layout.labels {
            Drawing.set(cairo, colour(of: label.style))
            texts.draw(
                cairo, label.text, label.style, em: layout.em, in: label.box, isOneLine: label.isOneLine)
        }
        if let logo, let box = layout.logo { draw(logo, in: box) }
        for control in layout.controls { draw(control) }
        if let entry = layout.entry { drawEntry(entry) }
    }

    private func colour(of style: LockTextStyle) -> Colour {
        switch style {
        case .title, .wait: palette.text
        case .small: palette.secondary
        case .description: palette.description
        case .alert: palette.alert
        case .button, .picked, .finger: palette.button
        }
    }

    private func drawHeader() {
        let box = layout.header
        Drawing.set(cairo, palette.header, alpha: palette.headerAlpha)
        cairo_rectangle(cairo, box.x, box.y, box.width, box.height)
        cairo_fill(cairo)
        guard isHeaderLined else { return }
        Drawing.set(cairo, palette.text, alpha: palette.isHighContrast ? 1 : 0.14)
        cairo_rectangle(cairo, box.x, box.y + box.height - 1, box.width, 1)
        cairo_fill(cairo)
    }

    // MARK: buttons

    private func draw(_ control: LockLayout.Control) {
        let isHere = touch.hovered == control.button
        let isDown = isHere && touch.pressed == control.button
        let tint = palette.tint
        if control.isPicked { fill(control.box, tint, 0.16) }
        if isDown { fill(control.box, tint, 0.20) } else if isHere { fill(control.box, tint, 0.10) }
        let colour = control.isSensitive ? palette.button : palette.secondary
        if palette.isHighContrast { frame(control.box, colour, 1) }
        if control.kind == .choice { frame(control.box, tint, control.isPicked ? 1 : 0.6) }
        if touch.isFocusVisible, touch.focus == .button(control.button) {
            Drawing.set(cairo, tint)
            rounded(control.box.inset(1))
            cairo_set_line_width(cairo, 2)
            cairo_stroke(cairo)
        }
        Drawing.set(cairo, colour)
        guard control.kind == .finger else {
            return texts.draw(
                cairo, control.title, control.isPicked ? .picked : .button, em: layout.em,
                in: control.box.inset(4 * unit), isOneLine: true)
        }
        guard let box = layout.finger else { return }
        let below = box.y + box.height + 8 * unit
        let title = LockBox(
            x: control.box.x + 6 * unit, y: below, width: control.box.width - 12 * unit,
            height: control.box.y + control.box.height - 10 * unit - below)
        texts.draw(cairo, control.title, .finger, em: layout.em, in: title, isOneLine: true)
        drawFinger(box)
    }

    private func rounded(_ box: LockBox) {
        let radius = min(9 * unit, box.width / 2, box.height / 2)
        let (left, top, right, bottom) = (box.x, box.y, box.x + box.width, box.y + box.height)
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, right - radius, top + radius, radius, -.pi / 2, 0)
        cairo_arc(cairo, right - radius, bottom - radius, radius, 0, .pi / 2)
        cairo_arc(cairo, left + radius, bottom - radius, radius, .pi / 2, .pi)
        cairo_arc(cairo, left + radius, top + radius, radius, .pi, .pi * 1.5)
        cairo_close_path(cairo)
    }

    private func fill(_ box: LockBox, _ colour: Colour, _ alpha: Double) {
        Drawing.set(cairo, colour, alpha: alpha)
        rounded(box)
        cairo_fill(cairo)
    }

    private func frame(_ box: LockBox, _ colour: Colour, _ alpha: Double) {
        Drawing.set(cairo, colour, alpha: alpha)
        rounded(box.inset(0.5))
        cairo_set_line_width(cairo, 1)
        cairo_stroke(cairo)
    }

    // MARK: the finger

    private func drawFinger(_ box: LockBox) {
        guard let finger = screen.finger else { return }
        let isBad = finger.state == .noMatch
        let isQuiet = finger.state == .off || finger.state == .changed
        let colour = isBad ? palette.alert : isQuiet && drawn.success == 0 ? palette.secondary : palette.tint
        if let fingerPicture { return draw(fingerPicture, in: box, colour) }
        cairo_save(cairo)
        cairo_translate(cairo, box.x, box.y)
        Drawing.finger(cairo, side: box.width, colour: colour, boldness: boldness + drawn.success * 0.5)
        cairo_restore(cairo)
    }

    private func draw(_ picture: LockFingerPicture, in box: LockBox, _ colour: Colour) {
        guard picture.isMask else { return draw(picture.picture, in: box) }
        // A symbolic icon has a shape and no colour.
        cairo_push_group(cairo)
        draw(picture.picture, in: box)
        let mask = cairo_pop_group(cairo)
        Drawing.set(cairo, colour)
        cairo_mask(cairo, mask)
        cairo_pattern_destroy(mask)
    }

    private func draw(_ picture: Picture, in box: LockBox) {
        cairo_save(cairo)
        cairo_translate(cairo, box.x, box.y)
        cairo_scale(cairo, box.width / picture.width, box.height / picture.height)
        gdk_cairo_set_source_pixbuf(cairo, picture.pixels, 0, 0)
        cairo_paint(cairo)
        cairo_restore(cairo)
    }

    // MARK: the entry

    /// Draws it where its motion has taken it, dimmed where nothing can be entered.
    private func drawEntry(_ box: LockBox) {
        cairo_save(cairo)
        cairo_rectangle(cairo, 0, box.y, layout.header.width, box.height)
        cairo_clip(cairo)
        cairo_push_group(cairo)
        let follow = screen.field == .pad ? (x: 0.0, y: 0.0) : touch.parallax
        let slide = drawn.slide * (layout.header.width + box.width) / 2
        cairo_translate(cairo, box.x + follow.x + drawn.shake + slide, box.y + follow.y)
        let margin = PromptWindow.margin * unit
        switch screen.field {
        case .none: break
        case .row:
            let height = PromptWindow.rowHeight * unit
            let geometry = RowGeometry(count: screen.digits, width: max(0, box.width - 2 * margin), height: height)
            cairo_translate(cairo, margin, (box.height - height) / 2)
            Drawing.row(cairo, geometry, filled: drawn.filled, colour: palette.tint, boldness: boldness)
        case .text, .account:
            let size = min(max(0, box.width - 2 * margin), 340 * unit)
            let height = PromptWindow.fieldHeight * unit
            cairo_translate(cairo, (box.width - size) / 2, (box.height - height) / 2)
            Drawing.field(
                cairo, width: size, height: height, count: drawn.characters, colours: palette,
                isFocused: touch.hasKeyboard && touch.focus == .entry, isRightToLeft: isRightToLeft)
        case .pad:
            let state = Drawing.PadState(
                dots: drawn.dots, pointer: touch.stroke.map { ($0.x - box.x, $0.y - box.y) },
                isLineHidden: drawn.isLineHidden,
                cursor: touch.isFocusVisible && touch.focus == .entry ? drawn.cursor : nil, isWrong: drawn.isWrong)
            Drawing.pad(cairo, PadGeometry(width: box.width, height: box.height), state, palette)
        }
        cairo_pop_group_to_source(cairo)
        cairo_paint_with_alpha(cairo, screen.isDimmed ? 0.35 : 1)
        cairo_restore(cairo)
    }
}

/// The finger's picture: in its own colours, or a shape.
struct LockFingerPicture {
    var picture: Picture
    var isMask: Bool
}

/// What a person does to the lock right now.
struct LockTouch: Equatable {
    enum Focus: Equatable {
        case entry
        case button(PromptModel.Button)
    }

    var focus = Focus.entry
    /// After a key has moved it, until the pointer does something.
    var isFocusVisible = false
    var hasKeyboard = false
    var hovered: PromptModel.Button?
    var pressed: PromptModel.Button?
    /// Where the pointer is, while it draws on the pad.
    var stroke: LockPoint?
    /// How far things follow the pointer, in surface pixels.
    var parallax: (x: Double, y: Double) { (Curves.parallax(pointer.x), Curves.parallax(pointer.y)) }
    /// From -1 to 1 each way; 0 without parallax.
    var pointer = LockPoint()
}

struct LockPoint: Equatable {
    var x = 0.0
    var y = 0.0
}
