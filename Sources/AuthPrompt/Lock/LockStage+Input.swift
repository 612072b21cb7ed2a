import AuthLooks
import MainLoop
import WaylandLock

/// Keys, the pointer and fingers.
extension LockStage {
    func take(_ input: LockInput) {
        switch input.event {
        case .focus(let isFocused): focus(isFocused, input.surface)
        case .key(let press, let text): key(press, text)
        case .pointer(let stage, let x, let y):
            switch stage {
            case .enter:
                if touch.stroke == nil, let surface = input.surface { moveTo(surface) }
                move(x, y)
            case .motion: move(x, y)
            case .press: down(x, y)
            case .release: up(x, y)
            case .leave: if touch.stroke == nil { hover(nil) }
            }
        case .otherButton: actions.touch()
        case .touch(let stage, let id, let x, let y): tap(stage, id, x, y, input.surface)
        case .touchCancelled:
            finger = nil
            cancelStroke()
            update { $0.pressed = nil }
        }
    }

    /// Changes what is done to the lock, and draws it.
    private func update(_ change: (inout LockTouch) -> Void) {
        let old = touch
        change(&touch)
        if touch != old { redraw() }
    }

    private func focus(_ isFocused: Bool, _ surface: LockSurface?) {
        if isFocused, let surface, touch.stroke == nil { moveTo(surface) }
        update { $0.hasKeyboard = isFocused }
        actions.focus(isFocused)
    }

    // MARK: keys

    private func key(_ press: KeyPress, _ text: UnsafeRawBufferPointer) {
        // A part of a character is a key all the same: it ends a Background.
        guard !press.isCombined, !press.isPart else { return actions.key(.other) }
        switch press.keysym {
        case 0xff09, 0xff89: return tab(forward: true)
        case 0xfe20: return tab(forward: false)
        case 0xff0d, 0xff8d, 0xfe34, 0x20, 0xff80:
            if case .button(let button) = touch.focus {
                // The button's own key; it still ends a Background.
                actions.key(.other)
                if !press.isRepeat { actions.button(button) }
                return
            }
        // The arrows move about on the pad: where they are is to be seen.
        case 0xff51...0xff54: update { $0.isFocusVisible = true }
        default: break
        }
        let isText = screen.field == .text || screen.field == .account
        let key = Key(keysym: press.keysym, scalar: press.scalar, typesDigits: !isText)
        // Held keys repeat what they type, and nothing else.
        if press.isRepeat, key == .enter || key == .escape { return }
        switch key {
        case .character where isText, .other where isText && !text.isEmpty: type(text)
        default: actions.key(key)
        }
    }

    /// Decodes in place: a passcode's characters are never in a String.
    private func type(_ text: UnsafeRawBufferPointer) {
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = text.makeIterator()
        while case .valid(let encoded) = parser.parseScalar(from: &iterator) {
            let scalar = Unicode.UTF8.decode(encoded)
            if scalar.value >= 0x20 { actions.text(scalar) }
        }
    }

    private func tab(forward: Bool) {
        actions.key(.other)
        let places = [LockTouch.Focus.entry] + layout.order.map { .button($0) }
        let now = places.firstIndex(of: touch.focus) ?? 0
        let next = places[(now + (forward ? 1 : places.count - 1)) % places.count]
        update {
            $0.focus = next
            $0.isFocusVisible = true
        }
    }

    // MARK: the pointer

    private func move(_ x: Double, _ y: Double) {
        follow(x, y)
        if let last = touch.stroke {
            touch.stroke = LockPoint(x: x, y: y)
            stroke(from: last, to: LockPoint(x: x, y: y))
            redrawEntry()
        } else {
            hover(layout.control(at: x, y)?.button)
        }
    }

    private func follow(_ x: Double, _ y: Double) {
        guard looks.hasParallax, style.hasAnimations, let main, main.width > 0, main.height > 0 else { return }
        touch.pointer = LockPoint(x: x / Double(main.width) * 2 - 1, y: y / Double(main.height) * 2 - 1)
        if pictures.background == nil { redrawEntry() } else { redraw() }
    }

    private func hover(_ button: PromptModel.Button?) { update { $0.hovered = button } }

    private func down(_ x: Double, _ y: Double) {
        actions.touch()
        let target = layout.control(at: x, y)?.button
        update {
            $0.isFocusVisible = false
            $0.hovered = target
            $0.pressed = target
            if let target, $0.focus != .entry { $0.focus = .button(target) }
        }
        guard target == nil, screen.field == .pad, let entry = layout.entry, entry.contains(x, y) else { return }
        touch.focus = .entry
        touch.stroke = LockPoint(x: x, y: y)
        actions.strokeBegan()
        stroke(from: LockPoint(x: x, y: y), to: LockPoint(x: x, y: y))
        redrawEntry()
    }

    private func up(_ x: Double, _ y: Double) {
        if touch.stroke != nil {
            touch.stroke = nil
            actions.strokeEnded()
            return redrawEntry()
        }
        guard let pressed = touch.pressed else { return }
        update { $0.pressed = nil }
        if layout.control(at: x, y)?.button == pressed { actions.button(pressed) }
    }

    private func stroke(from start: LockPoint, to end: LockPoint) {
        guard let entry = layout.entry else { return }
        let geometry = PadGeometry(width: entry.width, height: entry.height)
        actions.stroke(
            geometry.dots(from: (start.x - entry.x, start.y - entry.y), to: (end.x - entry.x, end.y - entry.y)))
    }

    /// What has become of a stroke that nobody ends: it is submitted as far as it goes, as one that leaves the pad is.
    func cancelStroke() {
        guard touch.stroke != nil else { return }
        touch.stroke = nil
        actions.strokeEnded()
    }

    // MARK: fingers

    /// One finger at a time: the first.
    private func tap(_ stage: InputEvent.Stage, _ id: Int32, _ x: Double, _ y: Double, _ surface: LockSurface?) {
        switch stage {
        case .press where finger == nil:
            finger = id
            if let surface { moveTo(surface) }
            down(x, y)
        case .motion where finger == id: move(x, y)
        case .release where finger == id:
            finger = nil
            up(x, y)
            hover(nil)
        default: break
        }
    }
}
