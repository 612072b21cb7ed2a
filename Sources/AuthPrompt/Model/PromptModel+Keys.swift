import AuthChannel
import AuthLooks
import AuthWire
import MainLoop

/// What keys, the pointer and the buttons do.
extension PromptModel {
    enum Button: Equatable, Sendable {
        case cancel, fallback, account, line, fingerprint
        case finger(Wire.Finger)
    }

    mutating func focus(_ isFocused: Bool, _ now: Moment) {
        if !isFocused { focusedSince = nil } else if focusedSince == nil { focusedSince = now.monotonic }
    }

    /// Keys that were meant for the window that lost the focus to this one do not count.
    func keysCount(_ now: Moment) -> Bool {
        guard let since = focusedSince else { return false }
        return now.monotonic - since >= PromptModel.focusTime
    }

    /// Something that was typed or drawn did not get here: what was begun goes, and as after a change of the focus keys
    /// count only a moment later, when whoever types has seen it go. An entry that is whole is left alone.
    mutating func lose(_ now: Moment) -> [Effect] {
        if focusedSince != nil { focusedSince = now.monotonic }
        isDrawing = false
        guard pending == nil, motion == nil, submitAt == nil, quitAt == nil else { return [] }
        let before = count
        clear()
        return filledMessage(before: before)
    }

    /// Whether something can be typed or drawn now.
    func takesEntry(_ now: Moment) -> Bool {
        guard let view, view.takesKeys, !view.isBusy else { return false }
        return field != .none && pending == nil && motion == nil && quitAt == nil && submitAt == nil && wait(now) == 0
    }

    mutating func press(_ key: Key, _ now: Moment) -> [Effect] {
        guard let view, keysCount(now), quitAt == nil else { return [] }
        // The key that ends a Background is no part of the entry.
        guard view.takesKeys else { return [.send(.key)] }
        if key == .escape { return escape(now) }
        guard takesEntry(now) else { return [] }
        let before = count
        switch field {
        case .none: return []
        case .row: type(digit: key, now)
        case .text, .account:
            if key == .enter { return submit(now) }
            type(text: key)
        case .pad:
            if key == .enter { return submit(now) }
            draw(key)
        }
        return filledMessage(before: before)
    }

    /// A pointer's button went down: where no key counts it is as good as one.
    mutating func touch(_ now: Moment) -> [Effect] { view?.takesKeys == false && quitAt == nil ? [.send(.key)] : [] }

    mutating func press(_ button: Button, _ now: Moment) -> [Effect] {
        guard let view, quitAt == nil, view.takesKeys else { return [] }
        switch button {
        case .cancel: return view.view.canCancel ? [.send(.cancel)] : []
        case .fallback: return view.view.fallbackTitle.isEmpty ? [] : [.send(.fallback)]
        case .account:
            guard view.view.takesAccountPassword, pending == nil, motion == nil else { return [] }
            let before = count
            clear()
            notice = nil
            let effects = field == .row && before > 0 ? [Effect.send(.filled(0))] : []
            usesAccount.toggle()
            return effects
        case .line:
            isLineHidden.toggle()
            return []
        case .fingerprint: return wait(now) > 0 ? [] : [.send(.finger(""))]
        case .finger(let finger):
            return view.view.fingersToPick.contains(finger) && view.view.finger != .changed && wait(now) == 0
                ? [.send(.finger(finger.rawValue))] : []
        }
    }

    private mutating func escape(_ now: Moment) -> [Effect] {
        if usesAccount, view?.view.demand != .account { return press(.account, now) }
        if view?.view.canCancel == true { return [.send(.cancel)] }
        guard takesEntry(now) else { return [] }
        let before = count
        clear()
        return filledMessage(before: before)
    }

    // MARK: typing

    private mutating func type(digit key: Key, _ now: Moment) {
        if key == .backspace, count > 0 {
            entry.removeLastCharacter()
            count -= 1
            notice = nil
        }
        guard case .character(let character) = key, ("0"..."9").contains(character), let view,
            entry.append(UInt8(character.value))
        else { return }
        count += 1
        notice = nil
        // It stands for a moment, so that the last circle is seen filled.
        if count >= Int(view.view.digits) { submitAt = now.monotonic + PromptModel.submitTime }
    }

    private mutating func type(text key: Key) {
        switch key {
        case .backspace where count > 0:
            entry.removeLastCharacter()
            count -= 1
            notice = nil
        case .character(let character):
            let isText = character.value >= 0x20 && !(0x7f...0x9f).contains(character.value)
            // One byte less than the buffer holds: the service's limit.
            guard isText, entry.count + UTF8.width(character) < SecretBuffer.capacity else { return }
            for byte in UTF8.encode(character)! { entry.append(byte) }
            count += 1
            notice = nil
        default: break
        }
    }

    // MARK: the pad

    private mutating func draw(_ key: Key) {
        switch key {
        case .left where cursor % 3 != 1: cursor -= 1
        case .right where cursor % 3 != 0: cursor += 1
        case .up where cursor > 3: cursor -= 3
        case .down where cursor < 7: cursor += 3
        case .character(" "): connect(cursor)
        case .character(let digit) where ("1"..."9").contains(digit):
            cursor = Int(digit.value) - 0x30
            connect(cursor)
        case .backspace where count > 0:
            entry.removeLastCharacter()
            count -= 1
            notice = nil
        default: break
        }
    }

    /// Takes a dot, and the one on the straight way to it, unless they are taken already.
    private mutating func connect(_ dot: Int) {
        let taken = dots
        guard !taken.contains(dot) else { return }
        notice = nil
        if let last = taken.last, let between = PadGeometry.between(last, dot), !taken.contains(between) {
            add(between)
        }
        add(dot)
    }

    private mutating func add(_ dot: Int) {
        if entry.append(UInt8(0x30 + dot)) { count += 1 }
    }

    /// The dots of the line so far. A copy of what is on the screen.
    var dots: [Int] { field == .pad ? entry.withBytes { $0.map { Int($0) - 0x30 } } : [] }

    mutating func startStroke(_ now: Moment) {
        guard field == .pad, takesEntry(now) else { return }
        clear()
        notice = nil
        isDrawing = true
    }

    mutating func stroke(over dots: [Int], _ now: Moment) {
        guard isDrawing, takesEntry(now) else { return }
        for dot in dots {
            connect(dot)
            cursor = dot
        }
    }

    /// Lifting submits.
    mutating func endStroke(_ now: Moment) -> [Effect] {
        guard isDrawing else { return [] }
        isDrawing = false
        return takesEntry(now) ? submit(now) : []
    }
}
