import CX11
import MainLoop

/// Ends the grabs of open menus, which would otherwise keep the keyboard until somebody closes them.
///
/// The server ends a grab when its window is no longer viewable. So every window of the kind that menus are made of
/// (override-redirect) is unmapped for a moment, the topmost first, until the devices are to be had. Their owners see
/// their grabs broken and close them, as toolkits do.
@LoopActor
enum Popups {
    /// - Parameters:
    ///   - ours: windows that are left alone.
    ///   - succeeds: tries to hold the devices.
    static func unmapInTurn(_ server: XServer, except ours: [Window], until succeeds: @LoopActor () -> Bool) {
        let display = server.display
        // Nobody sees the windows come and go half-way, or gets the devices in between.
        XGrabServer(display)
        defer {
            XUngrabServer(display)
            XFlush(display)
        }
        for (screen, root) in zip(Int32(0)..., server.roots) {
            for window in server.children(of: root).reversed() where !ours.contains(window) {
                var attributes = XWindowAttributes()
                guard XGetWindowAttributes(display, window, &attributes) != 0, attributes.override_redirect != 0,
                    attributes.map_state == IsViewable
                else { continue }
                // As large as the screen: no menu, but what a compositor draws on.
                if attributes.width >= XDisplayWidth(display, screen),
                    attributes.height >= XDisplayHeight(display, screen)
                {
                    continue
                }
                XUnmapWindow(display, window)
                let isDone = succeeds()
                XMapWindow(display, window)
                if isDone { return }
            }
        }
    }
}
