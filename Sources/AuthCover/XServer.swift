import CX11
import Glibc
import MainLoop

/// The connection to the X server: what it offers, its events, and its errors, which end nothing.
@LoopActor
final class XServer {
    let display: OpaquePointer
    let atoms: Atoms
    /// The root windows; all but one only where the server was set up with several screens.
    let roots: [Window]
    /// The major opcode of XInput's requests and events.
    let inputOpcode: Int32
    let canHoldInput: Bool
    /// The number of RandR's first event; nil without RandR.
    let randrEvent: Int32?
    private var reading: LoopSource?
    private var overflow: LoopSource?

    struct Atoms {
        /// The selection that the newest cover owns, and the property of the root that tells what it has there.
        let cover: Atom
        let bypassCompositor: Atom
    }

    /// Errors that the server has answered so far. Replies do not tell whether there was one.
    private(set) nonisolated(unsafe) static var errorCount = 0

    /// - Returns: nil where there is no X server, or it does not let us in.
    static func open() -> XServer? {
        XSetErrorHandler { _, _ in
            XServer.errorCount += 1
            return 0
        }
        // The server is gone, and with it everything to cover. Xlib wants this not to return.
        XSetIOErrorHandler { _ in
            log("the X server is gone")
            _exit(1)
        }
        guard let display = XOpenDisplay(nil) else { return nil }
        return XServer(display)
    }

    private init(_ display: OpaquePointer) {
        self.display = display
        roots = (0..<XScreenCount(display)).map { XRootWindow(display, $0) }
        atoms = Atoms(
            cover: XInternAtom(display, "_SMILEAUTH_COVER", 0),
            bypassCompositor: XInternAtom(display, "_NET_WM_BYPASS_COMPOSITOR", 0))
        var opcode: Int32 = 0
        var event: Int32 = 0
        var error: Int32 = 0
        var major: Int32 = 2
        var minor: Int32 = 2
        canHoldInput =
            XQueryExtension(display, "XInputExtension", &opcode, &event, &error) != 0
            && XIQueryVersion(display, &major, &minor) == Success
            && (major, minor) >= (2, 2)
        inputOpcode = opcode
        randrEvent = XRRQueryExtension(display, &event, &error) != 0 ? event : nil
    }

    /// Whether the server shows its windows inside a Wayland compositor, whose own are out of reach.
    ///
    /// Newer ones say so by an extension, older ones by the names of their outputs.
    var isWayland: Bool {
        var opcode: Int32 = 0
        var event: Int32 = 0
        var error: Int32 = 0
        if XQueryExtension(display, "XWAYLAND", &opcode, &event, &error) != 0 { return true }
        guard randrEvent != nil, let resources = XRRGetScreenResourcesCurrent(display, roots[0]) else { return false }
        defer { XRRFreeScreenResources(resources) }
        guard resources.pointee.noutput > 0,
            let output = XRRGetOutputInfo(display, resources, resources.pointee.outputs[0])
        else { return false }
        defer { XRRFreeOutputInfo(output) }
        return String(cString: output.pointee.name).hasPrefix("XWAYLAND")
    }

    /// The windows on a root, the topmost last.
    func children(of root: Window) -> [Window] {
        var other: Window = 0
        var parent: Window = 0
        var children: UnsafeMutablePointer<Window>?
        var count: UInt32 = 0
        guard XQueryTree(display, root, &other, &parent, &children, &count) != 0, let children else { return [] }
        defer { XFree(children) }
        return Array(UnsafeBufferPointer(start: children, count: Int(count)))
    }

    // MARK: events

    /// Calls `turn` whenever events may be there.
    func watch(_ turn: @escaping @LoopActor () -> Void) {
        reading = .watch(XConnectionNumber(display), for: .readable) { _ in
            turn()
            return true
        }
        self.turn = turn
    }

    private var turn: (@LoopActor () -> Void)?

    /// Hands on what is in the queue, but no more than a burst: a client that makes events without end must not keep
    /// us from the service's orders.
    ///
    /// Whoever has waited for a reply has filled the queue without the loop's knowing: every entry into the process
    /// ends with this.
    func takeEvents(_ handle: @LoopActor (inout XEvent) -> Void) {
        var left = 512
        while XPending(display) > 0 {
            guard left > 0 else {
                overflow = .idle { [weak self] in self?.turn?() }
                return
            }
            left -= 1
            var event = XEvent()
            XNextEvent(display, &event)
            handle(&event)
        }
    }
}
