import AuthLooks

/// Makes a layout with one size of everything, and says whether it fits.
struct LockLayoutMaker {
    /// The body's rows from top to bottom, before they have a place.
    private enum Row {
        case label(String, LockTextStyle, LockSize)
        case entry
        case finger(Screen.FingerButton, LockSize)
        case controls([LockLayout.Control])
    }

    let screen: Screen
    let width: Double
    let height: Double
    let unit: Double
    let isRightToLeft: Bool
    let logo: LockSize?
    let picture: LockSize?
    let measure: any LockMeasure

    private var em: Double { LockLayout.em * unit }
    /// The room that texts and buttons have, at the sides of which nothing is.
    private var room: Double { max(1, width - 2 * min(20 * unit, width * 0.06)) }

    func make() -> (layout: LockLayout, fits: Bool) {
        var layout = LockLayout()
        layout.unit = unit
        var fits = makeHeader(&layout)
        let rows = makeRows()
        let heights = rows.map { self.height(of: $0.row) }
        let whole = zip(rows, heights).reduce(0) { $0 + $1.0.gap * unit + $1.1 }
        let free = height - layout.header.height - 2 * 12 * unit
        if whole > free { fits = false }
        var y = layout.header.height + max(12 * unit, (height - layout.header.height - whole) / 2)
        for (row, height) in zip(rows, heights) {
            y += row.gap * unit
            place(row.row, y, height, &layout)
            y += height
        }
        if layout.controls.contains(where: { $0.box.width > room + 1 }) { fits = false }
        return (layout, fits)
    }

    // MARK: the header

    /// - Returns: whether the title is readable: not cut down to next to nothing.
    private func makeHeader(_ layout: inout LockLayout) -> Bool {
        layout.header = LockBox(x: 0, y: 0, width: width, height: 48 * unit)
        let margin = 6 * unit
        var aside = margin
        if !screen.cancel.isEmpty {
            var control = self.control(.cancel, screen.cancel, .plain)
            // A caller's title leaves room for ours.
            control.box.width = min(control.box.width, 0.34 * width)
            control.box.x = isRightToLeft ? width - margin - control.box.width : margin
            control.box.y = (layout.header.height - control.box.height) / 2
            layout.controls.append(control)
            aside += control.box.width + margin
        }
        // In the middle of the whole, whatever is at its side.
        let space = max(1, width - 2 * aside)
        if let logo {
            let factor = min(1, space / logo.width, 32 * unit / logo.height)
            let (across, down) = (logo.width * factor, logo.height * factor)
            layout.logo = LockBox(
                x: (width - across) / 2, y: (layout.header.height - down) / 2, width: across, height: down)
            return true
        }
        guard !screen.title.isEmpty else { return true }
        let wanted = measure.size(screen.title, .title, em: em, width: 10_000, isOneLine: true)
        let across = min(wanted.width, space)
        layout.labels.append(
            LockLayout.Label(
                text: screen.title, style: .title,
                box: LockBox(x: (width - across) / 2, y: 0, width: across, height: layout.header.height),
                isOneLine: true))
        return wanted.width <= space
    }

    // MARK: the body

    private func makeRows() -> [(row: Row, gap: Double)] {
        var rows: [(row: Row, gap: Double)] = []
        func add(_ text: String, _ style: LockTextStyle, _ gap: Double) {
            guard !text.isEmpty else { return }
            let size = measure.size(text, style, em: em, width: textWidth, isOneLine: false)
            rows.append((.label(text, style, size), gap))
        }
        add(screen.owner, .small, 0)
        add(screen.requester, .small, screen.owner.isEmpty ? 0 : 2)
        add(screen.reason, .small, 2)
        add(screen.description, screen.isAlert ? .alert : .description, 28)
        if screen.field != .none { rows.append((.entry, screen.field == .pad ? 18 : 14)) }
        add(screen.wait, .wait, 8)
        if let finger = screen.finger {
            let size = measure.size(finger.title, .finger, em: em, width: max(1, room - 36 * unit), isOneLine: true)
            rows.append((.finger(finger, size), 18))
        }
        let choices = screen.choices.map {
            control(
                .finger($0.finger), $0.title, .choice, isSensitive: $0.isSensitive, isPicked: $0.isPicked)
        }
        for (index, line) in lines(of: choices).enumerated() {
            rows.append((.controls(isRightToLeft ? line.reversed() : line), index == 0 ? 18 : 8))
        }
        for (button, title, gap) in [
            (PromptModel.Button.line, screen.line, 14.0), (.fallback, screen.fallback, 14),
            (.account, screen.account, 12),
        ] where !title.isEmpty {
            rows.append((.controls([control(button, title, .plain)]), gap))
        }
        return rows
    }

