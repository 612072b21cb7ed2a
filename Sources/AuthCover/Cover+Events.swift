import AuthChannel
import CX11
import MainLoop

/// What the X server tells, and what is done about it.
extension Cover {
    func handle(_ event: inout XEvent) {
        switch event.type {
        case GenericEvent: input(&event)
        case KeyPress: keyboard.finish(&event) { prompt?.key($0, $1) }
        case VisibilityNotify: isStackDirty = true
        case MapNotify: mapped(event.xmap)
        case ConfigureNotify: configured(event.xconfigure)
        case CirculateNotify: isStackDirty = true
        case UnmapNotify: gone(event.xunmap.window, how: .unmapped)
        case ReparentNotify where !server.roots.contains(event.xreparent.parent):
            gone(event.xreparent.window, how: .reparented)
        case DestroyNotify: gone(event.xdestroywindow.window, how: .destroyed)
        case SelectionClear: lostSelection(event.xselectionclear)
        case MappingNotify: XRefreshKeyboardMapping(&event.xmapping)
        case let type where type == server.randrEvent.map { $0 + RRScreenChangeNotify }:
            XRRUpdateConfiguration(&event)
            for sheet in sheets { sheet.fit() }
            prompt?.keepOnMonitor()
        case let type where type == server.randrEvent.map({ $0 + RRNotify }): prompt?.keepOnMonitor()
        default: break
        }
    }

    // MARK: windows

    private enum Going { case unmapped, reparented, destroyed }

    private func sheet(_ window: Window) -> Sheet? { sheets.first { $0.window == window } }

    private func mapped(_ event: XMapEvent) {
        if event.window == prompt?.window { prompt?.mapped() }
        isStackDirty = true
    }

    private func configured(_ event: XConfigureEvent) {
        if let sheet = sheets.first(where: { $0.root == event.window }) {
            sheet.fit()
            prompt?.keepOnMonitor()
        } else if let sheet = sheet(event.window), !sheet.fits(event) {
            sheet.fit()
        } else if event.window == prompt?.window {
            prompt?.configured(event)
        }
        isStackDirty = true
    }

    /// A sheet that another client hid, moved into a window of its own or destroyed is put back.
    private func gone(_ window: Window, how: Going) {
        if window == prompt?.window {
            prompt?.hidden()
            isStackDirty = true
        }
        guard let sheet = sheet(window) else { return }
        switch how {
        case .unmapped: XMapRaised(server.display, window)
        case .reparented:
            XReparentWindow(server.display, window, sheet.root, 0, 0)
            XMapRaised(server.display, window)
        case .destroyed:
            sheet.create()
            succession.claim(sheets.map(\.window))
        }
        takeFocus()
        isStackDirty = true
    }

    /// The cover that has the selection is the one that stays. Whoever took it without covering anything does not keep
    /// it. The server tells of it; a client that says so for it is not believed.
    private func lostSelection(_ event: XSelectionClearEvent) {
        guard event.send_event == 0, event.selection == server.atoms.cover else { return }
        if succession.hasSuccessor { handOver() }
        succession.claim(sheets.map(\.window))
    }

    // MARK: input

    private func input(_ event: inout XEvent) {
        guard event.xcookie.extension == server.inputOpcode, XGetEventData(server.display, &event.xcookie) != 0 else {
            return
        }
        defer { XFreeEventData(server.display, &event.xcookie) }
        let data = event.xcookie.data!
        switch event.xcookie.evtype {
        case XI_KeyPress, XI_KeyRelease:
            let key = data.assumingMemoryBound(to: XIDeviceEvent.self)
            // A release types nothing.
            if !isLate(key.pointee) {
                keyboard.read(key.pointee) { prompt?.key($0, $1) }
            } else if key.pointee.evtype == XI_KeyPress {
                prompt?.lose()
            }
            // Which key it was is not left in freed memory.
            key.pointee.detail = 0
        case XI_ButtonPress, XI_ButtonRelease, XI_Motion:
            let pointer = data.assumingMemoryBound(to: XIDeviceEvent.self).pointee
            // The pointer follows a finger, which is told as a touch.
            if pointer.evtype == XI_Motion, pointer.flags & XIPointerEmulated != 0 { break }
            if !isLate(pointer) { prompt?.pointer(pointer) } else if pointer.evtype != XI_Motion { prompt?.lose() }
        case XI_TouchBegin, XI_TouchUpdate, XI_TouchEnd:
            let touch = data.assumingMemoryBound(to: XIDeviceEvent.self).pointee
            if touch.evtype == XI_TouchBegin { accept(touch) }
            if isLate(touch) { prompt?.lose() } else { prompt?.touch(touch) }
        case XI_FocusIn, XI_FocusOut, XI_Enter, XI_Leave:
            crossed(data.assumingMemoryBound(to: XIEnterEvent.self).pointee)
        case XI_HierarchyChanged:
            grabs.findMasters()
            hold()
        default: break
        }
    }

    /// Whether it is so long ago that the person may have given up waiting for what comes of it. This process may have
    /// been stopped, or have got no time.
    private func isLate(_ event: XIDeviceEvent) -> Bool {
        clock.age(of: UInt32(truncatingIfNeeded: event.time)) > FeedMessage.freshness
    }

    /// A touch that nobody accepts is kept open for whoever may still want it.
    private func accept(_ touch: XIDeviceEvent) {
        XIAllowTouchEvents(
            server.display, touch.deviceid, UInt32(bitPattern: touch.detail), touch.event, XIAcceptTouch)
    }

    /// The focus or the pointer came to a sheet, or left it.
    private func crossed(_ event: XIEnterEvent) {
        switch event.mode {
        case XINotifyUngrab, XINotifyPassiveUngrab:
            // Somebody's grab has just ended: another client's, so ours is to be had, or ours, which must not be.
            hold()
        case XINotifyGrab, XINotifyPassiveGrab: break
        default: if event.evtype == XI_FocusOut { takeFocus() }
        }
    }

    /// While the devices are held the focus is of no account. It is kept on the sheet for the moments before they are
    /// and after a crash: what is typed then goes to nobody.
    func takeFocus() {
        var focus: Window = 0
        var revert: Int32 = 0
        XGetInputFocus(server.display, &focus, &revert)
        guard focus != sheets[0].window, focusing.allows({ [unowned self] in takeFocus() }) else { return }
        XSetInputFocus(server.display, sheets[0].window, Int32(RevertToNone), Time(CurrentTime))
        XFlush(server.display)
    }
}
