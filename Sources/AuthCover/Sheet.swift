import CX11
import MainLoop

/// The plain window over one screen of the server.
///
/// One window of the root's size lies over every monitor there is, as each shows a part of the root. It takes nothing
/// from window managers (override-redirect), lets no event through to what is beneath, and outlives its process: the
/// cover is opened by an order or a successor, never by a crash.
@LoopActor
final class Sheet {
    let root: Window
    private let server: XServer
    private(set) var window: Window = 0
    private var width: UInt32 = 0
    private var height: UInt32 = 0
    private var cursor: Cursor = 0

    /// Events of the core protocol that would otherwise go on to the window beneath.
    private static let kept =
        KeyPressMask | KeyReleaseMask | ButtonPressMask | ButtonReleaseMask | PointerMotionMask | ButtonMotionMask

    init(_ root: Window, of server: XServer) {
        self.root = root
        self.server = server
        cursor = 0
        // Before the window: nothing that happens after it is mapped is missed.
        XSelectInput(server.display, root, SubstructureNotifyMask | StructureNotifyMask)
        // A monitor may also go and leave the screen's size as it was.
        if server.randrEvent != nil {
            XRRSelectInput(server.display, root, Int32(RRScreenChangeNotifyMask | RRCrtcChangeNotifyMask))
        }
        create()
    }

    /// Makes the window, as large as the root, and maps it above all others.
    func create() {
        let display = server.display
        (width, height) = rootSize()
        var attributes = XSetWindowAttributes()
        attributes.override_redirect = 1
        attributes.event_mask = VisibilityChangeMask
        attributes.do_not_propagate_mask = Self.kept
        // Black is black on every visual, and dark on every panel.
        attributes.background_pixel = XBlackPixel(display, screen)
        attributes.border_pixel = attributes.background_pixel
        window = XCreateWindow(
            display, root, 0, 0, width, height, 0, 0, UInt32(InputOutput), nil,
            UInt(CWOverrideRedirect | CWEventMask | CWDontPropagate | CWBackPixel | CWBorderPixel), &attributes)
        // Compositors' rules go by these: none should fade the cover in.
        XStoreName(display, window, "smileauth-cover")
        Self.setClass(of: window, display)
        var bypass: CLong = 1
        withUnsafeBytes(of: &bypass) {
            _ = XChangeProperty(
                display, window, server.atoms.bypassCompositor, XA_CARDINAL, 32, PropModeReplace,
                $0.bindMemory(to: UInt8.self).baseAddress, 1)
        }
        Masks.selectOnSheet(window, display)
        XMapRaised(display, window)
        // The root's own is a cross in many sessions. Its font is read only now, when the window is up.
        if cursor == 0 { cursor = XCreateFontCursor(display, UInt32(XC_left_ptr)) }
        XDefineCursor(display, window, cursor)
    }

    private static func setClass(of window: Window, _ display: OpaquePointer) {
        // The instance's name and the class's, each ended by NUL (ICCCM 4.1.2.5).
        let names = "smileauth-cover\0smileauth-cover\0"
        names.withCString {
            _ = $0.withMemoryRebound(to: UInt8.self, capacity: names.utf8.count) {
                XChangeProperty(
                    display, window, XA_WM_CLASS, XA_STRING, 8, PropModeReplace, $0, Int32(names.utf8.count))
            }
        }
    }

    /// Follows the root's size: monitors came or went, or somebody moved the window.
    func fit() {
        (width, height) = rootSize()
        XMoveResizeWindow(server.display, window, 0, 0, width, height)
    }

    /// Whether the window lies where it belongs, by an event about it.
    func fits(_ event: XConfigureEvent) -> Bool {
        event.x == 0 && event.y == 0 && event.width == Int32(width) && event.height == Int32(height)
    }

    /// Puts the window, and the prompt's above it where there is one, back on top where something else came above.
    ///
    /// It looks before it moves, so that its own moves make no further ones.
    func restack(under prompt: Window?) {
        let display = server.display
        let order = server.children(of: root)
        guard let own = order.lastIndex(of: window) else { return }
        let above = order[(own + 1)...]
        if let prompt, order.contains(prompt) {
            guard !above.elementsEqual([prompt]) else { return }
            // The prompt first: the sheet never comes above it, not for one frame.
            XRaiseWindow(display, prompt)
            var changes = XWindowChanges()
            changes.sibling = prompt
            changes.stack_mode = Below
            XConfigureWindow(display, window, UInt32(CWSibling | CWStackMode), &changes)
        } else if !above.isEmpty {
            XRaiseWindow(display, window)
        }
    }

    private var screen: Int32 { Int32(server.roots.firstIndex(of: root) ?? 0) }

    private func rootSize() -> (UInt32, UInt32) {
        var root: Window = 0
        var x: Int32 = 0
        var y: Int32 = 0
        var width: UInt32 = 0
        var height: UInt32 = 0
        var border: UInt32 = 0
        var depth: UInt32 = 0
        guard XGetGeometry(server.display, self.root, &root, &x, &y, &width, &height, &border, &depth) != 0 else {
            return (UInt32(XDisplayWidth(server.display, screen)), UInt32(XDisplayHeight(server.display, screen)))
        }
        return (width, height)
    }
}
