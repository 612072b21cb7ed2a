internal import CGtk

/// Pure drawing: values in, cairo's calls out.
package enum Drawing {
    package static func set(_ cairo: OpaquePointer, _ colour: Colour, alpha: Double = 1) {
        cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, alpha)
    }

    package static func disc(_ cairo: OpaquePointer, _ x: Double, _ y: Double, _ radius: Double) {
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, x, y, max(0, radius), 0, 2 * .pi)
        cairo_fill(cairo)
    }

    package static func ring(_ cairo: OpaquePointer, _ x: Double, _ y: Double, _ radius: Double, width: Double) {
        cairo_set_line_width(cairo, width)
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, x, y, max(0, radius), 0, 2 * .pi)
        cairo_stroke(cairo)
    }

    /// The row of circles.
    ///
    /// - Parameters:
    ///   - filled: circles with a dot; a fraction is a dot that is coming.
    ///   - boldness: of the lines, 1 for the contract's.
    package static func row(
        _ cairo: OpaquePointer, _ geometry: RowGeometry, filled: Double, colour: Colour, boldness: Double = 1
    ) {
        set(cairo, colour)
        for (index, x) in geometry.centres.enumerated() {
            // Thinner than this a line is not seen.
            let width = max(geometry.lineWidth * boldness, 0.75)
            ring(cairo, x, geometry.middle, geometry.outlineRadius, width: width)
            let share = max(0, min(1, filled - Double(index)))
            // Nor is a smaller dot.
            let dot = max(geometry.dotRadius * boldness, min(geometry.radius / 2, 1.2))
            if share > 0 { disc(cairo, x, geometry.middle, dot * share) }
        }
    }

    /// A line of bullets in a rounded field, the last ones where they are too many.
    package static func field(
        _ cairo: OpaquePointer, width: Double, height: Double, count: Int, colours: Palette, isFocused: Bool,
        isRightToLeft: Bool
    ) {
        let line = (colours.isHighContrast ? 2.0 : 1.0) * (isFocused ? 1.5 : 1)
        let inset = line / 2 + 0.5
        let radius = min(10, height / 2)
        cairo_new_sub_path(cairo)
        let (left, top, right, bottom) = (inset, inset, width - inset, height - inset)
        cairo_arc(cairo, right - radius, top + radius, radius, -.pi / 2, 0)
        cairo_arc(cairo, right - radius, bottom - radius, radius, 0, .pi / 2)
        cairo_arc(cairo, left + radius, bottom - radius, radius, .pi / 2, .pi)
        cairo_arc(cairo, left + radius, top + radius, radius, .pi, .pi * 1.5)
        cairo_close_path(cairo)
        set(cairo, colours.background, alpha: 0.6)
        cairo_fill_preserve(cairo)
        set(cairo, colours.tint)
        cairo_set_line_width(cairo, line)
        cairo_stroke(cairo)
        let (step, dot, padding) = (height * 0.36, height * 0.09, height * 0.4)
        let room = max(0, Int((width - 2 * padding) / step))
        let shown = min(count, room)
        set(cairo, colours.text)
        // In the middle, as the row of circles is.
        let start = width / 2 - Double(shown - 1) / 2 * step
        for index in 0..<shown { disc(cairo, start + Double(index) * step, height / 2, dot) }
        guard isFocused else { return }
        let end = start + Double(shown) * step - step / 2 + (shown == 0 ? 0 : 2)
        let caret = isRightToLeft ? width - end : end
        set(cairo, colours.tint)
        cairo_set_line_width(cairo, 1.5)
        cairo_move_to(cairo, caret, height * 0.3)
        cairo_line_to(cairo, caret, height * 0.7)
        cairo_stroke(cairo)
    }

    /// How the pad looks.
    package struct PadState {
        package var dots: [Int]
        /// Where the pointer is, while it draws.
        package var pointer: (x: Double, y: Double)?
        package var isLineHidden: Bool
        /// The dot that the keyboard has reached; nil without the focus.
        package var cursor: Int?
        package var isWrong: Bool

        package init(
            dots: [Int], pointer: (x: Double, y: Double)?, isLineHidden: Bool, cursor: Int?, isWrong: Bool
        ) {
            self.dots = dots
            self.pointer = pointer
            self.isLineHidden = isLineHidden
            self.cursor = cursor
            self.isWrong = isWrong
        }
    }

    package static func pad(_ cairo: OpaquePointer, _ geometry: PadGeometry, _ state: PadState, _ colours: Palette) {
        let bold = colours.isHighContrast ? 1.6 : 1.0
        let colour = state.isWrong ? colours.alert : colours.tint
        if !state.isLineHidden { line(cairo, geometry, state, colour, width: geometry.cell * 0.055 * bold) }
        for dot in 1...9 {
            let (x, y) = geometry.centre(of: dot)
            let isTaken = state.dots.contains(dot) && !state.isLineHidden
            if isTaken {
                set(cairo, colour, alpha: 0.16)
                disc(cairo, x, y, geometry.ringRadius)
                set(cairo, colour)
                ring(cairo, x, y, geometry.ringRadius, width: 1.5 * bold)
            } else {
                set(cairo, colours.tint)
                ring(cairo, x, y, geometry.ringRadius, width: 1 * bold)
            }
            set(cairo, isTaken ? colour : colours.tint)
            disc(cairo, x, y, geometry.dotRadius * (isTaken ? 1.5 : 1))
            if state.cursor == dot {
                set(cairo, colours.text, alpha: 0.9)
                cairo_set_dash(cairo, [4, 4], 2, 0)
                ring(cairo, x, y, geometry.ringRadius + 6, width: 1.5 * bold)
                cairo_set_dash(cairo, nil, 0, 0)
            }
        }
    }

    private static func line(
        _ cairo: OpaquePointer, _ geometry: PadGeometry, _ state: PadState, _ colour: Colour, width: Double
    ) {
        guard let first = state.dots.first else { return }
        let start = geometry.centre(of: first)
        cairo_move_to(cairo, start.x, start.y)
        for dot in state.dots.dropFirst() {
            let next = geometry.centre(of: dot)
            cairo_line_to(cairo, next.x, next.y)
        }
        if let pointer = state.pointer { cairo_line_to(cairo, pointer.x, pointer.y) }
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_width(cairo, width)
        set(cairo, colour, alpha: 0.6)
        cairo_stroke(cairo)
    }
}
