internal import CGtk

/// Buttons of one width in the middle of their room: two beside each other where both can be read, else one.
///
/// GTK's own flow box asks for the height that it has at its natural width, and what follows it comes to lie on its last
/// line wherever it gets less.
package enum Columns {
    private static let spacing: Int32 = 8

    /// A container whose children come line by line. To be filled with ``append(_:to:)``.
    package static func make() -> Widget {
        let box = Make.box(GTK_ORIENTATION_HORIZONTAL)
        let layout = gtk_custom_layout_new(
            { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
            { widget, orientation, size, minimum, natural, _, _ in
                guard let widget, let minimum, let natural else { return }
                if orientation == GTK_ORIENTATION_HORIZONTAL {
                    (minimum.pointee, natural.pointee) = Columns.widths(Columns.children(of: widget))
                } else {
                    let height = Columns.height(Columns.children(of: widget), width: size)
                    (minimum.pointee, natural.pointee) = (height, height)
                }
            },
            { widget, width, _, _ in if let widget { Columns.place(widget, width: width) } })
        gtk_widget_set_layout_manager(box, layout)
        return box
    }

    package static func append(_ child: Widget, to columns: Widget) { gtk_box_append(cast(columns), child) }

    package static func removeAll(from columns: Widget) {
        while let child = gtk_widget_get_first_child(columns) { gtk_box_remove(cast(columns), child) }
    }

    // MARK: measuring

    private static func children(of widget: Widget) -> [Widget] {
        var found: [Widget] = []
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            if gtk_widget_should_layout(child) != 0 { found.append(child) }
            next = gtk_widget_get_next_sibling(child)
        }
        return found
    }

    private static func measure(_ child: Widget, _ orientation: GtkOrientation, _ size: Int32) -> (Int32, Int32) {
        var (minimum, natural): (Int32, Int32) = (0, 0)
        gtk_widget_measure(child, orientation, size, &minimum, &natural, nil, nil)
        return (minimum, natural)
    }

    /// The least is one button's; what it would like is room for two.
    private static func widths(_ children: [Widget]) -> (minimum: Int32, natural: Int32) {
        let widths = children.map { measure($0, GTK_ORIENTATION_HORIZONTAL, -1) }
        let widest = widths.map(\.1).max() ?? 0
        return (widths.map(\.0).max() ?? 0, children.count > 1 ? 2 * widest + spacing : widest)
    }

    /// - Parameter width: of all, in pixels; negative for as much as is liked.
    private static func grid(_ children: [Widget], width: Int32) -> (lines: [ArraySlice<Widget>], cell: Int32) {
        let widest = children.map { measure($0, GTK_ORIENTATION_HORIZONTAL, -1).1 }.max() ?? 0
        let fitsTwo = children.count > 1 && (width < 0 || width >= 2 * widest + spacing)
        let count = fitsTwo ? 2 : 1
        let lines = stride(from: 0, to: children.count, by: count).map {
            children[$0..<min($0 + count, children.count)]
        }
        return (lines, width < 0 ? widest : min(widest, width))
    }

    /// Of one line: a title that is broken makes a button higher.
    private static func height(of line: ArraySlice<Widget>, cell: Int32) -> Int32 {
        line.map { measure($0, GTK_ORIENTATION_VERTICAL, cell).1 }.max() ?? 0
    }

    private static func height(_ children: [Widget], width: Int32) -> Int32 {
        let (lines, cell) = grid(children, width: width)
        return lines.reduce(Int32(max(0, lines.count - 1)) * spacing) { $0 + height(of: $1, cell: cell) }
    }

    // MARK: placing

    private static func place(_ widget: Widget, width: Int32) {
        let (lines, cell) = grid(children(of: widget), width: width)
        let isRightToLeft = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
        var y: Int32 = 0
        for line in lines {
            let height = height(of: line, cell: cell)
            let whole = Int32(line.count) * (cell + spacing) - spacing
            var x = (width - whole) / 2
            for child in isRightToLeft ? line.reversed() : Array(line) {
                var place = GtkAllocation(x: x, y: y, width: cell, height: height)
                gtk_widget_size_allocate(child, &place, -1)
                x += cell + spacing
            }
            y += height + spacing
        }
    }
}