    /// Longer lines are hard to read.
    private var textWidth: Double { min(room, 32 * em) }

    private func control(
        _ button: PromptModel.Button, _ title: String, _ kind: LockLayout.Control.Kind, isSensitive: Bool = true,
        isPicked: Bool = false
    ) -> LockLayout.Control {
        let style: LockTextStyle = isPicked ? .picked : .button
        let size = measure.size(title, style, em: em, width: 10_000, isOneLine: true)
        let (across, down) = kind == .choice ? (28.0, 34.0) : (24.0, 38.0)
        return LockLayout.Control(
            button: button, title: title, kind: kind,
            box: LockBox(width: size.width + across * unit, height: max(down * unit, size.height + 12 * unit)),
            isSensitive: isSensitive, isPicked: isPicked)
    }

    /// Two beside each other where there is room, of one width.
    private func lines(of choices: [LockLayout.Control]) -> [[LockLayout.Control]] {
        guard let widest = choices.map(\.box.width).max() else { return [] }
        let perLine = 2 * widest + 8 * unit <= room ? 2 : 1
        let even = choices.map { choice in
            var choice = choice
            choice.box.width = widest
            return choice
        }
        return stride(from: 0, to: even.count, by: perLine).map { Array(even[$0..<min($0 + perLine, even.count)]) }
    }

    private func height(of row: Row) -> Double {
        switch row {
        case .label(_, _, let size): size.height
        case .entry:
            switch screen.field {
            case .pad: min(284 * unit, room)
            case .row: (PromptWindow.rowHeight + 2 * PromptWindow.margin) * unit
            default: (PromptWindow.fieldHeight + 2 * PromptWindow.margin) * unit
            }
        case .finger(_, let size): (20 + 8) * unit + pictureSize.height + size.height
        case .controls(let controls): controls.map(\.box.height).max() ?? 0
        }
    }

    private var pictureSize: LockSize {
        let side = PromptWindow.fingerSide * unit
        guard let picture else { return LockSize(width: side, height: side) }
        let factor = min(side / picture.width, side / picture.height)
        return LockSize(width: picture.width * factor, height: picture.height * factor)
    }

    private func place(_ row: Row, _ y: Double, _ height: Double, _ layout: inout LockLayout) {
        switch row {
        case .label(let text, let style, _):
            let box = LockBox(x: (width - textWidth) / 2, y: y, width: textWidth, height: height)
            layout.labels.append(LockLayout.Label(text: text, style: style, box: box))
        case .entry:
            layout.entry = LockBox(x: (width - room) / 2, y: y, width: room, height: height)
        case .finger(let finger, let size):
            let picture = pictureSize
            let across = min(max(picture.width, size.width) + 36 * unit, room)
            let box = LockBox(x: (width - across) / 2, y: y, width: across, height: height)
            layout.controls.append(
                LockLayout.Control(
                    button: .fingerprint, title: finger.title, kind: .finger, box: box,
                    isSensitive: finger.isSensitive))
            layout.finger = LockBox(
                x: (width - picture.width) / 2, y: y + 10 * unit, width: picture.width, height: picture.height)
        case .controls(let controls):
            let whole = controls.reduce(Double(controls.count - 1) * 8 * unit) { $0 + $1.box.width }
            var x = (width - whole) / 2
            for var control in controls {
                control.box.x = x
                control.box.y = y
                x += control.box.width + 8 * unit
                layout.controls.append(control)
            }
        }
    }
}
